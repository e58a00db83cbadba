//go:build !amd64 || purego

package encoding

// within is Within for whole words of sel and lo <= hi.
func within[T Number](sel []uint64, values []T, lo, hi T) { withinGo(sel, values, lo, hi) }
