package icebergscan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Columns that no schema names, and every table has. They come after the others.
const (
	FilePath     = "_file"                         // the data file's path
	RowPosition  = "_pos"                          // the row's number in the data file
	RowID        = "_row_id"                       // version 3: the row's id in the table
	LastSequence = "_last_updated_sequence_number" // version 3: the commit that wrote the row last
)

// Query is what a scan of a table returns. The zero Query selects all columns and rows of the
// current snapshot.
type Query struct {
	// Select names columns, in any order: they come in the schema's order. Nil stands for
	// all. FilePath, RowPosition, RowID and LastSequence come only if they are named.
	Select []string

	// Filter is the condition that rows must pass, not bound to a schema; nil lets all pass.
	Filter iceberg.BooleanExpression

	// CaseInsensitive finds the names of Select and Filter whatever their case.
	CaseInsensitive bool

	// SnapshotID, AsOf or Ref chooses a snapshot: by its number, as the last one at a time in
	// milliseconds since 1970, or as a branch or tag. At most one may be set.
	SnapshotID *int64
	AsOf       *int64
	Ref        string

	// Open returns the bytes of a data or delete file, and closes them. Nil: the table's FileIO
	// has them. A host whose objects have a latency gives a source that says so.
	Open func(ctx context.Context, file iceberg.DataFile) (src fetch.Source, close func() error, err error)

	// Files is how data and delete files are opened, with keys of encrypted ones. Deletion vectors
	// are no Parquet files, and are read as they are.
	Files scanner.OpenOptions
}

// Reader reads the files of one table for one Query. Safe for concurrent use.
type Reader struct {
	query    Query
	scan     *table.Scan
	metadata table.Metadata
	mapping  iceberg.NameMapping
	fs       io.IO
	schema   *iceberg.Schema // with all columns, which the filter may name
	columns  []column        // those of the schema that come
	extra    []string        // FilePath and its like, in the order of Select
	fields   []vector.Field  // of batches
	filter   iceberg.BooleanExpression
}

// NewReader returns a reader of a table. A name or a type that it does not know is an error
// that names the column.
func NewReader(ctx context.Context, tbl *table.Table, q Query) (*Reader, error) {
	r := &Reader{query: q, metadata: tbl.Metadata(), mapping: tbl.NameMapping()}
	whole, err := r.newScan(tbl)
	if err != nil {
		return nil, err
	}
	if r.schema, err = whole.Projection(); err != nil {
		return nil, err
	}
	var names []string
	for _, name := range q.Select {
		if extra := r.extraColumn(name); extra == "" {
			names = append(names, name)
		} else if !slices.Contains(r.extra, extra) {
			r.extra = append(r.extra, extra)
		}
	}
	projected := r.schema
	options := []table.ScanOption{}
	if q.Select != nil {
		if projected, err = r.schema.Select(!q.CaseInsensitive, names...); err != nil {
			return nil, err
		}
		options = append(options, table.WithSelectedFields(names...))
	}
	if q.Filter != nil {
		options = append(options, table.WithRowFilter(q.Filter))
	}
	if r.scan, err = r.newScan(tbl, options...); err != nil {
		return nil, err
	}
	if r.filter, err = r.bind(q.Filter); err != nil {
		return nil, err
	}
	if r.columns, err = columnsOf(projected.Fields()); err != nil {
		return nil, err
	}
	r.addFields()
	r.fs, err = tbl.FS(ctx)
	return r, err
}

// newScan returns a scan of the snapshot that the query chooses.
func (r *Reader) newScan(tbl *table.Table, o ...table.ScanOption) (*table.Scan, error) {
	q := &r.query
	chosen := 0
	o = append(o, table.WithCaseSensitive(!q.CaseInsensitive))
	if q.SnapshotID != nil {
		chosen++
		o = append(o, table.WithSnapshotID(*q.SnapshotID))
	}
	if q.AsOf != nil {
		chosen++
		o = append(o, table.WithSnapshotAsOf(*q.AsOf))
	}
	if q.Ref != "" {
		chosen++
	}
	if chosen > 1 {
		return nil, fmt.Errorf("%w: more than one of SnapshotID, AsOf and Ref is set", scanner.ErrOptions)
	}
	scan := tbl.Scan(o...)
	if q.Ref != "" {
		return scan.UseRef(q.Ref)
	}
	return scan, nil
}

// extraColumn returns which of the columns outside of the schema a name is, "" if none.
func (r *Reader) extraColumn(name string) string {
	for _, extra := range []string{FilePath, RowPosition, RowID, LastSequence} {
		if _, taken := r.schema.FindFieldByName(extra); !taken && (name == extra || r.query.CaseInsensitive && strings.EqualFold(name, extra)) {
			return extra
		}
	}
	return ""
}

// addFields sets the fields of batches.
func (r *Reader) addFields() {
	for i := range r.columns {
		r.fields = append(r.fields, r.columns[i].field())
	}
	for _, name := range r.extra {
		f := vector.Field{Name: name, Type: vector.Type{Physical: vector.Int64}}
		switch name {
		case FilePath:
			f.Type = textType
		case RowID:
			f.Nullable, f.HasID, f.ID = true, true, iceberg.RowIDFieldID
		case LastSequence:
			f.Nullable, f.HasID, f.ID = true, true, iceberg.LastUpdatedSequenceNumberFieldID
		}
		r.fields = append(r.fields, f)
	}
}

// Fields returns the columns of all batches. The caller must not change them.
func (r *Reader) Fields() []vector.Field { return r.fields }

// PlanFiles returns the files to read, with their deletes, as iceberg-go plans them.
func (r *Reader) PlanFiles(ctx context.Context) ([]table.FileScanTask, error) {
	return r.scan.PlanFiles(ctx)
}
