package scanner_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// The file of the simulated store: ten row groups of 100,000 rows, 48 MB, with pages of
// 2,500 rows, so that a part of the page index lies before the last 64 KiB.
const (
	storeGroups   = 10
	storeRows     = 100_000 // of a row group
	storePageRows = 2500
	lookedUp      = 6*storeRows + 31_234
	rareValue     = 500_000
)

// storeColumns are the file's columns: id ascends, one in a hundred rows has v = 7, eleven
// rows have rare = 500000. The others are random.
var storeColumns = []string{"id", "v", "rare", "c1", "c2", "c3", "c4", "c5"}

// storeFile is a file and what a scan of it needs, told by its writer.
type storeFile struct {
	gen.Written
	v, rare, c5 []int32 // by row
}

var bigFile = sync.OnceValue(func() *storeFile { return writeStoreFile(storeGroups, 1) })

// smallFiles are nine files of one row group, a tenth of the rows each.
var smallFiles = sync.OnceValue(func() (files []*storeFile) {
	for i := range 9 {
		files = append(files, writeStoreFile(1, uint64(i+2)))
	}
	return files
})

func writeStoreFile(groups int, seed uint64) *storeFile {
	r := rand.New(rand.NewPCG(seed, 35))
	n := groups * storeRows
	f := &storeFile{v: make([]int32, n), rare: make([]int32, n), c5: make([]int32, n)}
	for i := range n {
		f.v[i] = r.Int32N(100)
		if f.rare[i] = r.Int32N(1_000_000); f.rare[i] == rareValue {
			f.rare[i]++
		}
	}
	for i := range 11 {
		f.rare[(2*i+1)*n/22] = rareValue
	}
	file := gen.File{All: gen.Column{PageRows: []int{storePageRows}, Stats: gen.MinMax | gen.NullCount}}
	for i, name := range storeColumns {
		typ := gen.Int64
		if i == 1 || i == 2 || i > 5 {
			typ = gen.Int32
		}
		file.Schema = append(file.Schema, gen.Required(name, typ))
	}
	for g := range groups {
		var columns []gen.Column
		for i := range storeColumns {
			long, short := make([]int64, storeRows), make([]int32, storeRows)
			for k := range long {
				long[k], short[k] = r.Int64(), r.Int32()
				if i == 0 {
					long[k] = int64(g*storeRows + k)
				}
			}
			values := any(long)
			switch {
			case i == 1:
				values = f.v[g*storeRows : (g+1)*storeRows]
			case i == 2:
				values = f.rare[g*storeRows : (g+1)*storeRows]
			case i > 5:
				values = short
				if i == 7 {
					copy(f.c5[g*storeRows:], short)
				}
			}
			columns = append(columns, gen.Column{Data: &gen.Data{Values: values}})
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Columns: columns})
	}
	var err error
	if f.Written, err = file.Build(); err != nil {
		panic(err)
	}
	return f
}

// needs are the bytes that a scan needs, and the trips that none can do without.
type needs struct {
	bytes int64
	trips []string
	guess int64 // bytes that a scan may read besides, since only the rows that pass show what is needed

	// Bytes that a scan may count besides: those of requests that it has cancelled before they were made.
	cancelled int64
}

// footer adds the footer and the trip for it.
func (n *needs) footer(f *storeFile) {
	b := f.Bytes[len(f.Bytes)-8:]
	n.bytes += int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16 + 8
}

// index adds the indexes of columns in row groups [from, to).
func (n *needs) index(f *storeFile, from, to int, bounds, offsets []string) {
	for g := from; g < to; g++ {
		for i, c := range f.Footer.RowGroups[g].Columns {
			if slices.Contains(bounds, storeColumns[i]) {
				n.bytes += int64(*c.ColumnIndexLength)
			}
			if slices.Contains(offsets, storeColumns[i]) {
				n.bytes += int64(*c.OffsetIndexLength)
			}
		}
	}
}

// pages adds the pages of columns that have rows with the given property.
func (n *needs) pages(f *storeFile, columns []string, wanted func(row int) bool) {
	has := make([]bool, len(f.v)/storePageRows)
	for i := range has {
		for row := i * storePageRows; row < (i+1)*storePageRows && !has[i]; row++ {
			has[i] = wanted(row)
		}
	}
	for g, columnsOf := range f.Pages {
		for i, pages := range columnsOf {
			if !slices.Contains(columns, storeColumns[i]) {
				continue
			}
			for p, x := range pages {
				if has[g*storeRows/storePageRows+p] {
					n.bytes += x.End - x.Start
				}
			}
		}
	}
}

