package explain

import (
	"context"
	"errors"
	"flag"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

func Explain() *command.Command {
	return &command.Command{
		Name: "explain", Args: "FILE...",
		Summary: "show what a scan will leave out, and why, before it reads data; --analyze runs it",
		Detail: `
For each row group: its rows, how many of them may pass, and how many cannot, by what
proves it: statistics of the column chunks, the page index, Bloom filters. For each test
that --where comes down to: its verdict on the row group, which is "none" or "all" if that
is certain of each row wanted, "some" if nothing is, and else "parts"; on how many rows it
must still be asked, and why. Row groups of which the same holds share a line. Metadata that
contradict themselves are named, and not used.

--analyze runs the scan of the columns of -c and shows for each column what became of
its pages: never read, and why; passed with only their headers read; decompressed, but
none of their values decoded; decoded. Bytes fetched include dictionaries. Of each
condition: of how many rows it was asked, how many passed, and how long that took.

--picture runs the scan, too, and draws it: a row for each column, a cell for each page, as
wide as it has rows and as high as it has bytes, coloured by what became of it. A page of
HTML tells the rest of each page under the mouse or by the arrow keys.
` + command.AboutWhere + `
JSON records, by kind:
  file       file, where, program, hint, rows, may_pass, row_groups, bytes (of the columns asked for), may_read (of these)
  row_group  file, row_group, rows, may_pass, ranges ([from, to) of rows), by_statistics, by_page_index, by_bloom
  test       file, row_group, column, test, verdict, none, all, open, because (why rows are open, or not asked)
  invalid    file, row_group, column, part, error
  run        file, rows, batches, bytes, metadata (bytes read), plan_seconds, scan_seconds
  column     file, column, for (filter, result, both), pages and bytes (each: unread, undecompressed, undecoded, decoded),
             dictionary (bytes), untouched (reason, pages, bytes), fetched, inflated, values
  condition  file, condition, in, out, seconds`,
		Examples: []string{
			"explain -w 'user_id = 100000' weblog.parquet",
			"explain --analyze -c url -w 'status = 404' weblog.parquet",
		},
		Takes: command.TakesSelect | command.TakesWhere | command.TakesLimit,
		Flags: func(o *command.Options, fs *flag.FlagSet) {
			fs.BoolVar(&o.Analyze, "analyze", false, "run the scan, and show its counters and times")
			fs.StringVar(&o.Picture, "picture", "", "run the scan, and draw each page to this `file` (.html or .svg)")
		},
		Arguments: func(o *command.Options, args []string) ([]string, error) {
			switch ending := strings.ToLower(filepath.Ext(o.Picture)); {
			case ending != "" && ending != ".html" && ending != ".htm" && ending != ".svg":
				return nil, errors.New("--picture " + fault.ShortName(o.Picture) + ": pictures are .html or .svg")
			case o.Picture != "" && len(args) > 1:
				return nil, errors.New("--picture draws one file")
			}
			return args, nil
		},
		Run: command.EachFile(showExplain, func(name string, o *command.Options, r *output.Report) {
			recordFile(r, name, o.Where.Expr.String(), "", "", 0, 0, 0, 0, 0)
		}),
	}
}

// recordFile writes the record of a file.
func recordFile(r *output.Report, file, where, program, hint string, rows, mayPass int64, rowGroups int, bytes, mayRead int64) {
	r.Record("kind", "file", "file", file, "where", output.OmitZero(where), "program", output.OmitZero(program), "hint", output.OmitZero(hint), "rows", rows, "may_pass", mayPass,
		"row_groups", rowGroups, "bytes", bytes, "may_read", mayRead)
}

func showExplain(ctx context.Context, f *input.File, o *command.Options, r *output.Report) error {
	e, err := PlanOf(ctx, f, o, r)
	if err != nil {
		return err
	}
	show := e.records
	if r.Tables() {
		show = e.Tables
	}
	if err := show(ctx); err != nil || !o.Analyze && o.Picture == "" {
		return err
	}
	return e.analyze(ctx)
}

func (e *Explanation) records(ctx context.Context) error {
	rows, pass := e.sums()
	_, mayRead, bytes := e.summary()
	program, hint := "", ""
	if e.program != nil {
		program, hint = e.program.String(), e.program.Hint()
	}
	recordFile(e.r, e.File.Name(), e.plan.Filter, program, hint, rows, pass, len(e.plan.Groups), bytes, mayRead)
	for i := range e.plan.Groups {
		g := &e.plan.Groups[i]
		ranges := [][2]int64{}
		for _, r := range g.Rows {
			ranges = append(ranges, [2]int64{r.From, r.To})
		}
		e.r.Record("kind", "row_group", "file", e.File.Name(), "row_group", g.RowGroup, "rows", e.rowsOf(g), "may_pass", g.Rows.Len(), "ranges", ranges,
			"by_statistics", g.ByStatistics, "by_page_index", g.ByPageIndex, "by_bloom", g.ByBloom)
		for k := range g.Tests {
			t := &g.Tests[k]
			w, err := e.finding(ctx, g, t)
			if err != nil {
				return err
			}
			e.r.Record("kind", "test", "file", e.File.Name(), "row_group", g.RowGroup, "column", t.Column, "test", t.Test, "verdict", w.verdict,
				"none", w.none, "all", w.all, "open", w.open, "because", output.OmitZero(w.reasons()))
		}
		for _, x := range g.Invalid {
			e.r.Record("kind", "invalid", "file", e.File.Name(), "row_group", g.RowGroup, "column", x.Column, "part", x.Part, "error", x.Error)
		}
	}
	return nil
}

// Tables writes the plan for people.
func (e *Explanation) Tables(ctx context.Context) error {
	rows, pass := e.sums()
	e.r.Heading(e.File.Name(), table.Number(pass)+" of "+table.Plural(rows, "row")+" may pass")
	if e.program != nil {
		e.r.Heading("  where", e.plan.Filter)
		if text := e.program.String(); text != e.plan.Filter {
			e.r.Heading("  runs ", text)
		}
		if hint := e.program.Hint(); hint != "" {
			e.r.Heading("  hint ", hint)
		}
	}
	groups, bytes, allBytes := e.summary()
	e.r.Heading("  reads", table.Number(groups)+" of "+table.Plural(int64(len(e.plan.Groups)), "row group")+", at most "+table.Size(bytes)+" of "+table.Size(allBytes)+" in the columns asked for")
	e.r.Blank()
	lines := &table.Table{Indent: "  ", Columns: []table.Column{
		{Title: "row group", Right: true}, {Title: "rows", Right: true}, {Title: "may pass", Right: true},
		{Title: "statistics", Right: true}, {Title: "page index", Right: true}, {Title: "bloom", Right: true}, {Title: "which", MinWidth: 10},
	}}
	for _, l := range e.groupLines() {
		lines.Add(groupsText(l.first, l.last), table.Number(l.rows), table.Number(l.pass), table.NumberIf(l.stats > 0, l.stats),
			table.NumberIf(l.pages > 0, l.pages), table.NumberIf(l.blooms > 0, l.blooms), l.which)
	}
	invalid := &table.Table{Indent: "  ", Columns: []table.Column{{Title: "row group", Right: true}, {Title: "column", MinWidth: 10}, {Title: "not used"}, {Title: "because", MinWidth: 20}}}
	for i := range e.plan.Groups {
		for _, x := range e.plan.Groups[i].Invalid {
			invalid.Add(strconv.Itoa(e.plan.Groups[i].RowGroup), x.Column, x.Part, x.Error)
		}
	}
	e.printLimited(lines, "line")
	if err := e.printTests(ctx); err != nil {
		return err
	}
	if len(invalid.Rows) > 0 {
		e.r.Blank()
		e.printLimited(invalid, "part")
	}
	return nil
}

// printTests prints what metadata prove about each condition. Where the screen has no room for
// the conditions beside it, they are headings.
func (e *Explanation) printTests(ctx context.Context) error {
	found, err := e.findings(ctx)
	if err != nil {
		return err
	}
	found = collapse(found)
	shown := e.o.Shown(len(found))
	beside := &table.Table{Indent: "  ", Columns: []table.Column{
		{Title: "condition"}, {Title: "row group", Right: true}, {Title: "verdict"},
		{Title: "none", Right: true}, {Title: "all", Right: true}, {Title: "open", Right: true}, {Title: "because", MinWidth: 30, Wrap: true},
	}}
	looks := map[string]table.Style{"none": table.Green, "all": table.Green, "parts": table.Cyan}
	below := &table.Table{Indent: beside.Indent, Columns: beside.Columns[1:]}
	for i, w := range found[:shown] {
		beside.Add(w.test, groupsText(w.first, w.last), table.Cell{Text: w.verdict, Style: looks[w.verdict]}, table.NumberIf(w.none > 0, w.none), table.NumberIf(w.all > 0, w.all), table.NumberIf(w.open > 0, w.open), w.reasons())
		if i == 0 || w.test != found[i-1].test {
			below.Heading(w.test)
		}
		below.Rows = append(below.Rows, beside.Rows[i][1:])
	}
	if len(found) > 0 {
		e.r.Blank()
	}
	if beside.Fits(e.r.Screen) {
		e.r.Print(beside)
	} else {
		e.r.Print(below)
	}
	e.r.NoteHidden("  ", len(found)-shown, "line")
	return nil
}
