package vector

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// NullOf returns a NULL of type t.
func NullOf(t Type) Scalar { return Scalar{typ: t} }

// PlainOf returns the value whose PLAIN encoding, without length prefix, is plain, as statistics
// and other metadata have it; NULL if plain is nil. It copies plain, and returns an error
// if that does not have the length of a value, or t is no leaf's.
func PlainOf(t Type, plain []byte) (Scalar, error) {
	if plain == nil {
		return Scalar{typ: t}, nil
	}
	want := t.Width()
	switch {
	case t.Physical >= Group:
		return Scalar{}, misfit(t, "bytes")
	case t.Physical == Boolean:
		want = 1
	case t.Physical == ByteArray:
		want = len(plain)
	}
	if len(plain) != want {
		return Scalar{}, misfit(t, strconv.Itoa(len(plain))+" bytes")
	}
	return Scalar{typ: t, valid: true, plain: string(plain)}, nil
}

// misfit returns an error: what is no value of t.
func misfit(t Type, what string) error { return errors.New(what + ": no value of " + t.String()) }

// BoolOf returns a BOOLEAN.
func BoolOf(b bool) Scalar {
	if b {
		return Scalar{typ: Type{Physical: Boolean}, valid: true, plain: "\x01"}
	}
	return Scalar{typ: Type{Physical: Boolean}, valid: true, plain: "\x00"}
}

// IntOf returns an INT32 or INT64 that stores v: a number, the days of a date, the units of a
// time or timestamp, the unscaled number of a decimal. It returns an error if t cannot hold v.
func IntOf(t Type, v int64) (Scalar, error) {
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	if t.Physical == Int32 {
		least, most = math.MinInt32, math.MaxInt32
	}
	if t.Logical == Integer {
		if !t.Signed {
			if v < 0 {
				return Scalar{}, misfit(t, strconv.FormatInt(v, 10))
			}
			return UintOf(t, uint64(v))
		}
		if t.Bits < 64 {
			least, most = max(least, -1<<(t.Bits-1)), min(most, 1<<(t.Bits-1)-1)
		}
	}
	if v < least || v > most || t.Physical != Int32 && t.Physical != Int64 {
		return Scalar{}, misfit(t, strconv.FormatInt(v, 10))
	}
	return wordOf(t, uint64(v))
}

// UintOf is IntOf for numbers that an int64 may not hold.
func UintOf(t Type, v uint64) (Scalar, error) {
	if t.Logical != Integer || t.Signed {
		if v > math.MaxInt64 {
			return Scalar{}, misfit(t, strconv.FormatUint(v, 10))
		}
		return IntOf(t, int64(v))
	}
	fits := t.Physical == Int64 || t.Physical == Int32 && v <= math.MaxUint32
	if !fits || t.Bits < 64 && v>>t.Bits != 0 {
		return Scalar{}, misfit(t, strconv.FormatUint(v, 10))
	}
	return wordOf(t, v)
}

// wordOf returns the value of t, of up to 8 bytes, that is the low bytes of w.
func wordOf(t Type, w uint64) (Scalar, error) {
	return PlainOf(t, binary.LittleEndian.AppendUint64(nil, w)[:t.Width()])
}

// FloatOf returns a FLOAT or DOUBLE: the nearest to f. It returns an error for other types
// and for a finite number that a FLOAT cannot hold.
func FloatOf(t Type, f float64) (Scalar, error) {
	switch {
	case t.Physical == Double:
		return wordOf(t, math.Float64bits(f))
	case t.Physical == Float && (math.IsInf(f, 0) || !math.IsInf(float64(float32(f)), 0)):
		return wordOf(t, uint64(math.Float32bits(float32(f))))
	}
	return Scalar{}, misfit(t, strconv.FormatFloat(f, 'g', -1, 64))
}

// StringOf returns a BYTE_ARRAY STRING.
func StringOf(s string) Scalar {
	return Scalar{typ: Type{Physical: ByteArray, Logical: String}, valid: true, plain: s}
}