func anyRow(int) bool { return true }

// storeShape is a scan of a simulated store.
type storeShape struct {
	name  string
	where string
	o     scanner.Options
	files bool                             // the nine files instead of the one
	count bool                             // Count instead of Scan
	ask   storeQuestion                    // instead of Scan
	needs func(f *storeFile) needs         // of the one file, or of each of the nine
	bar   float64                          // of time, as a multiple of the ideal
	want  func(f *storeFile, row int) bool // rows that are returned
	found func(files []*storeFile) found   // instead of needs and want, where they depend on all files
}

func storeShapes() []storeShape {
	all := storeColumns
	isV := func(f *storeFile, row int) bool { return f.v[row] == 7 }
	isRare := func(f *storeFile, row int) bool { return f.rare[row] == rareValue }
	every := func(*storeFile, int) bool { return true }
	full := func(columns []string) func(f *storeFile) needs {
		return func(f *storeFile) (n needs) {
			n.trips = []string{"footer", "pages"}
			n.footer(f)
			n.pages(f, columns, anyRow)
			return n
		}
	}
	filtered := func(column string, columns []string, pass func(*storeFile, int) bool) func(f *storeFile) needs {
		return func(f *storeFile) (n needs) {
			groups := len(f.Footer.RowGroups)
			n.trips = []string{"footer and indexes", "pages of " + column}
			n.footer(f)
			n.index(f, 0, groups, []string{column}, append(slices.Clone(columns), column))
			n.pages(f, []string{column}, anyRow)
			if columns != nil {
				n.trips = append(n.trips, "survivors' pages")
				others := slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return name == column })
				n.pages(f, others, func(row int) bool { return pass(f, row) })
			}
			return n
		}
	}
	return append([]storeShape{
		{name: "full scan", needs: full(all), bar: 1.3, want: every},
		{name: "two columns", o: scanner.Options{Select: []string{"c1", "c4"}}, needs: full([]string{"c1", "c4"}), bar: 1.3, want: every},
		{name: "point lookup", where: fmt.Sprint("id = ", lookedUp), bar: 1.3, want: func(_ *storeFile, row int) bool { return row == lookedUp },
			needs: func(f *storeFile) (n needs) {
				n.trips = []string{"footer and indexes", "pages"}
				n.footer(f)
				n.index(f, 6, 7, []string{"id"}, all)
				n.pages(f, all, func(row int) bool { return row == lookedUp })
				return n
			}},
		{name: "one percent of 3 columns", where: "v = 7", o: scanner.Options{Select: []string{"c1", "c2", "c3"}}, bar: 1.5,
			needs: filtered("v", []string{"c1", "c2", "c3"}, isV), want: isV},
		{name: "one percent of 8 columns", where: "v = 7", bar: 1.5, needs: filtered("v", all, isV), want: isV},
		{name: "11 rows", where: "rare = 500000", bar: 1.5, needs: filtered("rare", all, isRare), want: isRare},
		{name: "limit 10", o: scanner.Options{Limit: 10}, bar: 1.3, want: func(_ *storeFile, row int) bool { return row < 10 },
			needs: func(f *storeFile) (n needs) {
				n.trips = []string{"footer and indexes", "pages"}
				n.footer(f)
				n.index(f, 0, 1, nil, all)
				n.pages(f, all, func(row int) bool { return row < 10 })
				return n
			}},
		{name: "limit 10 of one percent", where: "v = 7", o: scanner.Options{Limit: 10}, bar: 1.5, want: func(f *storeFile, row int) bool {
			n := 0
			for i := 0; i <= row && n <= 10; i++ {
				if f.v[i] == 7 {
					n++
				}
			}
			return f.v[row] == 7 && n <= 10
		}, needs: func(f *storeFile) (n needs) {
			n.trips = []string{"footer and indexes", "pages of v", "survivors' pages"}
			n.footer(f)
			n.index(f, 0, 1, []string{"v"}, all)
			n.pages(f, all, func(row int) bool { return row < storePageRows })
			return n
		}},
		{name: "count of 11 rows", where: "rare = 500000", count: true, bar: 1.5, needs: filtered("rare", nil, isRare), want: isRare},
		{name: "nine files", files: true, bar: 1.5, needs: full(all), want: every},
		{name: "nine files 11 rows of each", files: true, where: "rare = 500000", bar: 1.5, needs: filtered("rare", all, isRare), want: isRare},
		{name: "nine files count", files: true, count: true, bar: 1.5, want: every, needs: func(f *storeFile) (n needs) {
			n.trips = []string{"first footer, which shows that files are far", "other footers"}
			n.footer(f)
			return n
		}},
	}, storeQuestions()...)
}

