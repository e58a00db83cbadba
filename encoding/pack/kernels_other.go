//go:build !amd64 || purego

package pack

// whole may do some of the whole words where there are kernels.
func whole[T any]([]T, []T, []uint64) (words, kept int) { return 0, 0 }

// rest is Values for the values that whole left.
func rest[T any](dst, src []T, sel []uint64) (kept int) { return restGo(dst, src, sel) }
