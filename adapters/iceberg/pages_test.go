package icebergscan_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	icebergscan "github.com/winnow-scan/winnow/adapters/iceberg"
	"github.com/winnow-scan/winnow/adapters/iceberg/internal/tables"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// pageTable has 20 files of 4000 rows in small pages with an index; 5 % of the rows are deleted: a
// run of 160 of each file, and 40 single ones in its second half.
func pageTable(t *testing.T) (*table.Table, func(row int64) bool) {
	t.Helper()
	deleted := func(row int64) bool { return row >= 1000 && row < 1160 || row >= 2000 && row%50 == 7 }
	m := tables.New(t.Context(), t.TempDir())
	fields := []iceberg.NestedField{{ID: 1, Name: "id", Type: iceberg.PrimitiveTypes.Int64}, {ID: 2, Name: "k", Type: iceberg.PrimitiveTypes.Int64}, {ID: 3, Name: "text", Type: iceberg.PrimitiveTypes.String}}
	tbl := m.Create("pages", 3, fields, nil, iceberg.Properties{
		table.DefaultNameMappingKey: `[{"field-id": 1, "names": ["id"]}, {"field-id": 2, "names": ["k"]}, {"field-id": 3, "names": ["text"]}]`,
	})
	schema := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "k", Type: arrow.PrimitiveTypes.Int64}, {Name: "text", Type: arrow.BinaryTypes.String}}, nil)
	for f := range 20 {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for i := range 4000 {
			b.Field(0).(*array.Int64Builder).Append(int64(f*4000 + i))
			b.Field(1).(*array.Int64Builder).Append(int64(i*7919) % 100)
			b.Field(2).(*array.StringBuilder).Append(fmt.Sprintf("row %d of %d %s", i, f, strings.Repeat("x", 30)))
		}
		tbl.AddRecord(fmt.Sprintf("f%d", f), b.NewRecordBatch(), 2000, 1000)
	}
	tbl.DeletePositions(func(f iceberg.DataFile) (rows []int64) {
		for row := range f.Count() {
			if deleted(row) {
				rows = append(rows, row)
			}
		}
		return rows
	})
	return tbl.Table, deleted
}

// pagesWith counts the pages of a column, in all files, that have a row for which keep is true. It
// asks Arrow's reader for the offset indexes.
func pagesWith(t *testing.T, tasks []table.FileScanTask, column int, keep func(row int64) bool) (with, all int64) {
	t.Helper()
	for _, task := range tasks {
		r, err := file.OpenParquetFile(strings.TrimPrefix(task.File.FilePath(), "file://"), false)
		if err != nil {
			t.Fatal(err)
		}
		first := int64(0)
		for g := range r.NumRowGroups() {
			indexes, err := r.GetPageIndexReader().RowGroup(g)
			if err != nil {
				t.Fatal(err)
			}
			index, err := indexes.GetOffsetIndex(column)
			if err != nil {
				t.Fatal(err)
			}
			rows := r.MetaData().RowGroup(g).NumRows()
			pages := index.GetPageLocations()
			for i, p := range pages {
				end := rows
				if i+1 < len(pages) {
					end = pages[i+1].FirstRowIndex
				}
				for row := p.FirstRowIndex; row < end; row++ {
					if keep(first + row) {
						with++
						break
					}
				}
			}
			all += int64(len(pages))
			first += rows
		}
		r.Close()
	}
	return with, all
}

// TestNoPageWithoutSurvivor checks that exactly the pages with a row that is not deleted and
// passes the filter are decoded, and of the filter's column those with a row that is not deleted.
func TestNoPageWithoutSurvivor(t *testing.T) {
	tbl, deleted := pageTable(t)
	for _, c := range []struct {
		filter iceberg.BooleanExpression
		passes func(row int64) bool
	}{
		{nil, func(int64) bool { return true }},
		{iceberg.EqualTo(ref("k"), int64(3)), func(row int64) bool { return row*7919%100 == 3 }},
		{iceberg.NewAnd(iceberg.EqualTo(ref("k"), int64(3)), iceberg.LessThan(ref("id"), int64(4000))), nil},
	} {
		var stats scanner.Stats
		r, tasks := reader(t, tbl, icebergscan.Query{Filter: c.filter})
		got := read(t, r, tasks, scanner.Options{Stats: &stats})
		var o []table.ScanOption
		if c.filter != nil {
			o = append(o, table.WithRowFilter(c.filter))
		}
		same(t, got, theirs(t, tbl, o...))
		if c.passes == nil {
			if len(tasks) != 1 || len(got) != 38 {
				t.Errorf("%d tasks, %d rows", len(tasks), len(got))
			}
			continue
		}
		if len(tasks) != 20 {
			t.Fatalf("%d tasks", len(tasks))
		}
		for _, column := range stats.Columns {
			keep := func(row int64) bool { return !deleted(row) && c.passes(row) }
			if c.filter != nil && column.Leaf.Name == "k" {
				keep = func(row int64) bool { return !deleted(row) }
			}
			want, all := pagesWith(t, tasks, column.Leaf.Index-1, keep)
			if decoded := column.Pages[scanner.Decoded]; decoded != want || want == all && column.Leaf.Name != "k" {
				t.Errorf("filter %v: of column %s, %d of %d pages are decoded, %d have a survivor", c.filter, column.Leaf.Name, decoded, all, want)
			}
			if undecoded := column.Pages[scanner.Undecoded] + column.Pages[scanner.Undecompressed]; undecoded != 0 {
				t.Errorf("filter %v: of column %s, %d pages are read and not decoded", c.filter, column.Leaf.Name, undecoded)
			}
		}
	}
}

// TestBytes counts what the reader reads of data files by a source of the host: the indexes and
// the pages with survivors, less than two thirds of these small files.
func TestBytes(t *testing.T) {
	tbl, _ := pageTable(t)
	fs, err := tbl.FS(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var recorders []*record.Recorder
	closed := 0
	r, tasks := reader(t, tbl, icebergscan.Query{
		Filter: iceberg.EqualTo(ref("k"), int64(3)), Select: []string{"text"},
		Open: func(_ context.Context, f iceberg.DataFile) (fetch.Source, func() error, error) {
			src, done, err := icebergscan.Source(fs, f)
			rec := record.Of(src)
			recorders = append(recorders, rec)
			return rec, func() error { closed++; return done() }, err
		},
	})
	if got := read(t, r, tasks, scanner.Options{}); len(got) != 20*38 {
		t.Errorf("%d rows", len(got))
	}
	if len(recorders) != 20 || closed != 20 {
		t.Fatalf("%d files opened, %d closed", len(recorders), closed)
	}
	var bytes, size int64
	for i, rec := range recorders {
		size += tasks[i].File.FileSizeBytes()
		for _, request := range rec.Take() {
			for _, r := range request {
				bytes += r.Len
			}
		}
	}
	if bytes == 0 || bytes > size*2/3 {
		t.Errorf("%d bytes of %d are read", bytes, size)
	}
	t.Logf("%d bytes of %d are read", bytes, size)
}
