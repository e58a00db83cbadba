package scanner

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

const (
	budgetGroups  = 6
	budgetColumns = 3
	budgetPage    = 256 << 10
)

// budgetFile is a file of 6 row groups of 3 columns of 8 MiB each, in pages of
// 256 KiB that take little of the file.
func budgetFile(t *testing.T) *File {
	f, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(budgetBytes(t)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func budgetBytes(t *testing.T) []byte {
	const rows, length = 32, 8 << 10
	const times = 32 // pages
	var groups []gen.RowGroup
	for g := range budgetGroups {
		var all []any
		for i := range rows * times {
			r := gen.Record{}
			for c := range budgetColumns {
				b := make([]byte, length)
				copy(b, fmt.Sprint(g, " ", i, " ", c))
				r[fmt.Sprint("c", c)] = string(b)
			}
			all = append(all, r)
		}
		groups = append(groups, gen.RowGroup{Rows: all})
	}
	file := gen.File{RowGroups: groups, All: gen.Column{Codec: gen.Snappy, PageRows: []int{rows}}}
	for c := range budgetColumns {
		file.Schema = append(file.Schema, gen.Required(fmt.Sprint("c", c), gen.ByteArray))
	}
	return scannertest.Write(t, file)
}

func liveHeap() int64 {
	time.Sleep(5 * time.Millisecond) // for threads to have done what they may: what they make while it is collected counts
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The live heap of a scan stays under the budget and a page of each column and
// thread, while its host dawdles over each batch; without a budget it does not.
func TestMemoryBudget(t *testing.T) {
	f := budgetFile(t)
	const budget = 8 << 20
	peak := func(o Options) int64 {
		t.Helper()
		base, most := liveHeap(), int64(0)
		rows, next := 0, 0
		for b, err := range f.Scan(t.Context(), o) {
			if err != nil {
				t.Fatal(err)
			}
			if rows += b.Len; rows >= next {
				most = max(most, liveHeap()-base)
				next = rows + 300
			}
			if rows%4 == 0 {
				b.Release()
			}
		}
		if rows != budgetGroups*32*32 {
			t.Errorf("%d rows", rows)
		}
		return most
	}
	for _, threads := range []int{1, 4} {
		limit := int64(budget + threads*budgetColumns*budgetPage)
		for _, o := range []Options{{}, {Filter: scannertest.Parsed(t, "c1 <> 'x'")}, {Dictionaries: allLeaves(vector.DictionaryWherePossible), BatchRows: 100}, {ReadAhead: 64 << 20}, {ReadAhead: 64 << 20, Filter: scannertest.Parsed(t, "c1 <> 'x'")}} {
			o.Threads, o.Resources = threads, &Resources{Bytes: budget}
			if got := peak(o); got > limit {
				t.Errorf("%d threads, filter %v: %d KiB live, want at most %d", threads, o.Filter, got>>10, limit>>10)
			}
		}
		if got := peak(Options{Threads: threads}); threads > 1 && got < 2*limit {
			t.Errorf("%d threads, no budget: %d KiB live: nothing was tested", threads, got>>10)
		}
	}
}

// A budget that is next to nothing makes batches small, and is an error where it has no
// room for a page.
func TestTinyBudget(t *testing.T) {
	f := filterable(t, someRows(3000))
	want := passed(t, f, Options{Select: []string{"tags", "id", "s"}})
	for _, budget := range []int64{1, 4000, 100_000} {
		for _, threads := range []int{0, 3} {
			o := Options{Select: []string{"tags", "id", "s"}, Resources: &Resources{Bytes: budget}, Threads: threads}
			if budget == 1 {
				if err := scanError(t, f, o); !errors.Is(err, ErrMemory) {
					t.Errorf("%d threads: %v, want ErrMemory", threads, err)
				}
				continue
			}
			got := passed(t, f, o)
			if err := scannertest.Same(got, want); err != nil {
				t.Errorf("budget %d, %d threads: %v", budget, threads, err)
			}
		}
	}
}

// scanError returns the error of a scan, and fails if it does not end.
func scanError(t *testing.T, f *File, o Options) (err error) {
	t.Helper()
	within(t, func() {
		for _, err = range f.Scan(t.Context(), o) {
		}
	})
	return err
}

// within fails if work takes longer than any deadlock is worth waiting for.
func within(t *testing.T, work func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		stacks := make([]byte, 1<<16)
		t.Fatalf("still running:\n%s", stacks[:runtime.Stack(stacks, true)])
	}
}

// budgetSlack returns how many bytes scans may have beyond their budget: of each thread a page of
// each column, a batch and a header for each column; of each scan a batch that waits, and a
// call of the source.
func budgetSlack(scans, threads int) int64 {
	page := int64(budgetPage + 8<<10)
	return int64(scans) * (int64(threads)*(budgetColumns*page+leastBatch+budgetColumns*feed.HeaderBytes) + 2*budgetColumns*page)
}

// budgetRows holds the rows of a scan of budgetFile against what was written.
type budgetRows struct {
	t    *testing.T
	name string
	row  int
}

func (r *budgetRows) check(b *vector.Batch) {
	for i := range b.Len {
		for c, v := range b.Columns {
			want := strconv.Itoa(r.row/1024) + " " + strconv.Itoa(r.row%1024) + " " + strconv.Itoa(c)
			if got, rest, _ := strings.Cut(string(v.Bytes(i)), "\x00"); got != want || len(got)+1+len(rest) != 8<<10 {
				r.t.Errorf("%s: row %d, column %d is %q, want %q", r.name, r.row, c, got, want)
			}
		}
		r.row++
	}
}

func (r *budgetRows) atEnd() {
	if r.row != budgetGroups*1024 {
		r.t.Errorf("%s: %d rows", r.name, r.row)
	}
}

// Scans that share a budget return what they return without one, and hold no more than
// it together, with what each may always have.
func TestBudgetShared(t *testing.T) {
	f := budgetFile(t)
	far, _ := farAway(t, budgetBytes(t), 64<<20, func() time.Duration { return 0 })
	for _, tc := range []struct {
		f              *File
		scans, threads int
		bytes          int64
	}{{f, 3, 1, 4 << 20}, {f, 3, 3, 8 << 20}, {f, 2, 4, 1 << 20}, {far, 2, 1, 4 << 20}, {far, 2, 3, 1 << 20}} {
		name := fmt.Sprintf("%d scans, %d threads, %d KiB, far: %v", tc.scans, tc.threads, tc.bytes>>10, tc.f == far)
		b := &Resources{Bytes: tc.bytes}
		within(t, func() {
			var scans sync.WaitGroup
			for range tc.scans {
				scans.Go(func() {
					rows := budgetRows{t: t, name: name}
					for batch, err := range tc.f.Scan(t.Context(), Options{Threads: tc.threads, Resources: b}) {
						if err != nil {
							t.Error(name, err)
							return
						}
						rows.check(batch)
						batch.Release()
					}
					rows.atEnd()
				})
			}
			scans.Wait()
		})
		now, peak := b.Used()
		if now != 0 {
			t.Errorf("%s: %d bytes are held after the end", name, now)
		}
		if limit := tc.bytes + budgetSlack(tc.scans, tc.threads); peak == 0 || peak > limit {
			t.Errorf("%s: held %d bytes at most, want some, and at most %d", name, peak, limit)
		}
	}
}

// A host that goes through several scans in turn, in one goroutine, and keeps every batch,
// gets all rows: what it holds, and scans that wait for it, block nothing.
func TestBudgetHostKeepsBatches(t *testing.T) {
	f := budgetFile(t)
	for _, threads := range []int{1, 3} {
		name := fmt.Sprint(threads, " threads")
		synctest.Test(t, func(t *testing.T) { // for the second scan waits until the first is overlooked
			b := &Resources{Bytes: 1 << 20}
			var kept []*vector.Batch
			var next []func() (*vector.Batch, error, bool)
			var rows []*budgetRows
			for range 3 {
				n, stop := iter.Pull2(f.Scan(t.Context(), Options{Select: []string{"c0"}, Threads: threads, Resources: b}))
				defer stop()
				next, rows = append(next, n), append(rows, &budgetRows{t: t, name: name})
			}
			for left := len(next); left > 0; {
				left = len(next)
				for i := range next {
					batch, err, more := next[i]()
					switch {
					case !more:
						left--
					case err != nil:
						t.Error(name, err)
						return
					default:
						rows[i].check(batch)
						kept = append(kept, batch)
					}
				}
			}
			for _, r := range rows {
				r.atEnd()
			}
			if len(kept) < 3*budgetGroups {
				t.Errorf("%s: %d batches", name, len(kept))
			}
			if now, _ := b.Used(); now != 0 {
				t.Errorf("%s: %d bytes are held after the end", name, now)
			}
		})
	}
}

// A scan whose host takes nothing waits, and leaves others their share. The end of its
// context ends the wait of its goroutines, though the host still does nothing.
func TestBudgetWaitEndsWithContext(t *testing.T) {
	f := budgetFile(t)
	b := &Resources{Bytes: 4 << 20}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	before := runtime.NumGoroutine()
	next, stop := iter.Pull2(f.Scan(ctx, Options{Threads: 4, Resources: b}))
	defer stop()
	if _, err, _ := next(); err != nil {
		t.Fatal(err)
	}
	waits := func() bool { // as many bytes for some time
		now, _ := b.Used()
		time.Sleep(20 * time.Millisecond)
		later, _ := b.Used()
		return now == later && now > 0
	}
	for !waits() {
	}
	rows := budgetRows{t: t, name: "beside a scan that waits"}
	within(t, func() {
		for batch, err := range f.Scan(t.Context(), Options{Threads: 2, Resources: b}) {
			if err != nil {
				t.Error(err)
				return
			}
			rows.check(batch)
		}
	})
	rows.atEnd()
	if runtime.NumGoroutine() < before+4 {
		t.Fatalf("%d goroutines, %d before: none waits, nothing is tested", runtime.NumGoroutine(), before)
	}
	cancel()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+1; { // the one of iter.Pull2
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before, after the context's end", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
	within(t, func() {
		for {
			switch _, err, more := next(); {
			case !more:
				t.Error("the scan ends without an error")
				return
			case err != nil:
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				return
			}
		}
	})
}

// What has no room even alone is an error with the numbers.
func TestBudgetTooSmall(t *testing.T) {
	f := budgetFile(t)
	for _, threads := range []int{1, 3} {
		for _, where := range []string{"", "c1 <> 'x'"} {
			o := Options{Threads: threads, Resources: &Resources{Bytes: budgetPage - 1}}
			if where != "" {
				o.Filter = scannertest.Parsed(t, where)
			}
			err := scanError(t, f, o)
			// A page is 32 values of 8 KiB, each with a length of 4 bytes.
			if !errors.Is(err, ErrMemory) || errors.Is(err, ErrCorrupt) || !strings.Contains(fmt.Sprint(err), "page of 262272 bytes; the memory budget has 262143") {
				t.Errorf("%d threads, %q: %v", threads, where, err)
			}
			o.Resources = &Resources{Bytes: budgetPage + 32*4}
			if err := scanError(t, f, o); err != nil {
				t.Errorf("%d threads, %q, as many bytes as a page has: %v", threads, where, err)
			}
		}
	}
}
