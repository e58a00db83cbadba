package scanner

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift"
)

// stuck is a source, a codec and whatever else can wait: once closed is set, it
// waits for the test's end and does not listen to contexts.
type stuck struct {
	fetch.Source
	codec.Codec
	mu      sync.Mutex
	closed  bool
	waiting chan bool // gets one each time that something starts to wait
	end     chan bool
}

func newStuck(t *testing.T) *stuck {
	s := &stuck{waiting: make(chan bool, 100), end: make(chan bool)}
	t.Cleanup(func() { close(s.end) })
	return s
}

func (s *stuck) wait() {
	s.mu.Lock()
	closed, end := s.closed, s.end
	s.mu.Unlock()
	if closed {
		s.waiting <- true
		<-end
	}
}

func (s *stuck) ReadRanges(_ context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	s.wait()
	return s.Source.ReadRanges(context.Background(), ranges, alloc)
}

func (s *stuck) Decode(dst, src []byte, size int) ([]byte, error) {
	s.wait()
	return s.Codec.Decode(dst, src, size)
}

func (s *stuck) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	s.wait()
	return s.Codec.DecodePrefix(dst, src, need, size)
}

// Ways to scan, each until its error.
var ways = map[string]func(context.Context, *File, Options) error{
	"Scan": func(ctx context.Context, f *File, o Options) (err error) {
		for b, fault := range f.Scan(ctx, o) {
			if err = fault; b != nil {
				b.Release()
			}
		}
		return err
	},
	"Scan with threads": func(ctx context.Context, f *File, o Options) (err error) {
		o.Threads = 3
		for b, fault := range f.Scan(ctx, o) {
			if err = fault; b != nil {
				b.Release()
			}
		}
		return err
	},
	"Partitions": func(ctx context.Context, f *File, o Options) error {
		errs := make([]error, 3)
		var all sync.WaitGroup
		for i, part := range f.Partitions(ctx, o, 3) {
			all.Go(func() {
				for _, fault := range part {
					errs[i] = fault
				}
			})
		}
		all.Wait()
		return errors.Join(errs...)
	},
	"Count": func(ctx context.Context, f *File, o Options) error {
		_, err := f.Count(ctx, o)
		return err
	},
	"Max": func(ctx context.Context, f *File, o Options) error {
		_, err := f.Max(ctx, "s", o)
		return err
	},
	"Top": func(ctx context.Context, f *File, o Options) (err error) {
		o.Limit = 3
		for _, fault := range f.Top(ctx, Order{By: "s"}, o) {
			err = fault
		}
		return err
	},
}

// cancelled calls scan, cancels it when ready says so, and returns how long it
// went on then, not counting what other programs took, and what goroutines of its
// own do that share a processor with it: the least of some tries, as memory may
// have been collected meanwhile. A try that has ended before does not count.
func cancelled(t *testing.T, ready func(), scan func(context.Context) error) time.Duration {
	t.Helper()
	turns := time.Duration(0)
	if runtime.GOMAXPROCS(0) == 1 {
		turns = 4 * 10 * time.Millisecond // the work, the scan, the test and a collector, as long as Go lets each run
	}
	least := time.Hour
	for try := 0; try < 8 && least > soon; try++ {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- scan(ctx) }()
		ready()
		start, used := time.Now(), processorTime()
		cancel()
		select {
		case err := <-done:
			if err == nil {
				continue
			}
			least = min(least, max(min(time.Since(start), processorTime()-used)-turns, 0))
			var e *Error
			if !errors.Is(err, context.Canceled) || !errors.As(err, &e) || e.File == "" {
				t.Errorf("got %v, want that it was cancelled", err)
			}
		case <-time.After(time.Minute):
			t.Fatal("still running")
		}
	}
	if least == time.Hour {
		t.Error("each try had ended before it was cancelled")
	}
	return least
}

// fileForAll is a file of row groups of two pages each, of 5 MB that shrink well.
func fileForAll(t *testing.T) []byte {
	var groups []gen.RowGroup
	for g := range 4 {
		var rows []any
		for i := range 12 {
			rows = append(rows, gen.Record{"s": strings.Repeat(fmt.Sprint(g, i, " "), 200_000)})
		}
		groups = append(groups, gen.RowGroup{Rows: rows})
	}
	return scannertest.Write(t, gen.File{
		Schema: []*gen.Node{gen.Required("s", gen.ByteArray).As(gen.StringType())}, RowGroups: groups,
		All: gen.Column{Codec: gen.Snappy, PageRows: []int{6}},
	})
}

// Whatever a scan waits for, it returns when it is cancelled.
func TestCancelStuck(t *testing.T) {
	b := fileForAll(t)
	for name, scan := range ways {
		for _, in := range []string{"source", "codec"} {
			synctest.Test(t, func(t *testing.T) { // nothing takes time but waiting
				s := newStuck(t)
				src := fetch.FromBytes(b)
				snappy, err := codec.NewSet(codec.Options{}).Codec(thrift.CodecSnappy)
				if err != nil {
					t.Fatal(err)
				}
				o := Options{Filter: scannertest.Parsed(t, "s LIKE '%1%'")}
				if in == "source" {
					s.Source = src
					src = s
				} else {
					s.Codec = snappy
					o.Codecs = map[thrift.Codec]codec.Codec{thrift.CodecSnappy: s}
				}
				f, err := OpenSource(t.Context(), "f.parquet", src)
				if err != nil {
					t.Fatal(err)
				}
				if err := scan(t.Context(), f, o); err != nil {
					t.Fatal(name, err)
				}
				s.closed = true
				after := cancelled(t, func() { <-s.waiting }, func(ctx context.Context) error { return scan(ctx, f, o) })
				if after > 0 {
					t.Errorf("%s went on for %v while a %s waited", name, after, in)
				}
			})
		}
	}
}

