//go:build !amd64 || purego

package bitpack

func vector8([]uint8, []byte, uint) int       { return 0 }
func spread8([]uint8, []byte, int, uint) bool { return false }

func spreadRuns32([]uint32, []byte, int, uint, int, int) int { return 0 }

func vector32([]uint32, []byte, uint) int { return 0 }
func vector64([]uint64, []byte, uint) int { return 0 }

const (
	hasSpans    = false
	mostFetched = 0
)

func vectorTest([]uint64, int, []byte, uint, *Mask) (int, uint32) { return 0, 0 }

func vectorTestRuns([]uint64, []byte, uint, *Mask, int, int, int) (int, uint32) { return 0, 0 }

func vectorTestUnpacked([]uint64, []uint32, *Mask) int { return 0 }

func vectorPick([]uint32, []byte, uint, []uint32, int, uint64, uint64) int { return 0 }

func vectorLargest([]uint32) (int, uint32) { return 0, 0 }
