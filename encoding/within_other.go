//go:build !amd64 || purego

package encoding

// within is Within for whole words of sel and lo <= hi.
func within[T Number](sel []uint64, values []T, lo, hi T) { withinGo(sel, values, lo, hi) }

// canPair reports that there is no kernel for pairs: bytes.IndexByte is faster than pairs in Go.
func canPair() bool { return false }

func vectorPairs(_, _ []byte, _ int, _, _ byte) (found uint64, done int) { return 0, 0 }
