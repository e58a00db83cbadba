package cli

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/lookahead"
	"github.com/winnow-scan/winnow/scanner"
)

func verifyCommand() *command {
	return &command{
		name: "verify", args: "FILE...",
		summary: "read all of each file, and hold what it says of itself against its values",
		detail: `
Every page is read, its checksum compared, its values decoded. Then these are held
against the values: row and value counts of the footer, encodings and sizes; statistics
of chunks and pages; column and offset index, page by page, and the claimed order;
Bloom filters, value by value.

A fault may cost rows or answers, in this program or another. A flaw costs none, such as
a wrong size that no reader relies on. Statistics that nobody may use are not looked at:
see meta. The exit code is 1 if there is a fault.

JSON records, by kind:
  fault, flaw  file, row_group, path, page, offset, text
  file         file, row_groups, columns, pages, rows, values, faults, flaws`,
		examples: []string{
			"verify *.parquet",
			"verify -c user_id weblog.parquet",
		},
		takes: takesSelect | takesLimit | takesRowGroup,
		start: func(_ context.Context, o *options, _ *inputs, r *report) (*task, error) {
			return &task{file: func(ctx context.Context, f *input) error { return verify(ctx, f, o, r) }}, nil
		},
	}
}

// defect is something that is wrong with a file.
type defect struct {
	flaw bool // no answer depends on it
	err  error
}

// verified is what was found in one or more columns of a row group.
type verified struct {
	all           []defect
	pages, values int64
}

type defectRecord struct {
	Kind     string `json:"kind"`
	File     string `json:"file"`
	RowGroup *int   `json:"row_group,omitempty"`
	Path     string `json:"path,omitempty"`
	Page     *int   `json:"page,omitempty"`
	Offset   *int64 `json:"offset,omitempty"`
	Text     string `json:"text"`
}

type verifiedRecord struct {
	Kind      string `json:"kind"`
	File      string `json:"file"`
	RowGroups int    `json:"row_groups"`
	Columns   int    `json:"columns"`
	Pages     int64  `json:"pages"`
	Rows      int64  `json:"rows"`
	Values    int64  `json:"values"`
	Faults    int64  `json:"faults"`
	Flaws     int64  `json:"flaws"`
}

// verify reads a file, several columns of row groups at the same time.
func verify(ctx context.Context, f *input, o *options, r *report) error {
	ctx = knobs.With(ctx, knobs.Knobs{NoMapping: true}) // as cat does
	groups, leaves, err := f.selected(o)
	if err != nil {
		return err
	}
	wanted := make([]bool, len(f.Schema().Leaves()))
	for _, leaf := range leaves {
		wanted[leaf] = true
	}
	var columns []*verification
	for _, g := range groups {
		for _, top := range f.Schema().Root().Children {
			columns = append(columns, &verification{f: f, progress: r.progress, group: g, top: top, wanted: wanted[top.FirstLeaf:top.EndLeaf]})
		}
	}
	rec := verifiedRecord{Kind: "file", File: f.Name(), RowGroups: len(groups), Columns: len(leaves)}
	show := func(all []defect) error {
		for _, found := range all {
			n := &rec.Faults
			if found.flaw {
				n = &rec.Flaws
			}
			if *n++; o.limit >= 0 && rec.Faults+rec.Flaws > o.limit {
				continue
			}
			if err := r.found(found); err != nil {
				return err
			}
		}
		return nil
	}
	if err := show(f.verifyFooter()); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	next := func() func() (*verification, error) {
		if len(columns) == 0 {
			return nil
		}
		v := columns[0]
		columns = columns[1:]
		return func() (*verification, error) { return v, v.run(ctx) }
	}
	// Twice as many as processors: a column may take longer than those behind it.
	queue := lookahead.New(2*runtime.GOMAXPROCS(0), next, func(*verification) {})
	defer queue.Stop()
	defer cancel()
	for column := queue.Next(); column != nil; column = queue.Next() {
		v, err := column.Wait()
		if err != nil {
			return err
		}
		rec.Pages, rec.Values = rec.Pages+v.pages, rec.Values+v.values
		if err := show(v.all); err != nil {
			return err
		}
	}
	for _, g := range groups {
		rec.Rows += f.Footer().RowGroups[g].NumRows
	}
	if err := r.sumUpVerified(rec); err != nil {
		return err
	}
	if rec.Faults > 0 {
		return errors.New(f.Name() + ": " + table.Plural(rec.Faults, "fault"))
	}
	return nil
}

