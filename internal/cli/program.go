package cli

import (
	"context"
	"os"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Program is a command-line program: the commands of this package under a name,
// and what it has besides them. Its schemes, formats and commands have names of
// their own: one that this package has already is not replaced. A Program must not
// change while it runs; several runs may share it.
type Program struct {
	Name     string // as users type it
	Schemes  []Scheme
	Formats  []Format
	Commands []Command

	screen *table.Screen // of tests, in place of the terminal that the output is; nil: none
}

// Scheme is a place for files that are not on this machine. Its files have names
// like s3://bucket/key.parquet.
type Scheme struct {
	Name string // what stands before "://"

	// Open opens a file. If the source is an io.Closer, it is closed after use. Several
	// files may be opened at the same time.
	Open func(ctx context.Context, name string) (fetch.Source, error)
	// Match returns the names that an argument stands for, which may be a
	// pattern. If it is nil, each argument is the name of a file.
	Match func(ctx context.Context, arg string) ([]string, error)
}

// Call is one run of a Command.
type Call struct {
	Streams
	Args []string // the arguments that are no flags
	// Rows writes rows in the format that was asked for, if Command.Rows says so: first
	// its Columns are called, then its Rows. Its Finish is called when the command
	// has ended without an error.
	Rows   RowWriter
	opener opener
}

// Match returns the names of the files that an argument stands for.
func (c *Call) Match(ctx context.Context, arg string) ([]string, error) {
	return c.opener.match(ctx, arg)
}

// Open opens a file. The caller closes it by calling close.
func (c *Call) Open(ctx context.Context, name string) (f *scanner.File, close func() error, err error) {
	in, err := c.opener.input(ctx, name, 0)
	if err != nil {
		return nil, nil, err
	}
	return in.File, in.close, nil
}

// Streams are the standard streams of one run.
type Streams struct{ In, Out, Err *os.File }

// UsageError returns an error for a command line that is wrong: it ends a
// command with exit code 2, and with a hint at its help.
func UsageError(what string) error { return usage(what) }
