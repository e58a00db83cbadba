package dataset

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

const farRows = 20_000 // of a file

// farBytes are nine files of 640 KB. Values of v are random, with many that are equal; those
// of id ascend from file to file.
var farBytes = sync.OnceValue(func() (files [][]byte) {
	r := rand.New(rand.NewPCG(35, 1))
	for i := range 9 {
		id, v, more := make([]int64, farRows), make([]int64, farRows), make([]int64, farRows)
		for k := range farRows {
			id[k], v[k], more[k] = int64(i*farRows+k), r.Int64N(1000), r.Int64()
		}
		file := gen.File{
			All:    gen.Column{PageRows: []int{1000}, Stats: gen.MinMax | gen.NullCount},
			Schema: []*gen.Node{gen.Required("id", gen.Int64), gen.Required("v", gen.Int64), gen.Required("more", gen.Int64), gen.Required("last", gen.Int64)},
			RowGroups: []gen.RowGroup{{Columns: []gen.Column{
				{Data: &gen.Data{Values: id}}, {Data: &gen.Data{Values: v}}, {Data: &gen.Data{Values: more}}, {Data: &gen.Data{Values: more}},
			}}},
		}
		b, err := file.Write()
		if err != nil {
			panic(err)
		}
		files = append(files, b)
	}
	return files
})

// farShelf is the nine files in a simulated store, or in memory.
type farShelf struct {
	store    *scannertest.Store // nil: the files are in memory
	missing  string             // this file cannot be opened
	replaced string             // this file is another once all nine have been opened
	opened   atomic.Int64
	open     atomic.Int64 // opened, and not closed
}

func (s *farShelf) opener(ctx context.Context, name string) (*scanner.File, error) {
	opened := s.opened.Add(1)
	if name == s.missing {
		return nil, errors.New("no such object")
	}
	b := farBytes()[name[0]-'0']
	src := fetch.FromBytes(b)
	if s.store != nil {
		src = s.store.Object(name, b)
	}
	if name == s.replaced && opened > int64(len(farBytes())) {
		traits := src.Traits()
		traits.Identity.Tag = "second"
		src = fetch.WithTraits(src, traits)
	}
	f, err := scanner.OpenSource(ctx, name, src)
	if err == nil {
		s.open.Add(1)
		f.OnClose(func() error { s.open.Add(-1); return nil })
	}
	return f, err
}

func (s *farShelf) files() *Files {
	var names []string
	for i := range farBytes() {
		names = append(names, fmt.Sprint(i, ".parquet"))
	}
	return New(names, s.opener)
}

// inStore calls do in a bubble with a new store, and checks that no file stays open.
func inStore(t *testing.T, do func(t *testing.T, s *farShelf)) {
	t.Helper()
	farBytes()
	synctest.Test(t, func(t *testing.T) {
		s := &farShelf{store: &scannertest.Store{Latency: 30 * time.Millisecond, Bandwidth: 1e9}}
		do(t, s)
		time.Sleep(time.Hour)
		if n := s.open.Load(); n != 0 {
			t.Errorf("%d files are open", n)
		}
	})
}

// bytesOf returns how many bytes of each file were requested.
func bytesOf(requests []*scannertest.Request) map[string]int64 {
	n := map[string]int64{}
	for _, q := range requests {
		n[q.Object] += q.Len
	}
	return n
}

func topLines(t *testing.T, ctx context.Context, fs *Files, by scanner.Order, o scanner.Options) (lines []string, err error) {
	for b, err := range fs.Top(ctx, by, o) {
		if err != nil {
			return lines, err
		}
		lines = append(lines, scannertest.Lines(t, b)...)
	}
	return lines, nil
}

