package scanner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// dated writes a file that was last modified at a given time.
func dated(t *testing.T, path string, b []byte, modified time.Time) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, modified, modified); err != nil {
		t.Fatal(err)
	}
}

var aDay = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)

// plans is File.Plan as one of the ways to look at a file.
func plans(ctx context.Context, f *File, o Options) error {
	_, err := f.Plan(ctx, o)
	return err
}

// A file that is overwritten after it was opened ends whatever reads its row groups with
// ErrChanged: by bytes of the same size, too, in which only the time tells.
func TestFileIsOverwritten(t *testing.T) {
	b, err := os.ReadFile("../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	garbage := append([]byte{}, b...)
	clear(garbage[:len(b)/2])
	path := filepath.Join(t.TempDir(), "f.parquet")
	do := map[string]func(context.Context, *File, Options) error{"Plan": plans}
	for name, way := range lineitemWays {
		do[name] = way
	}
	for name, way := range do {
		for what, after := range map[string][]byte{"the same": b, "others": garbage, "fewer": b[:len(b)/3]} {
			dated(t, path, b, aDay)
			f := open(t, path)
			o := Options{Filter: scannertest.Parsed(t, "quantity < 20"), IgnoreCRC: true}
			if err := way(t.Context(), f, o); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			dated(t, path, after, aDay.Add(time.Microsecond))
			var e *Error
			if err := way(t.Context(), f, o); !errors.Is(err, ErrChanged) || errors.Is(err, ErrCorrupt) || !errors.As(err, &e) || e.File != path {
				t.Errorf("%s, %s bytes: %v", name, what, err)
			}
			f.Close()
		}
	}
}

// A file that is overwritten in place while it is read: all batches before the error have the values that the file had.
func TestBatchesBeforeAChange(t *testing.T) {
	const all = 200_000
	var rows []any
	for i := range all {
		rows = append(rows, gen.Record{"id": i, "twice": 2 * i})
	}
	for name, column := range map[string]gen.Column{
		"small pages": {PageRows: []int{5000}}, "large pages": {PageRows: []int{20_000}}, "mapped": {PageRows: []int{20_000}}, "compressed": {PageRows: []int{5000}, Codec: gen.Snappy},
		"small groups": {Codec: gen.Snappy},
	} {
		column.Encoding = gen.Plain
		size := all / 2
		if name == "small groups" {
			size = 500
		}
		var groups []gen.RowGroup
		for part := range slices.Chunk(rows, size) {
			groups = append(groups, gen.RowGroup{Rows: part})
		}
		b := scannertest.Write(t, gen.File{
			Schema:    []*gen.Node{gen.Required("id", gen.Int64), gen.Required("twice", gen.Int64)},
			RowGroups: groups, All: column,
		})
		altered := append([]byte{}, b...)
		for i := 100; i < len(b)-4000; i += 8 {
			altered[i] ^= 1
		}
		for _, o := range []Options{{}, {Threads: 2}, {Filter: scannertest.Parsed(t, "id >= 0 AND twice >= 0 OR id = 7")}, {BatchRows: 700}} {
			for _, after := range []int{1, 3, 11} {
				o.IgnoreCRC = true
				path := filepath.Join(t.TempDir(), "f.parquet")
				dated(t, path, b, aDay)
				f := open(t, path)
				if name == "mapped" { // by the first scan, for those that follow
					lines(t, f, Options{})
				}
				batches, next := 0, int64(0)
				var fault error
				for batch, err := range f.Scan(t.Context(), o) {
					if fault = err; err != nil {
						break
					}
					if batches++; batches == after {
						// In place, as rsync --inplace, cp and editors of databases write.
						w, err := os.OpenFile(path, os.O_WRONLY, 0)
						if err == nil {
							_, err = w.WriteAt(altered, 0)
						}
						if err != nil {
							t.Fatal(err)
						}
						w.Close()
					}
					ids, twice := batch.Columns[0], batch.Columns[1]
					ids.Flatten()
					twice.Flatten()
					for i := range batch.Len {
						if ids.Int64s[i] != next || twice.Int64s[i] != 2*next {
							t.Fatalf("%s, %+v, overwritten after %d batches: batch %d has %d, %d in row %d", name, o, after, batches, ids.Int64s[i], twice.Int64s[i], next)
						}
						next++
					}
					batch.Release()
				}
				if fault == nil && next < all || fault != nil && !errors.Is(fault, ErrChanged) || fault == nil && batches > after && o.Threads == 0 {
					t.Errorf("%s, %+v: %d rows, then %v", name, o, next, fault)
				}
				f.Close()
			}
		}
	}
}

// A file that is written again after its last batch, before the rest of its rows are tested.
func TestChangeAfterTheLastBatch(t *testing.T) {
	var rows []any
	for i := range 200_000 {
		rows = append(rows, gen.Record{"v": int64(i % 500 * 2)})
	}
	rows[5] = gen.Record{"v": int64(501)}
	path := filepath.Join(t.TempDir(), "f.parquet")
	b := scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("v", gen.Int64)},
		RowGroups: []gen.RowGroup{{Rows: rows}}, All: gen.Column{PageRows: []int{5000}, Shape: gen.Shape{Encoding: gen.Plain}},
	})
	for _, o := range []Options{{BatchRows: 1, Filter: scannertest.Parsed(t, "v = 501")}, {BatchRows: len(rows)}} {
		dated(t, path, b, aDay)
		f := open(t, path)
		batches := 0
		var fault error
		for _, err := range f.Scan(t.Context(), o) {
			if fault = err; err == nil {
				batches++
				dated(t, path, b, aDay.AddDate(0, 0, 1))
			}
		}
		if read := o.Filter != nil; batches != 1 || errors.Is(fault, ErrChanged) != read {
			t.Errorf("something was read after the batch: %v; %d batches, %v", read, batches, fault)
		}
		f.Close()
	}
}

