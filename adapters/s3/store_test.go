package s3scan

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/winnow-scan/winnow/adapters/s3/internal/proxy"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// store is an S3 server with a bucket, behind a proxy.
type store struct {
	*proxy.Proxy
	server string     // URL of the store itself
	direct *s3.Client // past the proxy
	client *Client
}

const (
	testKey    = "test-key"
	testSecret = "test-secret"
)

// eachStore runs a test with gofakes3 in this process, and with versitygw in one of its own where
// WINNOW_VERSITYGW is its program, as in CI. Then it looks for goroutines that are left, which connections to the proxy have, too.
func eachStore(t *testing.T, test func(t *testing.T, s *store)) {
	run := func(name string, start func(t *testing.T) (url string)) {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, start(t))
			before := runtime.NumGoroutine()
			test(t, s)
			if t.Failed() {
				return
			}
			s.client.Close()
			s.CloseIdle()
			for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					stacks := make([]byte, 1<<16)
					t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
				}
				s.CloseIdle()
			}
		})
	}
	run("gofakes3", func(t *testing.T) string {
		server := httptest.NewUnstartedServer(gofakes3.New(s3mem.New()).Server())
		server.Config.ErrorLog = log.New(io.Discard, "", 0) // it sends some headers twice
		server.Start()
		t.Cleanup(server.Close)
		return server.URL
	})
	if program := os.Getenv("WINNOW_VERSITYGW"); program != "" {
		run("versitygw", func(t *testing.T) string { return startGateway(t, program) })
	}
}

// startGateway starts versitygw with an empty folder.
func startGateway(t *testing.T, program string) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	var output bytes.Buffer
	cmd := exec.Command(program, "--port", address, "--access", testKey, "--secret", testSecret, "--keep-alive", "--quiet",
		"posix", "--sidecar", t.TempDir(), t.TempDir())
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return "http://" + address
		}
		if time.Now().After(deadline) {
			t.Fatalf("versitygw does not answer: %s", output.String())
		}
	}
}

func newStore(t *testing.T, url string) *store {
	p, err := proxy.New(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", testKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", testSecret)
	t.Setenv("AWS_CONFIG_FILE", os.DevNull)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", os.DevNull)
	s := &store{Proxy: p, server: url}
	s.direct = s3.New(s3.Options{
		Region: "us-east-1", BaseEndpoint: &url, UsePathStyle: true,
		Credentials: credentials.NewStaticCredentialsProvider(testKey, testSecret, ""),
		HTTPClient:  &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	})
	if _, err := s.direct.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("bucket")}); err != nil {
		t.Fatal(err)
	}
	s.client = s.with(t, Options{})
	return s
}

// beside returns the same store behind a proxy of its own, with a client that gives up soon.
func (s *store) beside(t *testing.T) *store {
	p, err := proxy.New(s.server)
	if err != nil {
		t.Fatal(err)
	}
	own := &store{Proxy: p, server: s.server, direct: s.direct}
	own.client = own.with(t, Options{Attempts: 2})
	return own
}

// with returns a client of the store with other options.
func (s *store) with(t *testing.T, o Options) *Client {
	t.Helper()
	if o.Client == nil {
		o.Endpoint = s.URL
	}
	c, err := NewClient(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func (s *store) put(t *testing.T, key string, data []byte) {
	t.Helper()
	if err := s.replace(key, data); err != nil {
		t.Fatal(err)
	}
}

func (s *store) replace(key string, data []byte) error {
	_, err := s.direct.PutObject(context.Background(), &s3.PutObjectInput{Bucket: aws.String("bucket"), Key: &key, Body: bytes.NewReader(data)})
	return err
}

// requests returns the requests since the last call, a line each, sorted.
func (s *store) requests() string {
	log, _ := s.Take()
	slices.Sort(log)
	return strings.Join(log, "\n")
}

func sample(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("../../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// query is a scan of the file lineitems.parquet.
type query struct {
	name    string
	options scanner.Options
}

func queries(t *testing.T) []query {
	where := func(text string) *filter.Expr {
		e, err := filter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	return []query{
		{"full scan", scanner.Options{}},
		{"point lookup", scanner.Options{Filter: where("order_key = 20604")}},
		{"filtered", scanner.Options{Filter: where("quantity > 48 AND comment LIKE '%harbour%'")}},
	}
}

// rowsOf returns the rows of a scan as text.
func rowsOf(ctx context.Context, table scanner.Table, o scanner.Options) (rows []string, err error) {
	var all strings.Builder
	for b, err := range table.Scan(ctx, o) {
		if err != nil {
			return nil, err
		}
		text := vector.JSONRows(b.Fields)
		text.Use(b)
		for i := range b.Len {
			line, err := text.Append(nil, i)
			if err != nil {
				return nil, err
			}
			all.Write(line)
			all.WriteByte('\n')
		}
		b.Release()
	}
	return strings.Split(all.String(), "\n"), nil
}

// localRows returns the rows of a scan of the same bytes in memory.
func localRows(t *testing.T, data []byte, o scanner.Options) []string {
	t.Helper()
	f, err := scanner.OpenSource(t.Context(), "local", fetch.FromBytes(data))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := rowsOf(t.Context(), f, o)
	if err != nil || len(rows) < 2 {
		t.Fatal(fmt.Sprint(len(rows), " lines: "), err)
	}
	return rows
}

func (s *store) remove(key string) {
	_, _ = s.direct.DeleteObject(context.Background(), &s3.DeleteObjectInput{Bucket: aws.String("bucket"), Key: &key})
}

// open opens an object by its listing, without a request.
func (s *store) open(t *testing.T, key string) *File {
	t.Helper()
	head, err := s.direct.HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: aws.String("bucket"), Key: &key})
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.client.OpenObject(t.Context(), Object{"bucket", key, *head.ContentLength, *head.ETag})
	if err != nil {
		t.Fatal(err)
	}
	return f
}
