package arrowscan_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// files returns the sample files of the repository, and those of the shared corpus where it is.
func files(t *testing.T) (all []string) {
	for _, root := range []string{"../../testdata", "../../../shared/corpus"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".parquet") {
				all = append(all, path)
			}
			return err
		})
		switch {
		case err == nil:
		case root == "../../testdata" || os.Getenv("WINNOW_CORPUS_REQUIRED") != "":
			t.Fatal(err)
		}
	}
	return all
}

// read reads all records of a file, and checks each with all that Arrow has.
func read(ctx context.Context, f *scanner.File, o arrowscan.Options) ([]arrow.RecordBatch, error) {
	return readAs(ctx, f, scanner.Options{BatchRows: 1000}, o)
}

func readAs(ctx context.Context, f *scanner.File, query scanner.Options, o arrowscan.Options) ([]arrow.RecordBatch, error) {
	r, err := arrowscan.NewReader(ctx, f, query, o)
	if err != nil {
		return nil, err
	}
	defer r.Release()
	var records []arrow.RecordBatch
	for r.Next() {
		for i, a := range r.RecordBatch().Columns() {
			if err := array.ValidateFull(a); err != nil {
				return records, &invalid{fmt.Errorf("column %s: %w", r.Schema().Field(i).Name, err)}
			}
		}
		if !r.RecordBatch().Schema().Equal(r.Schema()) {
			return records, &invalid{fmt.Errorf("a record of schema %s", r.RecordBatch().Schema())}
		}
		r.RecordBatch().Retain()
		records = append(records, r.RecordBatch())
	}
	return records, r.Err()
}

// invalid is an error about a record, where others are about the file.
type invalid struct{ error }

func release(records []arrow.RecordBatch) {
	for _, r := range records {
		r.Release()
	}
}

// TestRecords reads each file in each layout, into memory that is counted.
func TestRecords(t *testing.T) {
	for _, path := range files(t) {
		f, err := scanner.Open(t.Context(), path)
		if err != nil || f.FooterRange().Off > 1<<20 {
			continue // damaged on purpose, or large
		}
		for _, o := range []arrowscan.Options{
			{}, {Strings: arrowscan.Offsets, PlainTypes: true}, {Strings: arrowscan.LargeOffsets, Int96: arrowscan.Microsecond},
		} {
			checked := memory.NewCheckedAllocator(memory.DefaultAllocator)
			o.Allocator = checked
			records, err := read(t.Context(), f, o)
			if bad := (*invalid)(nil); err != nil && errorsAs(err, &bad) {
				t.Errorf("%s: %v", path, err)
			}
			release(records)
			checked.AssertSize(t, 0)
		}
		f.Close()
	}
}

// TestDictionaries reads columns in each of their forms: values are the same, types what was asked for.
func TestDictionaries(t *testing.T) {
	for _, path := range files(t) {
		f, err := scanner.Open(t.Context(), path)
		if err != nil || f.FooterRange().Off > 1<<18 {
			continue
		}
		var texts [3][]string
		layouts := [...]arrowscan.Strings{arrowscan.Views, arrowscan.LargeOffsets, arrowscan.Views}
		for use := range vector.DictionaryAlways + 1 {
			query := scanner.Options{BatchRows: 777, Dictionaries: map[string]vector.DictionaryUse{"": use}}
			records, err := readAs(t.Context(), f, query, arrowscan.Options{PlainTypes: true, IgnoreStored: true, Strings: layouts[use]})
			if err != nil {
				texts[use] = append(texts[use], err.Error())
			}
			for _, r := range records {
				for i, c := range r.Columns() {
					leaf := r.Schema().Field(i).Type
					if _, is := leaf.(*arrow.DictionaryType); is != (use == vector.DictionaryAlways) && !arrow.IsNested(leaf.ID()) {
						t.Errorf("%s: column %d is %s with use %d", path, i, leaf, use)
					}
					if !arrow.IsNested(leaf.ID()) { // Arrow prints dictionaries below lists as their codes
						texts[use] = appendTexts(texts[use], c)
					}
				}
			}
			release(records)
		}
		for use := range texts {
			if !slices.Equal(texts[use], texts[0]) {
				t.Errorf("%s: with use %d: %s", path, use, firstDifference(texts[use], texts[0]))
			}
		}
		f.Close()
	}
}

