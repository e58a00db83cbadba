package value

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"sort"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Domain defines the order of a type's values, and the keys that encode it.
//
//	kind             values                          key
//	OfInts           BOOLEAN, signed INT32, INT64    8 bytes big-endian, sign flipped
//	OfUints          unsigned INT32, INT64           8 bytes big-endian
//	OfFloats         FLOAT, DOUBLE, FLOAT16          8 bytes: see ascending
//	OfBytes          strings, binaries, UUID         the bytes themselves
//	OfByteDecimals   decimals in byte arrays, and    sign, length, significant bytes
//	                 timestamps in 12 bytes
//	OfInt96          INT96                           day, nanoseconds
//	OfUnknown        UNKNOWN                         none: all slots are NULL
type Domain struct {
	Kind  DomainKind
	Type  vector.Type
	width int      // of a plain value; 0: it varies
	min   *big.Int // of OfInts, OfUints, OfByteDecimals; nil: unlimited
	max   *big.Int
}

// DomainKind says how the values of a domain are stored and compared.
type DomainKind uint8

const (
	OfInts DomainKind = iota
	OfUints
	OfFloats
	OfBytes
	OfByteDecimals
	OfInt96
	OfUnknown
)

// The ranges of the physical types of integers.
var (
	leastInt32, mostInt32 = big.NewInt(math.MinInt32), big.NewInt(math.MaxInt32)
	leastInt64, mostInt64 = big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)
)

// DomainOf returns the domain of a type.
func DomainOf(t vector.Type) *Domain {
	d := &Domain{Type: t, width: t.Width()}
	switch t.Physical {
	case vector.Boolean:
		d.width, d.min, d.max = 1, big.NewInt(0), big.NewInt(1)
	case vector.Int32:
		d.min, d.max = leastInt32, mostInt32
	case vector.Int64:
		d.min, d.max = leastInt64, mostInt64
	case vector.Int96:
		d.Kind = OfInt96
	case vector.Float, vector.Double:
		d.Kind = OfFloats
	default:
		d.Kind = OfBytes
	}
	switch t.Logical {
	case vector.Null:
		d.Kind = OfUnknown
	case vector.Float16:
		d.Kind = OfFloats
	case vector.Integer:
		if !t.Signed {
			d.Kind, d.min = OfUints, big.NewInt(0)
			d.max = new(big.Int).SetUint64(math.MaxUint32)
			if t.Physical == vector.Int64 {
				d.max.SetUint64(math.MaxUint64)
			}
		}
	case vector.Decimal, vector.Timestamp:
		if d.Kind == OfBytes {
			d.Kind = OfByteDecimals
			if t.Physical == vector.FixedLenByteArray && t.Length <= MaxDigits {
				d.max = new(big.Int).Lsh(big.NewInt(1), uint(t.Length)*8-1)
				d.min = new(big.Int).Neg(d.max)
				d.max.Sub(d.max, big.NewInt(1))
			}
		}
	}
	return d
}

// HasNaN reports whether the type has NaN, which no key stands for.
func (d *Domain) HasNaN() bool { return d.Kind == OfFloats }

// Ordered reports whether the type has an order, so that < and > are allowed.
//
//every:logical filter order but MAP LIST (layouts)
func (d *Domain) Ordered() bool {
	switch d.Type.Logical {
	case vector.Interval, vector.Geometry, vector.Geography, vector.Variant, vector.File:
		return false
	case vector.None, vector.Unrecognised, vector.Null, vector.String, vector.Enum, vector.JSON, vector.BSON, vector.Decimal, vector.Integer,
		vector.Date, vector.Time, vector.Timestamp, vector.UUID, vector.Float16:
		return true
	}
	return false
}

// Conversions between values and keys.

func intKey(v int64) key   { return uintKey(uint64(v) ^ 1<<63) }
func keyInt(k key) int64   { return int64(keyUint(k) ^ 1<<63) }
func keyUint(k key) uint64 { return binary.BigEndian.Uint64([]byte(k)) }
func uintKey(v uint64) key {
	var k [8]byte
	binary.BigEndian.PutUint64(k[:], v)
	return string(k[:])
}
func floatKey(f float64) key { return uintKey(ascending(f)) }

// ascending maps a double to a number that compares as it does:
//
//	-Inf … -0      all bits flipped
//	+0 … +Inf      the sign flipped
//
// Both zeros map to that of +0. f must not be NaN.
func ascending(f float64) uint64 {
	if f == 0 {
		f = 0 // -0 too
	}
	if b := math.Float64bits(f); b>>63 != 0 {
		return ^b
	} else {
		return b | 1<<63
	}
}

func keyFloat(k key) float64 {
	if b := keyUint(k); b>>63 != 0 {
		return math.Float64frombits(b &^ (1 << 63))
	} else {
		return math.Float64frombits(^b)
	}
}

// bigEndian returns the bytes of an OfByteDecimals from the most significant one on, and back.
func (d *Domain) bigEndian(b []byte) []byte {
	if d.Type.IsLongStamp() {
		b = slices.Clone(b)
		slices.Reverse(b)
	}
	return b
}

