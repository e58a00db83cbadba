package rle

import "unsafe"

// boolBytes returns the memory of v. Only 0 and 1 may be written to it.
func boolBytes(v []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}