// A scan whose filter lets no row pass looks at its context all the same.
func TestCancelWithoutSurvivors(t *testing.T) {
	f := bigFile(t, 2, 1000, 60, 100_000)
	o := Options{Filter: scannertest.Parsed(t, "c0 LIKE '%nowhere%' AND c1 LIKE '%nowhere%'")}
	for _, name := range []string{"Scan", "Partitions", "Count"} {
		after := cancelled(t, func() { time.Sleep(30 * time.Millisecond) }, func(ctx context.Context) error { return ways[name](ctx, f, o) })
		if after > soon {
			t.Errorf("%s went on for %v", name, after)
		}
	}
}

// Nor does it wait for the end of conditions that take long: very many, a
// function, a long value, or one that is yet to be bound.
func TestCancelLongConditions(t *testing.T) {
	f := fileOfStrings(t, 10_000, 20)
	var words []string
	for i := range 100_000 {
		words = append(words, fmt.Sprint("word ", i))
	}
	var patterns []*filter.Expr
	for i := range 3000 {
		patterns = append(patterns, filter.Col("s").Like(fmt.Sprintf("%%0_%d", i)))
	}
	slow := func(v []*vector.Vector, sel []uint64) error {
		for range bits.Count(sel, 0, v[0].Len) {
			for start := time.Now(); time.Since(start) < 20*time.Microsecond; {
			}
		}
		return nil
	}
	for name, c := range map[string]struct {
		file *File
		expr *filter.Expr
	}{
		"many":     {f, filter.Or(patterns...)},
		"function": {f, filter.Func("slow", slow, filter.Col("s"))},
		"regexp":   {fileOfStrings(t, 4000, 2<<10), filter.Col("s").Match(regexp.MustCompile("0.*1.*nowhere"))},
		"long":     {fileOfStrings(t, 2, 4<<20), filter.Col("s").Match(regexp.MustCompile("0.*1.*nowhere"))},
		"IN":       {f, filter.Or(filter.In(filter.Col("s"), words), filter.In(filter.Col("s"), words), filter.In(filter.Col("s"), words))},
	} {
		o := Options{Filter: c.expr}
		wait := 25 * time.Millisecond
		switch name {
		case "long":
			wait *= 4 // until it is read
		case "many":
			wait *= 10 // until it is bound
		}
		after := cancelled(t, func() { time.Sleep(wait) }, func(ctx context.Context) error { return ways["Scan"](ctx, c.file, o) })
		if after > soon {
			t.Errorf("%s: went on for %v", name, after)
		}
	}
}

// fileOfStrings has rows of strings of so many bytes.
func fileOfStrings(t *testing.T, rows, size int) *File {
	t.Helper()
	var list []any
	for i := range rows {
		list = append(list, gen.Record{"s": strings.Repeat(fmt.Sprintf("%03d ", i%1000), size/4)})
	}
	return fileOf(t, gen.File{Schema: []*gen.Node{gen.Required("s", gen.ByteArray).As(gen.StringType())}}, list...)
}

// A long value is tested as others are.
func TestLongValue(t *testing.T) {
	f := fileOfStrings(t, 50, detach.LongValue)
	for text, want := range map[string]int64{"s ~ '^007 .*7 $'": 1, "s ~ '^0[0-4]9 .*9 $'": 5, "NOT s ~ '^0[0-4]9 .*9 $'": 45} {
		if n, err := f.Count(t.Context(), Options{Filter: scannertest.Parsed(t, text)}); n != want || err != nil {
			t.Errorf("%s: %d rows, %v, want %d", text, n, err, want)
		}
	}
}

// Memory that abandoned work still has is not used again.
func TestAbandonedMemory(t *testing.T) {
	b := fileForAll(t)
	s := newStuck(t)
	snappy, err := codec.NewSet(codec.Options{}).Codec(thrift.CodecSnappy)
	if err != nil {
		t.Fatal(err)
	}
	s.Codec = snappy
	o := Options{Resources: &Resources{Reuse: 1 << 30}, Codecs: map[thrift.Codec]codec.Codec{thrift.CodecSnappy: s}}
	f, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(b))
	if err != nil {
		t.Fatal(err)
	}
	want, err := tryLines(t, f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s.mu.Lock()
		s.closed, s.end = true, make(chan bool)
		s.mu.Unlock()
		cancelled(t, func() { <-s.waiting }, func(ctx context.Context) error { return ways["Scan"](ctx, f, o) })
		s.mu.Lock()
		s.closed = false
		close(s.end) // what was left alone writes now, beside the next scan
		s.end = make(chan bool)
		s.mu.Unlock()
		got, err := tryLines(t, f, o)
		if err == nil {
			err = scannertest.Same(got, want)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
