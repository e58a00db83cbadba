package scanner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// traced collects events.
type traced struct {
	mu     sync.Mutex
	events []Event
}

func (x *traced) add(e Event) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.events = append(x.events, e)
}

// text returns the events, without durations, a line each.
func (x *traced) text() string {
	names := []string{"scan begins", "scan ends", "row group begins", "row group ends", "requested"}
	var b strings.Builder
	for _, e := range x.events {
		fmt.Fprintf(&b, "%s %s %d.%d: %d ranges, %d rows, %v\n", e.File, names[e.Kind], e.RowGroup, e.FirstRow, e.Ranges, e.Rows, e.Err)
	}
	return b.String()
}

// check returns an error unless what begins also ends, and the requests are what the source
// was asked for: calls, and bytes.
func (x *traced) check(s *Stats, calls int, read int64) error {
	open, scans, groups := map[string]int{}, 0, 0
	var requests, ranges, sum, endRanges, endBytes, endRows int64
	for i, e := range x.events {
		unit := fmt.Sprint(e.RowGroup, ".", e.FirstRow)
		switch e.Kind {
		case ScanBegins:
			scans++
		case ScanEnds:
			scans--
			endRanges, endBytes, endRows = endRanges+e.Ranges, endBytes+e.Bytes, endRows+e.Rows
		case RowGroupBegins:
			open[unit]++
			groups++
		case RowGroupEnds:
			open[unit]--
		case Requested:
			requests, ranges, sum = requests+1, ranges+e.Ranges, sum+e.Bytes
			if e.Ranges == 0 {
				return fmt.Errorf("event %d: a request of nothing", i)
			}
		}
		if scans < 1 && (e.Kind != ScanEnds || i < len(x.events)-1 && x.events[i+1].Kind != ScanBegins) {
			return fmt.Errorf("event %d of kind %d is outside of a scan", i, e.Kind)
		}
		if open[unit] < 0 {
			return fmt.Errorf("event %d: row group %s ends before it begins", i, unit)
		}
	}
	for unit, n := range open {
		if n != 0 {
			return fmt.Errorf("row group %s began %d times more than it ended", unit, n)
		}
	}
	switch {
	case scans != 0 || groups == 0:
		return fmt.Errorf("%d scans did not end; %d row groups", scans, groups)
	case requests != int64(calls) || sum != read:
		return fmt.Errorf("%d requests, %d bytes; the source had %d, %d bytes", requests, sum, calls, read)
	case s.Requests != requests || s.Ranges != ranges || s.RequestedBytes != sum:
		return fmt.Errorf("Stats count %d requests, %d ranges, %d bytes; events, %d, %d, %d", s.Requests, s.Ranges, s.RequestedBytes, requests, ranges, sum)
	case endRanges != ranges || endBytes != sum || endRows != s.Rows:
		return fmt.Errorf("ends of scans count %d ranges, %d bytes, %d rows; want %d, %d, %d", endRanges, endBytes, endRows, ranges, sum, s.Rows)
	}
	return nil
}

