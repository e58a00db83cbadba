//go:build !purego && (386 || amd64 || arm || arm64 || loong64 || mips64le || mipsle || ppc64le || riscv64 || wasm)

package column

import (
	"unsafe"

	"github.com/winnow-scan/winnow/column/vector"
)

// memoryOf returns the memory of n slots of v, a vector of type t, from slot at
// on, if PLAIN values are the same bytes there as in a file; else nil.
func memoryOf(v *vector.Vector, t vector.Type, at, n int) []byte {
	switch t.Store() {
	case vector.InInt32s:
		return bytesOf(v.Int32s, at, n)
	case vector.InInt64s:
		return bytesOf(v.Int64s, at, n)
	case vector.InFloats:
		return bytesOf(v.Floats, at, n)
	case vector.InDoubles:
		return bytesOf(v.Doubles, at, n)
	}
	return nil
}

// bytesOf returns the memory of values [at, at+n).
func bytesOf[T int32 | int64 | float32 | float64](values []T, at, n int) []byte {
	if n == 0 {
		return []byte{}
	}
	values = values[at : at+n]
	return unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), n*int(unsafe.Sizeof(values[0])))
}
