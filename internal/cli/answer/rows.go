package answer

import (
	"context"
	"flag"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// aboutRows returns what help says of the rows that a command prints.
func aboutRows() string {
	return `
Each row is an object in JSON: its columns in the file's order, or in that of -c. NULL is
null; decimals, dates, times and timestamps are strings, and so are NaN and the
infinities; binary is base64; a list is an array, a map an array of {"key":…,"value":…}.
A VARIANT is the JSON of its value, shredded or not; decimals in it are numbers.

` + output.AboutFormats() + aboutUnnest
}

const aboutUnnest = `
--unnest makes a row of each item of the rows that --where lets pass. Columns of -c that
lead into its list are those of the item: "--unnest items -c id,items.sku" shows the id of
the row, and the sku of the item. Without such a column, the whole item is the last one.`

// defaultRows is how many rows head and tail print if -n does not say.
const defaultRows = 10

func orderByFlag(o *command.Options, fs *flag.FlagSet) {
	fs.Func("order-by", "the first rows of all files in the order of this `path`, which may end in DESC", o.SetOrder)
}

func unnestFlag(o *command.Options, fs *flag.FlagSet) {
	fs.Func("unnest", "a row for each item of the list at this `path`, innermost ones, beside the columns of -c", command.Path(&o.Unnest))
}

func limitOf(o *command.Options) int64 {
	if o.Limit < 0 {
		return input.MaxRows
	}
	return o.Limit
}

// rowTask prints the rows of one file after the other.
type rowTask struct {
	o   *command.Options
	r   *output.Report
	out output.RowWriter

	union   *dataset.Union                           // the columns of one table of all files; nil: each has its own
	columns []string                                 // those of the union that -c names
	perFile bool                                     // the limit counts in each file
	single  bool                                     // there is one file
	rows    func(*input.File) (vector.RowSet, error) // the rows of a file to print; nil: all
	skip    int64                                    // rows still to be left out
	left    int64                                    // rows still to be printed
	printed int64                                    // rows
	files   int
}

func newRowTask(ctx context.Context, o *command.Options, in *input.Files, r *output.Report) (*rowTask, error) {
	if r.Shape.Sums && !r.Tables() {
		return nil, &fault.UsageError{What: "--sums is a line below a table, and " + r.Format.Name + " is none; --format table is"}
	}
	out, err := r.Format.New(r)
	if err != nil {
		return nil, err
	}
	c := &rowTask{o: o, r: r, out: out}
	if o.Union && o.Unnest != "" {
		return nil, &fault.UsageError{What: "--union and --unnest do not go together"}
	}
	if o.Union || in.IsTable && in.Number() > 1 && o.Unnest == "" {
		if c.union, c.columns, err = unite(ctx, in, o); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *rowTask) task() *command.Task {
	t := &command.Task{File: c.file, Finish: c.out.Finish}
	if !c.perFile && c.left < input.MaxRows {
		t.Enough = func() bool { return c.files > 0 && c.left == 0 }
	}
	return t
}

// options returns those of the scan of a file, without its bounds.
func (c *rowTask) options(f *input.File) (o scanner.Options, err error) {
	o = scanner.Options{
		Select: c.columns, Filter: c.o.Where.Expr, Unnest: c.o.Unnest, BatchRows: batchRows,
		Dictionaries: map[string]vector.DictionaryUse{"": vector.DictionaryWherePossible},
	}
	if c.union == nil {
		o.Select, err = f.Select(c.o.Columns)
	}
	if unnest, fault := schema.ParsePath(c.o.Unnest); c.o.Unnest != "" && fault == nil && err == nil {
		err = f.CheckColumns(unnest)
	}
	c.r.Progress.Watch(&o, f.Name())
	return o, err
}

// fewRows are so few that those of all files that are open may be read before their turn.
const fewRows = 1000

// ahead returns what begins to read far files of which all rows are printed, those of c.rows, or the first ones of
// each: most, or fewer.
func (c *rowTask) ahead(most int64) input.Ahead {
	return input.Ahead{Few: most <= fewRows, Scan: func(f *input.File) (o scanner.Options, parts int, err error) {
		o, err = c.options(f)
		if err == nil && c.rows != nil {
			o.Rows, err = c.rows(f)
		}
		if c.perFile && c.o.Unnest == "" {
			o.Limit, o.BatchRows = most, int(min(most, batchRows))
		}
		return o, int(min(most, 1)), err
	}}
}

// file prints rows of one file.
func (c *rowTask) file(ctx context.Context, f *input.File) error {
	c.files++
	if c.perFile {
		c.left = limitOf(c.o)
	}
	// Text costs far more than reading, and a mapping of a large file would look
	// like memory of this process.
	ctx = knobs.With(ctx, knobs.Knobs{NoMapping: true})
	options, err := c.options(f)
	if err != nil {
		return err
	}
	fields, err := f.WithFolders().Fields(ctx, options)
	if err != nil {
		return err
	}
	if !c.single {
		allowNulls(fields) // one output, to which files with NULLs may come
	}
	if err := c.setColumns(f.Name(), fields); err != nil {
		return err
	}
	rows, err := input.RowsOf(f)
	if err != nil {
		return err
	}
	if t, ok := c.out.(*table.RowTable); ok && c.o.Unnest == "" && (c.perFile || c.single) {
		t.Of = rows
		t.Passing, t.Limit = c.o.Where.Expr != nil && c.rows == nil && c.skip == 0, c.left
	}
	if c.rows != nil {
		if options.Rows, err = c.rows(f); err != nil {
			return err
		}
		rows = options.Rows.Len()
	}
	if c.left == 0 {
		return nil
	}
	expected := int64(0) // the number of rows that will be printed; 0: not known
	switch {
	case c.o.Unnest != "": // items are not rows
	case c.o.Where.Expr != nil:
		options.Limit = c.left + min(c.skip, input.MaxRows-c.left)
	default:
		if c.skip > 0 && c.skip >= rows {
			c.skip -= rows
			return nil
		}
		options.Offset, c.skip = c.skip, 0
		options.Limit = c.left
		expected = min(rows-options.Offset, c.left)
	}
	if c.left == input.MaxRows {
		options.Limit = 0 // a scan with a limit begins with little
	}
	if c.skip == 0 {
		options.BatchRows = int(min(c.left, batchRows))
	}
	err = c.printAll(ctx, f, options, expected)
	if t, ok := c.out.(*table.RowTable); ok && err != nil && c.union == nil {
		t.Drop()
	}
	return err
}

// setColumns names the columns of a file to the writer of rows.
func (c *rowTask) setColumns(file string, fields []vector.Field) error {
	if c.o.Raw {
		fields = vector.AsStored(fields)
	}
	return c.out.Columns(file, fields)
}

// allowNulls makes fields nullable at each level. The parts of a VARIANT stay as they are: the format
// says which of them are required.
func allowNulls(fields []vector.Field) {
	for i := range fields {
		if fields[i].Nullable = true; fields[i].Type.Logical != vector.Variant {
			allowNulls(fields[i].Children)
		}
	}
}

// printAll prints what a scan gives. A fault loses the good rows in front of it
// that belong to its batch: printAll goes on with smaller batches until these are
// printed, too.
func (c *rowTask) printAll(ctx context.Context, f *input.File, options scanner.Options, expected int64) error {
	done, broken, err := c.print(ctx, f, options, expected)
	for last := broken; last != nil && err == nil && options.Unnest == "" && !fault.IsOutsideFile(last) && options.BatchRows > 1; {
		options.Offset += done
		options.Limit = min(c.skip+min(c.left, input.MaxRows-c.skip), int64(options.BatchRows))
		options.BatchRows = max(options.BatchRows/16, 1)
		if done, last, err = c.print(ctx, f, options, expected); last != nil {
			broken = last
		}
	}
	if err != nil {
		return err
	}
	return broken
}

// batchRows is large enough for the fixed costs of a batch, and small enough for
// it to stay in the processor's caches on the way to text.
const batchRows = 4096

// print prints what a scan gives, without the rows to be left out. It returns how
// many rows the scan gave, and the fault of the file that ended it.
func (c *rowTask) print(ctx context.Context, f *input.File, options scanner.Options, expected int64) (done int64, fault, err error) {
	for b, fault := range f.Partitions(ctx, options, 1)[0] {
		if fault != nil {
			return done, fault, nil
		}
		from := min(c.skip, int64(b.Len))
		to := from + min(c.left, int64(b.Len)-from)
		err := c.out.Rows(b, int(from), int(to))
		n := int64(b.Len)
		b.Release() // what is printed is text by now
		if err != nil {
			return done, nil, err
		}
		c.skip -= from
		c.left -= to - from
		c.printed += to - from
		done += n
		c.r.Progress.Print(done, expected, c.printed)
		if c.left == 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return done, nil, err
		}
	}
	return done, nil, nil
}