// Top asks for the footers of far files at the same time, and then for the first rows of most of
// them. It returns the same rows as from files that are near, whichever come first.
func TestTopOfFarFiles(t *testing.T) {
	for _, c := range []struct {
		by     scanner.Order
		o      scanner.Options
		where  string
		trips  int // at most; one file after the other takes twice as many, or more
		footer int // files of which nothing but the end is read
	}{
		{by: scanner.Order{By: "v"}, o: scanner.Options{Limit: 300}, trips: 32},
		{by: scanner.Order{By: "v"}, o: scanner.Options{Limit: 300, Offset: 17, Select: []string{"v", "id"}}, trips: 32},
		{by: scanner.Order{By: "v", Descending: true}, o: scanner.Options{Limit: 300}, where: "more > 0", trips: 32},
		{by: scanner.Order{By: "v"}, o: scanner.Options{Limit: 5}, trips: 10, footer: 8},
		{by: scanner.Order{By: "id"}, o: scanner.Options{Limit: 5}, trips: 8, footer: 8},
		{by: scanner.Order{By: "id", Descending: true}, o: scanner.Options{Limit: 5}, trips: 10},
	} {
		if c.where != "" {
			c.o.Filter = scannertest.Parsed(t, c.where)
		}
		want, err := topLines(t, t.Context(), (&farShelf{}).files(), c.by, c.o)
		if err != nil || len(want) != int(c.o.Limit) {
			t.Fatal(len(want), err)
		}
		for range 3 {
			inStore(t, func(t *testing.T, s *farShelf) {
				got, err := topLines(t, t.Context(), s.files(), c.by, c.o)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%+v: %d rows, not the %d of near files, %v", c.by, len(got), len(want), err)
				}
				requests := s.store.Requests()
				footers := 0
				for _, n := range bytesOf(requests) {
					if n <= 128<<10 {
						footers++
					}
				}
				if trips := scannertest.Trips(requests); trips > c.trips || footers < c.footer {
					t.Errorf("%+v, limit %d: %d trips, want %d; of %d files only the end, want %d", c.by, c.o.Limit, trips, c.trips, footers, c.footer)
				}
			})
		}
	}
}

// partsLines runs all partitions at the same time, and returns their rows sorted.
func partsLines(t *testing.T, ctx context.Context, fs *Files, o scanner.Options, n int) (lines []string, err error) {
	var mu sync.Mutex
	var running sync.WaitGroup
	for _, part := range fs.Partitions(ctx, o, n) {
		running.Go(func() {
			for b, fault := range part {
				mu.Lock()
				if fault != nil {
					err = errors.Join(err, fault)
				} else {
					lines = append(lines, scannertest.Lines(t, b)...)
				}
				mu.Unlock()
			}
		})
	}
	running.Wait()
	slices.Sort(lines)
	return lines, err
}

// An offset opens far files at the same time. Rows, their number and their least value are those of near files.
func TestOffsetOfFarFiles(t *testing.T) {
	for _, o := range []scanner.Options{
		{Offset: 0, Limit: 5}, {Offset: 5}, {Offset: farRows - 1, Limit: 2}, {Offset: 4*farRows + 10, Limit: 10}, {Offset: 7*farRows + 1}, {Offset: 6 * farRows, Limit: farRows + 1},
		{Offset: 9 * farRows, Limit: 3}, {Offset: 9*farRows - 2, Limit: 300}, {Offset: 2 * farRows, Limit: 10, Filter: scannertest.Parsed(t, "v >= 100")},
	} {
		o.Select = []string{"id"}
		answers := func(t *testing.T, fs *Files) (all []string) {
			for b, err := range fs.Scan(t.Context(), o) {
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, scannertest.Lines(t, b)...)
			}
			n, err := fs.Count(t.Context(), o)
			least, fault := fs.Min(t.Context(), "id", o)
			parts, of := partsLines(t, t.Context(), fs, o, 2)
			if err := errors.Join(err, fault, of); err != nil {
				t.Fatal(err)
			}
			return append(append(all, fmt.Sprint(n, least)), parts...)
		}
		want := answers(t, (&farShelf{}).files())
		inStore(t, func(t *testing.T, s *farShelf) {
			if got := answers(t, s.files()); !slices.Equal(got, want) {
				t.Errorf("offset %d, limit %d: %d answers, not the %d of near files", o.Offset, o.Limit, len(got), len(want))
			}
		})
		if o.Filter == nil && o.Offset > 0 {
			inStore(t, func(t *testing.T, s *farShelf) {
				if _, err := s.files().Count(t.Context(), o); err != nil || scannertest.Trips(s.store.Requests()) > 3 {
					t.Errorf("offset %d, limit %d: %d trips to count, want at most 3; %v", o.Offset, o.Limit, scannertest.Trips(s.store.Requests()), err)
				}
			})
		}
	}
}

