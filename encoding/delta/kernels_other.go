//go:build !amd64 || purego

package delta

func kernelFor(packed, widths []byte, size int) (k kernel, bytes int) { return none, 0 }

func (kernel) decode32([]int32, []byte, []byte, int, int32, int32) int32 { panic("no kernel") }
func (kernel) decode64([]int64, []byte, []byte, int, int64, int64) int64 { panic("no kernel") }
func (kernel) sum([]byte, []byte, int) uint64                            { panic("no kernel") }

func (kernel) sumValues([]byte, []byte, int) (sum, sums uint32, ok bool) { panic("no kernel") }

const hasBlocks = false

func sumBlocks([]byte, int, int, int) (blocks, bytes int, sum uint64) { panic("no kernel") }

func decodeBlocks[T integer]([]T, []byte, int, int, int, T) (blocks, bytes int, end T) {
	panic("no kernel")
}

func keepBlocks[T integer]([]T, []uint64, []byte, int, int, int, T) (blocks, bytes int, end T, kept int) {
	panic("no kernel")
}

func withinBlocks[T integer]([]uint64, []byte, int, int, int, T, T, T) (blocks, bytes int, end T) {
	panic("no kernel")
}

func sumBlockValues([]byte, int, int, int) (blocks, bytes int, sum, sums uint32) {
	panic("no kernel")
}
