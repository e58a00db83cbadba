package bss

import (
	"unsafe"

	"github.com/winnow-scan/winnow/encoding"
)

// asNumbers returns the memory of room as 512 or 1024 numbers.
func asNumbers[T encoding.Number](room *[512]uint64) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(room)), len(room)*8/encoding.SizeOf[T]())
}
