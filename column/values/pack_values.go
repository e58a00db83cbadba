package values

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
)

// keepBlock is how many values are decoded before some are dropped: they stay in
// the processor's cache.
const keepBlock = 4096

// A valuePacker is a decoder with Pack: Gather for many wanted values, which needs room
// for all n in dst.
type valuePacker[T any] interface {
	Pack(dst []T, sel []uint64, n int) (int, error)
}

// packValues decodes those of the next n values that are in sel to the slots of dst from
// at on.
func packValues[T any](from valuePacker[T], dst *vector.Vector, of func(*vector.Vector) []T, at int, sel []uint64, n int) error {
	for i := 0; i < n; i += keepBlock {
		m := min(keepBlock, n-i)
		Reserve(dst, dst.Len, at+m)
		kept, err := from.Pack(of(dst)[at:at+m], sel[i/64:], m)
		if err != nil {
			return err
		}
		at += kept
	}
	return nil
}

// Reserve makes dst, which has memory for more slots than it shows, show slots of them,
// and gives it memory for n.
func Reserve(dst *vector.Vector, slots, n int) {
	dst.Len = slots
	if n > slots {
		build.Reserve(dst, n-slots)
	}
}
