package command

import (
	"context"
	"errors"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/progress"
	"github.com/winnow-scan/winnow/internal/cli/selection"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/scanner"
)

// takes is the set of shared flags that a command knows.
type takes uint

const (
	TakesSelect takes = 1 << iota
	TakesWhere
	TakesLimit
	TakesRowGroup
)

// Options are the flags of one command line. Those with a short form mean the
// same in every command.
type Options struct {
	Columns selection.Columns // -c, --select
	Where   Where             // -w, --where
	Limit   int64             // -n, --limit; negative for all
	Output  string            // -o, --output; "" for standard output
	Format  string            // --format; "": the output decides

	Shape table.Shape // --vertical, --all-columns, --sums
	Wide  bool        // --wide

	RowGroup   int     // --row-group; negative for all
	Page       int     // dump: --page; negative if not given
	Dictionary bool    // dump: --page dict
	Test       *string // bloom: --test; nil: not given

	rowsOptions

	Column string // min, max: COLUMN

	Cache    input.Cache
	Keys     input.Keys
	Progress progress.Flag // --progress

	Analyze bool   // explain: --analyze
	Picture string // explain: --picture; "": none

	Prepared func(ctx context.Context, call *Call) error // what Command.Prepare returned; nil without it
}

// Shown returns how many of n lines -n lets through.
func (o *Options) Shown(n int) int {
	if o.Limit >= 0 {
		n = int(min(int64(n), o.Limit))
	}
	return n
}

// rowsOptions are those of commands that print rows, each of some of them.
type rowsOptions struct {
	Offset int64         // cat: --offset
	Unnest string        // cat, head, sample: --unnest
	Sample int64         // sample: N
	Seed   *uint64       // sample: --seed; nil: chance
	Order  scanner.Order // cat, head: --order-by
	Union  bool          // --union
	Raw    bool          // --raw
}

// Selected returns the numbers of the selected row groups and leaves.
func (o *Options) Selected(f *input.File) (groups, leaves []int, err error) {
	if leaves, err = o.Columns.Leaves(f.Schema()); err == nil {
		groups, err = o.RowGroups(f)
	}
	return groups, leaves, err
}

// RowGroups returns the numbers of the selected row groups.
func (o *Options) RowGroups(f *input.File) ([]int, error) {
	n := len(f.Footer().RowGroups)
	if o.RowGroup >= n {
		return nil, &scanner.Error{File: f.Name(), RowGroup: o.RowGroup, Page: -1, Offset: -1,
			Err: fault.NoSuch("row group", n)}
	}
	if o.RowGroup >= 0 {
		return []int{o.RowGroup}, nil
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all, nil
}

// Where is the condition of --where.
type Where struct {
	Text  string
	given bool
	Expr  *filter.Expr // nil: every row passes
}

func (w *Where) Set(text string) error {
	if w.given {
		return errors.New("it is given twice; AND and OR join conditions")
	}
	w.Text, w.given = text, true
	return nil
}

// Parse reads the condition, if there is one. Names of columns may be in another case than the file's.
func (w *Where) Parse() (err error) {
	if w.given {
		w.Expr, err = filter.Parse(w.Text)
		w.Expr = compile.AnyCase(w.Expr)
	}
	return w.Explain("", err)
}

// Explain turns an error about the condition, by itself or for a file, into one
// about the command line, with a picture of the place in the text.
func (w *Where) Explain(file string, err error) error {
	var wrong *filter.Error
	if !errors.As(err, &wrong) {
		return err
	}
	what := "--where: " + wrong.Msg
	if file != "" {
		what = file + ": " + what
	}
	usage := &fault.UsageError{What: what, Command: "where"}
	if w.Text != "" {
		usage.Picture = wrong.Caret(w.Text)
	}
	return usage
}

// AboutWhere is what help says of --where.
const AboutWhere = `
The condition of --where is that of SQL: AND, OR, NOT, =, <>, <, IN, BETWEEN, LIKE,
IS NULL, ~ for regular expressions; a.b for fields, ANY(list), map['key']; 'text', 12.5,
DATE '2024-01-31', now() - INTERVAL '1 day'. Its grammar is in: help where. It may ask
columns that are not shown, and those that folders like year=2024 stand for: files that
these exclude are not opened.
`
