package encoding

import "unsafe"

// SizeOf returns how many bytes a T takes, a constant in each instance.
func SizeOf[T any]() int {
	var x T
	return int(unsafe.Sizeof(x))
}

// Memory returns the memory of values as bytes, of booleans one byte each, 0 or 1.
func Memory[T any](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*SizeOf[T]())
}

// As returns the memory of values as values of another type of the same size, for which every bit pattern is a value.
func As[U, T any](values []T) []U {
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
}
