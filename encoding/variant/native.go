package variant

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Native returns the value as Go has it:
//
//	null              nil                 string        string
//	true, false       bool                binary        []byte
//	int8 … int64      int64               UUID          [16]byte
//	float, double     float32, float64    array         []any
//	decimal           *big.Rat            object        map[string]any
//	date, timestamp   time.Time, in UTC   time          time.Duration
func (v *Value) Native() (any, error) { return v.native(0, map[uint32]string{}) }

// native is Native for a value in depth others. Objects share the names in names, by id: a long name takes its
// memory, and the time to read it, once, however many of them have it.
func (v *Value) native(depth int, names map[uint32]string) (any, error) {
	if err := CheckDepth(depth); err != nil {
		return nil, err
	}
	switch v.kind {
	case Array:
		items := make([]any, 0, v.n)
		err := v.Each(func(_ []byte, item *Value) error {
			x, err := item.native(depth+1, names)
			items = append(items, x)
			return err
		})
		return items, err
	case Object:
		fields := make(map[string]any, v.n)
		err := v.Each(func(name []byte, field *Value) (err error) {
			id := v.ID(len(fields))
			key, known := names[id]
			if !known {
				key = string(name)
				names[id] = key
			}
			fields[key], err = field.native(depth+1, names)
			return err
		})
		return fields, err
	case True, False:
		return v.kind == True, nil
	case Int8, Int16, Int32, Int64:
		return v.Int(), nil
	case Float:
		return math.Float32frombits(binary.LittleEndian.Uint32(v.data)), nil
	case Double:
		return math.Float64frombits(binary.LittleEndian.Uint64(v.data)), nil
	case Decimal4, Decimal8, Decimal16:
		unscaled, scale := v.Decimal()
		ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
		return new(big.Rat).SetFrac(bits.SetSigned(new(big.Int), unscaled), ten), nil
	case Date:
		return time.Unix(v.Int()*86400, 0).UTC(), nil
	case Timestamp, TimestampLocal:
		return time.UnixMicro(v.Int()).UTC(), nil
	case TimestampNanos, TimestampNanosLocal:
		return time.Unix(0, v.Int()).UTC(), nil
	case TimeLocal:
		return time.Duration(v.Int()) * time.Microsecond, nil
	case String:
		return string(v.data), nil
	case Binary:
		return slices.Clone(v.data), nil
	case UUID:
		return [16]byte(v.data), nil
	case Null:
	}
	return nil, nil
}

// Decimal returns the unscaled number of a decimal, big-endian as Parquet has it, and its scale.
func (v *Value) Decimal() (unscaled []byte, scale int32) {
	unscaled = slices.Clone(v.data[1:])
	slices.Reverse(unscaled)
	return unscaled, int32(v.data[0])
}

// CheckDepth returns an error for a value that lies more than MaxDepth values deep.
func CheckDepth(depth int) error {
	if depth > MaxDepth {
		return corrupt.At(-1, "values nest deeper than ", MaxDepth, " levels")
	}
	return nil
}