// A file behind the last row that Limit allows is opened ahead in vain: if it cannot be opened, that is no error.
func TestLimitEndsBeforeMissingFile(t *testing.T) {
	for _, c := range []struct {
		offset, limit int64
		missing       string
	}{{3, 10, "1.parquet"}, {farRows + 3, 10, "2.parquet"}, {2*farRows - 5, 10, "3.parquet"}, {2 * farRows, farRows, "5.parquet"}} {
		o := scanner.Options{Select: []string{"id"}, Offset: c.offset, Limit: c.limit}
		inStore(t, func(t *testing.T, s *farShelf) {
			s.missing = c.missing
			rows := int64(0)
			var scan error
			for b, err := range s.files().Scan(t.Context(), o) {
				if scan = err; err == nil {
					rows += int64(b.Len)
				}
			}
			n, count := s.files().Count(t.Context(), o)
			_, least := s.files().Min(t.Context(), "id", o)
			parts, part := partsLines(t, t.Context(), s.files(), o, 3)
			if err := errors.Join(scan, count, least, part); err != nil || rows != c.limit || n != c.limit || int64(len(parts)) != c.limit {
				t.Errorf("offset %d: %d, %d and %d rows, want %d; %v", c.offset, rows, n, len(parts), c.limit, err)
			}
		})
	}
}

// While partitions read a far file, the next ones are opened: one trip for all footers but the first.
// One after the other, nine files take 18 trips; the order of goroutines adds one or two to ours.
func TestPartitionsOpenAhead(t *testing.T) {
	o := scanner.Options{Select: []string{"id"}}
	want, err := partsLines(t, t.Context(), (&farShelf{}).files(), o, 1)
	if err != nil || len(want) != 9*farRows {
		t.Fatal(len(want), err)
	}
	for parts, most := range map[int]int{1: 12, 2: 8, 9: 5} {
		dtest.OnceOfFour(t, func() (failed error) {
			inStore(t, func(t *testing.T, s *farShelf) {
				got, err := partsLines(t, t.Context(), s.files(), o, parts)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%d partitions: %d rows of %d, %v", parts, len(got), len(want), err)
				}
				if trips := scannertest.Trips(s.store.Requests()); trips > most {
					failed = fmt.Errorf("%d partitions: %d trips, want %d", parts, trips, most)
				}
			})
			return failed
		})
	}
}

// Each calls do for one far file after the other, and opens the next ones meanwhile.
func TestEachOpensAhead(t *testing.T) {
	inStore(t, func(t *testing.T, s *farShelf) {
		var names []string
		start := time.Now()
		err := s.files().Each(t.Context(), scanner.Options{}, func(f *scanner.File, _ scanner.Options) error {
			names = append(names, f.Name())
			return nil
		})
		if took := time.Since(start); err != nil || !slices.Equal(names, s.files().Names()) || took > 70*time.Millisecond {
			t.Errorf("%v in %v, %v", names, took, err)
		}
	})
}

