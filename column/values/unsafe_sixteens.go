package values

import (
	"unsafe"

	"github.com/winnow-scan/winnow/column/vector"
)

// sixteens returns the values of v, of 16 bytes each.
func sixteens(v *vector.Vector) [][16]byte {
	return unsafe.Slice((*[16]byte)(unsafe.Pointer(unsafe.SliceData(v.Fixed))), len(v.Fixed)/16)
}
