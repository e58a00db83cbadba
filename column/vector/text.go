package vector

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// AppendText appends the text of one value of type t. plain is the value's
// PLAIN encoding without a length prefix; a boolean is one byte. NaN and the
// infinities are "NaN", "Infinity" and "-Infinity", binaries are base64, values
// of an UNKNOWN column "null"; strings are copied as they are, valid UTF-8 or not.
//
// A time outside of the day has a sign where it is negative and as many hours
// as it takes: "-00:00:01", "25:00:00". A decimal without bytes is 0.
func AppendText(dst []byte, t Type, plain []byte) ([]byte, error) {
	f := t.Text()
	return f.Append(dst, plain)
}

// AppendJSON appends the value as AppendText does, quoted and escaped where
// JSON has it as a string. Each byte of a string that is not part of a valid
// UTF-8 sequence becomes U+FFFD.
func AppendJSON(dst []byte, t Type, plain []byte) ([]byte, error) {
	f := t.JSON()
	return f.Append(dst, plain)
}

// A Formatter writes values of one type. It holds no state: one Formatter may
// serve several goroutines.
type Formatter struct {
	form     form
	physical Physical
	json     bool
	utc      bool
	width    int32 // bytes of a value, -1 if any number will do
	unused   uint8 // high bits of an INT32 that an INT(8) or INT(16) does not have
	scale    int32
	per      int64 // units per second
}

// Text returns the Formatter of AppendText.
func (t Type) Text() Formatter { return newFormatter(t, false) }

// JSON returns the Formatter of AppendJSON.
func (t Type) JSON() Formatter { return newFormatter(t, true) }

// form is the one thing a Formatter switches on.
type form uint8

const (
	formNull form = iota
	formBool
	formInt32
	formInt64
	formUint32
	formUint64
	formFloat
	formDouble
	formFloat16
	formDecimal32
	formDecimal64
	formDecimalBytes
	formDate
	formTime32
	formTime64
	formTimestamp
	formInt96
	formString
	formUUID
	formBase64
)

func newFormatter(t Type, json bool) Formatter {
	f := Formatter{physical: t.Physical, json: json, utc: t.UTC, width: -1, scale: t.Scale, per: t.Unit.PerSecond()}
	switch t.Physical {
	case Boolean:
		f.form, f.width = formBool, 1
	case ByteArray:
		f.form = formBase64
	case FixedLenByteArray:
		f.form, f.width = formBase64, t.Length
	default:
		f.width = int32(t.Physical.Width())
		switch t.Physical {
		case Int32:
			f.form = formInt32
		case Int64:
			f.form = formInt64
		case Int96:
			f.form = formInt96
		case Float:
			f.form = formFloat
		case Double:
			f.form = formDouble
		}
	}
	f.form = annotated(f.form, t)
	if t.Logical == Integer && 0 < t.Bits && t.Bits < 32 {
		f.unused = 32 - t.Bits
	}
	if f.form == formNull {
		f.width = -1
	}
	return f
}

// annotated returns the form that t's annotation asks for, where its physical
// type, whose own form is plain, can bear it.
//
//every:logical text but MAP LIST BSON VARIANT GEOMETRY GEOGRAPHY FILE (layouts; as their bytes)
func annotated(plain form, t Type) form {
	switch t.Logical {
	case Null:
		return formNull
	case String, Enum, JSON:
		if t.Physical == ByteArray {
			return formString
		}
	case Decimal:
		switch plain {
		case formInt32:
			return formDecimal32
		case formInt64:
			return formDecimal64
		case formBase64:
			return formDecimalBytes
		}
	case Date:
		if plain == formInt32 {
			return formDate
		}
	case Time:
		switch plain {
		case formInt32:
			return formTime32
		case formInt64:
			return formTime64
		}
	case Timestamp:
		if plain == formInt64 {
			return formTimestamp
		}
	case Integer:
		switch {
		case t.Signed:
		case plain == formInt32:
			return formUint32
		case plain == formInt64:
			return formUint64
		}
	case UUID:
		if t.Physical == FixedLenByteArray && t.Length == 16 {
			return formUUID
		}
	case Float16:
		if t.Physical == FixedLenByteArray && t.Length == 2 {
			return formFloat16
		}
	}
	return plain
}

// Append appends one value. If plain does not have the length of a value,
// dst comes back as it was, with an error.
func (f *Formatter) Append(dst, plain []byte) ([]byte, error) {
	if f.width >= 0 && len(plain) != int(f.width) {
		return dst, corrupt.At(0, "value of ", len(plain), " bytes where ", f.width, " are wanted")
	}
	switch f.form {
	case formNull:
		return append(dst, "null"...), nil
	case formBool:
		return strconv.AppendBool(dst, plain[0] != 0), nil
	case formFloat:
		return f.float(dst, math.Float32frombits(binary.LittleEndian.Uint32(plain))), nil
	case formDouble:
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

// int32 appends a value that is stored as an INT32. Some writers store integers
// of 8 and 16 bits with other high bits than their sign's, -1 as 255: readers
// agree that those mean nothing.
func (f *Formatter) int32(dst []byte, v int32) []byte {
	switch f.form {
	case formInt32:
		return strconv.AppendInt(dst, int64(v<<(f.unused&31)>>(f.unused&31)), 10)
	case formUint32:
		return strconv.AppendUint(dst, uint64(uint32(v)<<(f.unused&31)>>(f.unused&31)), 10)
	}
	dst = f.quote(dst)
	switch f.form {
	case formDecimal32:
		dst = appendDecimal64(dst, int64(v), f.scale)
	case formDate:
		dst = appendDate(dst, int64(v))
	case formTime32:
		dst = appendTime(dst, int64(v), f.per)
	}
	return f.quote(dst)
}

// int64 appends a value that is stored as an INT64.
func (f *Formatter) int64(dst []byte, v int64) []byte {
	switch f.form {
	case formInt64:
		return strconv.AppendInt(dst, v, 10)
	case formUint64:
		return strconv.AppendUint(dst, uint64(v), 10)
	}
	dst = f.quote(dst)
	switch f.form {
	case formDecimal64:
		dst = appendDecimal64(dst, v, f.scale)
	case formTime64:
		dst = appendTime(dst, v, f.per)
	case formTimestamp:
		dst = appendTimestamp(dst, v, f.per, f.utc)
	}
	return f.quote(dst)
}

// bytes appends a value that is stored as bytes, of the right length.
func (f *Formatter) bytes(dst, b []byte) ([]byte, error) {
	switch f.form {
	case formString:
		if f.json {
			return AppendQuoted(dst, b), nil
		}
		return append(dst, b...), nil
	case formFloat16:
		return f.float(dst, HalfToFloat(binary.LittleEndian.Uint16(b))), nil
	}
	start := len(dst)
	dst = f.quote(dst)
	switch f.form {
	case formDecimalBytes:
		var err error
		if dst, err = appendDecimalBytes(dst, b, f.scale); err != nil {
			return dst[:start], err
		}
	case formInt96:
		dst = appendInt96(dst, b)
	case formUUID:
		dst = appendUUID(dst, b)
	case formBase64:
		dst = base64.StdEncoding.AppendEncode(dst, b)
	}
	return f.quote(dst), nil
}

// quote appends a quotation mark where JSON has one.
func (f *Formatter) quote(dst []byte) []byte {
	if f.json {
		return append(dst, '"')
	}
	return dst
}

func le32(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }
func le64(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }

// appendFloat appends the shortest decimal that reads back as v at the given
// size, in digits while that is readable and with an exponent beyond.
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
