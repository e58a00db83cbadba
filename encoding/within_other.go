//go:build !amd64 || purego

package encoding

// within is Within for whole words of sel and lo <= hi.
func within[T Number](sel []uint64, values []T, lo, hi T) { withinGo(sel, values, lo, hi) }

// canPair says whether there is a kernel for pairs; what Go brings is better than none.
func canPair() bool { return false }

func vectorPairs(_, _ []byte, _ int, _, _ byte) (found uint64, done int) { return 0, 0 }
