package vector

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// A Formatter writes values of one type. It does not change. Safe for concurrent use.
type Formatter struct {
	physical Physical
	logical  Logical // as meaning returns it
	json     bool
	utc      bool
	width    int32 // bytes of a value, -1 if values may have any length
	unused   uint8 // high bits of an INT32 that are not part of an INT(8) or INT(16)
	scale    int32
	per      int64 // units per second
}

// Text returns the Formatter of the textual form. NaN and the infinities are "NaN",
// "Infinity" and "-Infinity", binaries are base64, values of an UNKNOWN column
// "null"; strings are copied as they are, valid UTF-8 or not.
//
// A negative time of day has a sign, and one beyond a day has more than 23 hours:
// "-00:00:01", "25:00:00". A decimal without bytes is 0.
func (t Type) Text() Formatter { return newFormatter(t, false) }

// JSON returns the Formatter of the textual form, quoted and escaped unless it is a
// boolean, an integer, a finite float or null. Each byte of a string that is not part
// of a valid UTF-8 sequence becomes U+FFFD.
func (t Type) JSON() Formatter { return newFormatter(t, true) }

func newFormatter(t Type, json bool) Formatter {
	f := Formatter{physical: t.Physical, logical: meaning(t), json: json, utc: t.UTC, width: int32(t.Width()), scale: t.Scale, per: t.Unit.PerSecond()}
	switch {
	case f.logical == Null || t.Physical == ByteArray:
		f.width = -1
	case t.Physical == Boolean:
		f.width = 1
	}
	if t.Logical == Integer && 0 < t.Bits && t.Bits < 32 {
		f.unused = 32 - t.Bits
	}
	return f
}

// meaning returns t's annotation if it fits the physical type and values are not written as
// those without it, else None. Signed integers are written as those without annotation.
//
//every:logical text but MAP LIST BSON VARIANT GEOMETRY GEOGRAPHY FILE (layouts; as their bytes)
func meaning(t Type) Logical {
	p, fits := t.Physical, false
	isInt := p == Int32 || p == Int64
	switch t.Logical {
	case Null:
		fits = true
	case String, Enum, JSON:
		fits = p == ByteArray
	case Decimal:
		fits = isInt || p == ByteArray || p == FixedLenByteArray
	case Date:
		fits = p == Int32
	case Time:
		fits = isInt
	case Timestamp:
		fits = p == Int64 || t.IsLongStamp()
	case Integer:
		fits = isInt && !t.Signed
	case UUID:
		fits = p == FixedLenByteArray && t.Length == 16
	case Float16:
		fits = p == FixedLenByteArray && t.Length == 2
	}
	switch {
	case p >= Group: // no leaf has it
		return Null
	case fits:
		return t.Logical
	}
	return None
}

// Append appends one value. plain is its PLAIN encoding without a length prefix; a
// boolean is one byte. If plain does not have the length of a value, Append returns dst as it was, with a *corrupt.Error.
func (f *Formatter) Append(dst, plain []byte) ([]byte, error) {
	if f.width >= 0 && len(plain) != int(f.width) {
		return dst, corrupt.At(0, "value of ", len(plain), " bytes where ", f.width, " are wanted")
	}
	if f.logical == Null {
		return append(dst, "null"...), nil
	}
	switch f.physical {
	case Boolean:
		return strconv.AppendBool(dst, plain[0] != 0), nil
	case Int32:
		return f.int32(dst, int32(binary.LittleEndian.Uint32(plain))), nil
	case Int64:
		return f.int64(dst, int64(binary.LittleEndian.Uint64(plain))), nil
	case Float:
		return f.float(dst, float64(math.Float32frombits(binary.LittleEndian.Uint32(plain))), 32), nil
	case Double:
		return f.float(dst, math.Float64frombits(binary.LittleEndian.Uint64(plain)), 64), nil
	}
	return f.bytes(dst, plain)
}

