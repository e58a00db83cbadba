package scanner_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// faultFile is a file of four row groups of 500 rows, with dictionaries, Bloom filters and nested
// columns. Its identifiers start with first.
func faultFile(t *testing.T, first int) []byte {
	file := gen.File{
		Schema: []*gen.Node{
			gen.Required("id", gen.Int64), gen.Optional("n", gen.Int64), gen.Required("s", gen.ByteArray).As(gen.StringType()),
			gen.List("tags", gen.Required("element", gen.ByteArray).As(gen.StringType())),
		},
	}
	for g := range 4 {
		var rows []any
		for i := range 500 {
			id := first + g*500 + i
			rows = append(rows, gen.Record{"id": id, "n": id * 7919 % 1009, "s": fmt.Sprint("s", id%37), "tags": []any{fmt.Sprint(id), "x"}})
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Rows: rows, Columns: []gen.Column{
			{PageRows: []int{50}}, {PageRows: []int{64, 100}, Bloom: 1024}, {PageRows: []int{125}, Shape: gen.Shape{Encoding: gen.Dictionary}}, {PageRows: []int{90}},
		}})
	}
	return scannertest.Write(t, file)
}

// faultShape is a scan of one file, or of several. It returns what it found as lines.
type faultShape struct {
	name string
	scan func(ctx context.Context, files *dataset.Files, o scanner.Options) ([]string, error)
	o    scanner.Options
	all  bool // scans all files, not only the first
}

func faultShapes(t *testing.T) []faultShape {
	rows := func(ctx context.Context, files *dataset.Files, o scanner.Options) (got []string, err error) {
		for b, err := range files.Scan(ctx, o) {
			if err != nil {
				return got, err
			}
			got = append(got, scannertest.Lines(t, b)...)
		}
		return got, nil
	}
	count := func(ctx context.Context, files *dataset.Files, o scanner.Options) ([]string, error) {
		n, err := files.Count(ctx, o)
		return []string{fmt.Sprint(n)}, err
	}
	least := func(ctx context.Context, files *dataset.Files, o scanner.Options) ([]string, error) {
		v, err := files.Min(ctx, "n", o)
		return []string{v.String()}, err
	}
	top := func(ctx context.Context, files *dataset.Files, o scanner.Options) (got []string, err error) {
		for b, err := range files.Top(ctx, scanner.Order{By: "n"}, o) {
			if err != nil {
				return got, err
			}
			got = append(got, scannertest.Lines(t, b)...)
		}
		return got, nil
	}
	parts := func(ctx context.Context, files *dataset.Files, o scanner.Options) (got []string, err error) {
		for _, part := range files.Partitions(ctx, o, 2) {
			for b, err := range part {
				if err != nil {
					return got, err
				}
				got = append(got, scannertest.Lines(t, b)...)
			}
		}
		slices.Sort(got)
		return got, nil
	}
	where := func(text string, o scanner.Options) scanner.Options {
		o.Filter = scannertest.Parsed(t, text)
		return o
	}
	var shapes []faultShape
	for _, all := range []bool{false, true} {
		for _, s := range []faultShape{
			{name: "full", scan: rows},
			{name: "two columns", scan: rows, o: scanner.Options{Select: []string{"id", "s"}}},
			{name: "point lookup", scan: rows, o: where("id = 777", scanner.Options{})},
			{name: "Bloom filter", scan: rows, o: where("n = 500", scanner.Options{})},
			{name: "scattered", scan: rows, o: where("n < 50", scanner.Options{})},
			{name: "most rows", scan: rows, o: where("n > 50 and s <> 's3'", scanner.Options{})},
			{name: "limit", scan: rows, o: scanner.Options{Limit: 10}},
			{name: "limit of a filter", scan: rows, o: where("n < 200", scanner.Options{Limit: 10, Offset: 3})},
			{name: "threads", scan: rows, o: scanner.Options{Threads: 3}},
			{name: "count", scan: count, o: where("s = 's5'", scanner.Options{})},
			{name: "least", scan: least, o: where("s = 's5'", scanner.Options{})},
			{name: "top", scan: top, o: scanner.Options{Limit: 5}},
			{name: "partitions", scan: parts, o: where("n > 500", scanner.Options{})},
		} {
			if s.all = all; all {
				s.name += " of three files"
			}
			shapes = append(shapes, s)
		}
	}
	return shapes
}

// run scans a new store, in a bubble whose goroutines must all end.
func (c *faultShape) run(t *testing.T, files [][]byte, prepare func(*scannertest.Store)) (got []string, requests []*scannertest.Request, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		store := &scannertest.Store{Latency: 10 * time.Millisecond, Bandwidth: 10e6}
		prepare(store)
		table := dataset.New(c.names(), func(ctx context.Context, name string) (*scanner.File, error) {
			return scanner.OpenSource(ctx, name, store.Object(name, files[fileNumber(name)]))
		})
		got, err = c.scan(t.Context(), table, c.o)
		requests = store.Requests()
	})
	return got, requests, err
}

// near scans the files in memory.
func (c *faultShape) near(t *testing.T, files [][]byte) ([]string, error) {
	table := dataset.New(c.names(), func(ctx context.Context, name string) (*scanner.File, error) {
		return scanner.OpenSource(ctx, name, fetch.FromBytes(files[fileNumber(name)]))
	})
	return c.scan(t.Context(), table, c.o)
}

func (c *faultShape) names() []string {
	names := []string{"0.parquet", "1.parquet", "2.parquet"}
	if !c.all {
		names = names[:1]
	}
	return names
}

