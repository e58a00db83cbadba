package values

import "github.com/winnow-scan/winnow/column/vector"

// keepBlock is how many values are decoded before some are dropped: they stay in
// the processor's cache.
const keepBlock = 4096

// A valueKeeper is a decoder whose Keep is Gather for many, with room for all in dst.
type valueKeeper[T any] interface {
	Keep(dst []T, sel []uint64, n int) (int, error)
}

// keepValues keeps the wanted of the next n values, in the slots of dst from at on.
func keepValues[T any](from valueKeeper[T], dst *vector.Vector, of func(*vector.Vector) []T, at int, sel []uint64, n int) error {
	for i := 0; i < n; i += keepBlock {
		m := min(keepBlock, n-i)
		Reserve(dst, dst.Len, at+m)
		kept, err := from.Keep(of(dst)[at:at+m], sel[i/64:], m)
		if err != nil {
			return err
		}
		at += kept
	}
	return nil
}

// Reserve makes sure that n slots of dst, which has some, have memory.
func Reserve(dst *vector.Vector, slots, n int) {
	dst.Len = slots
	if n > slots {
		dst.Reserve(n - slots)
	}
}