// int32 appends a value that is stored as an INT32. Some writers store integers of
// 8 and 16 bits without sign extension, -1 as 255: like other readers, it ignores
// the high bits.
func (f *Formatter) int32(dst []byte, v int32) []byte {
	switch f.logical {
	case None:
		return strconv.AppendInt(dst, int64(v<<(f.unused&31)>>(f.unused&31)), 10)
	case Integer:
		return strconv.AppendUint(dst, uint64(uint32(v)<<(f.unused&31)>>(f.unused&31)), 10)
	}
	dst = f.quote(dst)
	switch f.logical {
	case Decimal:
		dst = appendDecimal64(dst, int64(v), f.scale)
	case Date:
		dst = appendDate(dst, int64(v))
	case Time:
		dst = appendTime(dst, int64(v), f.per)
	}
	return f.quote(dst)
}

// int64 appends a value that is stored as an INT64.
func (f *Formatter) int64(dst []byte, v int64) []byte {
	switch f.logical {
	case None:
		return strconv.AppendInt(dst, v, 10)
	case Integer:
		return strconv.AppendUint(dst, uint64(v), 10)
	}
	dst = f.quote(dst)
	switch f.logical {
	case Decimal:
		dst = appendDecimal64(dst, v, f.scale)
	case Time:
		dst = appendTime(dst, v, f.per)
	case Timestamp:
		dst = appendTimestamp(dst, v, f.per, f.utc)
	}
	return f.quote(dst)
}

// bytes appends a value that is stored as bytes, of the right length.
func (f *Formatter) bytes(dst, b []byte) ([]byte, error) {
	switch f.logical {
	case String, Enum, JSON:
		if f.json {
			return appendQuoted(dst, b), nil
		}
		return append(dst, b...), nil
	case Float16:
		return f.float(dst, float64(HalfToFloat(binary.LittleEndian.Uint16(b))), 32), nil
	}
	start := len(dst)
	dst = f.quote(dst)
	switch {
	case f.logical == Decimal:
		var err error
		if dst, err = appendDecimalBytes(dst, b, f.scale); err != nil {
			return dst[:start], err
		}
	case f.logical == UUID:
		dst = appendUUID(dst, b)
	case f.physical == Int96:
		days, nanos := SplitInt96(b)
		dst = appendMoment(dst, days, nanos, false)
	case f.logical == Timestamp:
		days, nanos := splitLongStamp(b, f.per)
		dst = appendMoment(dst, days, nanos, f.utc)
	default:
		dst = base64.StdEncoding.AppendEncode(dst, b)
	}
	return f.quote(dst), nil
}

// quote appends a quotation mark, if the Formatter writes JSON.
func (f *Formatter) quote(dst []byte) []byte {
	if f.json {
		return append(dst, '"')
	}
	return dst
}

// float appends the shortest decimal that reads back as v at the given size in bits, with
// an exponent below 1e-6 and from 1e21 on. Where its digits may be another integer than v, it
// has a point, so that a condition takes it for v. JSON has no number for NaN and the infinities.
func (f *Formatter) float(dst []byte, v float64, size int) []byte {
	name := ""
	switch {
	case v != v:
		name = "NaN"
	case v > math.MaxFloat64:
		name = "Infinity"
	case v < -math.MaxFloat64:
		name = "-Infinity"
	}
	if name != "" {
		return f.quote(append(f.quote(dst), name...))
	}
	a, exact := math.Abs(v), 1.0*(1<<53)
	if size == 32 {
		exact = 1 << 24
	}
	if a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(dst, v, 'e', -1, size)
	}
	if dst = strconv.AppendFloat(dst, v, 'f', -1, size); a >= exact {
		dst = append(dst, ".0"...)
	}
	return dst
}

// HalfToFloat widens the bits of an IEEE 754 half-precision number.
//
//	half   s eeeee ffffffffff                      exponent bias 15
//	float  s eeeeeeee fffffffffffffffffffffff      exponent bias 127
func HalfToFloat(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent := uint32(h>>10) & 0x1f
	fraction := uint32(h & 0x3ff)
	switch exponent {
	case 0: // zero and subnormal: fraction × 2^-24, exact in a float32
		v := float32(fraction) * (1.0 / (1 << 24))
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 0x1f: // infinity and NaN
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// appendUUID appends 16 bytes as 8-4-4-4-12 hexadecimal digits.
func appendUUID(dst, b []byte) []byte {
	const digits = "0123456789abcdef"
	for i, c := range b {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return dst
}
