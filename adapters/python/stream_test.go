package main

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/winnow-scan/winnow/scanner"
)

const lines = "../../testdata/lineitems.parquet"

func mustParse(t *testing.T, query string) *scan {
	t.Helper()
	s, err := parse(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// readAll returns how many rows a stream has, and the error that ended it.
func readAll(s *stream) (rows int64, err error) {
	for {
		select {
		case s.asks <- struct{}{}:
		case <-s.ended:
			return rows, errors.New("ended")
		}
		a := <-s.answers
		if a.err != nil {
			return rows, a.err
		}
		rows += a.record.NumRows()
		a.record.Release()
	}
}

// TestStream reads a stream from another goroutine than the one which began it, and sees that
// no goroutine is left when it is released: at its end, before its first row, and cancelled.
func TestStream(t *testing.T) {
	s := mustParse(t, `{"paths": ["`+lines+`"], "where": "quantity > 40", "batch_rows": 100}`)
	want, err := s.files.Count(t.Context(), s.options)
	if err != nil || want == 0 {
		t.Fatal(want, err)
	}
	before := runtime.NumGoroutine()
	for range 20 {
		all, none, cancelled := newStream(s, nil), newStream(s, nil), newStream(s, nil)
		for _, st := range []*stream{all, none, cancelled} {
			if a := <-st.answers; a.err != nil {
				t.Fatal(a.err)
			}
		}
		if rows, err := readAll(all); rows != want || err != io.EOF {
			t.Fatalf("%d rows, want %d: %v", rows, want, err)
		}
		s.cancel()
		if _, err := readAll(cancelled); err == io.EOF {
			t.Error("a cancelled stream goes on")
		}
		for _, st := range []*stream{all, none, cancelled} {
			st.release()
		}
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func TestRequestedTypes(t *testing.T) {
	s := mustParse(t, `{"paths": ["`+lines+`"], "columns": ["comment", "ship_date"]}`)
	own, err := s.schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ asked, want arrow.DataType }{
		{arrow.BinaryTypes.String, arrow.BinaryTypes.String},
		{arrow.BinaryTypes.StringView, arrow.BinaryTypes.StringView},
		{arrow.BinaryTypes.LargeString, arrow.BinaryTypes.LargeString},
		{arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String}, // cannot be had
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String},
			&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}},
	} {
		st := newStream(s, arrow.NewSchema([]arrow.Field{{Name: "comment", Type: c.asked}, own.Field(1)}, nil))
		if a := <-st.answers; a.err != nil {
			t.Error(a.err)
		} else if got := st.schema.Field(0).Type; !arrow.TypeEqual(got, c.want) {
			t.Errorf("%s was requested: %s", c.asked, got)
		}
		st.release()
	}
	st := newStream(s, arrow.NewSchema([]arrow.Field{own.Field(1), own.Field(0)}, nil))
	if a := <-st.answers; !errors.Is(a.err, scanner.ErrOptions) {
		t.Errorf("columns in another order: %v", a.err)
	}
	st.release()
}

func TestFailures(t *testing.T) {
	for _, c := range []struct{ query, kind, has string }{
		{`{"paths": ["` + lines + `"], "where": "quantity >"}`, "where", "quantity >\n"},
		{`{"paths": ["` + lines + `"], "where": "nothing = 1"}`, "no_column", "nothing = 1\n^"},
		{`{"paths": ["` + lines + `"], "columns": ["nothing"]}`, "no_column", "no column nothing"},
		{`{"paths": ["no.parquet"]}`, "not_found", "no such file"},
		{`{"paths": []}`, "options", "no paths"},
		{`{"paths": ["` + lines + `"], "nonsense": 1}`, "options", "nonsense"},
		{`{"paths": ["../../testdata/bad/body_brotli_lies_short.parquet"]}`, "corrupt", "row group 0"},
	} {
		where := ""
		s, err := parse(t.Context(), c.query)
		if err == nil {
			where = s.where
			st := newStream(s, nil)
			if a := <-st.answers; a.err != nil {
				err = a.err
			} else {
				_, err = readAll(st)
			}
			st.release()
		} else if in, ok := errors.AsType[*whereError](err); ok {
			where = in.text
		}
		f := failureOf(err, where)
		if f.Kind != c.kind || !strings.Contains(f.Message, c.has) {
			t.Errorf("%s: %s: %s", c.query, f.Kind, f.Message)
		}
		if !json.Valid([]byte(encode(f))) {
			t.Errorf("%s is not JSON", encode(f))
		}
	}
	f := failureOf(guarded(func() error { panic("a fault") }), "")
	if f.Kind != "internal" || !strings.Contains(f.Message, "a fault") {
		t.Errorf("a panic is %+v", f)
	}
}

