package scanner

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

const (
	dictionaryGroups = 3
	dictionaryRows   = 256 // of a row group, in each column an entry of 4 KiB each
	dictionarySevens = 43  // rows of a row group whose number has a 7
	dictionaryBytes  = dictionaryRows * (4<<10 + 4 + 16)
)

// dictionaryFile is a file of 3 row groups of 2 columns with a dictionary of 1 MiB each.
func dictionaryFile(t *testing.T) *File {
	var groups []gen.RowGroup
	for g := range dictionaryGroups {
		var rows []any
		for i := range dictionaryRows {
			r := gen.Record{}
			for c := range 2 {
				r[fmt.Sprint("c", c)] = fmt.Sprintf("%d %03d %d%s", g, i, c, strings.Repeat(" ", 4<<10-7))
			}
			rows = append(rows, r)
		}
		groups = append(groups, gen.RowGroup{Rows: rows})
	}
	f, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("c0", gen.ByteArray), gen.Required("c1", gen.ByteArray)},
		RowGroups: groups,
		All:       gen.Column{Codec: gen.Snappy, PageRows: []int{32}, Shape: gen.Shape{Encoding: gen.Dictionary}},
	})))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// dictionaryScan checks the rows of a scan of dictionaryFile, batch by batch.
type dictionaryScan struct {
	t    *testing.T
	next func() (*vector.Batch, error, bool)
	stop func()
	rows int
}

func newDictionaryScan(t *testing.T, f *File, o Options) *dictionaryScan {
	o.Filter, o.BatchRows = scannertest.Parsed(t, "c0 like '%7%'"), 20
	s := &dictionaryScan{t: t}
	s.next, s.stop = iter.Pull2(f.Scan(t.Context(), o))
	return s
}

// more reports whether there was another batch.
func (s *dictionaryScan) more() bool {
	b, err, more := s.next()
	if err != nil {
		s.t.Error(err)
	}
	if b == nil {
		return more
	}
	for i := range b.Len {
		c0, c1 := string(b.Columns[0].Bytes(i)), string(b.Columns[1].Bytes(i))
		if !strings.Contains(c0, "7") || c0[:5] != c1[:5] {
			s.t.Errorf("row %q, %q", c0[:7], c1[:7])
		}
	}
	s.rows += b.Len
	b.Release()
	return true
}

// Readers that idle in memory for reuse hold neither dictionaries nor the scans that they were of.
func TestIdleReadersHoldNoDictionaries(t *testing.T) {
	f := dictionaryFile(t)
	memory := &Resources{Reuse: 256 << 10}
	before := liveHeap()
	var open []*dictionaryScan
	for range 8 {
		s := newDictionaryScan(t, f, Options{Resources: memory})
		s.more()
		open = append(open, s)
	}
	if held := liveHeap() - before; held < 8*dictionaryBytes {
		t.Fatalf("%d bytes are live: nothing is tested", held)
	}
	for _, s := range open {
		s.stop()
	}
	open = nil
	if held := liveHeap() - before; held > 4*dictionaryBytes {
		t.Errorf("%d bytes are live after the scans, want at most four dictionaries of %d", held, dictionaryBytes)
	}
	if len(memory.made().memory.readers) == 0 {
		t.Error("no reader is kept")
	}
}

// Scans that run at once hold no more dictionaries than the budget admits, however many they
// are, and all go on. Their hosts take time for each batch, so that all would hold theirs.
func TestBudgetAdmits(t *testing.T) {
	f := dictionaryFile(t)
	for _, threads := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			const bytes, scans = 10 << 20, 16
			b := &Resources{Bytes: bytes}
			var hosts sync.WaitGroup
			for range scans {
				hosts.Go(func() {
					s := newDictionaryScan(t, f, Options{Resources: b, Threads: threads})
					defer s.stop()
					for s.more() {
						time.Sleep(time.Millisecond)
					}
					if s.rows != dictionaryGroups*dictionarySevens {
						t.Errorf("%d threads: %d rows, want %d", threads, s.rows, dictionaryGroups*dictionarySevens)
					}
				})
			}
			hosts.Wait()
			now, peak := b.Used()
			if now != 0 {
				t.Errorf("%d threads: %d bytes are held after the end", threads, now)
			}
			if peak < 2*dictionaryBytes || peak > 2*bytes {
				t.Errorf("%d threads: held %d bytes at most, want some dictionaries of %d, and at most the budget and as much of minima, %d", threads, peak, dictionaryBytes, 2*bytes)
			}
		})
	}
}

