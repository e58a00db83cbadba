package answer

import (
	"context"
	"iter"
	"runtime"
	"strings"
	"sync"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/summary"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/scanner"
)

func Describe() *command.Command {
	return &command.Command{
		Name: "describe", Args: "FILE...",
		Summary: "show what the values of each column are: extremes, mean, frequent ones",
		Detail: `
Each column is read once. Files with the same columns are one table. NULLs are counted;
all else leaves them out. "~" stands before numbers of different values that are estimated, with an
error of some 2 %; up to a few thousand they are exact. The bars count numbers and times
in parts of one width between the least and the greatest: of whole numbers, days and
other steps, parts of as many steps each. Of other columns, and of those with few values,
the most frequent are shown, each with its share of all rows. NaN and infinite numbers
have columns of their own where there are any; mean and bars leave them out. Where
statistics are exact, min and max are theirs.
` + command.AboutWhere + `
JSON records, by kind:
  table   files, rows, columns
  column  column, type, slots, nulls, nans, negative_infinities, infinities, distinct,
          exact (of distinct), min, max, mean, top (value, count: at least that often),
          histogram (counts in parts of one width), histogram_bounds (where each part
          begins, and the greatest number)`,
		Examples: []string{
			"describe lineitems.parquet",
			"describe -w 'status >= 500' -c latency_ms,url weblog.parquet",
		},
		Takes: command.TakesSelect | command.TakesWhere,
		Run: func(_ context.Context, o *command.Options, _ *input.Files, r *output.Report) (*command.Task, error) {
			d := &description{o: o, r: r}
			return &command.Task{File: d.add, Finish: d.finish, Ahead: input.Ahead{Scan: d.options}}, nil
		},
	}
}

// options returns those of the scan of a file, and in how many parts it is read.
func (d *description) options(f *input.File) (o scanner.Options, parts int, err error) {
	o = scanner.Options{
		Filter: d.o.Where.Expr, BatchRows: describedRows,
		Dictionaries: map[string]vector.DictionaryUse{"": vector.DictionaryWherePossible},
	}
	if o.Select, err = f.Select(d.o.Columns); err != nil {
		return o, 0, err
	}
	d.r.Progress.Watch(&o, f.Name())
	rows, err := input.RowsOf(f)
	return o, int(min(int64(runtime.GOMAXPROCS(0)), 1+rows/minRowsOfPart)), err
}

// add reads a file, with all processors.
func (d *description) add(ctx context.Context, f *input.File) error {
	ctx = knobs.With(ctx, knobs.Knobs{NoMapping: true}) // as cat does
	o, n, err := d.options(f)
	if err != nil {
		return err
	}
	fields, err := f.WithFolders().Fields(ctx, o)
	if err != nil {
		return err
	}
	parts := f.Partitions(ctx, o, n)
	tables, faults := make([]*summary.Table, len(parts)), make([]error, len(parts))
	var running sync.WaitGroup
	for i, part := range parts {
		tables[i] = summary.New(fields)
		if d.o.Where.Expr == nil {
			expect(f, tables[i])
		}
		running.Go(func() { faults[i] = sumUp(tables[i], part) })
	}
	running.Wait()
	for i := range parts {
		if faults[i] != nil {
			return faults[i]
		}
		if i > 0 {
			tables[0].Merge(tables[i])
		}
	}
	d.merge(f.Name(), tables[0])
	return nil
}

// minRowsOfPart is how many rows make a goroutine of their own worth while.
const minRowsOfPart = 500_000

// describedRows are large batches: a summary does little for each.
const describedRows = 32 << 10

func sumUp(t *summary.Table, part iter.Seq2[*vector.Batch, error]) error {
	for b, err := range part {
		if err != nil {
			return err
		}
		if !t.Add(b) {
			b.Release()
		}
	}
	t.Finish()
	return nil
}

// expect tells a table what the footer proves of the columns that are no parts of others, and
// that share their name with none.
func expect(f *input.File, t *summary.Table) {
	named := map[string]int{}
	for _, n := range f.Schema().Root().Children {
		named[n.Name]++
	}
	for _, c := range t.Columns {
		if len(c.Path) > 1 || named[c.Path[0]] > 1 || f.IsFolder(c.Path[0]) {
			continue
		}
		var least, most vector.Scalar
		exact := true
		for g := range f.Footer().RowGroups {
			z, err := f.ZoneMap(g, schema.FormatPath(c.Path))
			if err == nil && z.Slots >= 0 && z.Slots == z.Nulls {
				continue // nothing but NULL
			}
			if err != nil || !z.MinExact || !z.MaxExact || z.Min.IsNull() || z.Max.IsNull() {
				exact = false
				break
			}
			input.Widen(&least, &most, z.Min, z.Max)
		}
		if exact {
			c.Expect(least, most)
		}
	}
}

// merge adds the table of a file to that of the files before, if it has the same columns.
func (d *description) merge(file string, t *summary.Table) {
	var b strings.Builder
	for _, c := range t.Columns {
		b.WriteString(schema.FormatPath(c.Path) + " " + c.Type.String() + "\n")
	}
	for _, before := range d.tables {
		if before.columns == b.String() {
			before.files++
			before.Merge(t)
			return
		}
	}
	d.tables = append(d.tables, &described{columns: b.String(), first: file, files: 1, Table: t})
}
