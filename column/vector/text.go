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
	notation notation
	physical Physical
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

// notation says how a value is stored and written: every Formatter has one.
type notation uint8

const (
	notationNull notation = iota
	notationBool
	notationInt32
	notationInt64
	notationUint32
	notationUint64
	notationFloat
	notationDouble
	notationFloat16
	notationDecimal32
	notationDecimal64
	notationDecimalBytes
	notationDate
	notationTime32
	notationTime64
	notationTimestamp
	notationInt96
	notationString
	notationUUID
	notationBase64
)

func newFormatter(t Type, json bool) Formatter {
	f := Formatter{physical: t.Physical, json: json, utc: t.UTC, width: -1, scale: t.Scale, per: t.Unit.PerSecond()}
	switch t.Physical {
	case Boolean:
		f.notation, f.width = notationBool, 1
	case ByteArray:
		f.notation = notationBase64
	case FixedLenByteArray:
		f.notation, f.width = notationBase64, t.Length
	default:
		f.width = int32(t.Physical.Width())
		switch t.Physical {
		case Int32:
			f.notation = notationInt32
		case Int64:
			f.notation = notationInt64
		case Int96:
			f.notation = notationInt96
		case Float:
			f.notation = notationFloat
		case Double:
			f.notation = notationDouble
		}
	}
	f.notation = annotated(f.notation, t)
	if t.Logical == Integer && 0 < t.Bits && t.Bits < 32 {
		f.unused = 32 - t.Bits
	}
	if f.notation == notationNull {
		f.width = -1
	}
	return f
}

// annotated returns the notation of t's annotation, if it fits the physical type,
// else plain, the notation of the physical type.
//
//every:logical text but MAP LIST BSON VARIANT GEOMETRY GEOGRAPHY FILE (layouts; as their bytes)
func annotated(plain notation, t Type) notation {
	switch t.Logical {
	case Null:
		return notationNull
	case String, Enum, JSON:
		if t.Physical == ByteArray {
			return notationString
		}
	case Decimal:
		switch plain {
		case notationInt32:
			return notationDecimal32
		case notationInt64:
			return notationDecimal64
		case notationBase64:
			return notationDecimalBytes
		}
	case Date:
		if plain == notationInt32 {
			return notationDate
		}
	case Time:
		switch plain {
		case notationInt32:
			return notationTime32
		case notationInt64:
			return notationTime64
		}
	case Timestamp:
		if plain == notationInt64 {
			return notationTimestamp
		}
	case Integer:
		switch {
		case t.Signed:
		case plain == notationInt32:
			return notationUint32
		case plain == notationInt64:
			return notationUint64
		}
	case UUID:
		if t.Physical == FixedLenByteArray && t.Length == 16 {
			return notationUUID
		}
	case Float16:
		if t.Physical == FixedLenByteArray && t.Length == 2 {
			return notationFloat16
		}
	}
	return plain
}

// Append appends one value. plain is its PLAIN encoding without a length prefix; a
// boolean is one byte. If plain does not have the length of a value, Append returns dst as it was, with a *corrupt.Error.
func (f *Formatter) Append(dst, plain []byte) ([]byte, error) {
	if f.width >= 0 && len(plain) != int(f.width) {
		return dst, corrupt.At(0, "value of ", len(plain), " bytes where ", f.width, " are wanted")
	}
	switch f.notation {
	case notationNull:
		return append(dst, "null"...), nil
	case notationBool:
		return strconv.AppendBool(dst, plain[0] != 0), nil
	case notationFloat:
		return f.float(dst, math.Float32frombits(binary.LittleEndian.Uint32(plain))), nil
	case notationDouble:
		return f.double(dst, math.Float64frombits(binary.LittleEndian.Uint64(plain))), nil
	}
	switch f.physical {
	case Int32:
		return f.int32(dst, le32(plain)), nil
	case Int64:
		return f.int64(dst, le64(plain)), nil
	}
	return f.bytes(dst, plain)
}

// float and double append numbers that JSON does not quote.
func (f *Formatter) float(dst []byte, v float32) []byte {
	return appendFloat(dst, float64(v), 32, f.json)
}

func (f *Formatter) double(dst []byte, v float64) []byte {
	return appendFloat(dst, v, 64, f.json)
}

// int32 appends a value that is stored as an INT32. Some writers store integers of
// 8 and 16 bits without sign extension, -1 as 255: like other readers, it ignores
// the high bits.
func (f *Formatter) int32(dst []byte, v int32) []byte {
	switch f.notation {
	case notationInt32:
		return strconv.AppendInt(dst, int64(v<<(f.unused&31)>>(f.unused&31)), 10)
	case notationUint32:
		return strconv.AppendUint(dst, uint64(uint32(v)<<(f.unused&31)>>(f.unused&31)), 10)
	}
	dst = f.quote(dst)
	switch f.notation {
	case notationDecimal32:
		dst = appendDecimal64(dst, int64(v), f.scale)
	case notationDate:
		dst = appendDate(dst, int64(v))
	case notationTime32:
		dst = appendTime(dst, int64(v), f.per)
	}
	return f.quote(dst)
}

// int64 appends a value that is stored as an INT64.
func (f *Formatter) int64(dst []byte, v int64) []byte {
	switch f.notation {
	case notationInt64:
		return strconv.AppendInt(dst, v, 10)
	case notationUint64:
		return strconv.AppendUint(dst, uint64(v), 10)
	}
	dst = f.quote(dst)
	switch f.notation {
	case notationDecimal64:
		dst = appendDecimal64(dst, v, f.scale)
	case notationTime64:
		dst = appendTime(dst, v, f.per)
	case notationTimestamp:
		dst = appendTimestamp(dst, v, f.per, f.utc)
	}
	return f.quote(dst)
}

// bytes appends a value that is stored as bytes, of the right length.
func (f *Formatter) bytes(dst, b []byte) ([]byte, error) {
	switch f.notation {
	case notationString:
		if f.json {
			return appendQuoted(dst, b), nil
		}
		return append(dst, b...), nil
	case notationFloat16:
		return f.float(dst, HalfToFloat(binary.LittleEndian.Uint16(b))), nil
	}
	start := len(dst)
	dst = f.quote(dst)
	switch f.notation {
	case notationDecimalBytes:
		var err error
		if dst, err = appendDecimalBytes(dst, b, f.scale); err != nil {
			return dst[:start], err
		}
	case notationInt96:
		dst = appendInt96(dst, b)
	case notationUUID:
		dst = appendUUID(dst, b)
	case notationBase64:
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

func le32(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }
func le64(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }

// appendFloat appends the shortest decimal that reads back as v at the given
// size in bits, with an exponent below 1e-6 and from 1e21 on.
func appendFloat(dst []byte, v float64, size int, json bool) []byte {
	switch {
	case v != v:
		return appendName(dst, "NaN", json)
	case v > math.MaxFloat64:
		return appendName(dst, "Infinity", json)
	case v < -math.MaxFloat64:
		return appendName(dst, "-Infinity", json)
	}
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, v, format, -1, size)
}

// appendName appends the name of a float that is not a number in JSON, quoted there.
func appendName(dst []byte, name string, json bool) []byte {
	if !json {
		return append(dst, name...)
	}
	dst = append(dst, '"')
	dst = append(dst, name...)
	return append(dst, '"')
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
