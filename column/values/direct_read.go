package values

import (
	"errors"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/thrift"
)

// DirectRead is the decoder of values that are the same bytes in the file as in
// memory, for pages of which all values are wanted: it reads them directly into the vector.
//
//	page     │ header │ levels │ values                     │
//	           page's body       ReadAt ──▶ vector
//
// It can do nothing else: to gather or test values, read the page's body and use the
// decoder of its encoding.
type DirectRead struct {
	basic
	ReadAt func(dst []byte, from int64) error // fills dst with bytes of the chunk; nil if the page's values are in its body
	At     int64                              // where value 0 is in the chunk
	End    int64                              // where the page ends there
	now    int
}

var errNotInBody = errors.New("column/values: values that are not in the page's body")

func (d *DirectRead) Reset(*Input) error { return nil }

func (d *DirectRead) Begin(v, _ int) error { return d.Seek(v) }

func (d *DirectRead) Seek(v int) error {
	d.now = v
	return nil
}

func (d *DirectRead) Next(dst *vector.Vector, at, n int) error {
	memory, width := build.Memory(dst, at, at+n)
	from := d.At + int64(d.now)*int64(width)
	if int64(len(memory)) > d.End-from {
		return errNotInBody // the caller falls back to the decoder of the encoding, which reports the fault
	}
	d.now += n
	return d.ReadAt(memory, from)
}

func (d *DirectRead) Gather(*vector.Vector, int, []uint64, int) error { return errNotInBody }

func (d *DirectRead) Filter([]uint64, int, *pred.Test) (bool, error) { return false, errNotInBody }

// SameBytes reports whether values of type t in encoding e are the same bytes in memory.
//
//every:encoding same bytes but RLE BIT_PACKED PLAIN_DICTIONARY RLE_DICTIONARY DELTA_BINARY_PACKED DELTA_LENGTH_BYTE_ARRAY DELTA_BYTE_ARRAY BYTE_STREAM_SPLIT ALP (all encode)
func SameBytes(t vector.Type, e thrift.Encoding) bool {
	if e != thrift.EncodingPlain {
		return false
	}
	switch t.Store() {
	case vector.InInt32s, vector.InInt64s, vector.InFloats, vector.InDoubles:
		return plain.InPlace
	case vector.InFixed:
		return true
	}
	return false
}
