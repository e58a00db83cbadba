package values

import "unsafe"

// withFront returns the memory of which values is all behind the first front
// bytes, empty.
func withFront(values []byte, front int) []byte {
	first := (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(values)), -front))
	return unsafe.Slice(first, front+cap(values))[:0]
}
