package cli

import (
	"context"
	"errors"
	"flag"
	"os"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/scanner"
)

// aboutRows returns what help says of the rows that a command prints.
func aboutRows() string {
	return `
Each row is an object in JSON: its columns in the file's order, or in that of -c. NULL is
null; decimals, dates, times and timestamps are strings, and so are NaN and the
infinities; binary is base64; a list is an array, a map an array of {"key":…,"value":…}.

` + aboutFormats() + aboutUnnest
}

const aboutUnnest = `
--unnest makes a row of each item of the rows that --where lets pass. Columns of -c that
lead into its list are those of the item: "--unnest items -c id,items.sku" shows the id of
the row, and the sku of the item. Without such a column, the whole item is the last one.`

func catCommand() *Command {
	return &Command{
		Name: "cat", Args: "FILE...",
		Summary: "print the rows of all files, one after the other",
		Detail: `
Rows to leave out (--offset) and to show (-n) are counted through all files, and among
those that --where lets pass.
` + aboutWhere + aboutRows(),
		Examples: []string{
			"cat -n 5 -c order_key,comment lineitems.parquet",
			"cat --where 'quantity > 48' --format csv lineitems.parquet",
			"cat --unnest items -c order_id,items.sku orders.parquet",
			"cat --union --csv lineitems.parquet weblog.parquet",
		},
		Rows:  true,
		takes: takesSelect | takesWhere | takesLimit,
		flags: func(o *options, fs *flag.FlagSet) {
			fs.Var((*int64Flag)(&o.offset), "offset", "leave out this `number` of rows at the start, unread where possible")
			orderByFlag(o, fs)
			unnestFlag(o, fs)
		},
		run: func(ctx context.Context, o *options, in *inputs, r *Report) (*task, error) {
			if o.order.By != "" {
				return startOrdered(ctx, o, in, r)
			}
			c, err := newCatTask(ctx, o, in, r)
			if err != nil {
				return nil, err
			}
			c.skip, c.left, c.single = o.offset, limitOf(o), in.number() == 1
			return c.task(), nil
		},
	}
}

func headCommand() *Command {
	return &Command{
		Name: "head", Args: "FILE...",
		Summary: "print the first rows of each file: 10, or as many as -n says",
		Detail:  aboutWhere + aboutRows(),
		Examples: []string{
			"head -n 3 lineitems.parquet weblog.parquet",
			"head -5 --order-by 'extended_price DESC' lineitems.parquet",
			"head --vertical -n 1 orders.parquet",
		},
		arguments: noBareNumber,
		Rows:      true,
		takes:     takesSelect | takesWhere | takesLimit,
		flags: func(o *options, fs *flag.FlagSet) {
			orderByFlag(o, fs)
			unnestFlag(o, fs)
		},
		run: func(ctx context.Context, o *options, in *inputs, r *Report) (*task, error) {
			if o.limit < 0 {
				o.limit = defaultRows
			}
			if o.order.By != "" {
				return startOrdered(ctx, o, in, r)
			}
			oneTable := o.union || in.isTable
			r.shape.PerFile = in.number() > 1 && !oneTable
			c, err := newCatTask(ctx, o, in, r)
			if err != nil {
				return nil, err
			}
			c.perFile, c.left = !oneTable, o.limit
			return c.task(), nil
		},
	}
}

// noBareNumber refuses "head 5 FILE", unless there is a file 5: a number of rows is a flag here.
func noBareNumber(_ *options, args []string) ([]string, error) {
	if len(args) > 1 {
		_, noNumber := strconv.ParseUint(args[0], 10, 32)
		if _, err := os.Stat(args[0]); noNumber == nil && err != nil {
			return nil, errors.New("a number of rows is written -n " + args[0])
		}
	}
	return args, nil
}

// defaultRows is how many rows head and tail print if -n does not say.
const defaultRows = 10

func orderByFlag(o *options, fs *flag.FlagSet) {
	fs.Var(&o.order, "order-by", "the first rows of all files in the order of this `path`, which may end in DESC")
}

func unnestFlag(o *options, fs *flag.FlagSet) {
	fs.Var((*columnPath)(&o.unnest), "unnest", "a row for each item of the list at this `path`, innermost ones, beside the columns of -c")
}

// columnPath is a flag for one column.
type columnPath string

func (p *columnPath) Set(s string) error {
	if _, err := schema.ParsePath(s); err != nil {
		return err
	}
	*p = columnPath(s)
	return nil
}
func (p *columnPath) String() string { return "" }

func limitOf(o *options) int64 {
	if o.limit < 0 {
		return maxRows
	}
	return o.limit
}

// catTask prints the rows of one file after the other.
type catTask struct {
	o   *options
	r   *Report
	out RowWriter

	wants   []scanner.Want                      // the columns of one table of all files; nil: each has its own
	perFile bool                                // the limit counts in each file
	single  bool                                // there is one file
	rows    func(*input) (vector.RowSet, error) // the rows of a file to print; nil: all
	skip    int64                               // rows still to be left out
	left    int64                               // rows still to be printed
	printed int64                               // rows
	files   int
}

