//go:build !purego

package bitpack

import "unsafe"

// copy32 and copy64 unpack values of full width, which is a copy on this machine. src
// holds as many bytes as dst.
func copy32(dst []uint32, src []byte) int {
	return copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), 4*len(dst)), src) / 4
}

func copy64(dst []uint64, src []byte) int {
	return copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), 8*len(dst)), src) / 8
}
