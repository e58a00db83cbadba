package verify

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/progress"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/lookahead"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner"
)

// verifier is the verification of a file. Safe for concurrent use.
type verifier struct {
	f        *input.File
	progress *progress.Progress
	codecs   *codec.Set
}

// inFooter notes what is wrong in the footer, of a row group or, with -1, of the file.
func (v *verifier) inFooter(to *findings, flaw bool, rowGroup int, column string, parts ...any) {
	e := &scanner.Error{File: v.f.Name(), RowGroup: rowGroup, Column: column, Page: -1, Offset: v.f.FooterRange().Off, Err: corrupt.At(-1, append([]any{"footer: "}, parts...)...)}
	to.all = append(to.all, defect{flaw: flaw, err: e})
}

// verification is the work on a column, with all leaves in it, of a row group.
type verification struct {
	*verifier
	group  int
	top    *schema.Node
	wanted []bool // of its leaves
	findings
}

// fault notes what is wrong with a chunk or one of its pages, -1 for none.
func (v *verification) fault(c *scanner.Chunk, page int, offset int64, parts ...any) {
	v.defect(false, c, page, offset, parts...)
}

// flaw is fault for what no answer depends on.
func (v *verification) flaw(c *scanner.Chunk, page int, offset int64, parts ...any) {
	v.defect(true, c, page, offset, parts...)
}

// defect notes a flaw or a fault.
func (v *verification) defect(flaw bool, c *scanner.Chunk, page int, offset int64, parts ...any) {
	v.all = append(v.all, defect{flaw, fault.InPage(v.f.Name(), c, page, offset, corrupt.At(-1, parts...))})
}

// claim is a number that a file states, where it does, and the right one.
type claim struct {
	stated   bool
	where    string // "column index"
	what     string // "nulls"
	says, is int64
	flaw     bool // no answer depends on it
}

// hold notes the claims that are wrong.
func (v *verification) hold(c *scanner.Chunk, page int, offset int64, claims ...claim) {
	for _, x := range claims {
		if x.stated && x.says != x.is {
			v.defect(x.flaw, c, page, offset, x.where, ": ", x.says, " ", x.what, ", there are ", x.is)
		}
	}
}

// defect is something that is wrong with a file.
type defect struct {
	flaw bool // no answer depends on it
	err  error
}

// findings is what was found in a part of a file.
type findings struct {
	all           []defect
	pages, values int64
}

// note notes an error that is the file's, once, and returns any other.
func (v *findings) note(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || fault.IsOutsideFile(err) {
		return err
	}
	known := func(d defect) bool { return d.err.Error() == err.Error() }
	if !slices.ContainsFunc(v.all, known) {
		v.all = append(v.all, defect{err: err})
	}
	return nil
}

func Command() *command.Command {
	return &command.Command{
		Name: "verify", Args: "FILE...",
		Summary: "read all of each file, and hold what it says of itself against its values",
		Detail: `
Every page is read, its checksum compared, its values decoded; no index is believed.
Then these are held against them, page by page and for the whole chunk: counts, places,
sizes and encodings; statistics and histograms of levels; offset and column index, their
first rows and order; Bloom filters, value by value; sorting_columns; what the footer
says of row groups and schema; dictionaries that are sorted; texts that are not UTF-8;
values out of the range of their type, extents of geometries, the parts of each VARIANT.
Metadata and compressed pages are decoded twice, by the reader and by other libraries:
where they disagree, the reader is wrong, and not the file.

A fault may cost rows or answers, in this program or another. A flaw costs none, such as
a wrong size that no reader relies on. Bounds that nobody may use are not looked at, see
meta; nor are file_offset of columns, which has no agreed meaning, values of metadata's
keys, and numbers of more than a million distinct values. The exit code is 1 if there
is a fault.

JSON records, by kind:
  fault, flaw  file, row_group, path, page, offset, text
  file         file, row_groups, columns, pages, rows, values, faults, flaws`,
		Examples: []string{
			"verify *.parquet",
			"verify -c user_id weblog.parquet",
		},
		Takes: command.TakesSelect | command.TakesLimit | command.TakesRowGroup,
		Run: func(_ context.Context, o *command.Options, in *input.Files, r *output.Report) (*command.Task, error) {
			in.Opener.ReadOnce()
			return &command.Task{File: func(ctx context.Context, f *input.File) error { return verify(ctx, f, o, r, twiceDecoded(nil)) }}, nil
		},
	}
}

// tally is how much of a file was looked at, and what was found.
type tally struct{ rowGroups, columns, pages, rows, values, faults, flaws int64 }

