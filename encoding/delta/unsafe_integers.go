package delta

import "unsafe"

// integer is the type of a column.
type integer interface{ int32 | int64 }

func sizeOf[T integer]() int {
	var x T
	return int(unsafe.Sizeof(x))
}

// as32 and as64 return v, whose T is of that type: a conversion that the compiler does
// not know.
func as32[T integer](v []T) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

func as64[T integer](v []T) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

// unsigned32 and unsigned64 return the memory of v as unsigned integers of the same
// size, for which every bit pattern is a value.
func unsigned32[T integer](v []T) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

func unsigned64[T integer](v []T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}