func TestFolders(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"b/1.parquet", "a.parq", "a.txt", "_x/1.parquet", ".y/1.parquet", "b/_2.parquet", "b/[3].parquet"} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(folder, "a.parq"), filepath.Join(folder, "b", "1.parquet"), filepath.Join(folder, "b", "[3].parquet")}
	far := farFiles{}
	got, err := far.filesOf(t.Context(), []string{folder}, false)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := far.filesOf(t.Context(), []string{filepath.Join(folder, "_x", "..", ".y", "..", "b", "..", "_x", "..")}, false); err != nil {
		t.Error(err) // a folder however it is named
	}
	if _, err := far.filesOf(t.Context(), []string{t.TempDir()}, false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestExtensionsBelowOthers exports extension types with children below structs, lists and maps.
func TestExtensionsBelowOthers(t *testing.T) {
	plain := arrow.StructOf(arrow.Field{Name: "metadata", Type: arrow.BinaryTypes.Binary}, arrow.Field{Name: "value", Type: arrow.BinaryTypes.Binary, Nullable: true})
	variant, err := extensions.NewVariantType(plain)
	if err != nil {
		t.Fatal(err)
	}
	schemaOf := func(v arrow.DataType) *arrow.Schema {
		return arrow.NewSchema([]arrow.Field{
			{Name: "v", Type: v, Nullable: true},
			{Name: "s", Type: arrow.StructOf(arrow.Field{Name: "v", Type: v, Nullable: true}, arrow.Field{Name: "n", Type: arrow.PrimitiveTypes.Int8})},
			{Name: "l", Type: arrow.ListOf(v)},
			{Name: "m", Type: arrow.MapOf(arrow.BinaryTypes.String, v)},
		}, nil)
	}
	const rows = `[{"v": {"metadata": "AQ==", "value": "Ag=="}, "s": {"v": null, "n": 3}, "l": [{"metadata": "BA==", "value": null}, null], "m": [{"key": "k", "value": {"metadata": "BQ==", "value": "Bg=="}}]},
		{"v": null, "s": {"v": {"metadata": "Bw==", "value": "CA=="}, "n": 9}, "l": [], "m": []}]`
	want, _, err := array.RecordFromJSON(memory.DefaultAllocator, schemaOf(plain), strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	data := make([]arrow.Array, want.NumCols())
	for i, f := range schemaOf(variant).Fields() {
		data[i] = array.MakeFromData(typed(want.Column(i).Data(), f.Type))
	}
	var out cdata.CArrowArray
	cdata.ExportArrowArray(storageOf(array.NewRecordBatch(schemaOf(variant), data, 2)), &out, nil)
	got, err := cdata.ImportCRecordBatchWithSchema(&out, schemaOf(plain))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Release()
	if !array.RecordEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// typed returns data with a type of the same storage.
func typed(d arrow.ArrayData, as arrow.DataType) arrow.ArrayData {
	var children []arrow.ArrayData
	for i, c := range d.Children() {
		below := c.DataType()
		if nested, ok := as.(arrow.NestedType); ok {
			below = nested.Fields()[i].Type
		}
		children = append(children, typed(c, below))
	}
	return array.NewData(as, d.Len(), d.Buffers(), children, d.NullN(), d.Offset())
}
