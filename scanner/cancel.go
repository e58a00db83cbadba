package scanner

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
)

// longValue is the length in bytes from which on a filter's function runs under
// detach.Run, one call for each value: regular expressions take up to 100 ns a byte.
const longValue = 64 << 10

// codecsFor returns the codecs for pages of codec id. If the scan can be cancelled, that
// codec decompresses large bodies in goroutines that the scan can abandon.
func (s *scan) codecsFor(id codec.ID) *codec.Set {
	all := s.codecs
	if s.ctx.Done() == nil {
		return all
	}
	if set := s.cancellable[id]; set != nil {
		return set
	}
	c, err := all.Codec(id)
	if err != nil {
		return all
	}
	if s.cancellable == nil {
		s.cancellable = map[codec.ID]*codec.Set{}
	}
	set := codec.NewSet(codec.Options{More: map[codec.ID]codec.Codec{id: detach.CancellableCodec{Ctx: s.ctx, Codec: c}}})
	s.cancellable[id] = set
	return set
}

// interruptible returns a test that a cancelled scan need not wait for. It copies
// long values, since an abandoned goroutine must not read the scan's memory.
func (s *scan) interruptible(t *pred.Test) *pred.Test {
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
			if detach.Run(s.ctx, func() { t.Function(one, pass) }) != nil {
				bits.ClearRange(sel, 0, v.Len) // the scan ends after this step
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

// anyLong reports whether a value is at least longValue bytes long.
func anyLong(views []bits.View) bool {
	longest := 0
	for _, w := range views {
		longest = max(longest, w.Len())
	}
	return longest >= longValue
}
