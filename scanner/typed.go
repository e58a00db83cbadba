package scanner

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
)

// Table is what Rows scans: a File or Files.
type Table interface {
	Scan(ctx context.Context, o Options) iter.Seq2[*vector.Batch, error]

	fieldsOf(ctx context.Context, o Options) ([]vector.Field, error)
	title() string
}

func (f *File) fieldsOf(_ context.Context, o Options) ([]vector.Field, error) { return f.Fields(o) }
func (f *File) title() string                                                 { return f.name }

func (fs *Files) fieldsOf(ctx context.Context, o Options) ([]vector.Field, error) {
	return fs.Fields(ctx, o)
}

func (fs *Files) title() string {
	if len(fs.names) == 0 {
		return "no files"
	}
	return fs.names[0]
}

// Rows returns the rows of a scan as values of T, a struct. Each of its exported
// fields stands for the column of its tag, `parquet:"name"`, or of its own name,
// in any case if none has the same; `parquet:"-"` leaves it out. Columns, and
// parts of them, that no field stands for are not read. If o has Select, Want or
// Unnest, fields stand for the columns of these. With RowNumber, an integer may stand
// for that column.
//
//	bool, float32, float64    BOOLEAN, FLOAT and FLOAT16, all of these and DOUBLE
//	integers                  integers that fit, whatever their value
//	string                    strings, ENUM, JSON; DECIMAL and UUID as text
//	[]byte, [n]byte           the bytes of any BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY
//	time.Time                 DATE, TIMESTAMP, INT96, in UTC
//	time.Duration             TIME
//	struct, slice, map        struct, list, map, where the last of equal keys stays
//	*T                        T, nil for NULL
//
// NULL is nil for slices and maps too; where there is no nil it is an error, and
// comes with the row. Types that do not go together are an error that matches
// ErrMismatch, before anything is read; a field whose column is not there is one
// that matches ErrNoColumn, too. Values are copies.
func Rows[T any](ctx context.Context, table Table, o Options) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		p, err := planRows(ctx, table, reflect.TypeFor[T](), &o)
		if err != nil {
			yield(zero, err)
			return
		}
		if p == nil {
			return
		}
		row := new(T) // each row, on its way
		dst := reflect.ValueOf(row).Elem()
		for b, err := range table.Scan(ctx, o) {
			if err != nil {
				yield(zero, err)
				return
			}
			for _, f := range p.fields {
				b.Columns[f.from].Flatten()
			}
			for i := range b.Len {
				*row = zero
				if err := p.decode(dst, b.Columns, i); err != nil {
					yield(zero, &Error{File: table.title(), RowGroup: -1, Page: -1, Offset: -1, Err: err})
					return
				}
				if !yield(*row, nil) {
					return
				}
			}
			b.Release()
		}
	}
}

// structPlan says how the fields of a Go struct come of columns, or of the
// fields of a struct.
type structPlan struct{ fields []fieldPlan }

type fieldPlan struct {
	index  []int // of the Go field
	from   int   // which column
	decode decoder
}

// decoder puts slot i of v, which is flat, into a Go value.
type decoder func(dst reflect.Value, v *vector.Vector, i int) error

func (p *structPlan) decode(dst reflect.Value, columns []*vector.Vector, i int) error {
	for k := range p.fields {
		f := &p.fields[k]
		if err := f.decode(dst.FieldByIndex(f.index), columns[f.from], i); err != nil {
			return err
		}
	}
	return nil
}

