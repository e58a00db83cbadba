package vector

import (
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Scalar is one value of a type, or NULL: a constant, a default, a bound, a least or
// greatest value. It does not change, and may be copied. Safe for concurrent use. The
// zero Scalar is NULL, of no type in particular. Scalars are compared by Equal and
// Compare, not by ==.
type Scalar struct {
	typ    Type
	valid  bool
	plain  string  // of a leaf: the PLAIN encoding without length prefix
	nested *Vector // one flat slot of a struct, list or map; nobody changes it
}

// Scalar returns the value of slot i of v, of any layout and form. It copies the value.
func (v *Vector) Scalar(i int) Scalar {
	if v.Layout != Leaf {
		return Scalar{typ: v.Type, valid: !v.IsNull(i), nested: v.copySlots(i, i+1)}
	}
	if v.IsNull(i) {
		return Scalar{typ: v.Type}
	}
	if v.Form == Dictionary {
		v, i = v.Dict, int(v.Codes[i])
	} else if v.Form == Constant {
		i = 0
	}
	return Scalar{typ: v.Type, valid: true, plain: string(v.appendPlain(nil, i))}
}

// appendPlain appends the value of slot i, not NULL, of a flat leaf.
func (v *Vector) appendPlain(dst []byte, i int) []byte {
	switch v.Type.Store() {
	case InBools:
		if bits.Get(v.Bools, i) {
			return append(dst, 1)
		}
		return append(dst, 0)
	case InInt32s:
		return binary.LittleEndian.AppendUint32(dst, uint32(v.Int32s[i]))
	case InInt64s:
		return binary.LittleEndian.AppendUint64(dst, uint64(v.Int64s[i]))
	case InFloats:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(v.Floats[i]))
	case InDoubles:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Doubles[i]))
	}
	return append(dst, v.Bytes(i)...)
}

// Vector returns a Constant of n slots that have the value of s. It belongs to the caller.
func (s Scalar) Vector(n int) *Vector {
	if s.nested != nil {
		v := s.nested.copySlots(0, min(n, 1))
		v.Form, v.Len = Constant, n
		return v
	}
	v := &Vector{Type: s.typ, Form: Constant, Len: n}
	if !s.valid {
		v.Validity = []uint64{0}
	}
	plain := []byte(s.plain)
	switch s.typ.Store() {
	case InBools:
		v.Bools = []uint64{0}
		if s.valid {
			v.Bools[0] = uint64(plain[0] & 1)
		}
	case InInt32s:
		v.Int32s = []int32{int32(s.word())}
	case InInt64s:
		v.Int64s = []int64{int64(s.word())}
	case InFloats:
		v.Floats = []float32{math.Float32frombits(uint32(s.word()))}
	case InDoubles:
		v.Doubles = []float64{math.Float64frombits(s.word())}
	case InFixed:
		v.Fixed = make([]byte, s.typ.Width())
		copy(v.Fixed, plain)
	case InViews:
		v.Views, v.Buffers = []bits.View{{}}, [][]byte{plain}
		if s.valid {
			v.Views[0] = bits.Make(plain, 0, 0)
		}
	}
	return v
}

// word returns the bytes of a value of at most 8 bytes as a number, 0 for NULL.
func (s Scalar) word() uint64 {
	var b [8]byte
	copy(b[:], s.plain)
	return binary.LittleEndian.Uint64(b[:])
}

// Type returns the type of s. Its Physical is Group for a struct, list or map.
func (s Scalar) Type() Type { return s.typ }

// Layout returns whether s is a leaf's value, a struct, a list or a map.
func (s Scalar) Layout() Layout {
	if s.nested != nil {
		return s.nested.Layout
	}
	return Leaf
}

// IsNull reports whether s is NULL.
func (s Scalar) IsNull() bool { return !s.valid }

// Plain returns the value in PLAIN encoding without length prefix, as new bytes; nil
// if s is NULL or no leaf's.
func (s Scalar) Plain() []byte {
	if !s.valid || s.nested != nil {
		return nil
	}
	return append([]byte{}, s.plain...)
}

