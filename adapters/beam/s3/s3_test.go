package s3_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	winnowio "github.com/winnow-scan/winnow/adapters/beam"
	"github.com/winnow-scan/winnow/adapters/beam/internal/prismtest"
	"github.com/winnow-scan/winnow/adapters/beam/s3"
	"github.com/winnow-scan/winnow/filter"
)

// item is what the pipeline needs of a row of lineitems.parquet.
type item struct {
	Mode string `parquet:"ship_mode"`
	Part int64  `parquet:"part_key"`
}

// parts are some items of a mode.
type parts struct{ Count, Sum int64 }

func init() {
	beam.RegisterType(reflect.TypeFor[item]())
	beam.RegisterType(reflect.TypeFor[parts]())
	register.Function1x2(partOf)
	register.Function2x1(addParts)
	register.Function2x1(lineOf)
}

func partOf(i item) (string, parts)      { return i.Mode, parts{1, i.Part} }
func addParts(a, b parts) parts          { return parts{a.Count + b.Count, a.Sum + b.Sum} }
func lineOf(mode string, p parts) string { return fmt.Sprint(mode, ",", p.Count, ",", p.Sum) }
func sums(s beam.Scope, items beam.PCollection) beam.PCollection {
	return beam.ParDo(s, lineOf, beam.CombinePerKey(s, addParts, beam.ParDo(s, partOf, items)))
}

// Counts and sums of part_key by ship_mode, as pyarrow tells them.
const (
	largeQuantities = "AIR,120,53856 FOB,129,72972 MAIL,120,57900 RAIL,112,46692 REG-AIR,126,61563 SHIP,143,65622 TRUCK,118,57788" // quantity > 48
	allQuantities   = "AIR,2840,1405974 FOB,2903,1493407 MAIL,2829,1443430 RAIL,2917,1426764 REG-AIR,2880,1382420 SHIP,2887,1374552 TRUCK,2744,1357939"
)

func lines(text string) (all []any) {
	for _, line := range strings.Split(text, " ") {
		all = append(all, line)
	}
	return all
}

const (
	testKey    = "test-key"
	testSecret = "test-secret"
)

// The store is gofakes3 in this process, or versitygw in one of its own if WINNOW_VERSITYGW is
// its program, as in CI.
func TestMain(m *testing.M) {
	url, stop := startFake, func() {}
	if program := os.Getenv("WINNOW_VERSITYGW"); program != "" {
		url = func() string {
			address, end := startGateway(program)
			stop = end
			return address
		}
	}
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": testKey, "AWS_SECRET_ACCESS_KEY": testSecret,
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
	} {
		os.Setenv(name, value)
	}
	s3.Options.Endpoint = url()
	beam.RegisterInit(func() { slog.SetDefault(slog.New(slog.DiscardHandler)) }) // after Beam's own
	code := ptest.MainRetWithDefault(m, "prism")
	stop()
	os.Exit(code)
}

func startFake() string {
	server := httptest.NewUnstartedServer(gofakes3.New(s3mem.New()).Server())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it sends some headers twice
	server.Start()
	return server.URL
}

// startGateway starts versitygw with empty folders.
func startGateway(program string) (url string, stop func()) {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"/objects", "/sidecar"} {
		if err := os.Mkdir(folder+name, 0o700); err != nil {
			log.Fatal(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	var output bytes.Buffer
	cmd := exec.Command(program, "--port", address, "--access", testKey, "--secret", testSecret, "--keep-alive", "--quiet",
		"posix", "--sidecar", folder+"/sidecar", folder+"/objects")
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = os.RemoveAll(folder)
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return "http://" + address, stop
		}
		if time.Now().After(deadline) {
			stop()
			log.Fatalf("versitygw does not answer: %s", output.String())
		}
	}
}

// upload puts a file of testdata into a new bucket, under several keys.
func upload(t *testing.T, bucket, file string, keys ...string) (size int64) {
	data, err := os.ReadFile("../../../testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	client := awss3.New(awss3.Options{
		Region: "us-east-1", BaseEndpoint: &s3.Options.Endpoint, UsePathStyle: true,
		Credentials: credentials.NewStaticCredentialsProvider(testKey, testSecret, ""),
	})
	if _, err := client.CreateBucket(t.Context(), &awss3.CreateBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if _, err := client.PutObject(t.Context(), &awss3.PutObjectInput{Bucket: &bucket, Key: &key, Body: bytes.NewReader(data)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.PutObject(t.Context(), &awss3.PutObjectInput{Bucket: &bucket, Key: aws.String("_SUCCESS"), Body: strings.NewReader("")}); err != nil {
		t.Fatal(err)
	}
	return int64(len(data))
}

// Objects by a pattern with a filter, and by names that are elements. Of the objects that the
// filter needs, their ranges are requested, not their bytes.
func TestPipeline(t *testing.T) {
	size := upload(t, "pipeline", "lineitems.parquet", "year=2023/a.parquet", "year=2024/b.parquet")
	large := filter.Col("quantity").Gt(48)
	p, s := beam.NewPipelineWithRoot()
	year := winnowio.Read[item](s, "s3://pipeline/*/*.parquet", winnowio.Options{
		Filter: filter.And(large, filter.Col("year").Eq(2024)), SplitBytes: 64 << 10,
	})
	passert.Equals(s, sums(s, year), lines(largeQuantities)...)
	counters := prismtest.Run(t, p)
	if n := counters["requested_bytes"]; n == 0 || n >= size { // how many depends on how fast the store is: about half
		t.Errorf("%d bytes of %d are requested", n, size)
	}

	p, s = beam.NewPipelineWithRoot()
	names := beam.CreateList(s, []string{"s3://pipeline/year=2023/", "s3://pipeline/year=2024/b.parquet"})
	items := winnowio.ReadAll[item](s, names, winnowio.Options{Filter: filter.Col("year").Eq(2023)})
	passert.Equals(s, sums(s, items), lines(allQuantities)...)
	rows := winnowio.ReadRows(t.Context(), s, "s3://pipeline/year=2024/*", winnowio.Options{Filter: large, Select: []string{"order_key"}})
	passert.Count(s, rows, "rows", 868) // as above
	prismtest.Run(t, p)
}

// What cannot be read fails the pipeline with its name.
func TestFaults(t *testing.T) {
	upload(t, "faults", "orders.parquet")
	for name, want := range map[string]string{
		"s3://faults/none.parquet": "404",
		"s3://faults/*.parquet":    "no object matches",
		"s3://":                    "not the name of an object",
	} {
		p, s := beam.NewPipelineWithRoot()
		sums(s, winnowio.Read[item](s, name, winnowio.Options{}))
		_, err := beam.Run(t.Context(), "prism", p)
		if err == nil || !strings.Contains(err.Error(), name+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := winnowio.RowType(context.Background(), "s3://faults/*.parquet", winnowio.Options{})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no match is %v", err)
	}
}
