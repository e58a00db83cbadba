package vector

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/variant"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// shredded is a group with the value of a variant: the variant itself, a field of a shredded
// object, or an item of a shredded array.
//
//	value     typed_value
//	NULL      NULL          missing: fields leave it out, others have a variant null
//	there     NULL          value
//	NULL      there         typed_value
//	an object an object     the fields of both; a name that typed_value has is ignored in value
//	there     there         an error
type shredded struct {
	value, typed int              // which children they are; -1 if there is none
	kind         variant.Kind     // typed_value is of this kind
	scale        uint8            // of a decimal
	fields       []*shreddedField // of an object, in the order of their names
	item         *shredded        // of an array
	v            *Vector
}

type shreddedField struct {
	shredded
	name   []byte
	child  int // of typed_value
	serial int // of the names that id is for; 0: none
	id     uint32
}

// entry is a field of an object that is put together.
type entry struct {
	name  []byte
	id    uint32
	start int
}

// isBinary reports whether f is a BYTE_ARRAY.
func isBinary(f *Field) bool { return f.Layout == Leaf && f.Type.Physical == ByteArray }

func shapeError(f *Field, parts ...any) error {
	return corrupt.NotSupported(append([]any{"VARIANT, whose field ", f.Name, " "}, parts...)...)
}

// bind finds value and typed_value among the children of a group, and metadata where that is not nil.
func (s *shredded) bind(f *Field, metadata *int) error {
	s.value, s.typed = -1, -1
	if f.Layout != Struct {
		return shapeError(f, "is no group of value and typed_value")
	}
	for i := range f.Children {
		switch c := &f.Children[i]; {
		case c.Name == "value" && s.value < 0 && isBinary(c):
			s.value = i
		case c.Name == "typed_value" && s.typed < 0:
			s.typed = i
			if err := s.bindTyped(c); err != nil {
				return err
			}
		case c.Name == "metadata" && metadata != nil && *metadata < 0 && isBinary(c):
			*metadata = i
		default:
			return shapeError(f, "has a field ", c.Name, " that is not the format's")
		}
	}
	if s.value < 0 && s.typed < 0 {
		return shapeError(f, "has neither value nor typed_value")
	}
	return nil
}

func (s *shredded) bindTyped(f *Field) error {
	switch f.Layout {
	case List:
		s.kind, s.item = variant.Array, new(shredded)
		return s.item.bind(&f.Children[0], nil)
	case Struct:
		s.kind = variant.Object
		for i := range f.Children {
			field := &shreddedField{name: []byte(f.Children[i].Name), child: i}
			if err := field.bind(&f.Children[i], nil); err != nil {
				return err
			}
			s.fields = append(s.fields, field)
		}
		slices.SortFunc(s.fields, func(a, b *shreddedField) int { return bytes.Compare(a.name, b.name) })
		for i := 1; i < len(s.fields); i++ {
			if bytes.Equal(s.fields[i].name, s.fields[i-1].name) {
				return shapeError(f, "has two fields ", string(s.fields[i].name))
			}
		}
		return nil
	case Leaf:
		if kind, ok := variantKind(f.Type); ok {
			s.kind, s.scale = kind, uint8(f.Type.Scale)
			return nil
		}
	}
	return shapeError(f, "is of a type that no VARIANT has: ", f.Type.String())
}

// variantKind returns the kind of a variant that values of type t are shredded from.
func variantKind(t Type) (variant.Kind, bool) {
	switch {
	case t.Logical == Decimal:
		kinds := map[Physical]variant.Kind{Int32: variant.Decimal4, Int64: variant.Decimal8, ByteArray: variant.Decimal16, FixedLenByteArray: variant.Decimal16}
		kind, ok := kinds[t.Physical]
		return kind, ok && t.Precision <= 38 && t.Scale <= 38
	case t.Logical == Integer && t.Signed && t.Bits >= 32:
		t = Type{Physical: t.Physical}
	}
	kind := slices.Index(variantTypes[:], t)
	return variant.Kind(max(kind, 0)), kind >= 0
}

func (s *shredded) use(v *Vector) {
	s.v = v
	if s.typed < 0 || s.typed >= len(v.Children) {
		return
	}
	typed := v.Children[s.typed]
	if s.item != nil && len(typed.Children) > 0 {
		s.item.use(typed.Children[0])
	}
	for _, f := range s.fields {
		if f.child < len(typed.Children) {
			f.use(typed.Children[f.child])
		}
	}
}