// object is an object of a store that is written again after some reads.
type object struct {
	fetch.Source
	reads atomic.Int32 // until then
}

func (o *object) ReadRanges(ctx context.Context, r []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	o.reads.Add(-1)
	return o.Source.ReadRanges(ctx, r, alloc)
}

func (o *object) Traits() fetch.Traits {
	return fetch.Traits{Identity: fetch.Identity{Name: "bucket/object", Tag: fmt.Sprint(o.reads.Load() >= 0)}}
}

func TestObjectIsOverwritten(t *testing.T) {
	b := manyGroups(t, 4)
	for _, threads := range []int{1, 2} {
		for _, last := range []int32{0, 1, 2, 1000} {
			src := &object{Source: fetch.FromBytes(b)}
			src.reads.Store(1000)
			f, err := OpenSource(t.Context(), "object", src)
			if err != nil {
				t.Fatal(err)
			}
			src.reads.Store(last)
			rows := 0
			var fault error
			for batch, err := range f.Scan(t.Context(), Options{Threads: threads}) {
				if fault = err; err == nil {
					rows += batch.Len
				}
			}
			if changes := last < 1000; errors.Is(fault, ErrChanged) != changes || (rows == 4000 && last < 2) || rows < 4000 && !changes {
				t.Errorf("%d threads, changed after %d reads: %d rows, %v", threads, last, rows, fault)
			}
		}
	}
}

