package cache

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

func randomBytes(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func tagged(data []byte, tag string) fetch.Source {
	return fetch.WithTraits(fetch.FromBytes(data), fetch.Traits{Identity: fetch.Identity{Name: "x", Size: int64(len(data)), Tag: tag}})
}

// check reads ranges of src and compares them with data.
func check(t *testing.T, src fetch.Source, data []byte, ranges ...fetch.Range) {
	t.Helper()
	got, err := src.ReadRanges(t.Context(), ranges, nil)
	if err != nil || len(got) != len(ranges) {
		t.Errorf("%v: %d parts, %v", ranges, len(got), err)
		return
	}
	for i, r := range ranges {
		if !bytes.Equal(got[i], data[r.Off:r.End()]) {
			t.Errorf("%v: other bytes", r)
		}
	}
}

// A request is for whole blocks, counted from the end of the file: for those that are missing, and
// for neighbours as one range.
func TestBlocksThatAreRead(t *testing.T) {
	data := randomBytes(250) // blocks: 3 is 0+10, 2 is 10+80, 1 is 90+80, 0 is 170+80
	rec := record.Of(tagged(data, "1"))
	c := New(1 << 20)
	blocks := NewBlocks(c, 80)
	for _, tc := range []struct {
		want   string
		ranges []fetch.Range
	}{
		{"read 170+80\n", []fetch.Range{{Off: 249, Len: 1}}},
		{"", []fetch.Range{{Off: 170, Len: 80}, {Off: 200, Len: 3}, {Off: 201, Len: 0}, {Off: 250}, {Off: 0}}},
		{"read 90+80\n", []fetch.Range{{Off: 169, Len: 2}, {Off: 169, Len: 1}}},
		{"read 0+90\n", []fetch.Range{{Off: 80, Len: 100}, {Off: 5, Len: 10}}},
		{"", []fetch.Range{{Off: 0, Len: 250}, {Off: 9, Len: 2}}},
		{"", nil},
	} {
		src := blocks.Source(rec)
		check(t, src, data, tc.ranges...)
		if got := rec.Text(); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.ranges, got, tc.want)
		}
		if src.Traits() != rec.Traits() || src.Size() != 250 {
			t.Errorf("traits %+v", src.Traits())
		}
	}
	check(t, NewBlocks(c, 100).Source(rec), data, fetch.Range{Off: 100, Len: 1}, fetch.Range{Off: 0, Len: 1})
	if got := rec.Text(); got != "read 0+150\n" {
		t.Errorf("in blocks of another size: %q", got)
	}
	check(t, NewBlocks(New(1<<20), 80).Source(rec), data, fetch.Range{Off: 0, Len: 1}, fetch.Range{Off: 100, Len: 1})
	if got := rec.Text(); got != "read 0+10 90+80\n" {
		t.Errorf("blocks apart: %q", got)
	}
	check(t, NewBlocks(New(1<<20), 0).Source(rec), data, fetch.Range{Off: 7, Len: 1})
	if got := rec.Text(); got != "read 0+250\n" {
		t.Errorf("in blocks of 256 KiB: %q", got)
	}
	for _, r := range []fetch.Range{{Off: 249, Len: 2}, {Off: -1, Len: 1}, {Off: 0, Len: 1 << 62}} {
		if _, err := blocks.Source(rec).ReadRanges(t.Context(), []fetch.Range{r}, nil); err == nil {
			t.Errorf("%v: no error", r)
		}
	}
	if src := blocks.Source(rec); blocks.Source(src) != src {
		t.Error("a source of blocks is not itself one") // it would wait for itself
	}
}

// Memory of the source is copied: it may be a mapping that ends, or neighbours that are dropped.
func TestBlocksAreCopies(t *testing.T) {
	data := randomBytes(100)
	want := bytes.Clone(data)
	src := NewBlocks(New(1<<20), 10).Source(tagged(data, "1"))
	check(t, src, want, fetch.Range{Len: 30}, fetch.Range{Off: 50, Len: 5})
	clear(data)
	check(t, src, want, fetch.Range{Len: 30}, fetch.Range{Off: 50, Len: 5})
}

// A source of unknown identity is not cached; nor is one that was written a moment ago.
func TestUnknownHasNoBlocks(t *testing.T) {
	for _, id := range []fetch.Identity{{}, {Name: "x"}, {Tag: "1"}, {Name: "x", Modified: time.Now(), Tag: "1"}} {
		src := record.Of(fetch.WithTraits(fetch.FromBytes([]byte("abc")), fetch.Traits{Identity: id}))
		c := New(1 << 20)
		if got := NewBlocks(c, 2).Source(src); got != src {
			t.Errorf("%+v: %T", id, got)
		}
	}
}

// changing is a source whose file changes.
type changing struct {
	fetch.Source
	tag  string
	then func()
}