// appendBigKey appends the key of a big-endian two's complement number:
//
//	1, length, bytes       not negative
//	0, ~length, bytes      negative
func appendBigKey(dst, b []byte) []byte {
	b = bits.Significant(b)
	if len(b) == 0 {
		b = []byte{0}
	}
	if b[0] < 0x80 {
		dst = binary.BigEndian.AppendUint32(append(dst, 1), uint32(len(b)))
	} else {
		dst = binary.BigEndian.AppendUint32(append(dst, 0), ^uint32(len(b)))
	}
	return append(dst, b...)
}

func bigKey(v *big.Int) key { return string(appendBigKey(nil, bits.Signed(v))) }

func keyBig(k key) *big.Int { return bits.SetSigned(new(big.Int), []byte(k[5:])) }

// appendInt96Key appends the key of an INT96 timestamp: the day since 1970-01-01,
// of any that an INT96 can hold, and the nanoseconds within it.
func appendInt96Key(dst []byte, day, nanos int64) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(day)^1<<63)
	return binary.BigEndian.AppendUint64(dst, uint64(nanos)^1<<63)
}

func keyInt96(k key) (day, nanos int64) {
	return keyInt(k), keyInt(k[8:])
}

// AppendKey appends the key of a value in PLAIN encoding. ok is false for NaN, and
// for bytes of a wrong length, which have no key.
func (d *Domain) AppendKey(dst, plain []byte) (k []byte, isNaN, ok bool) {
	if d.width > 0 && len(plain) != d.width {
		return dst, false, false
	}
	switch d.Kind {
	case OfInts:
		return binary.BigEndian.AppendUint64(dst, uint64(d.Integer(plain))^1<<63), false, true
	case OfUints:
		return binary.BigEndian.AppendUint64(dst, uint64(d.Integer(plain))), false, true
	case OfFloats:
		f := d.Float(plain)
		if f != f {
			return dst, true, false
		}
		return binary.BigEndian.AppendUint64(dst, ascending(f)), false, true
	case OfByteDecimals:
		return appendBigKey(dst, d.bigEndian(plain)), false, true
	case OfInt96:
		day, nanos := vector.SplitInt96(plain)
		return appendInt96Key(dst, day, nanos), false, true
	case OfBytes:
		return append(dst, plain...), false, true
	}
	return dst, false, false
}

// Float decodes a value of a floating-point type as a double.
func (d *Domain) Float(plain []byte) float64 {
	switch d.Type.Physical {
	case vector.Float:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(plain)))
	case vector.Double:
		return math.Float64frombits(binary.LittleEndian.Uint64(plain))
	}
	return float64(vector.HalfToFloat(binary.LittleEndian.Uint16(plain)))
}

// Plain returns the PLAIN encoding of a key's value.
func (d *Domain) Plain(k key) []byte {
	t := d.Type
	switch d.Kind {
	case OfInts, OfUints:
		word := uint64(d.storedInt(keyUint(k)))
		return binary.LittleEndian.AppendUint64(nil, word)[:max(t.Width(), 1)] // a BOOLEAN is a byte
	case OfFloats:
		f := keyFloat(k)
		word := math.Float64bits(f)
		switch t.Physical {
		case vector.Float:
			word = uint64(math.Float32bits(float32(f)))
		case vector.FixedLenByteArray:
			word = uint64(halfBits(halfAtLeast(f)))
		}
		return binary.LittleEndian.AppendUint64(nil, word)[:t.Width()]
	case OfByteDecimals:
		b := []byte(k[5:])
		if t.Physical == vector.FixedLenByteArray && len(b) < int(t.Length) {
			b = bits.AppendSigned(nil, keyBig(k), int(t.Length))
		}
		return d.bigEndian(b)
	case OfInt96:
		day, nanos := keyInt96(k)
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, uint64(nanos)), uint32(day+JulianEpoch))
	}
	return []byte(k)
}

// Half-precision numbers in ascending order have the ordinals -0x7c00, of -Inf,
// through 0 to 0x7c00, of +Inf.

func halfBits(o int) uint16 {
	if o < 0 {
		return 0x8000 | uint16(-o)
	}
	return uint16(o)
}

func halfValue(o int) float64 { return float64(vector.HalfToFloat(halfBits(o))) }

// halfAtLeast returns the ordinal of the least half that is not below f.
func halfAtLeast(f float64) int {
	const infinity = 0x7c00
	return sort.Search(2*infinity, func(i int) bool { return halfValue(i-infinity) >= f }) - infinity
}

// ceil returns the least float of the domain's width that is not below f.
func (d *Domain) ceil(f float64) float64 {
	switch d.Type.Physical {
	case vector.Float:
		s := float32(f)
		if float64(s) < f {
			s = math.Nextafter32(s, float32(math.Inf(1)))
		}
		return float64(s)
	case vector.Double:
		return f
	}
	return halfValue(halfAtLeast(f))
}

// nextUp and nextDown return the next greater and next smaller float of the domain's width.

func (d *Domain) nextUp(f float64) float64 {
	return d.ceil(math.Nextafter(f, math.Inf(1)))
}

func (d *Domain) nextDown(f float64) float64 { return -d.nextUp(-f) }
