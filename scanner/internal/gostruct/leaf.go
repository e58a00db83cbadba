package gostruct

import (
	"encoding/binary"
	"reflect"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// leafDecoder returns the decoder of a leaf's values for a Go type; nil if the Go type
// cannot hold them.
//
//every:logical struct field but MAP LIST UNKNOWN BSON VARIANT GEOMETRY GEOGRAPHY FILE (not leaves; as bytes)
func leafDecoder(t reflect.Type, of vector.Type) decoder {
	switch t {
	case reflect.TypeFor[time.Time]():
		return timeDecoder(of)
	case reflect.TypeFor[time.Duration]():
		if of.Logical != vector.Time {
			return nil
		}
		unit := int64(time.Second) / of.Unit.PerSecond()
		whole := integerValue(of)
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			dst.SetInt(whole(v, i) * unit)
			return nil
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		if of.Physical == vector.Boolean && of.Logical == vector.None {
			return func(dst reflect.Value, v *vector.Vector, i int) error {
				dst.SetBool(bits.Get(v.Bools, i))
				return nil
			}
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return integerDecoder(t, of, true)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return integerDecoder(t, of, false)
	case reflect.Float32, reflect.Float64:
		return floatDecoder(t, of)
	case reflect.String:
		return stringDecoder(of)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 && (of.Physical == vector.ByteArray || of.Physical == vector.FixedLenByteArray) {
			return func(dst reflect.Value, v *vector.Vector, i int) error {
				dst.SetBytes(append([]byte{}, v.Bytes(i)...))
				return nil
			}
		}
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 && of.Physical == vector.FixedLenByteArray && of.Width() == t.Len() {
			return func(dst reflect.Value, v *vector.Vector, i int) error {
				reflect.Copy(dst, reflect.ValueOf(v.Bytes(i)))
				return nil
			}
		}
	}
	return nil
}

// integerValue returns a function that reads the integer in a slot of INT32 or INT64. It
// ignores bits above those of a narrow integer.
func integerValue(t vector.Type) func(v *vector.Vector, i int) int64 {
	spare := uint(0)
	if t.Logical == vector.Integer {
		spare = 64 - uint(t.Bits)
	}
	signed := t.Logical != vector.Integer || t.Signed
	narrow := func(n int64) int64 {
		if signed {
			return n << spare >> spare
		}
		return int64(uint64(n) << spare >> spare)
	}
	if t.Physical == vector.Int32 {
		return func(v *vector.Vector, i int) int64 { return narrow(int64(v.Int32s[i])) }
	}
	return func(v *vector.Vector, i int) int64 { return narrow(v.Int64s[i]) }
}

// integerDecoder returns the decoder for an integer of Go, which has a sign or not.
func integerDecoder(t reflect.Type, of vector.Type, withSign bool) decoder {
	bits, signed := project.IntegerBits(of), project.IsSigned(of)
	if bits == 0 || bits > t.Bits() || signed && !withSign || !signed && withSign && bits == t.Bits() {
		return nil
	}
	whole := integerValue(of)
	if withSign {
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			dst.SetInt(whole(v, i))
			return nil
		}
	}
	return func(dst reflect.Value, v *vector.Vector, i int) error {
		dst.SetUint(uint64(whole(v, i)))
		return nil
	}
}

//every:logical struct field
func floatDecoder(t reflect.Type, of vector.Type) decoder {
	switch {
	case of.Logical == vector.Float16:
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			dst.SetFloat(float64(vector.HalfToFloat(binary.LittleEndian.Uint16(v.Bytes(i)))))
			return nil
		}
	case of.Physical == vector.Float:
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			dst.SetFloat(float64(v.Floats[i]))
			return nil
		}
	case of.Physical == vector.Double && t.Kind() == reflect.Float64:
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			dst.SetFloat(v.Doubles[i])
			return nil
		}
	}
	return nil
}

//every:logical struct field
func stringDecoder(of vector.Type) decoder {
	switch of.Logical {
	case vector.String, vector.Enum, vector.JSON:
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			dst.SetString(string(v.Bytes(i)))
			return nil
		}
	case vector.Decimal, vector.UUID:
		format := of.Text()
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			text, err := format.Append(nil, v.Scalar(i).Plain())
			dst.SetString(string(text))
			return err
		}
	}
	return nil
}

//every:logical struct field
func timeDecoder(of vector.Type) decoder {
	var read func(v *vector.Vector, i int) time.Time
	switch {
	case of.Logical == vector.Date:
		read = func(v *vector.Vector, i int) time.Time { return time.Unix(int64(v.Int32s[i])*86400, 0) }
	case of.IsLongMoment():
		read = func(v *vector.Vector, i int) time.Time {
			day, nanos := of.SplitMoment(v.Bytes(i))
			return time.Unix(day*86400, nanos)
		}
	case of.Logical == vector.Timestamp:
		per := of.Unit.PerSecond()
		read = func(v *vector.Vector, i int) time.Time {
			seconds, rest := v.Int64s[i]/per, v.Int64s[i]%per // both may be negative
			return time.Unix(seconds, rest*(int64(time.Second)/per))
		}
	default:
		return nil
	}
	return func(dst reflect.Value, v *vector.Vector, i int) error {
		*dst.Addr().Interface().(*time.Time) = read(v, i).UTC()
		return nil
	}
}
