package bss

import (
	"unsafe"

	"github.com/winnow-scan/winnow/encoding"
)

// sizeOf returns 4 or 8, a constant in each instance.
func sizeOf[T encoding.Number]() int {
	var x T
	return int(unsafe.Sizeof(x))
}

// as32 and as64 return the memory of v as unsigned integers of the same size, for
// which every bit pattern is a value.
func as32[T encoding.Number](v []T) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

func as64[T encoding.Number](v []T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

// asNumbers returns the memory of room as 512 or 1024 numbers.
func asNumbers[T encoding.Number](room *[512]uint64) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(room)), len(room)*8/sizeOf[T]())
}
