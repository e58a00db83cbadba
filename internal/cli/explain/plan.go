package explain

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
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

// fateCounts returns how many pages or bytes had each fate.
func fateCounts(n [scanner.Fates]int64) output.Members {
	return output.Members{"unread", n[scanner.Unread], "undecompressed", n[scanner.Undecompressed], "undecoded", n[scanner.Undecoded], "decoded", n[scanner.Decoded]}
}

// untouched calls each with the reasons for which pages of a column were not read.
func untouched(c *scanner.ColumnStats, each func(reason string, pages, bytes int64)) {
	for r, n := range c.Untouched {
		if n.Pages > 0 || n.Bytes > 0 {
			each(scanner.Reason(r).String(), n.Pages, n.Bytes)
		}
	}
}

// run runs the scan. It draws it only if the options name a picture.
func (e *Explanation) run(ctx context.Context) (stats *scanner.Stats, drawn *Artist, took time.Duration, err error) {
	o := e.Options
	o.Stats = new(scanner.Stats)
	e.r.Progress.Watch(&o, "")
	// No Plan: a scan that judges itself looks up the pages of columns that it need not test, too.
	if e.o.Picture != "" {
		drawn = &Artist{explanation: e}
		drawn.Watch(&o)
	}
	start := time.Now()
	for b, err := range e.File.Scan(ctx, o) {
		if err != nil {
			return nil, nil, 0, err
		}
		b.Release()
	}
	took = time.Since(start)
	if drawn != nil {
		err = drawn.Draw(ctx, o.Stats)
	}
	return o.Stats, drawn, took, err
}

// analyze runs the scan, and shows and draws what it did.
func (e *Explanation) analyze(ctx context.Context) error {
	stats, drawn, took, err := e.run(ctx)
	if err != nil {
		return err
	}
	if drawn != nil {
		if err := drawn.write(ctx, e.o.Picture, e.r.Stdout); err != nil {
			return err
		}
		if e.r.Tables() {
			e.r.Blank()
			e.r.Heading("Picture", fault.ShortName(e.o.Picture)+", for a browser")
		}
	}
	if !e.o.Analyze {
		return nil
	}
	if e.r.Tables() {
		e.analyzeTables(stats, took)
		return nil
	}
	e.r.Record("kind", "run", "file", e.File.Name(), "rows", stats.Rows, "batches", stats.Batches, "bytes", stats.Bytes, "metadata", stats.Metadata,
		"plan_seconds", e.planned.Seconds(), "scan_seconds", took.Seconds())
	for i := range stats.Columns {
		c, unread := &stats.Columns[i], []output.Members{}
		untouched(c, func(reason string, pages, bytes int64) {
			unread = append(unread, output.Members{"reason", reason, "pages", pages, "bytes", bytes})
		})
		e.r.Record("kind", "column", "file", e.File.Name(), "column", c.Leaf.String(), "for", e.use(c.Leaf), "pages", fateCounts(c.Pages), "bytes", fateCounts(c.Bytes),
			"dictionary", c.DictionaryBytes, "untouched", unread, "fetched", c.Fetched, "inflated", c.Decompressed, "values", c.Values)
	}
	for _, t := range stats.Tests {
		e.r.Record("kind", "condition", "file", e.File.Name(), "condition", t.Condition, "in", t.In, "out", t.Out, "seconds", t.Time.Seconds())
	}
	return nil
}

func (e *Explanation) analyzeTables(stats *scanner.Stats, took time.Duration) {
	e.r.Blank()
	e.r.Heading("Run", table.Plural(stats.Rows, "row")+" in "+table.Plural(stats.Batches, "batch")+", "+table.Size(stats.Bytes)+"; planned in "+Milliseconds(e.planned)+", scanned in "+Milliseconds(took))
	columns := &table.Table{Indent: "  ", Columns: []table.Column{
		{Title: "column", MinWidth: 12, CutFront: true}, {Title: "for"},
		{Title: "unread", Right: true}, {Title: "headers only", Right: true}, {Title: "not decoded", Right: true}, {Title: "decoded", Right: true},
		{Title: "fetched", Right: true}, {Title: "inflated", Right: true}, {Title: "values", Right: true},
	}}
	reasons := &table.Table{Indent: "  ", Columns: []table.Column{{Title: "column", MinWidth: 12, CutFront: true}, {Title: "unread because"}, {Title: "pages", Right: true}, {Title: "bytes", Right: true}}}
	ifAny := func(n int64) string { return table.NumberIf(n > 0, n) }
	for i := range stats.Columns {
		c := &stats.Columns[i]
		columns.Add(c.Leaf.String(), e.use(c.Leaf), ifAny(c.Pages[scanner.Unread]), ifAny(c.Pages[scanner.Undecompressed]), ifAny(c.Pages[scanner.Undecoded]), ifAny(c.Pages[scanner.Decoded]),
			table.Size(c.Fetched), table.Size(c.Decompressed), ifAny(c.Values))
		untouched(c, func(reason string, pages, bytes int64) {
			reasons.Add(c.Leaf.String(), reason, ifAny(pages), table.Size(bytes))
		})
	}
	conditions := &table.Table{Indent: "  ", Columns: []table.Column{{Title: "condition", MinWidth: 20}, {Title: "asked", Right: true}, {Title: "passed", Right: true}, {Title: "time", Right: true}}}
	for _, t := range stats.Tests {
		conditions.Add(t.Condition, table.Number(t.In), table.Number(t.Out), Milliseconds(t.Time))
	}
	e.printLimited(columns, "column")
	for _, t := range []*table.Table{reasons, conditions} {
		if len(t.Rows) > 0 {
			e.r.Blank()
			e.printLimited(t, "line")
		}
	}
}

// Milliseconds returns the text of a time.
func Milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64) + " ms"
}
