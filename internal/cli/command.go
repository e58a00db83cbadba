package cli

import (
	"context"
	"flag"
	"slices"

	"github.com/winnow-scan/winnow/internal/cli/table"
)

// Command is a row of the table of commands, of which help, the manual page and
// completion are made. A program adds rows of its own, which have Prepare.
type Command struct {
	Name    string
	Args    string // what follows the flags in the usage line
	Summary string // one line, without a capital letter and a full stop
	Detail  string // the rest of its help
	// Examples are command lines for its help, without the program's name.
	Examples []string
	Rows     bool // it writes rows of data: in any format, and -n counts them

	// Prepare declares the flags of the command and returns what runs it, once
	// these are set. Help and completion call it to list the flags. It stands in
	// place of all that follows. With Rows, the command has the flags -o and
	// --format, and Call.Rows.
	Prepare func(fs *flag.FlagSet) func(ctx context.Context, call *Call) error

	// Of a command that looks at one file after the other:
	takes     takes                                                       // the shared flags that mean something here
	layout    bool                                                        // it shows what a file is made of, not its rows
	flags     func(o *options, fs *flag.FlagSet)                          // declares those that only this command has; nil: none
	arguments func(o *options, args []string) (files []string, err error) // takes from the arguments those that are no files; nil: all are files
	run       func(ctx context.Context, o *options, in *inputs, r *Report) (*task, error)

	// print stands in place of run and Prepare, where a command has no flags and
	// reads no file.
	print func(ctx context.Context, std Streams, args []string) error

	local   bool     // it opens files of this machine only
	far     bool     // it opens files of schemes, too: it has the flags of farCache
	formats []Format // of --format, the one for people first
}

// task is a command at work.
type task struct {
	file     func(ctx context.Context, f *input) error
	all      func(ctx context.Context) error // in place of file: it opens the files
	excluded func(name string) error         // in place of file, where folders tell that no row passes
	enough   func() bool                     // whether no further file is needed; nil: never
	finish   func() error                    // what comes after the last file; nil: nothing
}

// eachFile returns the run of a command whose answer is that of each file. excluded returns
// the record of a file that is not opened, as its folders tell that no row passes: in tables
// such files share a line. If it is nil, nothing is said about them.
func eachFile(file func(ctx context.Context, f *input, o *options, r *Report) error, excluded func(name string, o *options) any) func(context.Context, *options, *inputs, *Report) (*task, error) {
	return func(_ context.Context, o *options, in *inputs, r *Report) (*task, error) {
		first := true
		separate := func() {
			if r.tables() && !first {
				r.blank()
			}
			first = false
		}
		t := &task{file: func(ctx context.Context, f *input) error {
			separate()
			return file(ctx, f, o, r)
		}}
		if excluded == nil {
			return t, nil
		}
		left := int64(0)
		t.excluded = func(name string) error {
			if left++; r.tables() {
				return nil
			}
			return r.record(excluded(name, o))
		}
		t.finish = func() error {
			if left > 0 && r.tables() {
				separate()
				r.heading(table.Number(left)+" of "+table.Plural(int64(in.number()), "file"), "not opened: by their folders, no row passes")
			}
			return nil
		}
		return t, nil
	}
}

// commandTable is the commands of a program, those that read no file last.
type commandTable struct {
	program string
	schemes []Scheme
	formats []Format // of rows
	rows    []*Command
}

// find returns the command of a name, nil if there is none.
func (t *commandTable) find(name string) *Command {
	if i := slices.Index(t.names(), name); i >= 0 {
		return t.rows[i]
	}
	return nil
}

func (t *commandTable) names() (names []string) {
	for _, c := range t.rows {
		names = append(names, c.Name)
	}
	return names
}
