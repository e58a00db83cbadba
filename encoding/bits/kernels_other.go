//go:build !amd64 || purego

package bits

func compress(x, m uint64) uint64 { return compressGo(x, m) }
func deposit(x, m uint64) uint64  { return depositGo(x, m) }

func wholePositions(dst []uint32, b []uint64, base int) (n, left int) {
	return wholePositionsGo(dst, b, base)
}

func countWhole([]uint64) (n, words int) { return 0, 0 }

func shift(dst, src []uint64, by uint) { shiftGo(dst, src, by) }

func wholeAtLeast(dst []uint64, levels []uint8, c uint8) { wholeAtLeastGo(dst, levels, c) }