func (c *changing) Traits() fetch.Traits {
	return fetch.Traits{Identity: fetch.Identity{Name: "x", Size: c.Size(), Tag: c.tag}}
}

func (c *changing) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	c.then()
	return c.Source.ReadRanges(ctx, ranges, alloc)
}

// Once a file has changed, reads of the old state fail, and those of the new one give new bytes. What
// was read while it changed is not kept.
func TestChangedFile(t *testing.T) {
	before, after := randomBytes(100), bytes.Repeat([]byte("x"), 100)
	c := New(1 << 20)
	blocks := NewBlocks(c, 10)
	file := &changing{Source: fetch.FromBytes(before), tag: "1", then: func() {}}
	src := blocks.Source(file)
	check(t, src, before, fetch.Range{Off: 0, Len: 30})
	entries := c.Counters().Bytes

	file.then = func() { file.Source, file.tag = fetch.FromBytes(after), "2" } // during a read
	if got, err := fetch.ReadRange(t.Context(), src, fetch.Range{Off: 50, Len: 1}, nil); !errors.Is(err, fetch.ErrChanged) {
		t.Errorf("%q, %v", got, err)
	}
	for _, r := range []fetch.Range{{Off: 0, Len: 30}, {Off: 50, Len: 1}} { // cached and not
		if got, err := fetch.ReadRange(t.Context(), src, r, nil); !errors.Is(err, fetch.ErrChanged) {
			t.Errorf("%v: %q, %v", r, got, err)
		}
	}
	if n := c.Counters().Bytes; n != entries {
		t.Errorf("%d bytes are kept, %d before the change", n, entries)
	}
	check(t, blocks.Source(file), after, fetch.Range{Off: 0, Len: 100})
	file.Source, file.tag, file.then = fetch.FromBytes(before), "1", func() {}
	check(t, blocks.Source(file), before, fetch.Range{Off: 0, Len: 100})
}

// gated is a source whose reads wait for leave, and fail as it says.
type gated struct {
	fetch.Source
	reads chan chan error
}

func (g gated) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	leave := make(chan error)
	select {
	case g.reads <- leave:
	case <-ctx.Done():
		return nil, fetch.Ended(ctx)
	}
	select {
	case err := <-leave:
		if err != nil {
			return nil, err
		}
	case <-ctx.Done():
		return nil, fetch.Ended(ctx)
	}
	return g.Source.ReadRanges(ctx, ranges, alloc)
}

// Callers that want a block at the same time read it once. If its reader's context ends, another
// caller reads it; if its reader fails, each of the others finds out for itself.
func TestBlocksAreReadOnce(t *testing.T) {
	data := randomBytes(100)
	fault := errors.New("out of order")
	for _, tc := range []struct {
		name  string
		reads int // beyond the first
		leave func(cancel context.CancelFunc, leave chan error)
		first error // of the first caller
	}{
		{"read", 0, func(_ context.CancelFunc, leave chan error) { leave <- nil }, nil},
		{"cancelled", 1, func(cancel context.CancelFunc, _ chan error) { cancel() }, context.Canceled},
		{"failed", 9, func(_ context.CancelFunc, leave chan error) { leave <- fault }, fault},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := gated{tagged(data, "1"), make(chan chan error, 100)}
			blocks := NewBlocks(New(0), 10) // what is not kept is handed on all the same
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			first := make(chan error, 1)
			go func() {
				_, err := fetch.ReadRange(ctx, blocks.Source(g), fetch.Range{Off: 5, Len: 30}, nil)
				first <- err
			}()
			leave := <-g.reads
			var others sync.WaitGroup
			for range 9 {
				others.Go(func() { check(t, blocks.Source(g), data, fetch.Range{Off: 12, Len: 10}, fetch.Range{Off: 31, Len: 2}) })
			}
			impatient, giveUp := context.WithCancel(t.Context())
			others.Go(func() {
				if _, err := fetch.ReadRange(impatient, blocks.Source(g), fetch.Range{Off: 12, Len: 10}, nil); !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v of a caller that gave up", tc.name, err)
				}
			})
			synctest.Wait()
			if n := len(g.reads); n != 0 {
				t.Errorf("%s: %d reads of what is being read", tc.name, n)
			}
			giveUp()
			synctest.Wait()
			tc.leave(cancel, leave)
			if err := <-first; !errors.Is(err, tc.first) {
				t.Errorf("%s: %v", tc.name, err)
			}
			synctest.Wait()
			if n := len(g.reads); n != tc.reads {
				t.Errorf("%s: %d more reads, want %d", tc.name, n, tc.reads)
			}
			for len(g.reads) > 0 {
				leave := <-g.reads
				leave <- nil
				synctest.Wait()
			}
			others.Wait()
			if n := len(blocks.pending); n != 0 {
				t.Errorf("%s: %d blocks are pending", tc.name, n)
			}
		})
	}
}

