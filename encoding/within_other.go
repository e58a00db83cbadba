//go:build !amd64 || purego

package encoding

import "github.com/winnow-scan/winnow/internal/invariants"

func withinKernel[T Number](sel []uint64, values []T, lo, hi T) { withinGo(sel, values, lo, hi) }

// canPair says whether there is a kernel for pairs; what Go brings is better than none. With the tag invariants, a
// twin takes its place, so that its caller is tested on every machine.
func canPair() bool { return invariants.On }

func pairsKernel(a, b []byte, words int, x, y byte) (found uint64, left int) {
	for left = words; left > 0; left-- {
		for i := range 64 {
			found |= oneIf(a[i] == x) & oneIf(b[i] == y) << i
		}
		if found != 0 {
			break
		}
		a, b = a[64:], b[64:]
	}
	return found, left
}
