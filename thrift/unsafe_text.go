package thrift

import "unsafe"

// text returns b as a string that shares its memory: it is right as long as
// nobody writes to b, which is what every entry of this package asks for.
func text(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}
