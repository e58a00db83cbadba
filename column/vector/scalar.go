package vector

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// PlainValue returns the value of slot i in PLAIN encoding, without length prefix. The
// bytes are new and belong to the caller. v must be flat, and the slot not NULL.
func (v *Vector) PlainValue(i int) []byte {
	switch v.Type.Store() {
	case InBools:
		if bits.Get(v.Bools, i) {
			return []byte{1}
		}
		return []byte{0}
	case InInt32s:
		return binary.LittleEndian.AppendUint32(nil, uint32(v.Int32s[i]))
	case InInt64s:
		return binary.LittleEndian.AppendUint64(nil, uint64(v.Int64s[i]))
	case InFloats:
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v.Floats[i]))
	case InDoubles:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v.Doubles[i]))
	}
	return append([]byte{}, v.Bytes(i)...)
}

// FromPlain returns a vector of one slot whose PLAIN encoding, without length prefix,
// is plain; NULL if plain is nil. It copies plain, which must have the length of a value.
func FromPlain(t Type, plain []byte) *Vector {
	v := &Vector{Type: t, Len: 1}
	if plain == nil {
		v.Validity = []uint64{0}
	}
	switch t.Store() {
	case InBools:
		v.Bools = make([]uint64, 1)
		if plain != nil {
			v.Bools[0] = uint64(plain[0])
		}
	case InInt32s:
		v.Int32s = make([]int32, 1)
		if plain != nil {
			v.Int32s[0] = le32(plain)
		}
	case InInt64s:
		v.Int64s = make([]int64, 1)
		if plain != nil {
			v.Int64s[0] = le64(plain)
		}
	case InFloats:
		v.Floats = make([]float32, 1)
		if plain != nil {
			v.Floats[0] = math.Float32frombits(uint32(le32(plain)))
		}
	case InDoubles:
		v.Doubles = make([]float64, 1)
		if plain != nil {
			v.Doubles[0] = math.Float64frombits(uint64(le64(plain)))
		}
	case InFixed:
		v.Fixed = make([]byte, t.Width())
		copy(v.Fixed, plain)
	case InViews:
		v.Views = make([]bits.View, 1)
		if plain != nil {
			v.Buffers = [][]byte{append([]byte{}, plain...)} // a view of a footer would keep the whole footer in memory
			v.Views[0] = bits.Make(v.Buffers[0], 0, 0)
		}
	}
	return v
}
