//go:build !amd64 || purego

package delta

import "github.com/winnow-scan/winnow/encoding/bits"

const canSplice = false

// viewsOf, keepViews, sumOf and splice do nothing without kernels.
func viewsOf(_ []bits.View, _ []int32, _ []byte, at int, _ int32) (int, int) { return 0, at }

func keepViews(_ []bits.View, _, _ []int32, _ []uint64, _ []byte, at int, _ int32) (done, end, kept int) {
	return 0, at, 0
}

func rareStrings() int { return 4 }

func sumOf([]int32) (n int, sum int64, signs int32) { return 0, 0, 0 }

func (*Prefixed) splice(_ []bits.View, _ *shares, i int, arena []byte, _, _ int) (int, []byte) {
	return i, arena
}

func (*Fixed) splice(_ []byte, _ *shares, i, _, _ int) int { return i }
