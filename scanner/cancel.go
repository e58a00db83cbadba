package scanner

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A scan looks at its context between columns, conditions, pages and reads. What
// takes longer runs beside it once it can be cancelled, and is left alone when it
// is: reads of sources that may not listen, conditions that are bound to the file,
// and bodies of so many bytes.
const largeBody = 4 << 20

// longValue is from how many bytes on a function of a filter runs beside the scan
// for a value alone: regular expressions take up to 100 ns a byte.
const longValue = 64 << 10

// beside runs work, and returns when it is done or ctx is. Then work goes on:
// it must own all that it changes, until its end. What it panics with is
// passed on; nobody is left for that behind ctx's end.
func beside(ctx context.Context, work func()) error {
	done := make(chan error, 1)
	go func() {
		done <- caught(func() error {
			work()
			return nil
		})
	}()
	select {
	case err := <-done:
		return passedOn(err)
	case <-ctx.Done():
		return abandoned{fetch.Ended(ctx)}
	}
}

// panicked is an error for what a goroutine of the scan's panicked with, on its
// way to who called the scan: nobody else can recover. Functions of filters,
// sources and codecs are the host's.
type panicked struct{ cause any }

func (p panicked) Error() string { return fmt.Sprint("panic: ", p.cause) }

// caught runs work and returns its error, panicked if it panics.
func caught(work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicked{cause}
		}
	}()
	return work()
}

// passedOn returns err, and panics if that is panicked.
func passedOn(err error) error {
	if p, ok := err.(panicked); ok {
		panic(p.cause)
	}
	return err
}

// abandoned is the error about work that goes on in memory that it was given.
type abandoned struct{ error }

func (a abandoned) Unwrap() error     { return a.error }
func (a abandoned) KeepsMemory() bool { return true }

// patient is a source that returns when its context is done, whatever the one
// within waits for, and all that it was asked for.
type patient struct{ fetch.Source }

func (p patient) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	got, err := p.read(ctx, ranges, alloc)
	if err != nil {
		return nil, err
	}
	if len(got) != len(ranges) {
		return nil, fmt.Errorf("source: %d slices for %d ranges", len(got), len(ranges))
	}
	for i, r := range ranges {
		if int64(len(got[i])) != r.Len {
			return nil, fmt.Errorf("source: %d bytes for range %v", len(got[i]), r)
		}
	}
	return got, nil
}

func (p patient) read(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if ctx.Done() == nil {
		return p.Source.ReadRanges(ctx, ranges, alloc)
	}
	var mu sync.Mutex // of over, and of what alloc touches
	over := false
	own := func(n int) []byte {
		mu.Lock()
		defer mu.Unlock()
		if over || alloc == nil {
			return make([]byte, n, n+encoding.Padding)
		}
		return alloc(n)
	}
	var got [][]byte
	var fault error
	if err := beside(ctx, func() { got, fault = p.Source.ReadRanges(ctx, ranges, own) }); err != nil {
		mu.Lock()
		defer mu.Unlock()
		over = true
		return nil, err
	}
	return got, withEnd(ctx, fault)
}

// withEnd returns err, which is of a host's code that was given ctx. If ctx has ended,
// the result also matches what fetch.Ended returns: a host may report the cause
// alone, ctx.Err() alone, or say it in words of its own.
func withEnd(ctx context.Context, err error) error {
	end, cause := ctx.Err(), context.Cause(ctx)
	if err == nil || end == nil {
		return err
	}
	switch hasEnd, hasCause := errors.Is(err, end), errors.Is(err, cause); {
	case hasEnd && hasCause:
		return err
	case hasEnd:
		return fmt.Errorf("%w: %w", err, cause)
	case hasCause:
		return fmt.Errorf("%w: %w", end, err)
	}
	return fmt.Errorf("%w; %w", err, fetch.Ended(ctx))
}

// codecs returns those of the options. If the scan can be cancelled, the codec
// of number id decompresses large bodies beside it.
func (s *scan) codecs(id codec.ID) *codec.Set {
	all := s.opts.Codecs
	if s.ctx.Done() == nil {
		return all
	}
	if set := s.stoppable[id]; set != nil {
		return set
	}
	c, err := all.Codec(id)
	if err != nil {
		return all
	}
	if s.stoppable == nil {
		s.stoppable = map[codec.ID]*codec.Set{}
	}
	set := codec.NewSet(codec.Options{More: map[codec.ID]codec.Codec{id: stoppable{s.ctx, c}}})
	s.stoppable[id] = set
	return set
}

// stoppable is a codec whose calls return when a context is done.
type stoppable struct {
	ctx context.Context
	codec.Codec
}

func (c stoppable) Decode(dst, src []byte, size int) ([]byte, error) {
	return c.decode(dst, len(src), size, func() ([]byte, error) { return c.Codec.Decode(dst, src, size) })
}

func (c stoppable) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	return c.decode(dst, len(src), need, func() ([]byte, error) { return c.Codec.DecodePrefix(dst, src, need, size) })
}

func (c stoppable) decode(dst []byte, packed, size int, f func() ([]byte, error)) ([]byte, error) {
	if max(packed, size) < largeBody {
		return f()
	}
	var out []byte
	var fault error
	if err := beside(c.ctx, func() { out, fault = f() }); err != nil {
		return dst, err
	}
	return out, fault
}

// aside returns a test that does not hold up a scan which is cancelled. Long values
// are copied for it: what is left alone must not look at memory of the scan.
func (s *scan) aside(t *pred.Test) *pred.Test {
	if t.Kind != pred.Func || s.ctx.Done() == nil {
		return t
	}
	own := *t
	own.Function = func(v *vector.Vector, sel []uint64) {
		if v.Type.Store() != vector.InViews || !anyLong(v.Views[:v.Len]) {
			t.Function(v, sel)
			return
		}
		var passed []int
		for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
			if v.Views[i].Len() < longValue {
				continue
			}
			bits.Clear(sel, i)
			one := &vector.Vector{}
			one.Reset(v.Type)
			one.AppendSlots(v, i, i+1)
			pass := []uint64{1}
			if beside(s.ctx, func() { t.Function(one, pass) }) != nil {
				bits.ClearRange(sel, 0, v.Len) // the scan ends behind this step
				return
			}
			if pass[0] != 0 {
				passed = append(passed, i)
			}
		}
		t.Function(v, sel)
		for _, i := range passed {
			bits.Set(sel, i)
		}
	}
	return &own
}

func anyLong(views []bits.View) bool {
	longest := 0
	for _, w := range views {
		longest = max(longest, w.Len())
	}
	return longest >= longValue
}
