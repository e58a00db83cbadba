package alp

import "unsafe"

// sizeOf is 4 or 8, a constant in each instance.
func sizeOf[T number]() int {
	var x T
	return int(unsafe.Sizeof(x))
}

// as32 and as64 are the memory of v as integers of the same size.
func as32[T number](v []T) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

func as64[T number](v []T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}