// storeRun is what a shape took.
type storeRun struct {
	needs    needs
	took     time.Duration
	ideal    time.Duration
	read     int64
	requests []*scannertest.Request
	opening  int64 // bytes of the requests that opened files
	counted  int64 // bytes of the others, by the scan's counters
}

// run scans a store, and compares the rows with those that the writer tells.
func (c *storeShape) run(t *testing.T, store *scannertest.Store) (run storeRun) {
	files := []*storeFile{bigFile()}
	if c.files {
		files = smallFiles()
	}
	ids, rows := []int64(nil), int64(0)
	if c.found != nil {
		x := c.found(files)
		run.needs, ids, rows = x.needs, x.ids, int64(len(x.ids))
	}
	for i, f := range files {
		if c.found != nil {
			break
		}
		n := c.needs(f)
		run.needs.bytes += n.bytes
		run.needs.trips = n.trips
		for row := range f.v {
			if i >= 0 && c.want(f, row) {
				ids = append(ids, int64(row))
				rows++
			}
		}
	}
	run.ideal = time.Duration(len(run.needs.trips))*store.Latency + time.Duration(float64(run.needs.bytes)/float64(store.Bandwidth)*1e9)
	var stats scanner.Stats
	o := c.o
	o.Stats = &stats
	if c.where != "" {
		o.Filter = scannertest.Parsed(t, c.where)
	}
	start := time.Now()
	got, gotIDs, err := c.scan(t.Context(), store, files, o)
	run.took = time.Since(start)
	if err != nil || got != rows || gotIDs != nil && !slices.Equal(gotIDs, ids) {
		t.Errorf("%s: %d rows of %d, the right ones: %v, error %v", c.name, got, rows, slices.Equal(gotIDs, ids), err)
	}
	time.Sleep(time.Hour) // for requests that nobody waits for
	run.requests = store.Requests()
	for _, q := range run.requests {
		run.read += q.Len
		if q.Range.End() == int64(len(files[fileNumber(q.Object)].Bytes)) {
			run.opening += q.Len
		}
	}
	run.counted = stats.Metadata
	for _, x := range stats.Columns {
		run.counted += x.Fetched
	}
	return run
}

func (c *storeShape) scan(ctx context.Context, store *scannertest.Store, files []*storeFile, o scanner.Options) (rows int64, ids []int64, err error) {
	open := func(ctx context.Context, name string) (*scanner.File, error) {
		return scanner.OpenSource(ctx, name, store.Object(name, files[fileNumber(name)].Bytes))
	}
	var names []string
	for i := range files {
		names = append(names, fmt.Sprint(i, ".parquet"))
	}
	var from storeTable = dataset.New(names, open)
	if !c.files {
		f, err := open(ctx, names[0])
		if err != nil {
			return 0, nil, err
		}
		defer f.Close()
		from = f
	}
	if c.count {
		rows, err = from.Count(ctx, o)
		return rows, nil, err
	}
	if c.ask != nil {
		ids, err = c.ask(ctx, from, o)
		return int64(len(ids)), ids, err
	}
	return idsOf(from.Scan(ctx, o))
}

// idsOf returns how many rows batches have, and their ids where these are returned.
func idsOf(batches iter.Seq2[*vector.Batch, error]) (rows int64, ids []int64, err error) {
	for b, err := range batches {
		if err != nil {
			return rows, ids, err
		}
		rows += int64(b.Len)
		for i, field := range b.Fields {
			if field.Name == "id" {
				ids = append(ids, b.Columns[i].Int64s[:b.Len]...)
			}
		}
		b.Release()
	}
	return rows, ids, nil
}

// fileNumber returns i of "i.parquet".
func fileNumber(name string) (i int) {
	fmt.Sscanf(name, "%d.parquet", &i)
	return i
}

type storeSetting struct {
	latency   time.Duration
	bandwidth int64
}

func (s storeSetting) String() string {
	return fmt.Sprintf("%v and %d MB/s", s.latency, s.bandwidth/1e6)
}

var storeSettings = []storeSetting{
	{30 * time.Millisecond, 100e6}, {5 * time.Millisecond, 1000e6}, {100 * time.Millisecond, 20e6},
}

