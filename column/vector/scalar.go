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
	v := &Vector{}
	v.Reset(t)
	if plain == nil {
		v.AppendNulls(1)
		return v
	}
	v.Extend(1)
	switch t.Store() {
	case InBools:
		v.Bools[0] = uint64(plain[0])
	case InInt32s:
		v.Int32s[0] = int32(binary.LittleEndian.Uint32(plain))
	case InInt64s:
		v.Int64s[0] = int64(binary.LittleEndian.Uint64(plain))
	case InFloats:
		v.Floats[0] = math.Float32frombits(binary.LittleEndian.Uint32(plain))
	case InDoubles:
		v.Doubles[0] = math.Float64frombits(binary.LittleEndian.Uint64(plain))
	case InFixed:
		copy(v.Fixed, plain)
	case InViews:
		plain = append([]byte{}, plain...) // a view of a footer would keep the whole footer in memory
		v.Views[0] = bits.Make(plain, v.AddBuffer(plain), 0)
	}
	return v
}
