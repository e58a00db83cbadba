package variant

import (
	"bytes"
	"encoding/binary"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// MaxDepth is how deep values may nest.
const MaxDepth = 1000

// Kind is the type of a value. The numbers of primitives are those of the format.
type Kind uint8

const (
	Null Kind = iota
	True
	False
	Int8
	Int16
	Int32
	Int64
	Double
	Decimal4  // a byte for the scale, then an unscaled int32
	Decimal8  // … int64
	Decimal16 // … 16 bytes
	Date      // int32: days since 1970-01-01
	Timestamp // int64: microseconds since 1970-01-01, UTC
	TimestampLocal
	Float
	Binary
	String    // short or long
	TimeLocal // int64: microseconds since midnight
	TimestampNanos
	TimestampNanosLocal
	UUID // 16 bytes, big-endian
	Array
	Object
)

// payload is how many bytes a primitive has behind its header; -1: 4 bytes of length, and then as many.
var payload = [...]int{
	Int8: 1, Int16: 2, Int32: 4, Int64: 8, Double: 8, Decimal4: 5, Decimal8: 9, Decimal16: 17, Date: 4, Timestamp: 8,
	TimestampLocal: 8, Float: 4, Binary: -1, String: -1, TimeLocal: 8, TimestampNanos: 8, TimestampNanosLocal: 8, UUID: 16,
}

// maxScale is the largest scale of a decimal.
const maxScale = 38

// Value is a value within a variant. It shares the memory of the bytes that it was parsed from.
type Value struct {
	meta *Metadata
	kind Kind
	all  []byte // the value, its header included
	data []byte // primitives: what follows the header and the length; containers: the values

	n               int // containers: how many values
	idWidth, offset int // widths
	ids, offsets    []byte
}

// Value reads the value at the start of b. What is in objects and arrays is read when it is looked at.
func (m *Metadata) Value(b []byte) (Value, error) {
	v := Value{meta: m}
	if len(b) == 0 {
		return v, corrupt.At(0, "no value")
	}
	header := b[0] >> 2
	switch b[0] & 3 {
	case 0:
		return v.primitive(Kind(header), b)
	case 1:
		v.kind = String
		return v.cut(b, 1, uint64(header))
	case 2:
		v.kind, v.idWidth = Object, int(header>>2&3)+1
		header = header&3 | header>>4&1<<2
	default:
		v.kind = Array
	}
	return v.container(header, b)
}

func (v Value) primitive(kind Kind, b []byte) (Value, error) {
	if v.kind = kind; kind >= Array {
		return v, corrupt.NotSupported("primitive type ", uint8(kind), " of VARIANT")
	}
	if size := payload[kind]; size >= 0 {
		v, err := v.cut(b, 1, uint64(size))
		if err == nil && Decimal4 <= kind && kind <= Decimal16 && v.data[0] > maxScale {
			err = corrupt.At(1, "decimal of scale ", v.data[0])
		}
		return v, err
	}
	if len(b) < 5 {
		return v, corrupt.At(1, "no length of a string")
	}
	return v.cut(b, 5, number(b[1:5]))
}

// cut sets the bytes of a value whose data are the size bytes behind the first ones.
func (v Value) cut(b []byte, first int, size uint64) (Value, error) {
	if uint64(len(b)-first) < size {
		return v, corrupt.At(first, "value of ", size, " bytes where ", len(b)-first, " are left")
	}
	end := first + int(size)
	v.all, v.data = b[:end:end], b[first:end:end]
	return v, nil
}

// container reads the lists in front of the values of an object or array. Bits 0 and 1 of
// header are the width of offsets, bit 2 says that there are many values.
func (v Value) container(header byte, b []byte) (Value, error) {
	v.offset = int(header&3) + 1
	at := 2
	if header&4 != 0 {
		at = 5
	}
	if len(b) < at {
		return v, corrupt.At(1, "value ends in front of the number of its fields")
	}
	n := number(b[1:at])
	if n*uint64(v.idWidth)+(n+1)*uint64(v.offset) > uint64(len(b)-at) {
		return v, corrupt.At(1, n, " fields in ", len(b), " bytes")
	}
	v.n = int(n)
	ids := at + v.n*v.idWidth
	values := ids + (v.n+1)*v.offset
	v.ids, v.offsets = b[at:ids], b[ids:values]
	return v.cut(b, values, entry(v.offsets, v.offset, v.n))
}

// Kind returns the type of the value.
func (v *Value) Kind() Kind { return v.kind }

// Encoded returns the bytes of the value, its header included.
func (v *Value) Encoded() []byte { return v.all }

// Bytes returns the bytes of a primitive without its header and length, as PLAIN has them. Those of a decimal begin with the scale.
func (v *Value) Bytes() []byte { return v.data }

// Int returns the value of an integer, a date, a time or a timestamp, or the unscaled number of a decimal of 4 or 8 bytes.
func (v *Value) Int() int64 {
	b := v.data
	if v.kind == Decimal4 || v.kind == Decimal8 {
		b = b[1:]
	}
	switch len(b) {
	case 1:
		return int64(int8(b[0]))
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(b)))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b)))
	default:
		return int64(binary.LittleEndian.Uint64(b))
	}
}