// BytesOf returns a BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY of any meaning that has a copy of b. It
// returns an error if t has another length.
func BytesOf(t Type, b []byte) (Scalar, error) {
	if t.Physical != ByteArray && t.Physical != FixedLenByteArray {
		return Scalar{}, misfit(t, "bytes")
	}
	return PlainOf(t, append([]byte{}, b...))
}

// UUIDOf returns a FIXED_LEN_BYTE_ARRAY(16) UUID.
func UUIDOf(id [16]byte) Scalar {
	return Scalar{typ: Type{Physical: FixedLenByteArray, Logical: UUID, Length: 16}, valid: true, plain: string(id[:])}
}

// maxDecimalText bounds the length of a decimal's text, which takes more than linear time to parse.
const maxDecimalText = 4300

// DecimalOf returns the DECIMAL of type t that a text such as "-1.25" names. It returns an
// error if the text is no such number, or t has too few digits before or behind the point.
func DecimalOf(t Type, text string) (Scalar, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	fraction = strings.TrimRight(fraction, "0")
	refuse := func(text string) (Scalar, error) { return Scalar{}, misfit(t, strconv.Quote(text)) }
	if t.Logical != Decimal || len(text) > maxDecimalText || whole == "" || strings.Trim(whole+fraction, "0123456789") != "" ||
		len(fraction) > int(t.Scale) || len(whole)+int(t.Scale) > maxDecimalText {
		return refuse(text[:min(len(text), 50)])
	}
	whole = strings.TrimLeft(whole+fraction+strings.Repeat("0", int(t.Scale)-len(fraction)), "0")
	if len(whole) > int(t.Precision) {
		return refuse(text[:min(len(text), 50)])
	}
	n, _ := new(big.Int).SetString("0"+whole, 10)
	if negative {
		n.Neg(n)
	}
	if t.Physical == Int32 || t.Physical == Int64 {
		if !n.IsInt64() {
			return refuse(text)
		}
		return IntOf(t, n.Int64())
	}
	size := max(n.BitLen()/8+1, int(t.Length))
	b := bits.AppendSigned(nil, n, size)
	short := bits.Significant(b)
	switch {
	case t.Physical != FixedLenByteArray:
		b = short
	case len(short) > int(t.Length):
		return refuse(text)
	default:
		b = b[size-int(t.Length):]
	}
	return BytesOf(t, b)
}

// TimeOf returns the DATE or TIMESTAMP at t's time in UTC. It returns an error if that is no whole
// number of the type's days or units, or beyond what it holds.
func TimeOf(t Type, at time.Time) (Scalar, error) {
	per := t.Unit.PerSecond()
	seconds, nanos := at.Unix(), int64(at.Nanosecond())
	each := int64(1e9) / per
	switch {
	case t.Logical == Date && seconds%secondsPerDay == 0 && nanos == 0:
		return IntOf(t, seconds/secondsPerDay)
	case t.Logical == Timestamp && nanos%each == 0:
		n := new(big.Int).Mul(big.NewInt(seconds), big.NewInt(per))
		if n.Add(n, big.NewInt(nanos/each)); n.IsInt64() && !t.IsLongStamp() {
			return IntOf(t, n.Int64())
		} else if t.IsLongStamp() { // as each unit has less than 96 bits of all times
			b := bits.AppendSigned(nil, n, int(t.Length))
			slices.Reverse(b)
			return BytesOf(t, b)
		}
	}
	return Scalar{}, misfit(t, at.UTC().Format(time.RFC3339Nano))
}

// DurationOf returns the TIME that is d after midnight. It returns an error if that is no whole number of
// the type's units.
func DurationOf(t Type, d time.Duration) (Scalar, error) {
	each := time.Duration(int64(1e9) / t.Unit.PerSecond())
	if t.Logical != Time || d%each != 0 {
		return Scalar{}, misfit(t, d.String())
	}
	return IntOf(t, int64(d/each))
}