// Near files are opened one after the other, by no goroutine.
func TestNearFilesAreNotOpenedAhead(t *testing.T) {
	s := &farShelf{}
	before := runtime.NumGoroutine()
	err := s.files().Each(t.Context(), scanner.Options{}, func(f *scanner.File, _ scanner.Options) error {
		if n := runtime.NumGoroutine(); n > before || s.open.Load() != 1 {
			t.Errorf("%s: %d goroutines, before %d; %d files open", f.Name(), n, before, s.open.Load())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for _, err := range s.files().Partitions(t.Context(), scanner.Options{Select: []string{"id"}}, 1)[0] {
		if n := runtime.NumGoroutine(); err != nil || n > before || s.open.Load() != 1 {
			t.Errorf("partition: %d goroutines, before %d; %d files open; %v", n, before, s.open.Load(), err)
		}
	}
}

// A file that cannot be opened is an error in its turn, after what comes of the files before it.
func TestFarFileIsMissing(t *testing.T) {
	for _, missing := range []int{0, 1, 4, 8} {
		inStore(t, func(t *testing.T, s *farShelf) {
			s.missing = fmt.Sprint(missing, ".parquet")
			check := func(what string, files int, err error) {
				t.Helper()
				var e *scanner.Error
				if !errors.As(err, &e) || e.File != s.missing || files != missing {
					t.Errorf("%s without %s: %d files, %v", what, s.missing, files, err)
				}
			}
			files := 0
			err := s.files().Each(t.Context(), scanner.Options{}, func(*scanner.File, scanner.Options) error {
				files++
				return nil
			})
			check("Each", files, err)
			lines, err := partsLines(t, t.Context(), s.files(), scanner.Options{Select: []string{"id"}}, 1)
			check("Partitions", len(lines)/farRows, err)
			_, err = topLines(t, t.Context(), s.files(), scanner.Order{By: "v"}, scanner.Options{Limit: 5})
			check("Top", missing, err)
		})
	}
}

// A partition that breaks off, alone or with all others, and a context that ends, leave no file
// open and nothing that is still to come: the bubble does not end before all goroutines have.
func TestFarPartitionsStop(t *testing.T) {
	for _, parts := range []int{1, 3} {
		for _, breaks := range []bool{false, true} {
			inStore(t, func(t *testing.T, s *farShelf) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var running sync.WaitGroup
				for _, part := range s.files().Partitions(ctx, scanner.Options{BatchRows: 100}, parts) {
					running.Go(func() {
						for _, err := range part {
							if breaks || err != nil && !errors.Is(err, context.Canceled) {
								if err != nil {
									t.Error(err)
								}
								break
							}
							cancel()
						}
					})
				}
				running.Wait()
				if n := s.open.Load(); breaks && n != 0 {
					t.Errorf("%d of %d partitions broke off: %d files are open", parts, parts, n)
				}
			})
		}
	}
	for _, stop := range []error{errStop, nil} { // of Each
		inStore(t, func(t *testing.T, s *farShelf) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			start := time.Now()
			err := s.files().Each(ctx, scanner.Options{}, func(*scanner.File, scanner.Options) error {
				cancel()
				return stop
			})
			if took := time.Since(start); took > 40*time.Millisecond || s.open.Load() != 0 || err != stop && !errors.Is(err, context.Canceled) {
				t.Errorf("Each ends after %v, %d files open, %v", took, s.open.Load(), err)
			}
		})
	}
}

// A panic of a host's Opener comes to who asked for the file.
func TestOpenerPanics(t *testing.T) {
	inStore(t, func(t *testing.T, s *farShelf) {
		files := s.files().With(func(ctx context.Context, name string) (*scanner.File, error) {
			if name == "3.parquet" {
				panic("in the host")
			}
			return s.opener(ctx, name)
		})
		for what, do := range map[string]func(){
			"Each": func() {
				_ = files.Each(t.Context(), scanner.Options{}, func(*scanner.File, scanner.Options) error { return nil })
			},
			"Partitions": func() { _, _ = partLines(t, files) },
			"Top": func() {
				_, _ = topLines(t, t.Context(), files, scanner.Order{By: "v"}, scanner.Options{Limit: 5})
			},
		} {
			func() {
				defer func() {
					if cause := recover(); cause != "in the host" {
						t.Errorf("%s: recovered %v", what, cause)
					}
				}()
				do()
			}()
		}
	})
}

// partLines returns the rows of the only partition.
func partLines(t *testing.T, fs *Files) (lines []string, err error) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for b, err := range fs.Partitions(ctx, scanner.Options{}, 1)[0] {
		if err != nil {
			return lines, err
		}
		lines = append(lines, scannertest.Lines(t, b)...)
	}
	return lines, nil
}

// A file that is replaced after Top has searched it, and before Top reads its rows, is an error.
func TestTopOfReplacedFiles(t *testing.T) {
	inStore(t, func(t *testing.T, s *farShelf) {
		s.replaced = "4.parquet"
		_, err := topLines(t, t.Context(), s.files(), scanner.Order{By: "v"}, scanner.Options{Limit: 500})
		if !errors.Is(err, scanner.ErrChanged) || !strings.HasPrefix(err.Error(), s.replaced) {
			t.Errorf("a replaced file: %v", err)
		}
	})
}
