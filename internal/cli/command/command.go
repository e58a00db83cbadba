package command

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
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
	Takes     takes                                                       // the shared flags that mean something here
	Layout    bool                                                        // it shows what a file is made of, not its rows
	Flags     func(o *Options, fs *flag.FlagSet)                          // declares those that only this command has; nil: none
	Arguments func(o *Options, args []string) (files []string, err error) // takes from the arguments those that are no files; nil: all are files
	Run       func(ctx context.Context, o *Options, in *input.Files, r *output.Report) (*Task, error)

	// Print stands in place of Run and Prepare, where a command has no flags and
	// reads no file: it returns what is printed.
	Print func(ctx context.Context, args []string) (string, error)

	Local   bool            // it opens files of this machine only
	Far     bool            // it opens files of schemes, too: it has the flags of Cache
	Formats []output.Format // of --format, the one for people first
}

// Call is one run of a Command.
type Call struct {
	Streams
	Args []string // the arguments that are no flags
	// Rows writes rows in the format that was asked for, if Command.Rows says so: first
	// its Columns are called, then its Rows. Its Finish is called when the command
	// has ended without an error.
	Rows   output.RowWriter
	Opener input.Opener
}

// Streams are the standard streams of one run.
type Streams struct{ In, Out, Err *os.File }

// Task is a command at work.
type Task struct {
	File     func(ctx context.Context, f *input.File) error
	Ahead    input.Ahead                     // what is done with a far file before file; zero: it is opened
	All      func(ctx context.Context) error // in place of file: it opens the files
	Excluded func(name string) error         // in place of file, where folders tell that no row passes
	Enough   func() bool                     // whether no further file is needed; nil: never
	Finish   func() error                    // what comes after the last file; nil: nothing
}

// EachFile returns the run of a command whose answer is that of each file. excluded writes
// the record of a file that is not opened, as its folders tell that no row passes: in tables
// such files share a line. If it is nil, nothing is said about them.
func EachFile(file func(ctx context.Context, f *input.File, o *Options, r *output.Report) error, excluded func(name string, o *Options, r *output.Report)) func(context.Context, *Options, *input.Files, *output.Report) (*Task, error) {
	return func(_ context.Context, o *Options, in *input.Files, r *output.Report) (*Task, error) {
		first := true
		separate := func() {
			if r.Tables() && !first {
				r.Blank()
			}
			first = false
		}
		t := &Task{File: func(ctx context.Context, f *input.File) error {
			separate()
			return file(ctx, f, o, r)
		}}
		if excluded == nil {
			return t, nil
		}
		left := int64(0)
		t.Excluded = func(name string) error {
			if left++; !r.Tables() {
				excluded(name, o, r)
			}
			return nil
		}
		t.Finish = func() error {
			if left > 0 && r.Tables() {
				separate()
				r.Heading(table.Number(left)+" of "+table.Plural(int64(in.Number()), "file"), "not opened: by their folders, no row passes")
			}
			return nil
		}
		return t, nil
	}
}

// Table is the commands of a program, those that read no file last.
type Table struct {
	Program string
	Schemes []input.Scheme
	Formats []output.Format // of rows
	Rows    []*Command
}

// Find returns the command of a name, nil if there is none.
func (t *Table) Find(name string) *Command {
	if i := slices.Index(t.Names(), name); i >= 0 {
		return t.Rows[i]
	}
	return nil
}

// Names returns the names of all commands.
func (t *Table) Names() (names []string) {
	for _, c := range t.Rows {
		names = append(names, c.Name)
	}
	return names
}

// NoCommand is the error for the name of a command that is none.
func (t *Table) NoCommand(name string) error {
	if ours := ourWord(commandsOfOthers, name); ours != "" && t.Find(ours) != nil {
		return &fault.UsageError{What: fmt.Sprintf("no command %q; here it is %q", name, ours), Command: ours}
	}
	return fault.Unknown("command", name, t.Names())
}

// commandsOfOthers are what other programs for Parquet files call our commands.
var commandsOfOthers = map[string]string{
	"cat":      "show print query select csv json to-json to-csv convert export",
	"count":    "rowcount row-count wc rows",
	"describe": "stats statistics summarize summary profile",
	"meta":     "metadata footer info inspect rowgroups row-groups",
	"verify":   "check validate checksum check-stats",
	"index":    "column-index offset-index",
	"bloom":    "bloom-filter",
	"size":     "column-size du",
	"schema":   "types columns structure",
	"serve":    "ui web browse",
}

// flagsOfOthers are what they call our flags.
var flagsOfOthers = map[string]string{
	"select":   "columns column fields project",
	"where":    "filter condition predicate",
	"limit":    "rows head count records num max",
	"order-by": "sort sort-by orderby",
	"offset":   "skip",
	"output":   "out file",
	"vertical": "transpose line expanded",
}

// ourWord returns which of our words others call name, or "".
func ourWord(others map[string]string, name string) string {
	for ours, theirs := range others {
		if slices.Contains(strings.Fields(theirs), strings.ToLower(name)) {
			return ours
		}
	}
	return ""
}
