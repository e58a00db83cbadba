package project

import (
	"math"
	"slices"
	"sort"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Conversion converts a vector of the file to the wanted type. Its children correspond
// to a Vector's; nil: no conversion. A Conversion is for one goroutine at a time.
type Conversion struct {
	to       vector.Type
	values   func(dst, src *vector.Vector) (bad int) // nil: the values stay; only their meaning changes
	children []*Conversion

	dict, converted *vector.Vector // the last dictionary
}

// Field returns the field of converted vectors, given that of the file's.
func (c *Conversion) Field(f vector.Field) vector.Field {
	if c == nil {
		return f
	}
	if c.children == nil {
		f.Type = c.to
		f.Nullable = f.Nullable || c.to.Logical == vector.Null
		return f
	}
	children := make([]vector.Field, len(f.Children))
	for i, child := range f.Children {
		children[i] = c.children[i].Field(child)
	}
	f.Children = children
	return f
}

// Scalar returns the vector of one value, converted.
func (c *Conversion) Scalar(s vector.Scalar) (*vector.Vector, error) {
	v := s.Vector(1)
	v.Flatten()
	v, _, err := c.Convert(v)
	return v, err
}

// Convert returns v converted. It takes ownership of v. An error comes with the slot of v
// at fault.
func (c *Conversion) Convert(v *vector.Vector) (*vector.Vector, int, error) {
	switch {
	case c == nil || v.Form == vector.Constant:
		return v, 0, nil
	case c.children == nil:
		return c.leaf(v)
	}
	for i, child := range v.Children {
		out, slot, err := c.children[i].Convert(child)
		if err != nil {
			if v.Layout != vector.Struct {
				// The slot at fault is that of the list with the item.
				slot = sort.Search(v.Len, func(k int) bool { return int(v.Offsets[k+1]) > slot })
			}
			return nil, slot, err
		}
		v.Children[i] = out
	}
	return v, 0, nil
}

func (c *Conversion) leaf(v *vector.Vector) (*vector.Vector, int, error) {
	if v.Form == vector.Dictionary {
		if c.dict != v.Dict {
			out, bad := c.Apply(v.Dict)
			if bad >= 0 {
				// It is an error only if a row has this entry, and then names the row.
				v.Flatten()
				return c.leaf(v)
			}
			c.dict, c.converted = v.Dict, out
		}
		out := *v
		out.Type, out.Dict = c.to, c.converted
		return &out, 0, nil
	}
	out, bad := c.Apply(v)
	if bad < 0 {
		return out, 0, nil
	}
	f := vector.Field{Type: v.Type}
	text := f.Text()
	text.Use(v)
	value, _ := text.Append(nil, bad)
	return nil, bad, &Mismatch{What: string(value) + " of " + v.Type.String() + " cannot be " + c.to.String() + " exactly"}
}

// Apply converts flat values. bad is the first slot of a value that cannot be converted, or -1; all such slots are NULL in
// out. It is safe for concurrent use.
func (c *Conversion) Apply(v *vector.Vector) (out *vector.Vector, bad int) {
	if c.values == nil {
		retyped := *v
		retyped.Type = c.to
		return &retyped, -1
	}
	out = &vector.Vector{Type: c.to}
	build.Extend(out, v.Len) // new memory is zero: conversions leave slots of NULL as they are
	out.Validity = v.Validity
	return out, c.values(out, v)
}

// ConversionOf returns the conversion from one type to another, nil if none is needed, and
// whether it is allowed: to wider numbers, to wider decimals, to bytes, and between
// units of time, where each value is checked to stay exact.
//
//every:logical conversion but MAP LIST UUID FLOAT16 VARIANT GEOMETRY GEOGRAPHY FILE (they have none)
func ConversionOf(have, want vector.Type) (*Conversion, bool) {
	if have == want {
		return nil, true
	}
	c := &Conversion{to: want}
	switch {
	case have.Logical == vector.Null:
		c.values = toNull
	case isBytes(have) && isText(want):
		if have.Store() == vector.InFixed {
			c.values = viewFixed
		}
		return c, true
	case IntegerBits(have) > 0 && IntegerBits(want) > 0:
		if IsSigned(have) && !IsSigned(want) || IntegerBits(have) > IntegerBits(want) || IsSigned(have) != IsSigned(want) && IntegerBits(have) == IntegerBits(want) {
			return nil, false
		}
		switch {
		case have.Physical == want.Physical:
		case IsSigned(have):
			c.values = func(dst, src *vector.Vector) int { return widen(dst.Int64s, src.Int32s[:src.Len]) }
		default:
			c.values = zeroExtend
		}
	case plainType(want) == vector.Double && IntegerBits(have) > 0 && have.Physical == vector.Int32:
		c.values = func(dst, src *vector.Vector) int { return widen(dst.Doubles, src.Int32s[:src.Len]) }
		if !IsSigned(have) {
			c.values = throughInt64(func(dst, src *vector.Vector) int { return widen(dst.Doubles, src.Int64s) })
		}
	case plainType(want) == vector.Double && plainType(have) == vector.Float:
		c.values = func(dst, src *vector.Vector) int { return widen(dst.Doubles, src.Floats[:src.Len]) }
	case want.Logical == vector.Decimal && (have.Logical == vector.Decimal || asDecimal(have) != have):
		if c.values = decimalConversion(asDecimal(have), want); c.values != nil && IntegerBits(have) == 32 && !IsSigned(have) {
			c.values = throughInt64(c.values)
		}
		return c, c.values != nil
	case have.Logical == vector.Date && want.Logical == vector.Timestamp && !want.UTC:
		day := secondsPerDay * want.Unit.PerSecond()
		c.values = func(dst, src *vector.Vector) int {
			return scaleInto(dst, src, day, false, math.MinInt64, math.MaxInt64)
		}
	case want.IsLongStamp(): // values are read as they are, or as others
		return nil, false
	case want.Logical == vector.Timestamp && (plainType(have) == vector.Int96 || have.IsLongStamp() && have.UTC == want.UTC):
		c.values = fromLongMoment(have, want)
	case (have.Logical == vector.Timestamp || have.Logical == vector.Time) && want.Logical == have.Logical && want.UTC == have.UTC:
		c.values = unitConversion(have, want)
	default:
		return nil, false
	}
	return c, c.values != nil || have.Store() == want.Store() && have.Width() == want.Width()
}

// isText reports whether values are strings, whatever they hold.
//
//every:logical conversion
func isText(t vector.Type) bool {
	switch t.Logical {
	case vector.None, vector.String, vector.Enum, vector.JSON, vector.BSON:
		return t.Physical == vector.ByteArray
	}
	return false
}

// isBytes reports whether values are strings or plain bytes, of one length or of any.
func isBytes(t vector.Type) bool { return isText(t) || plainType(t) == vector.FixedLenByteArray }

// IntegerBits returns the bits that an integer has, 0 for other types.
//
//every:logical conversion
func IntegerBits(t vector.Type) int {
	switch {
	case t.Logical == vector.Integer:
		return int(t.Bits)
	case plainType(t) == vector.Int32:
		return 32
	case plainType(t) == vector.Int64:
		return 64
	}
	return 0
}

// IsSigned reports whether an integer has a sign.
func IsSigned(t vector.Type) bool { return t.Logical == vector.None || t.Signed }

// plainType returns the physical type of values without annotation, else Group.
func plainType(t vector.Type) vector.Physical {
	if t.Logical == vector.None {
		return t.Physical
	}
	return vector.Group
}

func toNull(dst, src *vector.Vector) int {
	n := dst.Len
	*dst = vector.Vector{Type: dst.Type}
	build.AppendNulls(dst, n)
	return -1
}

// widen converts numbers to a type that has all of them.
func widen[D int64 | float64, S int32 | int64 | float32](dst []D, src []S) int {
	for i, x := range src {
		dst[i] = D(x)
	}
	return -1
}

func zeroExtend(dst, src *vector.Vector) int {
	for i, x := range src.Int32s[:src.Len] {
		dst.Int64s[i] = int64(uint32(x))
	}
	return -1
}

// throughInt64 returns a conversion of UINT32, given that of INT64.
func throughInt64(convert func(dst, src *vector.Vector) int) func(dst, src *vector.Vector) int {
	return func(dst, src *vector.Vector) int {
		wide := &vector.Vector{Type: vector.Type{Physical: vector.Int64}}
		build.Extend(wide, src.Len)
		wide.Validity = src.Validity
		zeroExtend(wide, src)
		return convert(dst, wide)
	}
}

// viewFixed makes bytes of one length bytes of any.
func viewFixed(dst, src *vector.Vector) int {
	width := src.Type.Width()
	memory := slices.Clone(src.Fixed[:src.Len*width])
	buffer, bad := build.AddBuffer(dst, memory), -1
	for i := range src.Len {
		if at := i * width; at > math.MaxInt32 {
			bad = lose(dst, i, bad)
		} else if !src.IsNull(i) {
			dst.Views[i] = bits.Make(memory[at:at+width], buffer, int32(at))
		}
	}
	return bad
}

// lose makes slot i of dst NULL, whose value cannot be converted. It returns the first such slot; bad is the first one
// before, or -1.
func lose(dst *vector.Vector, i, bad int) int {
	if bad < 0 {
		dst.Validity, bad = slices.Clone(dst.Validity), i // which was that of the source
		build.NeedValidity(dst)
	}
	bits.Clear(dst.Validity, i)
	return bad
}

// scale multiplies by mul, or divides by it. It loses slots at which the result is not exact or not in lo to hi.
func scale[D, S int32 | int64](out *vector.Vector, dst []D, src []S, mul int64, divide bool, lo, hi int64) int {
	bad := -1
	for i, value := range src {
		x := int64(value)
		y := x * mul
		exact := y/mul == x
		if divide {
			y = x / mul
			exact = y*mul == x
		}
		if !exact || y < lo || y > hi {
			bad = lose(out, i, bad)
			continue
		}
		dst[i] = D(y)
	}
	return bad
}

// scaleInto is scale for vectors of INT32 or INT64.
func scaleInto(dst, src *vector.Vector, mul int64, divide bool, lo, hi int64) int {
	isWide := src.Type.Physical == vector.Int64
	switch {
	case dst.Type.Physical == vector.Int64 && isWide:
		return scale(dst, dst.Int64s, src.Int64s[:src.Len], mul, divide, lo, hi)
	case dst.Type.Physical == vector.Int64:
		return scale(dst, dst.Int64s, src.Int32s[:src.Len], mul, divide, lo, hi)
	}
	lo, hi = max(lo, math.MinInt32), min(hi, math.MaxInt32)
	if isWide {
		return scale(dst, dst.Int32s, src.Int64s[:src.Len], mul, divide, lo, hi)
	}
	return scale(dst, dst.Int32s, src.Int32s[:src.Len], mul, divide, lo, hi)
}

// unitConversion returns the conversion between units of times and timestamps.
func unitConversion(have, want vector.Type) func(dst, src *vector.Vector) int {
	from, to := have.Unit.PerSecond(), want.Unit.PerSecond()
	mul, divide := to/from, from > to
	if divide {
		mul = from / to
	}
	return func(dst, src *vector.Vector) int {
		return scaleInto(dst, src, mul, divide, math.MinInt64, math.MaxInt64)
	}
}

const secondsPerDay = 24 * 60 * 60

// fromLongMoment returns the conversion from days, and the nanoseconds within them, to a timestamp of 64 bits.
func fromLongMoment(have, want vector.Type) func(dst, src *vector.Vector) int {
	per := want.Unit.PerSecond()
	day, whole := secondsPerDay*per, 1e9/per
	return func(dst, src *vector.Vector) int {
		bad := -1
		for i := range dst.Len {
			if src.IsNull(i) {
				continue
			}
			days, nanos := have.SplitMoment(src.Bytes(i))
			start, part := days*day, nanos/whole
			if part*whole != nanos || start/day != days || start+part < start {
				bad = lose(dst, i, bad)
				continue
			}
			dst.Int64s[i] = start + part
		}
		return bad
	}
}
