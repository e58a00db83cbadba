package values

import "unsafe"

// withFront returns the memory that values is a part of, empty: it begins front bytes
// before values.
func withFront(values []byte, front int) []byte {
	first := (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(values)), -front))
	return unsafe.Slice(first, front+cap(values))[:0]
}