// The events of a scan, in order.
func TestTraceOrder(t *testing.T) {
	f, _ := recorded(t, manyGroups(t, 2))
	var x traced
	for _, err := range f.Scan(t.Context(), Options{Select: []string{"id"}, Trace: x.add}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := `f.parquet scan begins -1.0: 0 ranges, 0 rows, <nil>
f.parquet row group begins 0.0: 0 ranges, 0 rows, <nil>
f.parquet requested 0.0: 1 ranges, 0 rows, <nil>
f.parquet row group ends 0.0: 0 ranges, 0 rows, <nil>
f.parquet row group begins 1.0: 0 ranges, 0 rows, <nil>
f.parquet requested 1.0: 1 ranges, 0 rows, <nil>
f.parquet row group ends 1.0: 0 ranges, 0 rows, <nil>
f.parquet scan ends -1.0: 2 ranges, 2000 rows, <nil>
`
	if got := x.text(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// numbered is a handler that keeps the contexts and the numbers of scans of its records.
type numbered struct {
	slog.Handler
	contexts []context.Context
	numbers  []uint64
}

func (n *numbered) Handle(ctx context.Context, r slog.Record) error {
	n.contexts = append(n.contexts, ctx)
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "scan" {
			n.numbers = append(n.numbers, a.Value.Uint64())
		}
		return true
	})
	return nil
}

// Events and records have the context of their scan, and its number, which no other scan has. What is
// read ahead for all iterators of Partitions has the number 0.
func TestTraceTellsScansApart(t *testing.T) {
	type key struct{}
	f, _ := farAway(t, manyGroups(t, 3), 1<<20, func() time.Duration { return 0 })
	seen := map[uint64]bool{}
	for i, where := range []string{"", "n > 50", "", "n > 70"} {
		ctx := context.WithValue(t.Context(), key{}, i)
		var x traced
		log := &numbered{Handler: slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelDebug})}
		o := Options{Trace: x.add, Log: slog.New(log), Threads: 2}
		if where != "" {
			o.Filter = scannertest.Parsed(t, where)
		}
		scans := []iter.Seq2[*vector.Batch, error]{f.Scan(ctx, o)}
		if i > 1 {
			scans = f.Partitions(ctx, o, 2)
		}
		for _, scan := range scans {
			for _, err := range scan {
				if err != nil {
					t.Error(err)
				}
			}
		}
		for k, n := range log.numbers {
			if n == 0 || seen[n] || log.contexts[k].Value(key{}) != i {
				t.Errorf("%d: a record of scan %d, seen before: %v", i, n, seen[n])
			}
			seen[n] = true
		}
		if len(log.numbers) != len(scans) {
			t.Errorf("%d: %d records of %d scans", i, len(log.numbers), len(scans))
		}
		for _, e := range x.events {
			shared := i > 1 && e.Kind == Requested && e.Scan == 0
			if e.Context.Value(key{}) != i || !shared && !slices.Contains(log.numbers, e.Scan) {
				t.Errorf("%d: %v of scan %d, want one of %d", i, e.Kind, e.Scan, log.numbers)
			}
		}
	}
}

