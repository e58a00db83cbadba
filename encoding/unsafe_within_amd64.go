//go:build !purego

package encoding

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

func withinKernel[T Number](sel []uint64, values []T, lo, hi T) {
	if !cpu.X86.HasAVX2 || len(sel) == 0 {
		withinMemory(sel, Memory(values), lo, hi, false)
		return
	}
	// Each case casts to the type of values, lo and hi, or to the unsigned integer of
	// its size.
	v, l, h := unsafe.Pointer(&values[0]), unsafe.Pointer(&lo), unsafe.Pointer(&hi)
	switch any(lo).(type) {
	case int32, uint32:
		low := *(*uint32)(l)
		within32AVX2(&sel[0], (*uint32)(v), len(sel), low, *(*uint32)(h)-low)
	case int64, uint64:
		low := *(*uint64)(l)
		within64AVX2(&sel[0], (*uint64)(v), len(sel), low, *(*uint64)(h)-low)
	case float32:
		withinFloat32AVX2(&sel[0], (*float32)(v), len(sel), *(*float32)(l), *(*float32)(h))
	case float64:
		withinFloat64AVX2(&sel[0], (*float64)(v), len(sel), *(*float64)(l), *(*float64)(h))
	}
}

// canPair reports whether there is a kernel for pairs.
func canPair() bool { return cpu.X86.HasAVX2 }

func pairsKernel(a, b []byte, words int, x, y byte) (found uint64, left int) {
	if !canPair() {
		return pairsGo(a, b, words, x, y)
	}
	return pairsAVX2(&a[0], &b[0], words, x, y)
}