// panicking is a host's source with a defect.
type panicking struct{ fetch.Source }

func (panicking) ReadRanges(context.Context, []fetch.Range, fetch.Alloc) ([][]byte, error) {
	panic("host's")
}

// short is a host's source that returns too little.
type short struct {
	fetch.Source
	parts [][]byte
}

func (s short) ReadRanges(context.Context, []fetch.Range, fetch.Alloc) ([][]byte, error) {
	return s.parts, nil
}

// A host's defect ends the read that meets it, and no other one waits for it.
func TestDefectsOfSources(t *testing.T) {
	data := randomBytes(100)
	blocks := NewBlocks(New(1<<20), 10)
	for _, parts := range [][][]byte{nil, {}, {nil}, {data[:9]}, {data[:11]}} {
		_, err := fetch.ReadRange(t.Context(), blocks.Source(short{tagged(data, "1"), parts}), fetch.Range{Len: 5}, nil)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d parts: %v", len(parts), err)
		}
	}
	func() {
		defer func() {
			if cause := recover(); cause != "host's" {
				t.Errorf("recovered %v", cause)
			}
		}()
		_, _ = fetch.ReadRange(t.Context(), blocks.Source(panicking{tagged(data, "1")}), fetch.Range{Len: 5}, nil)
	}()
	full := &overfull{fail: true}
	blocks = NewBlocks(full, 10)
	func() {
		defer func() { _ = recover() }()
		_, _ = fetch.ReadRange(t.Context(), blocks.Source(tagged(data, "1")), fetch.Range{Len: 15}, nil)
		t.Error("no panic of a cache")
	}()
	if len(blocks.pending) != 0 {
		t.Errorf("%d blocks are pending after a panic", len(blocks.pending))
	}
	for _, w := range []wrong{nil, {}, []byte("a"), bytes.Repeat([]byte("a"), 11)} { // caches with a defect
		check(t, NewBlocks(w, 10).Source(tagged(data, "1")), data, fetch.Range{Len: 15})
	}
	full.fail = false
	check(t, blocks.Source(tagged(data, "1")), data, fetch.Range{Len: 5})
}

// overfull is a host's cache with a defect.
type overfull struct{ fail bool }

func (*overfull) Get(Key) []byte { return nil }
func (o *overfull) Put(Key, []byte) {
	if o.fail {
		panic("overfull")
	}
}

// Whatever is asked of several files by several goroutines, some of which give up: the bytes are
// those of the file.
func TestBlocksOfManyGoroutines(t *testing.T) {
	folder, err := OpenFolder(t.TempDir(), 40*4096)
	if err != nil {
		t.Fatal(err)
	}
	rounds := dtest.Rounds(t, 100)
	var files [3][]byte
	for i := range files {
		files[i] = randomBytes(1000 + i)
	}
	for name, c := range map[string]Cache{"LRU": New(5000), "folder": folder, "nothing": New(0)} {
		blocks := NewBlocks(c, 64)
		var all sync.WaitGroup
		for g := range 6 {
			all.Go(func() {
				r := rand.New(rand.NewPCG(3, uint64(g)))
				for range rounds {
					i := r.IntN(len(files))
					src := blocks.Source(tagged(files[i], strings.Repeat("t", i+1)))
					var ranges []fetch.Range
					for range r.IntN(4) {
						off := r.Int64N(src.Size())
						ranges = append(ranges, fetch.Range{Off: off, Len: r.Int64N(min(src.Size()-off, 200) + 1)})
					}
					if r.IntN(4) == 0 {
						ctx, cancel := context.WithCancel(t.Context())
						go cancel()
						if _, err := src.ReadRanges(ctx, ranges, nil); err != nil && !errors.Is(err, context.Canceled) {
							t.Errorf("%s: %v", name, err)
						}
						continue
					}
					check(t, src, files[i], ranges...)
				}
			})
		}
		all.Wait()
		if n := len(blocks.pending); n != 0 {
			t.Errorf("%s: %d blocks are pending", name, n)
		}
	}
	if n := folder.Counters(); n.Hits == 0 || n.Misses == 0 || n.Broken != 0 || n.Failed != 0 {
		t.Errorf("%+v", n)
	}
}

// A call that reads blocks apart asks for all of them together, whatever the order.
func TestNumbers(t *testing.T) {
	s := &blockSource{Source: tagged(make([]byte, 1000), "1"), blocks: NewBlocks(nil, 100)}
	got := s.numbers([]fetch.Range{{Off: 950, Len: 10}, {Off: 0, Len: 1}, {Off: 150, Len: 100}, {Off: 199, Len: 2}, {Off: 3}})
	if !slices.Equal(got, []int64{9, 8, 7, 0}) {
		t.Errorf("%v", got)
	}
}