// Whichever request fails, a scan returns the right rows, or an error that names the object and
// the range. If all requests from one on fail, it is an error.
func TestRequestsFail(t *testing.T) {
	files := [][]byte{faultFile(t, 0), faultFile(t, 2000), faultFile(t, 4000)}
	for _, c := range faultShapes(t) {
		want, requests, err := c.run(t, files, func(*scannertest.Store) {})
		near, nearErr := c.near(t, files)
		if err != nil || nearErr != nil || len(want) == 0 || !slices.Equal(want, near) {
			t.Fatalf("%s: %d rows, %v; of local files %d, %v", c.name, len(want), err, len(near), nearErr)
		}
		failed, right := 0, 0
		for n := range requests {
			for _, from := range []bool{false, true} {
				got, _, err := c.run(t, files, func(s *scannertest.Store) {
					s.Fail = func(number int) error {
						if number == n || from && number > n {
							return scannertest.ErrInjected
						}
						return nil
					}
				})
				var e *scanner.Error
				if err != nil {
					failed++
				} else {
					right++
				}
				switch {
				case err == nil && !slices.Equal(got, want):
					t.Errorf("%s, request %d: %d rows of %d, and no error", c.name, n, len(got), len(want))
				case err != nil && (!errors.Is(err, scannertest.ErrInjected) || !errors.As(err, &e) || !strings.Contains(err.Error(), ".parquet, range ")):
					t.Errorf("%s, request %d: %v", c.name, n, err)
				case err == nil && n == 0:
					t.Errorf("%s: the first request fails, and there is no error", c.name)
				}
			}
		}
		t.Logf("%s: %d requests; with one or more that fail: %d errors, %d times the right rows", c.name, len(requests), failed, right)
	}
}

// An object that is replaced while it is scanned is an error, whenever that is.
func TestReplacedObjects(t *testing.T) {
	files := [][]byte{faultFile(t, 0), faultFile(t, 2000), faultFile(t, 4000)}
	for _, c := range faultShapes(t) {
		_, requests, err := c.run(t, files, func(*scannertest.Store) {})
		if err != nil {
			t.Fatal(err)
		}
		opened := map[string]bool{}
		for n, q := range requests {
			if !opened[q.Object] {
				opened[q.Object] = true // by this request
				continue
			}
			var after *scannertest.Request
			_, _, err := c.run(t, files, func(s *scannertest.Store) {
				s.Sent = func(number int, q *scannertest.Request) {
					if number >= n && q.Range.End() < int64(len(files[0])) && after == nil {
						after = q
						s.Replace(q.Object, "second")
					}
				}
			})
			unused := err == nil && after != nil && after.End == 0 // it was cancelled, and no other came after it
			if after != nil && !unused && !errors.Is(err, scanner.ErrChanged) {
				t.Errorf("%s: replaced before request %d, %v: %v", c.name, n, q.Range, err)
			}
		}
	}
}

// A key that Bloom filters rule out takes two trips: the file's end, and a block of each filter.
func TestBloomFiltersTakeOneTrip(t *testing.T) {
	file := gen.File{Schema: []*gen.Node{gen.Required("key", gen.Int64)}}
	for g := range 5 {
		keys := make([]int64, 1000)
		for i := range keys {
			keys[i] = int64(i*7919%1009*5+g) * 2
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Columns: []gen.Column{{PageRows: []int{100}, Bloom: 1 << 18, Data: &gen.Data{Values: keys}}}})
	}
	b := scannertest.Write(t, file)
	synctest.Test(t, func(t *testing.T) {
		store := &scannertest.Store{Latency: 10 * time.Millisecond, Bandwidth: 10e6}
		f, err := scanner.OpenSource(t.Context(), "0.parquet", store.Object("0.parquet", b))
		if err != nil {
			t.Fatal(err)
		}
		n, err := f.Count(t.Context(), scanner.Options{Filter: scannertest.Parsed(t, "key = 5001")})
		requests, read := store.Requests(), int64(0)
		for _, q := range requests[1:] {
			read += q.Len
		}
		if trips := scannertest.Trips(requests); n != 0 || err != nil || trips != 2 || read > 10_000 {
			t.Errorf("%d rows, %v; %d trips, %d bytes behind the footer's", n, err, trips, read)
			for _, q := range requests {
				t.Log(q.Start, q.Range)
			}
		}
	})
}

// A loop over far files that breaks, and one that is cancelled, end at once, and so do all of
// their requests and goroutines: the bubble does not end before.
func TestFarScansStop(t *testing.T) {
	files := [][]byte{faultFile(t, 0), faultFile(t, 2000), faultFile(t, 4000)}
	for _, o := range []scanner.Options{{}, {Filter: scannertest.Parsed(t, "n > 50"), BatchRows: 100}, {Filter: scannertest.Parsed(t, "n = 7"), Select: []string{"s"}}} {
		for _, breaks := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				store := &scannertest.Store{Latency: 50 * time.Millisecond, Bandwidth: 1e6}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				table := dataset.New([]string{"0.parquet", "1.parquet", "2.parquet"}, func(ctx context.Context, name string) (*scanner.File, error) {
					return scanner.OpenSource(ctx, name, store.Object(name, files[fileNumber(name)]))
				})
				var start time.Time
				var last error
				for _, err := range table.Scan(ctx, o) {
					if last = err; err != nil {
						break
					}
					if start.IsZero() {
						start = time.Now()
						cancel()
					}
					if breaks {
						break
					}
				}
				if took := time.Since(start); took > 0 || !breaks && !errors.Is(last, context.Canceled) {
					t.Errorf("breaks: %v: takes %v, %v", breaks, took, last)
				}
				time.Sleep(time.Hour)
				for _, q := range store.Requests() {
					if q.End > start.Sub(store.Began()) {
						t.Errorf("breaks: %v: request %v of %s goes on until %v", breaks, q.Range, q.Object, q.End)
					}
				}
			})
		}
	}
}