// verify reads a file, several columns of row groups at the same time.
func verify(ctx context.Context, f *input.File, o *command.Options, r *output.Report, codecs *codec.Set) error {
	groups, leaves, err := o.Selected(f)
	if err != nil {
		return err
	}
	v := &verifier{f: f, progress: r.Progress, codecs: codecs}
	rec := tally{rowGroups: int64(len(groups)), columns: int64(len(leaves))}
	var last string
	show := func(all []defect) {
		for _, found := range all {
			if text := found.err.Error(); text != last {
				last = text
			} else { // what is wrong with a row group stops each of its columns
				continue
			}
			n := &rec.faults
			if found.flaw {
				n = &rec.flaws
			}
			if *n++; o.Limit < 0 || rec.faults+rec.flaws <= o.Limit {
				writeDefect(r, found)
			}
		}
	}
	var footer findings
	v.file(&footer)
	ctx, cancel := context.WithCancel(ctx)
	// Twice as many as processors: a column may take longer than those behind it. Far ones wait for their bytes.
	atOnce := 2 * runtime.GOMAXPROCS(0)
	if v.isFar() {
		atOnce = max(atOnce, farColumns)
	}
	queue := lookahead.New(atOnce, v.units(ctx, groups, leaves), func(*findings) {})
	defer queue.Stop()
	defer cancel()
	show(footer.all)
	for unit := queue.Next(); unit != nil; unit = queue.Next() {
		found, err := unit.Wait()
		if err != nil {
			return err
		}
		rec.pages, rec.values = rec.pages+found.pages, rec.values+found.values
		show(found.all)
	}
	for _, g := range groups {
		rec.rows += f.Footer().RowGroups[g].NumRows
	}
	sumUpVerified(r, f.Name(), rec)
	if rec.faults > 0 {
		return errors.New(f.Name() + ": " + table.Plural(rec.faults, "fault"))
	}
	return nil
}

// units returns a function that returns the parts of the work, one after the other: those of a
// row group are its entry in the footer with the order of its rows, and each column.
func (v *verifier) units(ctx context.Context, groups, leaves []int) func() func() (*findings, error) {
	wanted := make([]bool, len(v.f.Schema().Leaves()))
	for _, leaf := range leaves {
		wanted[leaf] = true
	}
	if v.progress != nil {
		v.progress.Expect(v.work(groups, wanted))
	}
	group, top := 0, -1 // of the next part; -1 is the row group itself
	return func() func() (*findings, error) {
		columns := v.f.Schema().Root().Children
		if top == len(columns) {
			group, top = group+1, -1
		}
		if group == len(groups) {
			return nil
		}
		g, at := groups[group], top
		if top++; at < 0 {
			return func() (*findings, error) {
				found := new(findings)
				return found, v.rowGroup(ctx, g, wanted, found)
			}
		}
		return func() (*findings, error) {
			column := &verification{verifier: v, group: g, top: columns[at], wanted: wanted[columns[at].FirstLeaf:columns[at].EndLeaf]}
			return &column.findings, column.run(ctx)
		}
	}
}

// work returns how many bytes of columns there are to decode. What the footer has wrong is left out.
func (v *verifier) work(groups []int, wanted []bool) (bytes int64) {
	for _, g := range groups {
		for leaf, is := range wanted {
			if c, err := v.f.Chunk(g, leaf); is && err == nil {
				place, _, _ := c.Range()
				bytes += place.Len
			}
		}
	}
	return bytes
}

// writeDefect writes a defect.
func writeDefect(r *output.Report, found defect) {
	kind, style := "fault", table.Red
	if found.flaw {
		kind, style = "flaw", table.Dim
	}
	if r.Tables() {
		r.Say(r.Screen.Paint(style, kind) + strings.Repeat(" ", len("fault  ")-len(kind)) + table.Printable(found.err.Error()) + "\n")
		return
	}
	at := &scanner.Error{RowGroup: -1, Page: -1, Offset: -1, Err: found.err}
	errors.As(found.err, &at)
	r.Record("kind", kind, "file", at.File, "row_group", output.If(at.RowGroup >= 0, at.RowGroup), "path", output.OmitZero(at.Column),
		"page", output.If(at.Page >= 0, at.Page), "offset", output.If(at.Offset >= 0, at.Offset), "text", at.Err.Error())
}

// sumUpVerified writes what was verified.
func sumUpVerified(r *output.Report, file string, rec tally) {
	if !r.Tables() {
		r.Record("kind", "file", "file", file, "row_groups", rec.rowGroups, "columns", rec.columns, "pages", rec.pages, "rows", rec.rows, "values", rec.values,
			"faults", rec.faults, "flaws", rec.flaws)
		return
	}
	what := table.Green.Cell("right")
	if rec.faults > 0 {
		what = table.Red.Cell("wrong")
	}
	text := table.Plural(rec.rowGroups, "row group") + ", " + table.Plural(rec.columns, "column") + ", " + table.Plural(rec.pages, "page") + ", " +
		table.Plural(rec.rows, "row") + ", " + table.Plural(rec.values, "value") + ": " + table.Plural(rec.faults, "fault") + ", " + table.Plural(rec.flaws, "flaw")
	r.Say(r.Screen.Paint(what.Style, what.Text) + "  " + table.Printable(file) + "  " + text + "\n")
}