// append appends the value of slot i of a group, and says whether there is one.
func (r *Variants) append(dst []byte, s *shredded, i int) (out []byte, present bool, err error) {
	if err := r.checkSize(len(dst)); err != nil || s.v.IsNull(i) {
		return dst, false, err
	}
	if s.v.Form == Constant {
		i = 0
	}
	var value variant.Value
	if s.value >= 0 && !s.v.Children[s.value].IsNull(i) {
		present = true
		if value, err = r.names.Value(s.v.Children[s.value].Bytes(i)); err != nil {
			return dst, false, err
		}
	}
	if s.typed < 0 || s.v.Children[s.typed].IsNull(i) {
		return append(dst, value.Encoded()...), present, nil
	}
	typed := s.v.Children[s.typed]
	if typed.Form == Constant {
		i = 0
	}
	switch {
	case s.kind == variant.Object:
		dst, err = r.appendObject(dst, s, i, value, present)
	case present:
		err = conflict("value and typed_value are both there")
	case s.kind == variant.Array:
		dst, err = r.appendArray(dst, s, typed, i)
	default:
		dst, err = s.appendLeaf(dst, typed, i)
	}
	return dst, true, err
}

// conflict returns an error about a shredded value.
func conflict(what string) error { return corrupt.At(-1, "shredded VARIANT: ", what) }

// appendArray appends the items of slot i of a list. Each is there: a missing one is a variant null.
func (r *Variants) appendArray(dst []byte, s *shredded, list *Vector, i int) ([]byte, error) {
	from, first := len(dst), len(r.starts)
	for j := int(list.Offsets[i]); j < int(list.Offsets[i+1]); j++ {
		r.starts = append(r.starts, len(dst))
		item, present, err := r.append(dst, s.item, j)
		if err != nil {
			return dst, err
		}
		if dst = item; !present {
			dst = variant.AppendPrimitive(dst, variant.Null, nil)
		}
	}
	dst = variant.Wrap(dst, from, r.starts[first:], nil)
	r.starts = r.starts[:first]
	return dst, nil
}

// appendObject appends the fields of slot i of typed_value that are not missing, and those of value, if that is present.
func (r *Variants) appendObject(dst []byte, s *shredded, i int, value variant.Value, present bool) ([]byte, error) {
	from, first := len(dst), len(r.entries)
	for _, f := range s.fields {
		start := len(dst)
		field, there, err := r.append(dst, &f.shredded, i)
		if err != nil {
			return dst, err
		}
		if dst = field; !there {
			continue
		}
		if f.serial != r.serial {
			id, found, err := r.names.Find(string(f.name))
			if err != nil || !found {
				return dst, cmp.Or(err, conflict("the metadata lacks the name of the field "+string(f.name)))
			}
			f.id, f.serial = id, r.serial
		}
		r.entries = append(r.entries, entry{f.name, f.id, start})
	}
	if present {
		if value.Kind() != variant.Object {
			return dst, conflict("value is no object, but stands beside shredded fields")
		}
		at := 0
		err := value.Each(func(name []byte, field *variant.Value) error {
			id := value.ID(at)
			at++
			if _, isShredded := slices.BinarySearchFunc(s.fields, name, func(f *shreddedField, name []byte) int { return bytes.Compare(f.name, name) }); !isShredded {
				r.entries = append(r.entries, entry{name, id, len(dst)})
				dst = append(dst, field.Encoded()...)
			}
			return nil
		})
		if err != nil {
			return dst, err
		}
	}
	entries := r.entries[first:]
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.name, b.name) })
	begin, ids := len(r.starts), r.ids[:0]
	for _, e := range entries {
		r.starts, ids = append(r.starts, e.start), append(ids, e.id)
	}
	dst = variant.Wrap(dst, from, r.starts[begin:], ids)
	r.entries, r.starts, r.ids = r.entries[:first], r.starts[:begin], ids
	return dst, nil
}

// appendLeaf appends slot i of a typed_value that is a primitive.
func (s *shredded) appendLeaf(dst []byte, v *Vector, i int) ([]byte, error) {
	if v.Form == Dictionary {
		v, i = v.Dict, int(v.Codes[i])
	}
	if s.kind == variant.Decimal16 {
		unscaled := bits.Significant(v.Bytes(i))
		if len(unscaled) > 16 {
			return dst, conflict("a decimal has more than 16 bytes")
		}
		return variant.AppendDecimal16(dst, unscaled, s.scale), nil
	}
	if v.Type.Store() == InViews {
		return variant.AppendPrimitive(dst, s.kind, v.Bytes(i)), nil
	}
	var memory [17]byte
	data := memory[:0]
	if s.kind == variant.Decimal4 || s.kind == variant.Decimal8 {
		data = append(data, s.scale)
	}
	switch data = v.appendPlain(data, i); {
	case s.kind == variant.True && data[0] == 0:
		return variant.AppendPrimitive(dst, variant.False, nil), nil
	case s.kind == variant.True:
		data = nil
	case s.kind == variant.Int8: // bits above those of an INT(8) or INT(16) are not part of it
		data = data[:1]
	case s.kind == variant.Int16:
		data = data[:2]
	}
	return variant.AppendPrimitive(dst, s.kind, data), nil
}
