package command

import (
	"context"
	"flag"

	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
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
	// reads no file.
	Print func(ctx context.Context, std Streams, args []string) error

	Local   bool            // it opens files of this machine only
	Far     bool            // it opens files of schemes, too: it has the flags of Cache
	Formats []output.Format // of --format, the one for people first
}
