package tables

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/hadoop"
	"github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"
	"github.com/apache/iceberg-go/table/dv"
)

// Maker makes tables in one folder. A fault panics: makers are for tests.
type Maker struct {
	ctx     context.Context
	dir     string
	catalog *hadoop.Catalog
	puffins int
}

// New returns a maker of tables in a folder.
func New(ctx context.Context, dir string) *Maker {
	m := &Maker{ctx: ctx, dir: dir, catalog: must(hadoop.NewCatalog("test", dir, nil))}
	check(m.catalog.CreateNamespace(ctx, table.Identifier{"t"}, nil))
	return m
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

// Table is a table that is being made.
type Table struct {
	*table.Table
	m *Maker
}

// Create creates a table of a format version.
func (m *Maker) Create(name string, version int, fields []iceberg.NestedField, spec *iceberg.PartitionSpec, properties iceberg.Properties) *Table {
	p := iceberg.Properties{table.PropertyFormatVersion: fmt.Sprint(version)}
	maps.Copy(p, properties)
	o := []catalog.CreateTableOpt{catalog.WithProperties(p)}
	if spec != nil {
		o = append(o, catalog.WithPartitionSpec(spec))
	}
	t := must(m.catalog.CreateTable(m.ctx, table.Identifier{"t", name}, iceberg.NewSchema(0, fields...), o...))
	return &Table{t, m}
}

// Change commits what do stages.
func (t *Table) Change(do func(*table.Transaction) error) {
	tx := t.NewTransaction()
	check(do(tx))
	t.Table = must(tx.Commit(t.m.ctx))
}

// record returns rows, JSON objects one behind the other, as a record of the table's columns.
func record(schema *arrow.Schema, rows string) arrow.RecordBatch {
	r, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader("["+strings.TrimSuffix(strings.TrimSpace(rows), ",")+"]"))
	return must(r, err)
}

// Append appends rows, JSON objects with commas between them.
func (t *Table) Append(rows string) {
	schema := must(table.SchemaToArrowSchema(t.Schema(), nil, true, false))
	t.AppendRecord(record(schema, rows))
}

// AppendRecord appends a record.
func (t *Table) AppendRecord(r arrow.RecordBatch) {
	t.Change(func(tx *table.Transaction) error {
		return tx.AppendTable(t.m.ctx, array.NewTableFromRecords(r.Schema(), []arrow.RecordBatch{r}), r.NumRows(), nil)
	})
}

// Delete deletes the rows that pass a filter: by position deletes in version 2, by deletion
// vectors in version 3, if the table's property write.delete.mode is merge-on-read.
func (t *Table) Delete(where iceberg.BooleanExpression) {
	t.Change(func(tx *table.Transaction) error { return tx.Delete(t.m.ctx, where, nil) })
}

// DeleteEqual deletes rows by equality: with the values of rows in the columns of names.
func (t *Table) DeleteEqual(names []string, rows string) {
	schema := must(t.Schema().Select(true, names...))
	var ids []int
	for _, f := range schema.Fields() {
		ids = append(ids, f.ID)
	}
	r := record(must(table.SchemaToArrowSchema(schema, nil, true, false)), rows)
	var records iter.Seq2[arrow.RecordBatch, error] = func(yield func(arrow.RecordBatch, error) bool) { yield(r, nil) }
	t.Change(func(tx *table.Transaction) error { return tx.CommitEqualityDeletes(t.m.ctx, ids, records, nil) })
}

// DeletePositions deletes rows of each data file by deletion vectors in one Puffin file.
func (t *Table) DeletePositions(of func(file iceberg.DataFile) []int64) {
	tasks := must(t.Scan().PlanFiles(t.m.ctx))
	fs := must(t.FS(t.m.ctx)).(io.WriteFileIO)
	metadata := t.Metadata()
	w := dv.NewDVWriter(fs, func(id int32) *iceberg.PartitionSpec { return metadata.PartitionSpecByID(int(id)) })
	for _, task := range tasks {
		check(w.Add(task.File.FilePath(), of(task.File), task.File.SpecID(), task.File.Partition()))
	}
	t.m.puffins++
	files := must(w.Flush(t.m.ctx, fmt.Sprintf("%s/data/deletes-%d.puffin", t.Location(), t.m.puffins)))
	t.Change(func(tx *table.Transaction) error { return tx.NewRowDelta(nil).AddDeletes(files...).Commit(t.m.ctx) })
}

// AddFile adds a Parquet file without field ids, written with row groups of some rows.
func (t *Table) AddFile(name string, schema *arrow.Schema, rows string, groupRows int64) {
	r := record(schema, rows)
	t.AddRecord(name, r, groupRows, 1<<20)
}

// AddRecord is AddFile for a record, with pages of a size.
func (t *Table) AddRecord(name string, r arrow.RecordBatch, groupRows, pageBytes int64) {
	dir := filepath.Join(t.m.dir, "added")
	check(os.MkdirAll(dir, 0o755))
	path := filepath.Join(dir, name+".parquet")
	f := must(os.Create(path))
	properties := parquet.NewWriterProperties(parquet.WithMaxRowGroupLength(groupRows), parquet.WithDataPageSize(pageBytes),
		parquet.WithBatchSize(32), parquet.WithPageIndexEnabled(true), parquet.WithDictionaryDefault(false))
	w := must(pqarrow.NewFileWriter(r.Schema(), f, properties, pqarrow.DefaultWriterProps()))
	check(w.WriteBuffered(r))
	check(w.Close())
	t.Change(func(tx *table.Transaction) error { return tx.AddFiles(t.m.ctx, []string{path}, nil, false) })
}
