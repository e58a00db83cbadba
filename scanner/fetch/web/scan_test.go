package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift"
)

// fileServer serves a file, and keeps its requests.
type fileServer struct {
	*httptest.Server
	data []byte
	etag string

	mu   sync.Mutex
	log  []string
	fail func(n int) bool // whether the n-th request is answered by 503
}

func serve(t testing.TB, data []byte) *fileServer {
	s := &fileServer{data: data, etag: `"1"`, fail: func(int) bool { return false }}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.log = append(s.log, r.Header.Get("Range"))
		fail := s.fail(len(s.log))
		data, etag := s.data, s.etag
		s.mu.Unlock()
		if fail {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("ETag", etag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *fileServer) requests() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return strings.Join(log, "\n")
}

func (s *fileServer) open(t *testing.T) *scanner.File {
	t.Helper()
	src, err := web.Open(t.Context(), s.URL+"/points.parquet", web.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := scanner.OpenSource(t.Context(), "points.parquet", src)
	if err != nil {
		t.Fatal(err)
	}
	f.OnClose(src.Close)
	t.Cleanup(func() { f.Close() })
	return f
}

// points is a file of four row groups of 1000 rows in pages of 100: id ascends, text is long.
func points(t *testing.T) []byte {
	var groups []gen.RowGroup
	for g := range 4 {
		var rows []any
		for i := range 1000 {
			id := int64(g*1000 + i)
			rows = append(rows, gen.Record{"id": id, "text": strings.Repeat(fmt.Sprint(id, " "), 40)})
		}
		groups = append(groups, gen.RowGroup{Rows: rows, Columns: []gen.Column{{PageRows: []int{100}}, {PageRows: []int{100}}}})
	}
	return scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("id", gen.Int64), gen.Required("text", gen.ByteArray).As(gen.StringType())},
		RowGroups: groups,
	})
}

// One row of a file: one request for the footer and the indexes, and one for a page of each column.
func TestPointLookup(t *testing.T) {
	data := points(t)
	s := serve(t, data)
	f := s.open(t)
	if got := s.requests(); got != "bytes=-131072" {
		t.Errorf("opening: %s", got)
	}
	local, err := scanner.OpenSource(t.Context(), "local", fetch.FromBytes(data))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for leaf := range 2 {
		c, err := local.Chunk(2, leaf)
		if err != nil {
			t.Fatal(err)
		}
		var index thrift.OffsetIndex
		if _, err := thrift.ReadOffsetIndex(data[c.OffsetIndexOffset:], &index); err != nil {
			t.Fatal(err)
		}
		p := index.Pages[5]
		want = append(want, fmt.Sprintf("bytes=%d-%d", p.Offset, p.Offset+int64(p.CompressedSize)-1))
	}
	var rows []string
	for b, err := range f.Scan(t.Context(), scanner.Options{Filter: scannertest.Parsed(t, "id = 2567")}) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Len {
			rows = append(rows, string(b.Columns[1].Bytes(i)))
		}
	}
	if !slices.Equal(rows, []string{strings.Repeat("2567 ", 40)}) {
		t.Errorf("rows %q", rows)
	}
	got := strings.Split(s.requests(), "\n") // at the same time
	slices.Sort(got)
	slices.Sort(want)
	if got := strings.Join(got, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("requests\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// texts returns the second column of all rows of a scan.
func texts(t *testing.T, f *scanner.File, o scanner.Options) (rows []string, err error) {
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			return rows, err
		}
		for i := range b.Len {
			rows = append(rows, string(b.Columns[1].Bytes(i)))
		}
		b.Release()
	}
	return rows, nil
}

// Rows are those of the file, whatever fails on the way, and one after the other or side by side.
func TestScan(t *testing.T) {
	data := points(t)
	s := serve(t, data)
	local, err := scanner.OpenSource(t.Context(), "local", fetch.FromBytes(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, every := range []int{0, 2, 3} {
		s.fail = func(n int) bool { return every > 0 && n%every == 0 }
		f := s.open(t)
		for _, o := range []scanner.Options{{}, {Threads: 3}, {Filter: scannertest.Parsed(t, "text like '%3 '")}, {Filter: scannertest.Parsed(t, "id between 990 and 1010"), Threads: 2}} {
			want, err := texts(t, local, o)
			if err != nil || len(want) == 0 {
				t.Fatal(len(want), err)
			}
			if got, err := texts(t, f, o); err != nil || !slices.Equal(got, want) {
				t.Errorf("every %d-th request fails: %d rows, want %d: %v", every, len(got), len(want), err)
			}
		}
	}
}

// A file that is replaced while it is open is an error, even by one of the same size.
func TestScanOfChangedFile(t *testing.T) {
	s := serve(t, points(t))
	f := s.open(t)
	s.mu.Lock()
	s.etag = `"2"`
	s.mu.Unlock()
	if _, err := texts(t, f, scanner.Options{}); !errors.Is(err, scanner.ErrChanged) {
		t.Errorf("scan: %v", err)
	}
	if got := s.open(t).Identity().Tag; got != `"2"` {
		t.Errorf("opened again: ETag %s", got)
	}
}

// A scan whose context ends leaves no goroutine, though the server is slow.
func TestScanEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	s := serve(t, points(t))
	f := s.open(t)
	release := make(chan bool)
	asked := make(chan bool, 100)
	s.mu.Lock()
	s.fail = func(int) bool { // with the lock: all requests wait
		asked <- true
		<-release
		return false
	}
	s.mu.Unlock()
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-asked
		cancel(errEnough)
	}()
	for _, err := range f.Scan(ctx, scanner.Options{}) {
		if !errors.Is(err, errEnough) {
			t.Errorf("%v", err)
		}
	}
	close(release)
	f.Close()
	s.Close()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

var errEnough = errors.New("enough")