// verifyFooter holds the counts of the footer against each other.
func (f *input) verifyFooter() (all []defect) {
	footer := f.Footer()
	rows := int64(0)
	for _, g := range footer.RowGroups {
		rows += g.NumRows
	}
	if rows != footer.NumRows {
		err := corrupt.At(-1, "footer: ", footer.NumRows, " rows, those of the row groups are ", rows)
		all = append(all, defect{err: &scanner.Error{File: f.Name(), RowGroup: -1, Page: -1, Offset: f.FooterRange().Off, Err: err}})
	}
	return all
}

// found writes a defect.
func (r *report) found(found defect) error {
	kind, style := "fault", table.Red
	if found.flaw {
		kind, style = "flaw", table.Dim
	}
	if r.tables() {
		r.out.WriteString(r.screen.Paint(style, kind) + strings.Repeat(" ", len("fault  ")-len(kind)) + table.Printable(found.err.Error()) + "\n")
		return nil
	}
	rec := defectRecord{Kind: kind, Text: found.err.Error()}
	if e := (*scanner.Error)(nil); errors.As(found.err, &e) {
		rec.File, rec.Path, rec.Text = e.File, e.Column, e.Err.Error()
		rec.RowGroup, rec.Page, rec.Offset = optional(e.RowGroup >= 0, e.RowGroup), optional(e.Page >= 0, e.Page), optional(e.Offset >= 0, e.Offset)
	}
	return r.record(rec)
}

// sumUpVerified writes what was verified.
func (r *report) sumUpVerified(rec verifiedRecord) error {
	if !r.tables() {
		return r.record(rec)
	}
	what := table.Green.Cell("right")
	if rec.Faults > 0 {
		what = table.Red.Cell("wrong")
	}
	text := table.Plural(int64(rec.RowGroups), "row group") + ", " + table.Plural(int64(rec.Columns), "column") + ", " + table.Plural(rec.Pages, "page") + ", " +
		table.Plural(rec.Rows, "row") + ", " + table.Plural(rec.Values, "value") + ": " + table.Plural(rec.Faults, "fault") + ", " + table.Plural(rec.Flaws, "flaw")
	r.out.WriteString(r.screen.Paint(what.Style, what.Text) + "  " + table.Printable(rec.File) + "  " + text + "\n")
	return nil
}

// verification is the work on a column, with all leaves in it, of a row group.
type verification struct {
	f        *input
	progress *progress
	group    int
	top      *schema.Node
	wanted   []bool // of its leaves
	verified
}

// run verifies the column. An error is not the file's.
func (v *verification) run(ctx context.Context) error {
	readers := make([]*leafValues, len(v.wanted))
	any := false
	for i, wanted := range v.wanted {
		if !wanted {
			continue
		}
		c, err := v.f.Chunk(v.group, v.top.FirstLeaf+i)
		if err == nil {
			readers[i], err = v.layout(ctx, c)
		}
		if err != nil {
			if ctx.Err() != nil || isOutsideFile(err) {
				return err
			}
			v.all = append(v.all, defect{err: err})
			continue
		}
		any = true
	}
	if !any {
		return nil
	}
	if err := v.read(ctx, readers); err != nil {
		if ctx.Err() != nil || isOutsideFile(err) {
			return err
		}
		known := func(d defect) bool { return d.err.Error() == err.Error() }
		if !slices.ContainsFunc(v.all, known) { // a page that layout could not read either
			v.all = append(v.all, defect{err: err})
		}
		return nil
	}
	for _, x := range readers {
		if x != nil {
			v.compare(x)
		}
	}
	return nil
}

// fault notes what is wrong with a chunk or one of its pages, -1 for none.
func (v *verification) fault(c *scanner.Chunk, page int, offset int64, parts ...any) {
	v.all = append(v.all, defect{err: inPage(v.f, c, page, offset, corrupt.At(-1, parts...))})
}

// flaw is fault for what no answer depends on.
func (v *verification) flaw(c *scanner.Chunk, page int, offset int64, parts ...any) {
	v.fault(c, page, offset, parts...)
	v.all[len(v.all)-1].flaw = true
}
