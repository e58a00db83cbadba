package arrowscan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// nested returns a schema whose columns may be NULL at each level, or at none.
func nested(may bool) *arrow.Schema {
	number := func(name string) arrow.Field {
		return arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Int64, Nullable: may}
	}
	key := arrow.Field{Name: "key", Type: arrow.BinaryTypes.String}
	return arrow.NewSchema([]arrow.Field{
		number("a"),
		{Name: "s", Type: arrow.StructOf(number("x")), Nullable: may},
		{Name: "l", Type: arrow.ListOfField(number("item")), Nullable: may},
		{Name: "m", Type: arrow.MapOfFields(key, number("value")), Nullable: may},
	}, nil)
}

// written writes a file of rows in JSON.
func written(t *testing.T, path string, schema *arrow.Schema, rows string) {
	t.Helper()
	record, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	defer record.Release()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(schema, f, parquet.NewWriterProperties(), pqarrow.DefaultWriterProps())
	if err == nil {
		err = w.Write(record)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// forbidden returns how many NULLs of an array its field denies, or those of its parts. above are the NULLs
// of the struct around it.
func forbidden(f arrow.Field, a arrow.Array, above int) (n int) {
	if !f.Nullable {
		n = max(0, a.NullN()-above)
	}
	switch a := a.(type) {
	case *array.Struct:
		for i, child := range f.Type.(*arrow.StructType).Fields() {
			n += forbidden(child, a.Field(i), a.NullN())
		}
	case *array.Map:
		n += forbidden(f.Type.(*arrow.MapType).KeyField(), a.Keys(), 0) + forbidden(f.Type.(*arrow.MapType).ItemField(), a.Items(), 0)
	case *array.List:
		n += forbidden(f.Type.(*arrow.ListType).ElemField(), a.ListValues(), 0)
	}
	return n
}

// TestNullsOfLaterFiles scans files whose first has no column that may be NULL.
func TestNullsOfLaterFiles(t *testing.T) {
	names := make([]string, 3)
	for i := range names {
		names[i] = filepath.Join(t.TempDir(), "f.parquet")
	}
	written(t, names[0], nested(false), `[{"a": 1, "s": {"x": 2}, "l": [3], "m": [{"key": "k", "value": 4}]}]`)
	written(t, names[1], nested(true), `[{}, {"s": {"x": null}, "l": [null], "m": [{"key": "k", "value": null}]}]`)
	written(t, names[2], arrow.NewSchema([]arrow.Field{{Name: "other", Type: arrow.PrimitiveTypes.Int8}}, nil), `[{"other": 5}]`)
	r, err := arrowscan.NewReader(t.Context(), dataset.New(names, scanner.Open), scanner.Options{RowNumber: "n"}, arrowscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	rows := int64(0)
	for r.Next() {
		rows += r.RecordBatch().NumRows()
		for i, f := range r.Schema().Fields() {
			if n := forbidden(f, r.RecordBatch().Column(i), 0); n > 0 {
				t.Errorf("%s has %d NULLs that the schema denies", f, n)
			}
		}
	}
	if r.Err() != nil || rows != 4 || r.Schema().Field(4).Nullable {
		t.Errorf("%d rows of %s, %v", rows, r.Schema(), r.Err())
	}

	// The schema of one file is no schema of another, whose NULLs it denies at any level.
	first, err := scanner.Open(t.Context(), names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for column, path := range map[string]string{"a": "a", "s": "s", "s.x": "s", "l": "l", "m": "m"} {
		o := scanner.Options{Select: []string{path}}
		fields, err := first.Fields(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if column == "s.x" {
			fields[0].Nullable = true
		}
		r, err := arrowscan.ReaderOf(fields, dataset.New(names[:2], scanner.Open).Scan(t.Context(), o), arrowscan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for r.Next() {
		}
		if r.Err() == nil || !strings.Contains(r.Err().Error(), `column "`+column+`": `) || !strings.Contains(r.Err().Error(), "are NULL") {
			t.Errorf("%s: %v", column, r.Err())
		}
		r.Release()
	}
}
