package rle

import "unsafe"

// boolBytes returns the memory of v, to which nothing but 0 and 1 may be written.
func boolBytes(v []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}
