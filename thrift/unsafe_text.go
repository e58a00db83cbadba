package thrift

import "unsafe"

// text returns b as a string that shares its memory. b must not change while the
// string is used: the exported functions require this of their callers.
func text(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}