// Whatever is asked, and however, events and Stats count the requests that the source had.
func TestTraceCounts(t *testing.T) {
	b := manyGroups(t, 4)
	where := scannertest.Parsed(t, "n > 50 and s < 's5'")
	scan := func(f *File, o Options) error {
		for _, err := range f.Scan(t.Context(), o) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	asks := map[string]func(*File, Options) error{
		"scan": scan,
		"partitions": func(f *File, o Options) error {
			_, err := partitionLines(t, f, o, 3)
			return err
		},
		"passing": func(f *File, o Options) error { _, err := f.Passing(t.Context(), o); return err },
		"min":     func(f *File, o Options) error { _, err := f.Min(t.Context(), "n", o); return err },
		"top": func(f *File, o Options) error {
			o.Limit = 10
			for _, err := range f.Top(t.Context(), Order{By: "n"}, o) {
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	for name, ask := range asks {
		for _, threads := range []int{1, 3} {
			for _, ahead := range []int64{0, 1 << 20} {
				f, d := farAway(t, b, ahead, func() time.Duration { return 0 })
				var x traced
				var s Stats
				if err := ask(f, Options{Filter: where, Threads: threads, Stats: &s, Trace: x.add}); err != nil {
					t.Errorf("%s, %d threads: %v", name, threads, err)
				}
				calls, read := d.take()
				if err := x.check(&s, calls, read); err != nil {
					t.Errorf("%s, %d threads, ahead %d: %v", name, threads, ahead, err)
				}
			}
		}
	}
}

// What begins also ends if the source fails, and says with what.
func TestTraceOfFailure(t *testing.T) {
	f, d := farAway(t, manyGroups(t, 2), 0, func() time.Duration { return 0 })
	d.fails = errors.New("the cable is cut")
	for _, where := range []string{"", "n > 50"} { // with a filter, the metadata cannot be read
		var x traced
		var s Stats
		o := Options{Stats: &s, Trace: x.add}
		if where != "" {
			o.Filter = scannertest.Parsed(t, where)
		}
		if _, err := tryLines(t, f, o); !errors.Is(err, d.fails) {
			t.Errorf("%q: %v", where, err)
		}
		calls, read := d.take()
		if err := x.check(&s, calls, read); err != nil {
			t.Errorf("%q: %v", where, err)
		}
		if last := x.events[len(x.events)-1]; last.Kind != ScanEnds || !errors.Is(last.Err, d.fails) {
			t.Errorf("%q: the last event is %+v", where, last)
		}
	}
}

// Duration leaves out the time that the host spends on batches.
func TestDurationIsWithoutTheHost(t *testing.T) {
	b := manyGroups(t, 3)
	synctest.Test(t, func(t *testing.T) {
		f, d := farAway(t, b, 0, func() time.Duration { return 5 * time.Millisecond })
		var s Stats
		for _, err := range f.Scan(t.Context(), Options{Stats: &s}) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
		}
		calls, _ := d.take()
		if want := time.Duration(calls) * 5 * time.Millisecond; s.Duration != want || calls == 0 {
			t.Errorf("took %v, want %v", s.Duration, want)
		}
	})
}

// logged returns what scans with options o write to a log, without durations.
func logged(level slog.Level, scan func(Options)) string {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	scan(Options{Log: log})
	return regexp.MustCompile(`scan=[0-9]+ (.*)`).ReplaceAllString(regexp.MustCompile(`duration=[^ \n]*`).ReplaceAllString(b.String(), "duration=…"), "$1")
}

func TestLog(t *testing.T) {
	all := func(f *File, ctx context.Context) func(Options) {
		return func(o Options) {
			for range f.Scan(ctx, o) {
			}
		}
	}
	f, _ := recorded(t, paged(t, gen.FullIndex))
	var s Stats
	for range f.Scan(t.Context(), Options{Stats: &s}) {
	}
	want := "level=DEBUG msg=scan file=f.parquet rows=100 batches=1 "
	rest := fmt.Sprintf("bytes=%d requests=2 ranges=2 requested_bytes=%d", s.Bytes, s.RequestedBytes) + " metadata_bytes=0 pages.unread=0 pages.undecompressed=0 pages.rejected_by_header=0 pages.rejected_by_dictionary=0 pages.undecoded=0 pages.decoded=20 duration=…\n"
	got := logged(slog.LevelDebug, all(f, t.Context()))
	if got != want+rest {
		t.Errorf("got:\n%swant:\n%s%s", got, want, rest)
	}
	if got := logged(slog.LevelInfo, all(f, t.Context())); got != "" {
		t.Errorf("not slow, and yet: %s", got)
	}
	slow := func(o Options) {
		o.SlowScan = 1
		all(f, t.Context())(o)
		o.SlowScan = time.Hour
		all(f, t.Context())(o)
	}
	if got := logged(slog.LevelWarn, slow); !strings.HasPrefix(got, `level=WARN msg="slow scan" file=f.parquet rows=100 `) || strings.Count(got, "\n") != 1 {
		t.Errorf("one of two is slow: %s", got)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("no more of it"))
	if got := logged(slog.LevelDebug, all(f, ended)); !strings.Contains(got, "rows=0") || !strings.Contains(got, "no more of it") {
		t.Errorf("of a scan with an error: %s", got)
	}
}

// Invalid offset indexes are told once a scan, whatever their number and that of threads.
func TestLogBadIndexes(t *testing.T) {
	var rows []any
	for i := range 30 {
		rows = append(rows, gen.Record{"a": i, "b": i})
	}
	f := fileOf(t, gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int32), gen.Required("b", gen.Int32)},
		RowGroups: []gen.RowGroup{{Rows: rows}, {Rows: rows}},
		All:       gen.Column{PageRows: []int{10}, OffsetIndex: func(x *wire.OffsetIndex) { x.PageLocations = nil }},
	})
	for _, threads := range []int{1, 2} {
		got := logged(slog.LevelWarn, func(o Options) {
			o.Threads, o.Rows = threads, vector.RowSet{{{From: 22, To: 24}}, {{From: 12, To: 13}}}
			if n := len(lines(t, f, o)); n != 3 {
				t.Errorf("%d rows", n)
			}
		})
		if want := "level=WARN msg=\"invalid offset indexes were not used\" file=f.parquet indexes=4\n"; got != want {
			t.Errorf("%d threads: got %s, want %s", threads, got, want)
		}
	}
}
