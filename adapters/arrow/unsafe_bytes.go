package arrowscan

import "unsafe"

// bytesOf returns the memory of s, without a copy.
func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*sizeOf[T]())
}

// sliceOf returns the memory b as values of T. b is aligned for T: it comes from an
// allocator, which aligns by 64 bytes.
func sliceOf[T any](b []byte) []T {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/sizeOf[T]())
}

// sizeOf returns the bytes that a T takes.
func sizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}