// Bool returns a BOOLEAN. ok is false for NULL and other types.
func (s Scalar) Bool() (b, ok bool) {
	if !s.valid || s.typ.Physical != Boolean {
		return false, false
	}
	return s.plain[0] != 0, true
}

// Int64 returns what an INT32 or INT64 stores: the days of a date, the units of a time or
// timestamp, the unscaled number of a decimal. ok is false for NULL, other types, and an
// unsigned number that does not fit.
func (s Scalar) Int64() (v int64, ok bool) {
	u, ok := s.Uint64()
	if s.isUnsigned() {
		return int64(u), ok && u <= math.MaxInt64
	}
	return int64(u), s.valid && (s.typ.Physical == Int32 || s.typ.Physical == Int64)
}

// Uint64 is Int64 for unsigned integers. ok is false for negative numbers, too.
func (s Scalar) Uint64() (v uint64, ok bool) {
	if !s.valid {
		return 0, false
	}
	unused := 0 // some writers store -1 in 8 bits as 255: high bits are ignored
	if s.typ.Logical == Integer && 0 < s.typ.Bits && s.typ.Bits < 32 {
		unused = 32 - int(s.typ.Bits)
	}
	switch w := s.word(); {
	case s.typ.Physical == Int32 && s.isUnsigned():
		return uint64(uint32(w) << unused >> unused), true
	case s.typ.Physical == Int32:
		n := int32(w) << unused >> unused
		return uint64(int64(n)), n >= 0
	case s.typ.Physical == Int64:
		return w, s.isUnsigned() || int64(w) >= 0
	}
	return 0, false
}

func (s Scalar) isUnsigned() bool { return s.typ.Logical == Integer && !s.typ.Signed }

// Float64 returns a FLOAT, DOUBLE or FLOAT16. ok is false for NULL and other types.
func (s Scalar) Float64() (f float64, ok bool) {
	if !s.valid {
		return 0, false
	}
	switch {
	case s.typ.Physical == Float:
		return float64(math.Float32frombits(uint32(s.word()))), true
	case s.typ.Physical == Double:
		return math.Float64frombits(s.word()), true
	case s.isHalf():
		return float64(HalfToFloat(uint16(s.word()))), true
	}
	return 0, false
}

func (s Scalar) isHalf() bool { return s.typ.Logical == Float16 && len(s.plain) == 2 }

// Bytes returns a BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY or INT96, as new bytes. ok is false for
// NULL and other types.
func (s Scalar) Bytes() (b []byte, ok bool) {
	if st := s.typ.Store(); !s.valid || st != InFixed && st != InViews {
		return nil, false
	}
	return []byte(s.plain), true
}

// Time returns a date, at midnight, a timestamp or an INT96. Local ones have the location
// UTC, too. ok is false for NULL and other types.
func (s Scalar) Time() (t time.Time, ok bool) {
	if !s.valid {
		return t, false
	}
	switch {
	case s.typ.Physical == Int32 && s.typ.Logical == Date:
		return time.Unix(int64(int32(s.word()))*secondsPerDay, 0).UTC(), true
	case s.typ.Physical == Int64 && s.typ.Logical == Timestamp:
		per := s.typ.Unit.PerSecond()
		seconds, fraction := floorDiv(int64(s.word()), per)
		return time.Unix(seconds, fraction*(1e9/per)).UTC(), true
	case s.typ.IsLongMoment():
		days, nanos := s.typ.SplitMoment([]byte(s.plain))
		return time.Unix(days*secondsPerDay, nanos).UTC(), days/farthestDay == 0
	}
	return t, false
}

// Duration returns a time of day as the duration since midnight. ok is false for NULL, other
// types, and times beyond what a Duration holds.
func (s Scalar) Duration() (d time.Duration, ok bool) {
	if s.typ.Logical != Time {
		return 0, false
	}
	v, ok := s.Int64()
	each := int64(1e9) / s.typ.Unit.PerSecond()
	return time.Duration(v * each), ok && v*each/each == v
}

