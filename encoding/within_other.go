//go:build !amd64 || purego

package encoding

func withinKernel[T Number](sel []uint64, values []T, lo, hi T) {
	withinMemory(sel, Memory(values), lo, hi, false)
}

// canPair reports whether there is a kernel for pairs.
func canPair() bool { return false }

func pairsKernel(a, b []byte, words int, x, y byte) (found uint64, left int) {
	return pairsGo(a, b, words, x, y)
}