// firstDifference returns the first text that differs.
func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("%s, want %s", got[i], want[i])
		}
	}
	return fmt.Sprintf("%d texts, want %d", len(got), len(want))
}

func errorsAs(err error, to **invalid) (ok bool) {
	*to, ok = err.(*invalid)
	return ok
}

// differs are files of which Arrow's own reader gives other values, and why.
var differs = map[string]string{
	"int96_from_spark.parquet":         "wraps timestamps that nanoseconds cannot hold",
	"logical_types_both.parquet":       "has ENUM as bytes",
	"logical_types_converted.parquet":  "has ENUM as bytes",
	"logical_types_logical.parquet":    "has ENUM as bytes",
	"logical_types_variant.parquet":    "wants a value of its own of VARIANT",
	"pyarrow_logical_types_v1.parquet": "has JSON as bytes",
	"pyarrow_logical_types_v2.parquet": "has JSON as bytes",
	"pages_empty.parquet":              "stops at the first empty page",
	"schema_no_columns.parquet":        "has no rows without columns",
	"old_list_structure.parquet":       "has a struct for the repeated group of a list of lists",
}

// TestAsArrowsReader compares values with those of Arrow's own reader of Parquet.
func TestAsArrowsReader(t *testing.T) {
	compared := 0
	for _, path := range files(t) {
		f, err := scanner.Open(t.Context(), path)
		if err != nil {
			continue
		}
		got, err := read(t.Context(), f, arrowscan.Options{Strings: arrowscan.Offsets})
		f.Close()
		want, theirs := arrowTable(t.Context(), path)
		if err == nil && theirs == nil && differs[filepath.Base(path)] == "" {
			if d := difference(got, want); d != "" {
				t.Errorf("%s: %s", path, d)
			}
			compared++
		}
		release(got)
	}
	if compared < 30 {
		t.Errorf("only %d files compared", compared)
	}
	t.Logf("%d files compared", compared)
}

// arrowTable reads a file with Arrow's reader. It panics on some files.
func arrowTable(ctx context.Context, path string) (table arrow.Table, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	r, err := file.OpenParquetFile(path, false)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	in, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		return nil, err
	}
	return in.ReadTable(ctx)
}

// difference says where records and a table have other values.
func difference(records []arrow.RecordBatch, table arrow.Table) string {
	rows := int64(0)
	for _, r := range records {
		rows += r.NumRows()
	}
	if rows != table.NumRows() {
		return fmt.Sprintf("%d rows, want %d", rows, table.NumRows())
	}
	for i := range int(table.NumCols()) {
		name := table.Schema().Field(i).Name
		var got, want []string
		for _, r := range records {
			got = appendTexts(got, r.Column(i))
		}
		for _, c := range table.Column(i).Data().Chunks() {
			want = appendTexts(want, c)
		}
		for row := range want {
			if got[row] != want[row] {
				return fmt.Sprintf("column %s, row %d: %s, want %s", name, row, got[row], want[row])
			}
		}
	}
	return ""
}

func appendTexts(texts []string, a arrow.Array) []string {
	if d, ok := a.(*array.Dictionary); ok {
		entries := appendTexts(nil, d.Dictionary())
		for i := range a.Len() {
			text := a.ValueStr(i)
			if a.IsValid(i) {
				text = entries[d.GetValueIndex(i)]
			}
			texts = append(texts, text)
		}
		return texts
	}
	for i := range a.Len() {
		text := strings.Clone(a.ValueStr(i)) // it points into memory that is another's once a is released
		if a.DataType().ID() == arrow.TIMESTAMP {
			text = strings.TrimSuffix(text, "Z") // Arrow's reader has INT96 in UTC
		}
		texts = append(texts, text)
	}
	return texts
}
