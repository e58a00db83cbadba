//go:build 386 || amd64 || arm64

package plain

import (
	"unsafe"

	"github.com/winnow-scan/winnow/encoding"
)

// view returns the first n values of body in place: memory has the format's byte order
// here, and loads need no alignment.
func view[T encoding.Number](body []byte, n int) (values []T, ok bool) {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(body[:n*encoding.SizeOf[T]()]))), n), true
}