// ID returns the id of the name of field i of an object.
func (v *Value) ID(i int) uint32 { return uint32(entry(v.ids, v.idWidth, i)) }

// Name returns the name of field i of an object.
func (v *Value) Name(i int) ([]byte, error) { return v.meta.Name(uint64(v.ID(i))) }

// At returns value i of an object or array.
func (v *Value) At(i int) (Value, error) {
	from := entry(v.offsets, v.offset, i)
	if from >= uint64(len(v.data)) {
		return Value{}, corrupt.At(-1, "value ", i, " begins at ", from, " of ", len(v.data), " bytes")
	}
	return v.meta.Value(v.data[from:])
}

// Each calls do for each field of an object, or item of an array, whose name is nil. It is an error if
// names do not ascend, or if the values together have more bytes than lie there for them.
func (v *Value) Each(do func(name []byte, field *Value) error) error {
	left := len(v.data)
	var name []byte
	for i := range v.n {
		if v.kind == Object {
			next, err := v.Name(i)
			if err != nil {
				return err
			}
			if i > 0 && bytes.Compare(name, next) >= 0 {
				return corrupt.At(-1, "fields ", i-1, " and ", i, " are not in the order of their names")
			}
			name = next
		}
		field, err := v.At(i)
		if err != nil {
			return err
		}
		if left -= len(field.all); left < 0 {
			return corrupt.At(-1, "values of ", len(v.data), " bytes overlap")
		}
		if err := do(name, &field); err != nil {
			return err
		}
	}
	return nil
}

// Field returns the field of an object with a name, and whether there is one. It searches as
// the format allows: the names ascend. It is an error if they do not, and the field is missed by it.
func (v *Value) Field(name string) (field Value, found bool, err error) {
	if v.kind != Object {
		return field, false, nil
	}
	i, found, err := search(v.n, true, name, v.Name)
	if !found {
		return field, false, err
	}
	field, err = v.At(i)
	return field, err == nil, err
}

// Step is a step of a path: to the field Name, or to item Item of an array where IsItem, which counts from the back if it
// is below 0.
type Step struct {
	Name   string
	Item   int
	IsItem bool
}

// Find returns what a path leads to, and whether there is something. It reads nothing beside the path.
func (v Value) Find(path ...Step) (found Value, ok bool, err error) {
	for _, s := range path {
		switch {
		case !s.IsItem:
			v, ok, err = v.Field(s.Name)
		case v.kind == Array && -v.n <= s.Item && s.Item < v.n:
			if s.Item < 0 {
				s.Item += v.n
			}
			v, err = v.At(s.Item)
			ok = err == nil
		default:
			ok = false
		}
		if !ok {
			return Value{}, false, err
		}
	}
	return v, true, nil
}
