package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/table"
)

// takes is the set of shared flags that a command knows.
type takes uint

const (
	takesSelect takes = 1 << iota
	takesWhere
	takesLimit
	takesRowGroup
)

// options are the flags of one command line. Those with a short form mean the
// same in every command.
type options struct {
	columns selection // -c, --select
	where   where     // -w, --where
	limit   int64     // -n, --limit; negative for all
	output  string    // -o, --output; "" for standard output
	format  string    // --format; "": the output decides

	shape table.Shape // --vertical, --all-columns, --sums
	wide  bool        // --wide

	rowGroup   int     // --row-group; negative for all
	page       int     // dump: --page; negative if not given
	dictionary bool    // dump: --page dict
	test       *string // bloom: --test; nil: not given

	rowsOptions

	column string // min, max: COLUMN

	cache    farCache
	keys     keyFile
	progress progressFlag // --progress

	analyze bool   // explain: --analyze
	picture string // explain: --picture; "": none

	prepared func(ctx context.Context, call *Call) error // what Command.Prepare returned; nil without it
}

// rowsOptions are those of commands that print rows, each of some of them.
type rowsOptions struct {
	offset int64     // cat: --offset
	unnest string    // cat, head, sample: --unnest
	sample int64     // sample: N
	seed   *uint64   // sample: --seed; nil: chance
	order  orderFlag // cat, head: --order-by
	union  bool      // --union
}

// declare adds the flags of a command to fs.
func (cmd *Command) declare(o *options, fs *flag.FlagSet) {
	if cmd.print != nil {
		return
	}
	o.keys.declare(fs)
	if cmd.far {
		o.cache.declare(fs)
	}
	if cmd.Rows || cmd.Prepare == nil {
		cmd.declareOutput(o, fs)
	}
	if cmd.Prepare != nil {
		o.prepared = cmd.Prepare(fs)
		return
	}
	if cmd.takes&takesSelect != 0 {
		both(fs, "c", "select", &o.columns, "`columns` to show: a,b.c,\"odd, name\"; a group stands for all within; 'c00*' for all so named, -blob for all but blob")
	}
	if cmd.takes&takesWhere != 0 {
		both(fs, "w", "where", &o.where, "`condition` that rows must meet, as in SQL")
	}
	if cmd.takes&takesLimit != 0 {
		what := "lines of each table"
		if cmd.Rows {
			what = "rows"
		}
		both(fs, "n", "limit", (*int64Flag)(&o.limit), "show at most this `number` of "+what)
	}
	if cmd.takes&takesRowGroup != 0 {
		fs.Var((*intFlag)(&o.rowGroup), "row-group", "only the row group of this `number`, from 0")
	}
	fs.Var(&o.progress, "progress", "`when` to show how far the work has come: auto (on a terminal, after a second), always, never")
	cmd.declareShape(o, fs)
	if cmd.flags != nil {
		cmd.flags(o, fs)
	}
}

// declareShape adds the flags that say how a table is laid out on a terminal.
func (cmd *Command) declareShape(o *options, fs *flag.FlagSet) {
	fs.BoolVar(&o.wide, "wide", false, "on a terminal, cut nothing, however long lines become")
	if cmd.Rows {
		fs.BoolVar(&o.union, "union", false, "files are one table: columns that any of them has, NULL where one is missing")
		fs.BoolVar(&o.shape.Vertical, "vertical", false, "in tables, show the columns of a row one below the other")
		fs.BoolVar(&o.shape.Sums, "sums", false, "in tables, show the sum of each column of numbers below the rows")
		fs.BoolVar(&o.shape.AllColumns, "all-columns", false, "in tables, show every column: where not all fit side by side, one below the other")
	}
}

// declareOutput adds the flags that say where the answer goes, and in which form.
func (cmd *Command) declareOutput(o *options, fs *flag.FlagSet) {
	to := "write to this `file`, unless anything fails; ." + strings.Join(endings(cmd.formats), ", .") + " choose the form"
	fs.StringVar(&o.output, "o", "", to)
	fs.StringVar(&o.output, "output", "", to)
	fs.StringVar(&o.format, "format", "", "`form` of the answer, whatever the ending of -o: "+strings.Join(formatNames(cmd.formats), ", "))
}

// both declares a flag under its short and its long name.
func both(fs *flag.FlagSet, short, long string, v flag.Value, usage string) {
	fs.Var(v, short, usage)
	fs.Var(v, long, usage)
}

// newFlagSet returns a set of flags without any, which says nothing by itself.
func newFlagSet(cmd *Command) *flag.FlagSet {
	fs := flag.NewFlagSet(cmd.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// parse reads the flags and files that follow the command's name.
func parse(cmd *Command, args []string) (*options, []string, error) {
	o := &options{limit: -1, rowGroup: -1, page: -1}
	fs := newFlagSet(cmd)
	cmd.declare(o, fs)
	files, err := parseAnywhere(cmd, fs, args)
	if err != nil {
		return nil, nil, explainFlag(cmd, err)
	}
	if err := o.where.parse(); err != nil {
		return nil, nil, err
	}
	if err := cmd.chooseFormat(o); err != nil {
		return nil, nil, err
	}
	if cmd.arguments != nil {
		if files, err = cmd.arguments(o, files); err != nil {
			return nil, nil, err
		}
	}
	if len(files) == 0 {
		return nil, nil, errors.New("which file?")
	}
	return o, files, nil
}

// chooseFormat checks the format that was asked for, or takes it from the name of the output.
func (cmd *Command) chooseFormat(o *options) (err error) {
	if o.output == toStdout {
		o.output = ""
	}
	if known := formatNames(cmd.formats); o.format != "" && !slices.Contains(known, o.format) {
		return fmt.Errorf("no format %q, only %s", o.format, strings.Join(known, ", "))
	}
	if o.format == "" && o.output != "" {
		o.format, err = formatOf(cmd.formats, o.output, cmd.Rows)
	}
	return err
}