func newCatTask(ctx context.Context, o *options, in *inputs, r *Report) (*catTask, error) {
	if r.shape.Sums && !r.tables() {
		return nil, &usageError{what: "--sums is a line below a table, and " + r.format.Name + " is none; --format table is"}
	}
	out, err := r.format.New(r)
	if err != nil {
		return nil, err
	}
	c := &catTask{o: o, r: r, out: out}
	if o.union && o.unnest != "" {
		return nil, &usageError{what: "--union and --unnest do not go together"}
	}
	isPart := func(s selector) bool { return len(s.path) > 1 }
	if o.union || in.isTable && in.number() > 1 && o.unnest == "" && !slices.ContainsFunc(o.columns, isPart) {
		if c.wants, err = unite(ctx, in, o); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *catTask) task() *task {
	t := &task{file: c.file, finish: c.out.Finish}
	if !c.perFile && c.left < maxRows {
		t.enough = func() bool { return c.files > 0 && c.left == 0 }
	}
	return t
}

// file prints rows of one file.
func (c *catTask) file(ctx context.Context, f *input) error {
	c.files++
	if c.perFile {
		c.left = limitOf(c.o)
	}
	options := scanner.Options{
		Want: c.wants, Filter: c.o.where.expr, Unnest: c.o.unnest,
		Dictionaries: map[string]vector.DictionaryUse{"": vector.DictionaryWherePossible},
	}
	// Text costs far more than reading, and a mapping of a large file would look
	// like memory of this process.
	ctx = knobs.With(ctx, knobs.Knobs{NoMapping: true})
	if c.wants == nil {
		var err error
		if options.Select, err = c.o.columns.paths(f.Schema(), f.folders()); err != nil {
			return err
		}
		if err := f.checkColumns(c.o.columns.plain()...); err != nil {
			return err
		}
	}
	if unnest, err := schema.ParsePath(c.o.unnest); c.o.unnest != "" && err == nil {
		if err := f.checkColumns(unnest); err != nil {
			return err
		}
	}
	fields, err := f.fields(ctx, options)
	if err != nil {
		return err
	}
	if !c.single {
		allowNulls(fields) // one output, to which files with NULLs may come
	}
	if err := c.out.Columns(f.Name(), fields); err != nil {
		return err
	}
	rows, err := rowsOf(f)
	if err != nil {
		return err
	}
	if t, ok := c.out.(*table.RowTable); ok && c.o.unnest == "" && (c.perFile || c.single) {
		t.Of = rows
		t.Passing, t.Limit = c.o.where.expr != nil && c.rows == nil && c.skip == 0, c.left
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
	case c.o.unnest != "": // items are not rows
	case c.o.where.expr != nil:
		options.Limit = c.left + min(c.skip, maxRows-c.left)
	default:
		if c.skip > 0 && c.skip >= rows {
			c.skip -= rows
			return nil
		}
		options.Offset, c.skip = c.skip, 0
		options.Limit = c.left
		expected = min(rows-options.Offset, c.left)
	}
	if options.BatchRows = batchRows; c.skip == 0 {
		options.BatchRows = int(min(c.left, batchRows))
	}
	c.r.progress.watch(&options)
	err = c.printAll(ctx, f, options, expected)
	if t, ok := c.out.(*table.RowTable); ok && err != nil && c.wants == nil {
		t.Drop()
	}
	return err
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
func (c *catTask) printAll(ctx context.Context, f *input, options scanner.Options, expected int64) error {
	done, broken, err := c.print(ctx, f, options, expected)
	for last := broken; last != nil && err == nil && options.Unnest == "" && !isOutsideFile(last) && options.BatchRows > 1; {
		options.Offset += done
		options.Limit = min(c.skip+min(c.left, maxRows-c.skip), int64(options.BatchRows))
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
func (c *catTask) print(ctx context.Context, f *input, options scanner.Options, expected int64) (done int64, fault, err error) {
	for b, fault := range f.scan(ctx, options) {
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
		c.r.progress.print(done, expected, c.printed)
		if c.left == 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return done, nil, err
		}
	}
	return done, nil, nil
}

const maxRows = 1<<63 - 1

// rowsOf returns the number of rows that the row groups of a file claim. The
// footer's own number of rows is not used.
func rowsOf(f *input) (int64, error) {
	sum := int64(0)
	for i, g := range f.Footer().RowGroups {
		if g.NumRows < 0 || g.NumRows > maxRows-sum {
			return 0, &scanner.Error{File: f.Name(), RowGroup: i, Page: -1, Offset: -1, Err: corrupt.At(-1, "footer: a row group of ", g.NumRows, " rows")}
		}
		sum += g.NumRows
	}
	return sum, nil
}
