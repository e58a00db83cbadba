package command

import (
	"context"
	"os"

	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/scanner"
)

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

// Match returns the names of the files that an argument stands for.
func (c *Call) Match(ctx context.Context, arg string) ([]string, error) {
	return c.Opener.Match(ctx, arg)
}

// Open opens a file. The caller closes it by calling close.
func (c *Call) Open(ctx context.Context, name string) (f *scanner.File, close func() error, err error) {
	in, err := c.Opener.File(ctx, name, 0)
	if err != nil {
		return nil, nil, err
	}
	return in.File, in.Close, nil
}

// Streams are the standard streams of one run.
type Streams struct{ In, Out, Err *os.File }
