package gostruct

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// A Plan maps columns, or the fields of a struct column, to the fields of a Go struct. It
// never changes; safe for concurrent use.
type Plan struct{ fields []fieldPlan }

type fieldPlan struct {
	index  []int // of the Go field
	column int   // which column
	decode decoder
}

// decoder stores slot i of v, which is flat, in a Go value.
type decoder func(dst reflect.Value, v *vector.Vector, i int) error

// Columns calls f with the index of each column that the plan decodes.
func (p *Plan) Columns(f func(column int)) {
	for i := range p.fields {
		f(p.fields[i].column)
	}
}

// Decode stores slot i of each column in the struct dst. The columns must be flat.
func (p *Plan) Decode(dst reflect.Value, columns []*vector.Vector, i int) error {
	for k := range p.fields {
		f := &p.fields[k]
		if err := f.decode(dst.FieldByIndex(f.index), columns[f.column], i); err != nil {
			return err
		}
	}
	return nil
}

// goFields calls f with each field of a struct that stands for a column, and the index of
// that column in fields. Of several columns with one name, the first Go field that names them stands
// for the first, the second for the second, and so on.
func goFields(t reflect.Type, fields []vector.Field, f func(g *reflect.StructField, at int) error) error {
	mentions := map[string]int{}
	for _, g := range reflect.VisibleFields(t) {
		tag, tagged := g.Tag.Lookup("parquet")
		if tag == "-" || !g.IsExported() || g.Anonymous && !tagged || throughPointer(t, g.Index) {
			continue
		}
		name := g.Name
		if tagged {
			name = tag
		}
		at := indexOf(fields, name)
		if at < 0 && !tagged {
			at = slices.IndexFunc(fields, func(f vector.Field) bool { return strings.EqualFold(f.Name, name) })
		}
		if at < 0 {
			return &project.Mismatch{Path: []string{name}, What: "there is no such column, and field " + g.Name + " of " + t.String() + " wants it", Missing: true}
		}
		name = fields[at].Name
		for range mentions[name] {
			at += 1 + indexOf(fields[at+1:], name) // 0 behind the last
		}
		mentions[name]++
		if err := f(&g, at); err != nil {
			return err
		}
	}
	return nil
}

// indexOf returns the index of the first field with a name, -1 if there is none.
func indexOf(fields []vector.Field, name string) int {
	return slices.IndexFunc(fields, func(f vector.Field) bool { return f.Name == name })
}

