package command

import (
	"cmp"
	"errors"
	"flag"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/cli/output"
)

// declare adds the flags of a command to fs.
func (cmd *Command) declare(o *Options, fs *flag.FlagSet) {
	if cmd.Print != nil {
		return
	}
	o.Keys.Declare(fs)
	if cmd.Far {
		o.Cache.Declare(fs)
	}
	if cmd.Rows || cmd.Prepare == nil {
		to := "write to this `file`, unless anything fails; ." + strings.Join(output.Endings(cmd.Formats), ", .") + " choose the form"
		fs.StringVar(&o.Output, "o", "", to)
		fs.StringVar(&o.Output, "output", "", to)
		fs.StringVar(&o.Format, "format", "", "`form` of the answer, whatever the ending of -o: "+strings.Join(output.FormatNames(cmd.Formats), ", "))
	}
	if cmd.Prepare != nil {
		o.Prepared = cmd.Prepare(fs)
		return
	}
	if cmd.Takes&TakesSelect != 0 {
		both(fs, "c", "select", "`columns` to show: a,b.c,\"odd, name\"; a group stands for all within; 'c00*' for all so named, -blob for all but blob", o.Columns.Set)
	}
	if cmd.Takes&TakesWhere != 0 {
		both(fs, "w", "where", "`condition` that rows must meet, as in SQL", o.Where.Set)
	}
	if cmd.Takes&TakesLimit != 0 {
		what := "lines of each table"
		if cmd.Rows {
			what = "rows"
		}
		both(fs, "n", "limit", "show at most this `number` of "+what, Number(&o.Limit, 63))
	}
	if cmd.Takes&TakesRowGroup != 0 {
		fs.Func("row-group", "only the row group of this `number`, from 0", Number(&o.RowGroup, 31))
	}
	fs.Func("progress", "`when` to show how far the work has come: auto (on a terminal, after a second), always, never", o.Progress.Set)
	cmd.declareShape(o, fs)
	if cmd.Flags != nil {
		cmd.Flags(o, fs)
	}
}

// declareShape adds the flags that say how a table is laid out on a terminal.
func (cmd *Command) declareShape(o *Options, fs *flag.FlagSet) {
	fs.BoolVar(&o.Wide, "wide", false, "on a terminal, cut nothing, however long lines become")
	if cmd.Rows {
		fs.BoolVar(&o.Union, "union", false, "files are one table: columns that any of them has, NULL where one is missing")
		fs.BoolVar(&o.Raw, "raw", false, "print a VARIANT as the groups that the file stores, not as its value")
		fs.BoolVar(&o.Shape.Vertical, "vertical", false, "in tables, show the columns of a row one below the other")
		fs.BoolVar(&o.Shape.Sums, "sums", false, "in tables, show the sum of each column of numbers below the rows")
		fs.BoolVar(&o.Shape.AllColumns, "all-columns", false, "in tables, show every column: where not all fit side by side, one below the other")
	}
}

// newFlagSet returns a set of flags without any, which says nothing by itself.
func newFlagSet(cmd *Command) *flag.FlagSet {
	fs := flag.NewFlagSet(cmd.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// Path returns what reads the path of one column.
func Path(to *string) func(string) error {
	return func(s string) error {
		if _, err := schema.ParsePath(s); err != nil {
			return err
		}
		*to = s
		return nil
	}
}

// Number returns what reads a number from 0 on, of so many bits.
func Number[T int | int64 | uint64](to *T, bits int) func(string) error {
	return func(s string) error {
		n, err := strconv.ParseUint(s, 10, bits)
		if err != nil {
			return errors.New("want a number from 0 on")
		}
		*to = T(n)
		return nil
	}
}

// both declares a flag under its short and its long name.
func both(fs *flag.FlagSet, short, long, usage string, set func(string) error) {
	fs.Func(short, usage, set)
	fs.Func(long, usage, set)
}

// SetOrder reads the path of --order-by, with ASC or DESC behind it.
func (o *rowsOptions) SetOrder(text string) error {
	path, descending := strings.TrimSpace(text), false
	if i := strings.LastIndexByte(path, ' '); i > 0 {
		switch direction := strings.ToUpper(path[i+1:]); direction {
		case "ASC", "DESC":
			path, descending = strings.TrimSpace(path[:i]), direction == "DESC"
		}
	}
	names, err := schema.ParsePath(path)
	if err != nil {
		return err
	}
	if last := names[len(names)-1]; strings.Contains(last, ",") && !strings.HasSuffix(path, `"`) {
		return errors.New("rows are ordered by one path, so without a comma; a name that has one stands in double quotes")
	}
	o.Order.By, o.Order.Descending = path, descending
	return nil
}

// Flag is one flag under all its names, for help and completion.
type Flag struct {
	Names    []string // short first
	Argument string
	Usage    string
}

// Spelling returns the names and the argument, as help shows them.
func (f Flag) Spelling() string {
	var b strings.Builder
	for i, n := range f.Names {
		if i > 0 {
			b.WriteString(", ")
		} else if len(n) > 1 {
			b.WriteString("    ")
		}
		b.WriteString(Dashed(n))
	}
	if f.Argument != "" {
		b.WriteString(" " + strings.ToUpper(f.Argument))
	}
	return b.String()
}

// Dashed returns the name of a flag as it is typed.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// FlagsOf returns the flags of a command: those with a letter first, as most wanted, each by
// their long names.
func FlagsOf(cmd *Command) []Flag {
	fs := newFlagSet(cmd)
	cmd.declare(&Options{}, fs)
	var docs []Flag
	fs.VisitAll(func(f *flag.Flag) {
		argument, usage := flag.UnquoteUsage(f)
		for i := range docs {
			if docs[i].Usage == usage {
				docs[i].Names = append(docs[i].Names, f.Name)
				return
			}
		}
		docs = append(docs, Flag{[]string{f.Name}, argument, usage})
	})
	for _, d := range docs {
		slices.SortFunc(d.Names, func(a, b string) int { return len(a) - len(b) })
	}
	slices.SortFunc(docs, func(a, b Flag) int {
		return cmp.Or(min(len(b.Names), 2)-min(len(a.Names), 2), strings.Compare(a.Long(), b.Long()))
	})
	return docs
}

// Long returns the long name of the flag, or its only one.
func (f Flag) Long() string { return f.Names[len(f.Names)-1] }