// A plan is for one state of a file: by footer, size, time and tag. A file may have several names.
func TestPlanIsForOneStateOfAFile(t *testing.T) {
	b := scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("n", gen.Int64)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"n": int64(1)}}, Columns: []gen.Column{{}}}},
	})
	dir := t.TempDir()
	path, other := filepath.Join(dir, "f"), filepath.Join(dir, "link")
	dated(t, path, b, aDay)
	if err := os.Link(path, other); err != nil {
		t.Skip(err)
	}
	f := open(t, path)
	defer f.Close()
	plan, err := f.Plan(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if id := plan.File; id.Name != path || id.Size != int64(len(b)) || !id.Modified.Equal(aDay) || id.Footer == 0 || id != f.Identity() {
		t.Errorf("%+v", id)
	}
	link := open(t, other)
	defer link.Close()
	tryPlan := func(what string, f *File, right bool) {
		t.Helper()
		n := 0
		for batch, err := range f.Scan(t.Context(), Options{Plan: plan}) {
			if (err == nil) != right || err != nil && !errors.Is(err, ErrPlan) {
				t.Errorf("%s: %v", what, err)
			}
			if batch != nil {
				n += batch.Len
			}
		}
		if right != (n == 1) {
			t.Errorf("%s: %d rows", what, n)
		}
	}
	tryPlan("a link", link, true)
	dated(t, path, b, aDay.Add(time.Hour))
	later := open(t, path)
	defer later.Close()
	tryPlan("written again", later, false)
	memory, err := OpenSource(t.Context(), "memory", fetch.FromBytes(b))
	if err != nil {
		t.Fatal(err)
	}
	tryPlan("of a source without traits", memory, true)
	for i, id := range []fetch.Identity{{Tag: "1"}, {Tag: "2"}} {
		f, err := OpenSource(t.Context(), "object", fetch.WithTraits(fetch.FromBytes(b), fetch.Traits{Identity: id}))
		if err != nil {
			t.Fatal(err)
		}
		plan.File.Tag, plan.File.Modified = "1", time.Time{}
		tryPlan(fmt.Sprintf("tag %s", id.Tag), f, i == 0)
	}
}

// A scan that has read nothing since the file was opened need not ask whether it has changed; one that
// has read page indexes asks, even if these rule out all rows. Those that came with the footer are not read again.
func TestChangeOfWhatIsNotRead(t *testing.T) {
	var rows []any
	for i := range 2000 {
		rows = append(rows, gen.Record{"v": int64(i + i/1000*1000)})
	}
	path := filepath.Join(t.TempDir(), "f.parquet")
	for _, c := range []struct {
		text    string
		padding map[string]string
		read    bool
	}{{"v < 0", beyondTail, false}, {"v = 1500", beyondTail, true}, {"v = 1500", nil, false}} {
		b := scannertest.Write(t, gen.File{
			Schema:    []*gen.Node{gen.Required("v", gen.Int64)},
			RowGroups: []gen.RowGroup{{Rows: rows}}, All: gen.Column{PageRows: []int{1000}}, KeyValues: c.padding,
		})
		dated(t, path, b, aDay)
		f := open(t, path)
		dated(t, path, b, aDay.AddDate(0, 0, 1))
		var fault error
		for _, err := range f.Scan(t.Context(), Options{Filter: scannertest.Parsed(t, c.text)}) {
			fault = err
		}
		if (fault != nil) != c.read || c.read && !errors.Is(fault, ErrChanged) {
			t.Errorf("%s: %v", c.text, fault)
		}
		f.Close()
	}
}

// shown is a source that shows its own memory.
type shown struct {
	fetch.Source
	state string
}

func (s *shown) Traits() fetch.Traits {
	return fetch.Traits{Identity: fetch.Identity{Name: "shown", Tag: s.state}}
}

// What a host's source has returned may change with it: it is asked before each batch, also before those
// for which nothing is read.
func TestChangeOfWhatIsShown(t *testing.T) {
	src := &shown{fetch.FromBytes(manyGroups(t, 1)), "old"}
	f, err := OpenSource(t.Context(), "shown", src)
	if err != nil {
		t.Fatal(err)
	}
	batches := 0
	var fault error
	for _, err := range f.Scan(t.Context(), Options{BatchRows: 10}) {
		if fault = err; err == nil {
			batches++
			src.state = "new"
		}
	}
	if batches != 1 || !errors.Is(fault, ErrChanged) {
		t.Errorf("%d batches, %v", batches, fault)
	}
}