// throughPointer reports whether a promoted field lies in an embedded pointer,
// which is nil.
func throughPointer(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

// Select returns the paths of the columns, and parts of them, that a struct type needs.
// Only the first columns of fields need a path.
func Select(t reflect.Type, fields []vector.Field, columns int) ([]string, error) {
	paths := []string{}
	err := selectFor(t, fields, columns, nil, &paths)
	return paths, err
}

// selectFor appends the paths that t needs of the first fields, which lie below path. Of a field that
// shares its name with others that is all: paths to parts might meet in the same one.
func selectFor(t reflect.Type, fields []vector.Field, first int, path []string, paths *[]string) error {
	return goFields(t, fields, func(g *reflect.StructField, at int) error {
		if at >= first {
			return nil
		}
		name := fields[at].Name
		path := append(path[:len(path):len(path)], name)
		if indexOf(fields, name) < at || indexOf(fields[at+1:], name) >= 0 {
			*paths = append(*paths, schema.FormatPath(path))
			return nil
		}
		return selectPart(g.Type, &fields[at], path, paths)
	})
}

func selectPart(t reflect.Type, f *vector.Field, path []string, paths *[]string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	before := len(*paths)
	switch {
	case f.Layout == vector.Struct && t.Kind() == reflect.Struct:
		if err := selectFor(t, f.Children, len(f.Children), path, paths); err != nil {
			return project.Within(f.Name, err)
		}
	case f.Layout == vector.List && t.Kind() == reflect.Slice:
		if err := selectPart(t.Elem(), &f.Children[0], append(path, "item"), paths); err != nil {
			return project.Within(f.Name, err)
		}
	}
	if len(*paths) == before { // the whole column, or a struct without a needed field
		*paths = append(*paths, schema.FormatPath(path))
	}
	return nil
}

// New returns the plan of a struct type for columns or fields.
func New(t reflect.Type, fields []vector.Field) (*Plan, error) {
	p := &Plan{}
	err := goFields(t, fields, func(g *reflect.StructField, at int) error {
		d, err := decoderFor(g.Type, &fields[at])
		p.fields = append(p.fields, fieldPlan{g.Index, at, d})
		return project.Within(fields[at].Name, err)
	})
	return p, err
}

// decoderFor returns the decoder of a column, or a part of one, for a Go type.
func decoderFor(t reflect.Type, f *vector.Field) (decoder, error) {
	d, err := valueDecoder(t, f)
	if err != nil || !f.Nullable || t.Kind() == reflect.Pointer {
		return d, err
	}
	if k := t.Kind(); k == reflect.Slice || k == reflect.Map {
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			if v.IsNull(i) {
				return nil
			}
			return d(dst, v, i)
		}, nil
	}
	name := f.Name
	return func(dst reflect.Value, v *vector.Vector, i int) error {
		if v.IsNull(i) {
			return errors.New("column " + strconv.Quote(name) + " is NULL in a row, and " + t.String() + " has no nil: make it a pointer")
		}
		return d(dst, v, i)
	}, nil
}

// valueDecoder is decoderFor for slots that are not NULL.
func valueDecoder(t reflect.Type, f *vector.Field) (decoder, error) {
	differ := func() error {
		return &project.Mismatch{What: "it is " + project.Described(f.Layout, f.Type) + ", " + t.String() + " is wanted"}
	}
	switch {
	case t.Kind() == reflect.Pointer:
		d, err := valueDecoder(t.Elem(), f)
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			if v.IsNull(i) {
				return nil
			}
			dst.Set(reflect.New(t.Elem()))
			return d(dst.Elem(), v, i)
		}, err
	case f.Layout == vector.Leaf:
		if d := leafDecoder(t, f.Type); d != nil {
			return d, nil
		}
		return nil, differ()
	case f.Layout == vector.Struct && t.Kind() == reflect.Struct:
		p, err := New(t, f.Children)
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			return p.Decode(dst, v.Children, i)
		}, err
	case f.Layout == vector.List && t.Kind() == reflect.Slice:
		item, err := decoderFor(t.Elem(), &f.Children[0])
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			from, to := int(v.Offsets[i]), int(v.Offsets[i+1])
			s := reflect.MakeSlice(t, to-from, to-from)
			for j := from; j < to; j++ {
				if err := item(s.Index(j-from), v.Children[0], j); err != nil {
					return err
				}
			}
			dst.Set(s)
			return nil
		}, project.Within("item", err)
	case f.Layout == vector.Map && t.Kind() == reflect.Map && len(f.Children) == 2:
		return mapDecoder(t, f)
	}
	return nil, differ()
}

func mapDecoder(t reflect.Type, f *vector.Field) (decoder, error) {
	key, err := decoderFor(t.Key(), &f.Children[0])
	if err != nil {
		return nil, project.Within("key", err)
	}
	value, err := decoderFor(t.Elem(), &f.Children[1])
	return func(dst reflect.Value, v *vector.Vector, i int) error {
		m := reflect.MakeMap(t)
		for j := int(v.Offsets[i]); j < int(v.Offsets[i+1]); j++ {
			k, x := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			if err := errors.Join(key(k, v.Children[0], j), value(x, v.Children[1], j)); err != nil {
				return err
			}
			m.SetMapIndex(k, x)
		}
		dst.Set(m)
		return nil
	}, project.Within("value", err)
}
