package arrowscan_test

import (
	"fmt"
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
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// categories writes a column c of ordered categories over two row groups that begin with NULLs, and x with the numbers of rows.
func categories(t *testing.T, rows int, properties ...parquet.WriterProperty) string {
	categories := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String, Ordered: true}
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: categories, Nullable: true}, {Name: "x", Type: arrow.PrimitiveTypes.Int64}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range rows {
		b.Field(1).(*array.Int64Builder).Append(int64(i))
	}
	numbers := b.Field(1).NewArray()
	codes := array.NewInt32Builder(memory.DefaultAllocator)
	for i := range rows {
		if codes.Append([]int32{0, 2, 0, 1}[i%4]); i%4 == 0 || i%(rows/2) < rows/5 {
			codes.SetNull(i)
		}
	}
	names := array.NewStringBuilder(memory.DefaultAllocator)
	names.AppendValues([]string{"lo", "mid", "hi", "never"}, nil)
	record := array.NewRecordBatch(schema, []arrow.Array{array.NewDictionaryArray(categories, codes.NewArray(), names.NewArray()), numbers}, int64(rows))
	path := filepath.Join(t.TempDir(), "f.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(schema, f, parquet.NewWriterProperties(append(properties, parquet.WithMaxRowGroupLength(int64(rows/2)))...), pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	if err == nil {
		err = w.Write(record)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOrders: categories are in order where each batch has them as they were written. Where a file's writer makes its own
// dictionaries, or none, nothing is said of their order.
func TestOrders(t *testing.T) {
	for _, c := range []struct {
		rows    int
		of      []parquet.WriterProperty
		ordered bool
	}{
		{40, nil, true},
		{40000, []parquet.WriterProperty{parquet.WithBatchSize(100), parquet.WithDataPageSize(1)}, true}, // whole pages of NULLs
		{40, []parquet.WriterProperty{parquet.WithDictionaryDefault(false)}, false},
		{40, []parquet.WriterProperty{parquet.WithCreatedBy("datafusion version 55.2.0")}, false},
	} {
		f, err := scanner.Open(t.Context(), categories(t, c.rows, c.of...))
		if err != nil {
			t.Fatal(err)
		}
		for _, where := range []string{"TRUE", "x BETWEEN 30 AND 38", "c = 'mid'", "x IN (3, 9, 13, 38)", "x <> 5 AND x % 7 <> 3"} {
			for _, rows := range []int{max(1, c.rows/100), 1000, 100000} {
				e, err := filter.Parse(where)
				if err != nil {
					t.Fatal(err)
				}
				records, err := readAs(t.Context(), f, scanner.Options{Filter: e, BatchRows: rows}, arrowscan.Options{})
				if err != nil || len(records) == 0 {
					t.Fatal(len(records), err)
				}
				for _, r := range records {
					d := r.Column(0).(*array.Dictionary)
					if d.DataType().(*arrow.DictionaryType).Ordered != c.ordered {
						t.Errorf("%s: %s", where, d.DataType())
					}
					if got := fmt.Sprint(d.Dictionary()); c.ordered && got != `["lo" "mid" "hi" "never"]` && d.NullN() < d.Len() {
						t.Errorf("%s, %d rows a batch: %s", where, rows, got)
					}
				}
				release(records)
			}
		}
		f.Close()
	}
}

// TestOrderOfLaterFiles has a file whose categories have no known order behind one whose have one.
func TestOrderOfLaterFiles(t *testing.T) {
	first, other := categories(t, 40), categories(t, 40, parquet.WithDictionaryDefault(false))
	for _, c := range []struct {
		names []string
		o     arrowscan.Options
		want  string
	}{
		{[]string{first, first}, arrowscan.Options{}, "<nil>"}, {[]string{other, first}, arrowscan.Options{}, "<nil>"},
		{[]string{first, other}, arrowscan.Options{IgnoreStored: true}, "<nil>"},
		{[]string{first, other}, arrowscan.Options{}, `column "c": its dictionary has no known order here`},
	} {
		r, err := arrowscan.NewReader(t.Context(), dataset.New(c.names, scanner.Open), scanner.Options{}, c.o)
		if err != nil {
			t.Fatal(err)
		}
		for r.Next() {
		}
		if got := fmt.Sprint(r.Err()); !strings.Contains(got, c.want) {
			t.Errorf("%q, want %s", got, c.want)
		}
		r.Release()
	}
}

// TestBind: what a host says of a column counts, and what a file says of others.
func TestBind(t *testing.T) {
	f, err := scanner.Open(t.Context(), typesFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const one, list = `"dictionary<values=string, indices=int32, ordered=0>"`, `"list<item: dictionary<values=string, indices=int32, ordered=0>>"`
	type uses = map[string]vector.DictionaryUse
	for _, c := range []struct {
		asked uses
		want  string
	}{
		{nil, "dictionary, dictionary"},
		{uses{one: vector.DictionaryNever}, "utf8, dictionary"},
		{uses{list: vector.DictionaryNever}, "dictionary, utf8"},
		{uses{one: vector.DictionaryNever, list + ".item": vector.DictionaryNever}, "utf8, utf8"},
		{uses{"": vector.DictionaryNever}, "utf8, utf8"},
		{uses{"": vector.DictionaryWherePossible}, "utf8, utf8"},
		{uses{one: vector.DictionaryWherePossible}, "utf8, dictionary"},
		{uses{"int8": vector.DictionaryAlways}, "dictionary, dictionary"},
	} {
		r, err := arrowscan.NewReader(t.Context(), f, scanner.Options{Dictionaries: c.asked, Select: []string{one, list, "int8"}}, arrowscan.Options{})
		if err != nil {
			t.Error(c.asked, err)
			continue
		}
		got := r.Schema().Field(0).Type.Name() + ", " + r.Schema().Field(1).Type.(*arrow.ListType).Elem().Name()
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.asked, got, c.want)
		}
		r.Release()
	}
}