// String returns the text of s, as Type.Text writes it: "NULL" for NULL. Structs, lists and
// maps are JSON; the fields of a struct have numbers for names, since s does not know them.
func (s Scalar) String() string {
	if !s.valid {
		return "NULL"
	}
	if s.nested != nil {
		f := fieldOf(s.nested, "")
		slots := f.JSON()
		slots.Use(s.nested)
		return textOr(slots.Append(nil, 0))
	}
	format := s.typ.Text()
	return textOr(format.Append(nil, []byte(s.plain)))
}

// textOr returns a text, or the error with which it could not be written, in angle brackets.
func textOr(text []byte, err error) string {
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return string(text)
}

// fieldOf returns a field for v. Those below have their numbers as names.
func fieldOf(v *Vector, name string) Field {
	f := Field{Name: name, Type: v.Type, Layout: v.Layout, Nullable: true}
	for i, c := range v.Children {
		f.Children = append(f.Children, fieldOf(c, strconv.Itoa(i)))
	}
	return f
}

// copySlots returns a flat copy of the slots [from, to) that shares no memory with v.
func (v *Vector) copySlots(from, to int) *Vector {
	c := &Vector{Type: v.Type, Layout: v.Layout, Form: v.Form, Len: to - from}
	if v.Form == Constant {
		from, to = 0, min(to-from, 1)
	}
	n := to - from
	if len(v.Validity) > 0 {
		c.Validity = copyBits(v.Validity, from, n)
	}
	switch {
	case v.Form == Dictionary:
		c.Codes, c.Dict = append(c.Codes, v.Codes[from:to]...), v.Dict
	case v.Layout == Struct:
		c.Children = copyChildren(v.Children, from, to)
	case v.Layout != Leaf:
		first := v.Offsets[from]
		for _, o := range v.Offsets[from : to+1] {
			c.Offsets = append(c.Offsets, o-first)
		}
		c.Children = copyChildren(v.Children, int(first), int(v.Offsets[to]))
	default:
		c.copyLeaf(v, from, to)
	}
	if c.Flatten(); v.Form == Dictionary && v.Type.Store() == InViews {
		c.copyStrings(c.Views, c.Buffers)
	}
	return c
}

func copyChildren(children []*Vector, from, to int) (copies []*Vector) {
	for _, c := range children {
		copies = append(copies, c.copySlots(from, to))
	}
	return copies
}

// copyLeaf copies the stored values [from, to) of a leaf.
func (v *Vector) copyLeaf(src *Vector, from, to int) {
	switch v.Type.Store() {
	case InBools:
		v.Bools = copyBits(src.Bools, from, to-from)
	case InInt32s:
		v.Int32s = append(v.Int32s, src.Int32s[from:to]...)
	case InInt64s:
		v.Int64s = append(v.Int64s, src.Int64s[from:to]...)
	case InFloats:
		v.Floats = append(v.Floats, src.Floats[from:to]...)
	case InDoubles:
		v.Doubles = append(v.Doubles, src.Doubles[from:to]...)
	case InFixed:
		w := v.Type.Width()
		v.Fixed = append(v.Fixed, src.Fixed[from*w:to*w]...)
	case InViews:
		v.copyStrings(src.Views[from:to], src.Buffers)
	}
}

// copyStrings makes copies of strings the values of v, each in a buffer of its own: scalars have few.
func (v *Vector) copyStrings(views []bits.View, buffers [][]byte) {
	v.Views, v.Buffers = append([]bits.View{}, views...), nil
	for i := range v.Views {
		if view := &v.Views[i]; !view.IsInline() {
			b := append([]byte{}, view.Bytes(buffers)...)
			*view = bits.Make(b, int32(len(v.Buffers)), 0)
			v.Buffers = append(v.Buffers, b)
		}
	}
}

// copyBits returns a copy of n bits.
func copyBits(b []uint64, from, n int) []uint64 {
	c := make([]uint64, max(bits.Words(n), 1))
	bits.Copy(c, 0, b, from, n)
	return c
}
