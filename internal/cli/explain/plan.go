package explain

import (
	"context"
	"slices"
	"time"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/scanner"
)

// use returns what a column is read for: the filter, the result, or both.
func (e *Explanation) use(leaf *schema.Node) string {
	filters, returned := e.program != nil && slices.Contains(e.program.Leaves(), leaf), len(e.o.Columns) == 0
	if columns, err := e.o.Columns.Resolve(e.File.Schema(), e.File.Folders()); err == nil {
		for _, column := range columns {
			n := column.Node // nil for a column of folders
			returned = returned || n != nil && n.FirstLeaf <= leaf.FirstLeaf && leaf.FirstLeaf < n.EndLeaf
		}
	} else {
		returned = !filters // a path with parts left out
	}
	switch {
	case filters && returned:
		return "both"
	case filters:
		return "filter"
	case returned:
		return "result"
	}
	return ""
}

// Explanation is the plan of a scan of one file, to be shown.
type Explanation struct {
	File    *input.File
	o       *command.Options
	r       *output.Report
	Options scanner.Options
	program *compile.Program // nil: every row passes
	plan    *scanner.Plan
	planned time.Duration
	tests   map[string]*compile.Test // of the program, by their text; nil: not collected yet
}

// PlanOf plans a scan of f.
func PlanOf(ctx context.Context, f *input.File, o *command.Options, r *output.Report) (e *Explanation, err error) {
	e = &Explanation{File: f, o: o, r: r}
	e.Options = f.Filtered(o.Where.Expr)
	e.Options.Dictionaries = map[string]vector.DictionaryUse{"": vector.DictionaryWherePossible}
	if e.Options.Select, err = f.Select(o.Columns); err != nil {
		return nil, err
	}
	if o.Where.Expr != nil {
		if e.program, err = compile.Bind(o.Where.Expr, f.Schema(), f.Constants()); err != nil {
			return nil, err
		}
	}
	start := time.Now()
	e.plan, err = f.Plan(ctx, e.Options)
	e.planned = time.Since(start)
	return e, err
}

// sums returns the number of the file's rows, and of those that may pass.
func (e *Explanation) sums() (rows, pass int64) {
	for i := range e.plan.Groups {
		g := &e.plan.Groups[i]
		rows += e.rowsOf(g)
		pass += g.Rows.Len()
	}
	return rows, pass
}

func (e *Explanation) rowsOf(g *scanner.GroupPlan) int64 {
	return e.File.Footer().RowGroups[g.RowGroup].NumRows
}

// verdict returns the verdict of a test on a row group of rows rows, and on how
// many of those that may pass it has to be evaluated.
func verdict(g *scanner.GroupPlan, t *scanner.TestPlan, rows int64) (text string, open int64) {
	open = g.Rows.AndNot(t.None).AndNot(t.All).Len()
	switch {
	case t.None.Len() >= rows:
		return "none", open
	case t.All.Len() >= rows:
		return "all", open
	case len(t.None) == 0 && len(t.All) == 0:
		return "some", open
	}
	return "parts", open
}

// printLimited prints a table with at most as many lines as -n says.
func (e *Explanation) printLimited(t *table.Table, what string) {
	all := t.Rows
	t.Rows = all[:e.o.Shown(len(all))]
	e.r.Print(t)
	e.r.NoteHidden("  ", len(all)-len(t.Rows), what)
}
