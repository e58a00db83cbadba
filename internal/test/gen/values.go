package gen

import (
	"fmt"
	"reflect"
)

// noValues returns the empty slice of values of a physical type.
func noValues(t Type) any {
	switch t {
	case Boolean:
		return []bool(nil)
	case Int32:
		return []int32(nil)
	case Int64:
		return []int64(nil)
	case Int96:
		return [][12]byte(nil)
	case Float:
		return []float32(nil)
	case Double:
		return []float64(nil)
	case ByteArray, FixedLenByteArray:
		return []string(nil)
	}
	panic("gen: a group has no values")
}

func countValues(values any) int {
	if values == nil {
		return 0
	}
	return reflect.ValueOf(values).Len()
}

func sliceValues(values any, from, to int) any {
	return reflect.ValueOf(values).Slice3(from, to, to).Interface()
}

// appendValue appends v to values, converted to the physical type of n.
func appendValue(values any, n *Node, v any) (any, error) {
	r := reflect.ValueOf(v)
	switch values := values.(type) {
	case []bool:
		if v, ok := v.(bool); ok {
			return append(values, v), nil
		}
	case []int32:
		if r.CanInt() {
			return append(values, int32(r.Int())), nil
		}
		if r.CanUint() {
			return append(values, int32(r.Uint())), nil
		}
	case []int64:
		if r.CanInt() {
			return append(values, r.Int()), nil
		}
		if r.CanUint() {
			return append(values, int64(r.Uint())), nil
		}
	case [][12]byte:
		if v, ok := v.([12]byte); ok {
			return append(values, v), nil
		}
	case []float32:
		if r.CanFloat() {
			return append(values, float32(r.Float())), nil
		}
	case []float64:
		if r.CanFloat() {
			return append(values, r.Float()), nil
		}
	case []string:
		if b, ok := v.([]byte); ok {
			v = string(b)
		}
		if s, ok := v.(string); ok {
			if n.Type == FixedLenByteArray && len(s) != int(n.Length) {
				return nil, fmt.Errorf("a value of %d bytes where the type has %d", len(s), n.Length)
			}
			return append(values, s), nil
		}
	}
	return nil, fmt.Errorf("%T does not fit the type of %s", v, n.Name)
}

// joinValues appends the values of b to those of a.
func joinValues(a, b any) any {
	if b == nil {
		return a
	}
	return reflect.AppendSlice(reflect.ValueOf(a), reflect.ValueOf(b)).Interface()
}