// log returns the requests, a line for each microsecond. It is exact, also of row groups and
// files that are read at the same time: the store ends requests one after the other. Ranges
// that touch are shown as one:
//
//	30.0 ms  3 ranges, 5120 bytes: 4+1024 … 9000+96, hash 1f2e3d4c
func (r *storeRun) log() string {
	var b strings.Builder
	for at := 0; at < len(r.requests); {
		first := r.requests[at]
		var parts []*scannertest.Request
		n, hash := int64(0), fnv.New32a()
		for ; at < len(r.requests) && r.requests[at].Micros() == first.Micros(); at++ {
			q := *r.requests[at]
			n += q.Len
			if k := len(parts) - 1; k >= 0 && parts[k].Object == q.Object && parts[k].Range.End() == q.Off {
				parts[k].Len += q.Len
			} else {
				parts = append(parts, &q)
			}
		}
		for _, q := range parts {
			fmt.Fprintln(hash, q.Object, q.Range)
		}
		fmt.Fprintf(&b, "%.1f ms  %d ranges, %d bytes: %v", ms(first.Start), len(parts), n, parts[0].Range)
		if len(parts) > 1 {
			fmt.Fprintf(&b, " … %v, hash %08x", parts[len(parts)-1].Range, hash.Sum32())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

// What scans of a simulated store request, and when. Each script is for one store. A full scan
// comes first: no filtered scan of the file may take much longer.
func TestSimulatedStore(t *testing.T) {
	if testing.Short() {
		t.Skip("to write the files takes a minute with the race detector; TestRequestsFail has all kinds of scans, too")
	}
	shapes := storeShapes()
	for _, at := range storeSettings {
		full, tried := time.Duration(0), 0
		table := []string{fmt.Sprintf("%-28s %8s %8s %6s %6s %9s %8s %7s  %s", at, "ms", "ideal", "ratio", "trips", "requests", "MB", "needed", "trips of the ideal")}
		dtest.Run(t, fmt.Sprintf("testdata/simulated_store/%vms", at.latency.Milliseconds()), func(t *testing.T, dc *dtest.Case) (log string) {
			i := slices.IndexFunc(shapes, func(c storeShape) bool { return strings.ReplaceAll(c.name, " ", "-") == dc.Cmd })
			if i < 0 {
				t.Fatalf("%s: no such scan: %s", dc.Place, dc.Cmd)
			}
			c := &shapes[i]
			tried++
			var run storeRun
			synctest.Test(t, func(t *testing.T) {
				run = c.run(t, &scannertest.Store{Latency: at.latency, Bandwidth: at.bandwidth})
			})
			if i == 0 {
				full = run.took
			}
			ratio, trips := float64(run.took)/float64(run.ideal), scannertest.Trips(run.requests)
			table = append(table, fmt.Sprintf("%-28s %8.1f %8.1f %6.2f %6d %9d %8.2f %7.2f  %s", c.name, ms(run.took), ms(run.ideal), ratio, trips, len(run.requests),
				float64(run.read)/1e6, float64(run.needs.bytes)/1e6, strings.Join(run.needs.trips, ", ")))
			if ratio > c.bar {
				t.Errorf("%v, %s: takes %v, more than %v × %v", at, c.name, run.took, c.bar, run.ideal)
			}
			if most := run.needs.bytes*5/4 + 256<<10 + run.needs.guess; run.read > most {
				t.Errorf("%v, %s: %d bytes read, %d are needed", at, c.name, run.read, run.needs.bytes)
			}
			if d := run.counted - (run.read - run.opening); d < 0 || d > run.needs.cancelled {

				t.Errorf("%v, %s: %d bytes read, %d counted", at, c.name, run.read-run.opening, run.counted)
			}
			if c.where != "" && !c.files && 10*run.took > 11*full {
				t.Errorf("%v, %s: takes %v, a full scan %v", at, c.name, run.took, full)
			}
			if c.name == "point lookup" && trips > 4 {
				t.Errorf("%v, %s: %d trips", at, c.name, trips)
			}
			if c.ask != nil && (c.where != "" || c.files || c.name == "describe") {
				return "" // which of several rounds, files or partitions goes on first, at an instant, decides what is requested
			}
			return run.log()
		})
		if tried != len(shapes) {
			t.Errorf("%v: %d scans of %d tried", at, tried, len(shapes))
		}
		t.Log("\n" + strings.Join(table, "\n"))
	}
}