// A host that goes through scans by turns, in one goroutine, waits for the second, whose minimum
// has no room beside the first's, but not for ever; nor for the inner scans of a loop each time.
// What a scan holds that is never asked again does not count.
func TestBudgetAdmitsByTurns(t *testing.T) {
	f := dictionaryFile(t)
	synctest.Test(t, func(t *testing.T) {
		b := &Resources{Bytes: 2 << 20}
		start := time.Now()
		var open []*dictionaryScan
		for range 4 {
			open = append(open, newDictionaryScan(t, f, Options{Resources: b}))
		}
		for more := true; more; {
			more = false
			for _, s := range open[:3] {
				more = s.more() || more
			}
			open[3].more()
			for range 5 { // beside scans that are in the middle
				inner := newDictionaryScan(t, f, Options{Resources: b})
				for inner.more() {
				}
				if inner.rows != dictionaryGroups*dictionarySevens {
					t.Errorf("%d rows of an inner scan", inner.rows)
				}
			}
		}
		for _, s := range open {
			s.stop()
		}
		if took := time.Since(start); took < time.Second || took > 10*time.Second {
			t.Errorf("waited %v, want one second or two for each of the outer scans", took)
		}
		if now, peak := b.Used(); now != 0 || peak < 5*dictionaryBytes {
			t.Errorf("%d bytes are held after the end, %d at most", now, peak)
		}
	})
}

// The wait ends with the scan's context. A scan whose row groups metadata rule out never waits.
func TestBudgetAdmissionEnds(t *testing.T) {
	f := dictionaryFile(t)
	synctest.Test(t, func(t *testing.T) {
		b := &Resources{Bytes: 2 << 20}
		first := newDictionaryScan(t, f, Options{Resources: b})
		defer first.stop()
		first.more()
		held, most := b.Used()
		for _, threads := range []int{1, 3} {
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
			for batch, err := range f.Scan(ctx, Options{Resources: b, Threads: threads}) {
				if batch != nil || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%d threads: %v, %v", threads, batch, err)
				}
			}
			cancel()
			if n, err := f.Count(t.Context(), Options{Resources: b, Threads: threads, Filter: scannertest.Parsed(t, "c0 > 'x'")}); n != 0 || err != nil {
				t.Errorf("%d threads: %d rows, %v", threads, n, err)
			}
			if took := time.Since(start); took != time.Second/2 {
				t.Errorf("%d threads: waited %v", threads, took)
			}
		}
		if now, peak := b.Used(); now != held || peak != most {
			t.Errorf("scans that only waited held something: %d bytes, %d at most, want %d and %d", now, peak, held, most)
		}
	})
}

// Searches of rows in an order, whose scans divide rounds of row groups, go on beside each other.
func TestBudgetAdmitsTop(t *testing.T) {
	f := dictionaryFile(t)
	synctest.Test(t, func(t *testing.T) {
		b := &Resources{Bytes: 4 << 20}
		var hosts sync.WaitGroup
		for range 8 {
			hosts.Go(func() {
				for _, limit := range []int64{1, 300} {
					rows, err := f.TopRows(t.Context(), Order{By: "c1", Descending: true}, Options{Filter: scannertest.Parsed(t, "c0 like '%7%'"), Limit: limit, Threads: 3, Resources: b})
					if want := min(limit, dictionaryGroups*dictionarySevens); err != nil || int64(len(rows)) != want {
						t.Errorf("%d rows, want %d, %v", len(rows), want, err)
					}
				}
			})
		}
		hosts.Wait()
		if now, _ := b.Used(); now != 0 {
			t.Errorf("%d bytes are held after the end", now)
		}
	})
}

// A search gives dictionaries back after each round, and counts those of the next one again.
func TestBudgetCountsDictionariesOfEachRound(t *testing.T) {
	f, b := dictionaryFile(t), &Resources{Bytes: 16 << 20}
	ended := 0
	o := Options{Resources: b, Limit: 200, Filter: scannertest.Parsed(t, "c0 like '%7%'"), Trace: func(e Event) {
		if e.Kind != RowGroupEnds {
			return
		}
		ended++
		if now, _ := b.Used(); now < dictionaryBytes {
			t.Errorf("row group %d, end %d: %d bytes are held, want a dictionary of %d", e.RowGroup, ended, now, dictionaryBytes)
		}
	}}
	if rows, err := f.TopRows(t.Context(), Order{By: "c1"}, o); err != nil || len(rows) != dictionaryGroups*dictionarySevens || ended < 2 {
		t.Errorf("%d rows of %d row groups, %v", len(rows), ended, err)
	}
	if now, _ := b.Used(); now != 0 {
		t.Errorf("%d bytes are held after the end", now)
	}
}
