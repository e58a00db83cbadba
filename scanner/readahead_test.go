package scanner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// distant is a source far away: each call waits, and says how long it takes.
type distant struct {
	fetch.Source
	wait  func() time.Duration
	ahead int64
	fails error // what calls end with, once it is set

	mu    sync.Mutex
	calls int
	bytes int64
}

// Traits let a scan hold d.ahead prefetched bytes.
func (d *distant) Traits() fetch.Traits {
	if d.ahead == 0 {
		return fetch.Traits{}
	}
	return fetch.Traits{Latency: time.Second / 2, Bandwidth: d.ahead}
}

func (d *distant) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	d.mu.Lock()
	d.calls++
	for _, r := range ranges {
		d.bytes += r.Len
	}
	fails := d.fails
	d.mu.Unlock()
	time.Sleep(d.wait())
	if fails != nil {
		return nil, fails
	}
	return d.Source.ReadRanges(ctx, ranges, alloc)
}

// take returns what was read since it was last called.
func (d *distant) take() (calls int, bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	calls, bytes = d.calls, d.bytes
	d.calls, d.bytes = 0, 0
	return calls, bytes
}

func farAway(t *testing.T, b []byte, ahead int64, wait func() time.Duration) (*File, *distant) {
	t.Helper()
	d := &distant{Source: fetch.FromReaderAt(reader{bytes.NewReader(b)}, int64(len(b))), wait: wait, ahead: ahead}
	f, err := OpenSource(t.Context(), "far.parquet", d)
	if err != nil {
		t.Fatal(err)
	}
	d.take()
	return f, d
}

// manyGroups is a file of row groups of 1000 rows of four columns.
func manyGroups(t *testing.T, groups int) []byte {
	file := gen.File{
		Schema: []*gen.Node{gen.Required("id", gen.Int64), gen.Optional("n", gen.Int64), gen.Required("s", gen.ByteArray).As(gen.StringType()),
			gen.List("tags", gen.Required("element", gen.ByteArray).As(gen.StringType()))},
	}
	for part := range slices.Chunk(someRows(groups*1000), 1000) {
		var records []any
		for _, r := range part {
			records = append(records, r.record())
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Rows: records, Columns: []gen.Column{
			{PageRows: []int{170}}, {PageRows: []int{64, 100}}, {PageRows: []int{333}, Shape: gen.Shape{Encoding: gen.Dictionary}}, {PageRows: []int{90}},
		}})
	}
	return scannertest.Write(t, file)
}

// A scan of a source far away takes about as long as the longer of waiting and
// working, and asks for all columns of a row group at once. Its clock is one on
// which nothing takes time but that.
func TestReadAheadHidesWaiting(t *testing.T) {
	const groups, wait, work = 6, 15 * time.Millisecond, 15 * time.Millisecond
	b := manyGroups(t, groups)
	for _, tc := range []struct {
		name  string
		where string
		calls int           // at most, with read-ahead
		took  time.Duration // at most, as well
	}{
		{"all", "", groups, groups*work + wait},
		{"filter on one column", "n >= 50", 4 * groups, groups*work + 10*wait},
		{"filter that metadata settle", "id >= 0", 2 * groups, groups*work + 2*wait},
		{"filter on two columns", "n < 90 and s < 's4'", 4 * groups, groups*work + 10*wait},
	} {
		scan := func(ahead int64) (got []string, took time.Duration, calls int) {
			synctest.Test(t, func(t *testing.T) {
				f, d := farAway(t, b, ahead, func() time.Duration { return wait })
				o := Options{}
				if tc.where != "" {
					o.Filter = scannertest.Parsed(t, tc.where)
				}
				start := time.Now()
				for b, err := range f.Scan(t.Context(), o) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, scannertest.Lines(t, b)...)
					time.Sleep(work)
				}
				took = time.Since(start)
				calls, _ = d.take()
			})
			return got, took, calls
		}
		want, slow, many := scan(0)
		got, took, calls := scan(8 << 20)
		if err := scannertest.Same(got, want); err != nil || len(got) == 0 {
			t.Errorf("%s: %v", tc.name, err)
		}
		t.Logf("%s: %d calls, %v; without read-ahead %d, %v", tc.name, calls, took, many, slow)
		if calls > tc.calls || calls > many {
			t.Errorf("%s: %d calls, without read-ahead %d", tc.name, calls, many)
		}
		if took > tc.took {
			t.Errorf("%s: took %v, without read-ahead %v, want at most %v", tc.name, took, slow, tc.took)
		}
	}
}

