package winnowio

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// RowType returns a struct type for the rows of the first file that a pattern matches: with a
// field for each column of o, or of the file. ReadRows emits rows of it.
//
//	BOOLEAN, FLOAT, DOUBLE          bool, float32, float64; FLOAT16 is float32
//	INT32, INT64, INT(8…64, signed) int8 … int64, unsigned ones uint8 … uint64
//	STRING, ENUM, JSON              string
//	DECIMAL, UUID                   string, as text
//	DATE, TIMESTAMP, INT96          time.Time
//	other bytes                     []byte
//	struct, list                    struct, slice
//
// What may be NULL is a pointer, but for lists and bytes, which are nil. If several files match, that is
// all columns but the one of FileName, since files behind the first may have NULLs. The name of a field
// is the column's with a capital, and "_" for what Go's names cannot have; its tags have the
// column's own name, which Beam's schema has too. Beam cannot send the type of maps, and TIME has no
// counterpart in its schemas: Select other columns.
func RowType(ctx context.Context, pattern string, o Options) (t reflect.Type, err error) {
	names, err := list(ctx, pattern)
	if err != nil {
		return nil, err
	}
	src, close, err := openSource(ctx, names[0])
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := close(); err == nil {
			err = e
		}
	}()
	q, err := o.travel()
	if err != nil {
		return nil, err
	}
	options, err := q.options(nil)
	if err != nil {
		return nil, err
	}
	options.Filter = nil // it may exclude the file
	table := names[:1:1]
	if len(names) > 1 {
		table = append(table, names[0]) // of a table of several files, Fields lets columns be NULL
	}
	files := dataset.New(table, func(ctx context.Context, name string) (*scanner.File, error) {
		return OpenOptions.OpenSource(ctx, name, src)
	})
	fields, err := files.Fields(ctx, options)
	if err != nil {
		return nil, err
	}
	return structOf(fields, nil)
}

func structOf(fields []vector.Field, path []string) (reflect.Type, error) {
	var out []reflect.StructField
	used := map[string]bool{}
	for i := range fields {
		f := &fields[i]
		t, err := typeOf(f, append(path[:len(path):len(path)], f.Name))
		if err != nil {
			return nil, err
		}
		if strings.Contains(f.Name, ",") {
			return nil, fmt.Errorf("column %q: its name has a comma, which Beam's tags cannot have", f.Name)
		}
		name := goName(f.Name)
		for used[name] {
			name += "_"
		}
		used[name] = true
		quoted := strconv.Quote(f.Name)
		out = append(out, reflect.StructField{Name: name, Type: t, Tag: reflect.StructTag("beam:" + quoted + " parquet:" + quoted)})
	}
	return reflect.StructOf(out), nil
}

// goName returns an exported name for a column.
func goName(column string) string {
	var b strings.Builder
	for i, r := range column {
		switch {
		case r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = '_'
		case i == 0:
			r = unicode.ToUpper(r)
		}
		if i == 0 && !unicode.IsUpper(r) {
			b.WriteByte('X')
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "X"
	}
	return b.String()
}

func typeOf(f *vector.Field, path []string) (t reflect.Type, err error) {
	switch f.Layout {
	case vector.Struct:
		t, err = structOf(f.Children, path)
	case vector.List:
		if t, err = typeOf(&f.Children[0], path); err == nil {
			return reflect.SliceOf(t), nil
		}
	case vector.Leaf:
		t = leafType(f.Type)
	}
	if err == nil && t == nil {
		err = fmt.Errorf("column %s is of a type that has no counterpart in Beam's schemas: %v", strings.Join(path, "."), f.Type)
	}
	if err != nil || !f.Nullable || t.Kind() == reflect.Slice {
		return t, err
	}
	return reflect.PointerTo(t), nil
}

// leafType returns the type for a column's values, nil if there is none.
func leafType(t vector.Type) reflect.Type {
	switch t.Logical {
	case vector.String, vector.Enum, vector.JSON, vector.Decimal, vector.UUID:
		return reflect.TypeFor[string]()
	case vector.Date, vector.Timestamp:
		return reflect.TypeFor[time.Time]()
	case vector.Float16:
		return reflect.TypeFor[float32]()
	case vector.Integer:
		return integerType(t)
	case vector.Time, vector.Null, vector.Interval, vector.Variant:
		return nil
	}
	switch t.Physical {
	case vector.Boolean:
		return reflect.TypeFor[bool]()
	case vector.Int32:
		return reflect.TypeFor[int32]()
	case vector.Int64:
		return reflect.TypeFor[int64]()
	case vector.Int96:
		return reflect.TypeFor[time.Time]()
	case vector.Float:
		return reflect.TypeFor[float32]()
	case vector.Double:
		return reflect.TypeFor[float64]()
	}
	return reflect.TypeFor[[]byte]()
}

func integerType(t vector.Type) reflect.Type {
	signed := map[uint8]reflect.Type{8: reflect.TypeFor[int8](), 16: reflect.TypeFor[int16](), 32: reflect.TypeFor[int32](), 64: reflect.TypeFor[int64]()}
	unsigned := map[uint8]reflect.Type{8: reflect.TypeFor[uint8](), 16: reflect.TypeFor[uint16](), 32: reflect.TypeFor[uint32](), 64: reflect.TypeFor[uint64]()}
	if t.Signed {
		return signed[t.Bits]
	}
	return unsigned[t.Bits]
}
