package thrift

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// The types of the compact protocol, by their numbers in field and list headers.
const (
	typeStop   = 0
	typeTrue   = 1 // a bool field is its own value; a list of bools has type 1 or 2
	typeFalse  = 2
	typeI8     = 3
	typeI16    = 4
	typeI32    = 5
	typeI64    = 6
	typeDouble = 7
	typeBinary = 8
	typeList   = 9
	typeSet    = 10
	typeMap    = 11
	typeStruct = 12
	typeUUID   = 13
)

// maxDepth bounds how deep unknown values may nest. The structs of the format
// nest nine levels.
const maxDepth = 64

// ErrShort is matched by errors of bytes that end too early: with more bytes after
// them, reading may succeed. These errors are *corrupt.Error, too.
var ErrShort = errors.New("thrift: more bytes are needed")

// A fault is the reason why reading stopped. Unlike an error, it allocates nothing.
type fault uint8

const (
	noFault fault = iota
	faultShort
	faultType
	faultDepth
	faultVarint
	faultSize
)

// at turns the fault into an error at byte i.
func (f fault) at(i int) error {
	switch f {
	case noFault:
		return nil
	case faultShort:
		return &shortError{corrupt.At(i, "the bytes end inside a value")}
	case faultType:
		return corrupt.At(i, "unknown type")
	case faultDepth:
		return corrupt.At(i, "values nest deeper than ", maxDepth, " levels")
	case faultVarint:
		return corrupt.At(i, "varint of more than 64 bits")
	default:
		return corrupt.At(i, "length of more than 31 bits")
	}
}

type shortError struct{ where *corrupt.Error }

func (e *shortError) Error() string        { return e.where.Error() }
func (e *shortError) Unwrap() error        { return e.where }
func (e *shortError) Is(target error) bool { return target == ErrShort }

// uvarint reads the varint at i and returns the offset after it.
func uvarint(b []byte, i int) (v uint64, next int, f fault) {
	v, n := binary.Uvarint(b[i:])
	switch {
	case n > 0:
		return v, i + n, noFault
	case n == 0:
		return 0, len(b), faultShort
	}
	return 0, i + binary.MaxVarintLen64 - 1, faultVarint
}

// size reads the length of a binary, list, set or map at i. It fits an int on
// all platforms; b may be shorter.
func size(b []byte, i int) (n, next int, f fault) {
	v, next, f := uvarint(b, i)
	if f != noFault {
		return 0, next, f
	}
	if v > math.MaxInt32 {
		return 0, i, faultSize
	}
	return int(v), next, noFault
}

func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
