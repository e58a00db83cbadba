package decodetest

import (
	"fmt"
	"math/rand/v2"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Changing takes d, just reset, through n values of a body that others write to meanwhile,
// up to the first error. Each value must be sound; a nil sound accepts all. Changing panics
// if d returns more values than were wanted, or writes to entries beyond them.
func Changing[T comparable](r *rand.Rand, d Decoder[T], n int, sound func(T) bool) {
	const behind = 64
	for pos := 0; pos < n; {
		some := min(1+r.IntN(1<<r.IntN(15)), n-pos)
		room := make([]T, some+behind)
		dst := room[:some:some]
		wanted, got := some, 0
		var sel []uint64
		var err error
		op := r.IntN(4) // Gather has more ways than others
		if op == 3 {
			op += r.IntN(max(1, len(d.Tests)))
		}
		switch {
		case op == 0:
			got, err = d.Next(dst)
		case op == 1:
			err = d.Skip(some)
			wanted = 0
		case op == 2 || len(d.Tests) == 0:
			sel = selection(r, sel, some)
			wanted = bits.Count(sel, 0, some)
			got, err = d.Gather(dst, sel, some)
		default:
			sel = selection(r, sel, some)
			before := append([]uint64(nil), sel...)
			err = d.Tests[op-3].Clear(sel, some)
			for i := range sel {
				if sel[i]&^before[i] != 0 {
					panic(fmt.Sprintf("%s of %d sets bits", d.Tests[op-3].Name, some))
				}
			}
			wanted = 0
		}
		if got > wanted || err == nil && got < wanted {
			panic(fmt.Sprintf("%d values where %d are wanted, %v", got, wanted, err))
		}
		for _, x := range dst[:got] {
			if sound != nil && !sound(x) {
				panic(fmt.Sprint("no value: ", short(x)))
			}
		}
		var none T
		for _, x := range room[some:] {
			if x != none {
				panic(fmt.Sprintf("stored behind the room for %d values", some))
			}
		}
		if err != nil {
			return
		}
		pos += some
	}
}

// InBuffers returns a test of views: whether they lie within these buffers.
func InBuffers(buffers ...[]byte) func(bits.View) bool {
	return func(v bits.View) bool {
		if v.IsInline() {
			return true
		}
		buffer, offset := v.Ref()
		return 0 <= buffer && int(buffer) < len(buffers) && offset >= 0 && int64(offset)+int64(v.Len()) <= int64(len(buffers[buffer]))
	}
}
