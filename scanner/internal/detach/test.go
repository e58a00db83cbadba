package detach

import (
	"context"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// LongValue is the length in bytes from which on a filter's function runs under
// Run, one call for each value: regular expressions take up to 100 ns a byte.
const LongValue = 64 << 10

// CancellableTest returns t as a test that a caller whose ctx ends need not wait for. It
// copies long values, since an abandoned goroutine must not read the caller's memory.
func CancellableTest(ctx context.Context, t *pred.Test) *pred.Test {
	if t.Kind != pred.Func || ctx.Done() == nil {
		return t
	}
	own := *t
	own.Function = func(v *vector.Vector, sel []uint64) {
		longest := 0
		if v.Type.Store() == vector.InViews {
			for _, w := range v.Views[:v.Len] {
				longest = max(longest, w.Len())
			}
		}
		if longest < LongValue {
			t.Function(v, sel)
			return
		}
		var passed []int
		for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
			if v.Views[i].Len() < LongValue {
				continue
			}
			bits.Clear(sel, i)
			one := &vector.Vector{}
			build.Reset(one, v.Type)
			build.AppendSlots(one, v, i, i+1)
			pass := []uint64{1}
			if Run(ctx, func() { t.Function(one, pass) }) != nil {
				bits.ClearRange(sel, 0, v.Len) // the caller ends after this step
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
