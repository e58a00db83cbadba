package command

import (
	"flag"
	"io"
	"strings"

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
		cmd.declareOutput(o, fs)
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
		fs.BoolVar(&o.Shape.Vertical, "vertical", false, "in tables, show the columns of a row one below the other")
		fs.BoolVar(&o.Shape.Sums, "sums", false, "in tables, show the sum of each column of numbers below the rows")
		fs.BoolVar(&o.Shape.AllColumns, "all-columns", false, "in tables, show every column: where not all fit side by side, one below the other")
	}
}

// declareOutput adds the flags that say where the answer goes, and in which form.
func (cmd *Command) declareOutput(o *Options, fs *flag.FlagSet) {
	to := "write to this `file`, unless anything fails; ." + strings.Join(output.Endings(cmd.Formats), ", .") + " choose the form"
	fs.StringVar(&o.Output, "o", "", to)
	fs.StringVar(&o.Output, "output", "", to)
	fs.StringVar(&o.Format, "format", "", "`form` of the answer, whatever the ending of -o: "+strings.Join(output.FormatNames(cmd.Formats), ", "))
}

// newFlagSet returns a set of flags without any, which says nothing by itself.
func newFlagSet(cmd *Command) *flag.FlagSet {
	fs := flag.NewFlagSet(cmd.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}