// Whatever is read ahead, the rows are the same, and each byte that was asked
// for is counted.
func TestReadAheadChangesNothing(t *testing.T) {
	b := manyGroups(t, 6)
	near, _ := recorded(t, b)
	rng := rand.New(rand.NewPCG(5, 6))
	var delays sync.Mutex
	delay := func() time.Duration {
		delays.Lock()
		defer delays.Unlock()
		return time.Duration(rng.IntN(500)) * time.Microsecond
	}
	pick := func(n int) int {
		delays.Lock()
		defer delays.Unlock()
		return rng.IntN(n)
	}
	wheres := []string{"", "", "n >= 50", "id >= 1500 and id < 4100", "s = 's7' or n is null", "s < 's2' and n > 20", "id = 77", "n > 1000", "id < 3500 or n = 50", "s like '%9'"}
	for i := range 80 {
		f, d := farAway(t, b, int64(1)<<(6+pick(18)), delay)
		var o Options
		where := wheres[pick(len(wheres))]
		if where != "" {
			o.Filter = scannertest.Parsed(t, where)
		}
		if pick(8) == 0 {
			o.ReadAhead = -1
		}
		if pick(3) == 0 {
			o.Select = [][]string{{"n"}, {"tags", "id"}, {}}[pick(3)]
		}
		if pick(4) == 0 {
			o.Limit, o.Offset = int64(1+pick(4000)), int64(pick(1500))
		}
		if pick(4) == 0 {
			from := int64(pick(900))
			o.Rows = vector.RowSet{{{From: from, To: from + 50}}, nil, {{From: 0, To: 1000}}, {{From: 5, To: 6}, {From: 600, To: 700}}}
		}
		if pick(4) == 0 {
			o.Resources = &Resources{Bytes: int64(1) << (16 + pick(6))}
		}
		o.BatchRows = []int{0, 37, 500}[pick(3)]
		want := lines(t, near, o)
		o.Threads = []int{0, 1, 3}[pick(3)]
		var stats Stats
		o.Stats = &stats
		var got []string
		parts := pick(4)
		if o.Offset > 0 || o.Limit > 0 {
			parts = 0
		}
		name := fmt.Sprintf("case %d: %q of %v, rows %v, %d+%d, ahead %d, budget %v, %d threads, %d parts", i, where, o.Select, o.Rows, o.Offset, o.Limit, d.ahead+o.ReadAhead, o.Resources != nil, o.Threads, parts)
		if parts == 0 {
			got = lines(t, f, o)
		} else {
			var err error
			if got, err = partitionLines(t, f, o, parts); err != nil {
				t.Error(name, err)
			}
			slices.Sort(want)
		}
		if err := scannertest.Same(got, want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		counted := stats.Metadata
		for _, c := range stats.Columns {
			counted += c.Fetched
		}
		_, read := d.take()
		for range 10_000 { // those that nobody waits for may not have begun
			if read == counted {
				break
			}
			time.Sleep(time.Millisecond)
			_, more := d.take()
			read += more
		}
		if read != counted {
			t.Errorf("%s: %d bytes read, %d counted", name, read, counted)
		}
		if n, err := f.Count(t.Context(), o); err != nil || n != int64(len(want)) {
			t.Errorf("%s: Count says %d of %d, %v", name, n, len(want), err)
		}
	}
}

// A loop that breaks, and one that is cancelled, leave no goroutine behind: there is
// no end of the bubble before theirs. Nor do they wait for what is on its way.
func TestReadAheadStops(t *testing.T) {
	b := manyGroups(t, 6)
	for i, o := range []Options{{}, {Threads: 3}, {Filter: scannertest.Parsed(t, "n > 50")}, {BatchRows: 10}} {
		synctest.Test(t, func(t *testing.T) {
			f, _ := farAway(t, b, 1<<20, func() time.Duration { return 5 * time.Millisecond })
			for range f.Scan(t.Context(), o) {
				break
			}
			ctx, cancel := context.WithCancel(t.Context())
			start := time.Now()
			var last error
			for _, err := range f.Scan(ctx, o) {
				if last == nil {
					cancel()
					start = time.Now()
				}
				last = err
			}
			cancel()
			if !errors.Is(last, context.Canceled) {
				t.Errorf("options %d: %v", i, last)
			}
			if took := time.Since(start); took > 0 {
				t.Errorf("options %d: %v", i, took)
			}
			for _, part := range f.Partitions(t.Context(), o, 3)[:2] {
				for range part {
					break
				}
			}
			time.Sleep(time.Second) // for reads on their way, which nobody waits for
		})
	}
}

// One who does not go on does not keep others waiting, however little may be
// read ahead.
func TestReadAheadOfIdlePartition(t *testing.T) {
	f, _ := farAway(t, manyGroups(t, 6), 1, func() time.Duration { return time.Millisecond })
	parts := f.Partitions(t.Context(), Options{BatchRows: 100, Filter: scannertest.Parsed(t, "n > 10")}, 2)
	rows := 0
	for b, err := range parts[0] {
		if err != nil {
			t.Fatal(err)
		}
		if rows += b.Len; rows == b.Len { // while the first batch of this is held
			for b, err := range parts[1] {
				if err != nil {
					t.Fatal(err)
				}
				rows += b.Len
			}
		}
	}
	want, err := f.Count(t.Context(), Options{Filter: scannertest.Parsed(t, "n > 10")})
	if err != nil || int64(rows) != want {
		t.Errorf("%d rows of %d, %v", rows, want, err)
	}
}

// What fails ahead of time is an error where it is needed, with its place.
func TestReadAheadFails(t *testing.T) {
	f, d := farAway(t, manyGroups(t, 3), 1<<20, func() time.Duration { return 0 })
	d.fails = errors.New("the line is cut")
	var last error
	for _, err := range f.Scan(t.Context(), Options{}) {
		last = err
	}
	var e *Error
	if !errors.As(last, &e) || !errors.Is(last, d.fails) || e.RowGroup != 0 || !strings.Contains(e.Column, "id") {
		t.Errorf("%v", last)
	}
}

// Nothing reads ahead of what lies near, unless it is told to.
func TestNearIsNotReadAhead(t *testing.T) {
	b := manyGroups(t, 1)
	near, _ := recorded(t, b)
	far, _ := farAway(t, b, 100, func() time.Duration { return 0 })
	for _, tc := range []struct {
		f    *File
		o    Options
		want bool
	}{
		{near, Options{}, false}, {near, Options{ReadAhead: 10}, true},
		{far, Options{}, true}, {far, Options{ReadAhead: -1}, false},
	} {
		if got := tc.f.newPrefetcher(&tc.o, &workQueue{}) != nil; got != tc.want {
			t.Errorf("%s, %d: %v", tc.f.Name(), tc.o.ReadAhead, got)
		}
	}
}

// asked counts how often a source is asked for its traits, as a local file asks the system.
type asked struct {
	fetch.Source
	times int
}

func (a *asked) Traits() fetch.Traits {
	a.times++
	return a.Source.Traits()
}

// To open what lies near costs nothing that only what is far away needs.
func TestNearIsNotMetered(t *testing.T) {
	src := &asked{Source: fetch.FromBytes(manyGroups(t, 1))}
	f, err := OpenSource(t.Context(), "near", src)
	if err != nil {
		t.Fatal(err)
	}
	if _, metered := f.metadata.Source.(ioplan.Metered); metered || src.times > 3 {
		t.Errorf("metered: %v; asked %d times", metered, src.times)
	}
}

// A dictionary page that is shorter than the read of its header is read by the call for the
// survivors' pages, too.
func TestReadAheadOfSmallDictionaries(t *testing.T) {
	var rows []any
	for i := range 1000 {
		rows = append(rows, gen.Record{"id": i * 7919 % 1000, "a": fmt.Sprint("a", i%3), "b": fmt.Sprint("b", i%3)})
	}
	dictionary := gen.Column{PageRows: []int{400}, Shape: gen.Shape{Encoding: gen.Dictionary}}
	b := scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("id", gen.Int64), gen.Required("a", gen.ByteArray), gen.Required("b", gen.ByteArray)},
		RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{{PageRows: []int{1000}}, dictionary, dictionary}}},
	})
	src := fetch.WithTraits(fetch.FromReaderAt(reader{bytes.NewReader(b)}, int64(len(b))), fetch.Traits{Latency: time.Second})
	rec := record.Of(src)
	f, err := OpenSource(t.Context(), "far.parquet", rec)
	if err != nil {
		t.Fatal(err)
	}
	a, z := chunkRange(t, f, 1), chunkRange(t, f, 2)
	rec.Take()
	n := int64(0)
	for batch, err := range f.Scan(t.Context(), Options{Filter: scannertest.Parsed(t, "id = 555")}) {
		if err != nil {
			t.Fatal(err)
		}
		n += int64(batch.Len)
	}
	pages := 0 // calls that read of a or b
	for _, call := range rec.Take() {
		if slices.ContainsFunc(call, func(r fetch.Range) bool { return a.Off < r.End() && r.Off < z.End() }) {
			pages++
		}
	}
	if n != 1 || pages != 1 {
		t.Errorf("%d rows, %d calls for pages", n, pages)
	}
}
