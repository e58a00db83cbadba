package alter

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
)

// A field is a value somewhere in a struct.
type field struct {
	path  string
	value reflect.Value
}

// alterStruct changes one field of a struct, or of a struct in it, and says what it did.
func alterStruct(r *rand.Rand, s any) string {
	all := appendFields(nil, "", reflect.ValueOf(s).Elem())
	f := all[r.IntN(len(all))]
	before := text(f.value)
	alterValue(r, f.value)
	after := text(f.value)
	if before == after {
		return ""
	}
	return f.path + " is " + after + ", was " + before
}

// appendFields appends the fields of v, and those within them. Of long lists, the first items stand for all.
func appendFields(all []field, path string, v reflect.Value) []field {
	const items = 20
	switch v.Kind() {
	case reflect.Struct:
		if path != "" {
			path += "."
		}
		for i := range v.NumField() {
			all = appendFields(all, path+v.Type().Field(i).Name, v.Field(i))
		}
		return all
	case reflect.Pointer:
		if all = append(all, field{path, v}); v.IsNil() {
			return all
		}
		return appendFields(all, path, v.Elem())
	case reflect.Slice:
		all = append(all, field{path, v})
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return all
		}
		for i := range min(v.Len(), items) {
			item := v.Index(i)
			if item.Kind() == reflect.Pointer { // none may be nil
				item = item.Elem()
			}
			all = appendFields(all, fmt.Sprintf("%s[%d]", path, i), item)
		}
		return all
	}
	return append(all, field{path, v})
}

func text(v reflect.Value) string {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return "absent"
	}
	v = reflect.Indirect(v)
	switch {
	case v.Kind() == reflect.Struct:
		return "present"
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Pointer:
		return fmt.Sprintf("%d items", v.Len())
	}
	s := fmt.Sprint(v.Interface())
	return s[:min(len(s), 60)]
}

func alterValue(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			v.SetZero()
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		if v.Elem().Kind() != reflect.Struct {
			alterValue(r, v.Elem())
		}
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(alterNumber(r, v.Int(), v.Type().Bits()))
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(alterBytes(r, v.Bytes()))
			return
		}
		alterList(r, v)
	}
}

func alterNumber(r *rand.Rand, n int64, bits int) int64 {
	switch r.IntN(8) {
	case 0, 1:
		return n + 1
	case 2, 3:
		return n - 1
	case 4:
		return 0
	case 5:
		return 2*n + 1
	case 6:
		return 1 << r.IntN(bits)
	}
	return -n - r.Int64N(2)
}

func alterBytes(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	switch {
	case len(b) == 0 || r.IntN(4) == 0:
		return append(b, byte(r.Uint32()))
	case r.IntN(4) == 0:
		return b[:len(b)-1]
	}
	b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	return b
}

// alterList removes an item, has one twice, or swaps two.
func alterList(r *rand.Rand, v reflect.Value) {
	n := v.Len()
	if n == 0 {
		if v.Type().Elem().Kind() != reflect.Pointer {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		}
		return
	}
	i := r.IntN(n)
	switch before := v.Slice3(0, i, i); r.IntN(3) {
	case 0:
		v.Set(reflect.AppendSlice(before, v.Slice(i+1, n)))
	case 1:
		v.Set(reflect.AppendSlice(before, v.Slice(max(i-1, 0), n)))
	default:
		reflect.Swapper(v.Interface())(i, r.IntN(n))
	}
}