// planRows binds a Go type to a scan's columns. Without a Select, o gets one.
// The plan is nil if there is no file to scan.
func planRows(ctx context.Context, table Table, t reflect.Type, o *Options) (*structPlan, error) {
	fault := func(err error) error {
		var m *mismatch
		if err == nil || !errors.As(err, &m) {
			return err
		}
		return &Error{File: table.title(), RowGroup: -1, Column: schema.FormatPath(m.path), Page: -1, Offset: -1, Err: err}
	}
	if t.Kind() != reflect.Struct {
		return nil, &Error{File: table.title(), RowGroup: -1, Page: -1, Offset: -1, Err: &mismatch{what: "rows are structs, not " + t.String()}}
	}
	fields, err := table.fieldsOf(ctx, *o)
	if err != nil || fields == nil {
		return nil, err
	}
	if o.Select == nil && o.Want == nil && o.Unnest == "" {
		o.Select = []string{}
		number := -1
		if o.RowNumber != "" {
			number = len(fields) - 1 // it comes by itself
		}
		err := goFields(t, fields, func(g *reflect.StructField, at int) error {
			if at == number {
				return nil
			}
			return selectPart(g.Type, &fields[at], []string{fields[at].Name}, &o.Select)
		})
		if err != nil {
			return nil, fault(err)
		}
		if fields, err = table.fieldsOf(ctx, *o); err != nil {
			return nil, err
		}
	}
	p, err := planStruct(t, fields)
	return p, fault(err)
}

// goFields calls f with the fields of a struct that stand for columns, and
// which of the fields of the data that is.
func goFields(t reflect.Type, fields []vector.Field, f func(g *reflect.StructField, at int) error) error {
	for _, g := range reflect.VisibleFields(t) {
		tag, tagged := g.Tag.Lookup("parquet")
		if tag == "-" || !g.IsExported() || g.Anonymous && !tagged || throughPointer(t, g.Index) {
			continue
		}
		name := g.Name
		if tagged {
			name = tag
		}
		at := -1
		for i := range fields {
			if fields[i].Name == name {
				at = i
				break
			}
			if !tagged && at < 0 && strings.EqualFold(fields[i].Name, name) {
				at = i
			}
		}
		if at < 0 {
			return &mismatch{[]string{name}, "there is no such column, and field " + g.Name + " of " + t.String() + " wants it", true}
		}
		if err := f(&g, at); err != nil {
			return err
		}
	}
	return nil
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

// selectFor appends the paths of what t wants of fields, which lie below path.
func selectFor(t reflect.Type, fields []vector.Field, path []string, paths *[]string) error {
	return goFields(t, fields, func(g *reflect.StructField, at int) error {
		return selectPart(g.Type, &fields[at], append(path[:len(path):len(path)], fields[at].Name), paths)
	})
}

func selectPart(t reflect.Type, f *vector.Field, path []string, paths *[]string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	before := len(*paths)
	switch {
	case f.Layout == vector.Struct && t.Kind() == reflect.Struct:
		if err := selectFor(t, f.Children, path, paths); err != nil {
			return within(f.Name, err)
		}
	case f.Layout == vector.List && t.Kind() == reflect.Slice:
		if err := selectPart(t.Elem(), &f.Children[0], append(path, "item"), paths); err != nil {
			return within(f.Name, err)
		}
	}
	if len(*paths) == before { // all of it, or a struct of which no field is wanted
		*paths = append(*paths, schema.FormatPath(path))
	}
	return nil
}

// planStruct plans t of columns or fields.
func planStruct(t reflect.Type, fields []vector.Field) (*structPlan, error) {
	p := &structPlan{}
	err := goFields(t, fields, func(g *reflect.StructField, at int) error {
		d, err := decoderFor(g.Type, &fields[at])
		p.fields = append(p.fields, fieldPlan{g.Index, at, d})
		return within(fields[at].Name, err)
	})
	return p, err
}

// decoderFor plans a Go type of a column or a part of one.
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
		return &mismatch{what: "it is " + described(f.Layout, f.Type) + ", " + t.String() + " is wanted"}
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
		p, err := planStruct(t, f.Children)
		return func(dst reflect.Value, v *vector.Vector, i int) error {
			return p.decode(dst, v.Children, i)
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
		}, within("item", err)
	case f.Layout == vector.Map && t.Kind() == reflect.Map && len(f.Children) == 2:
		return mapDecoder(t, f)
	}
	return nil, differ()
}

func mapDecoder(t reflect.Type, f *vector.Field) (decoder, error) {
	key, err := decoderFor(t.Key(), &f.Children[0])
	if err != nil {
		return nil, within("key", err)
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
	}, within("value", err)
}
