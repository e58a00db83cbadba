package cli

import (
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
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

// UsageError returns an error for a command line that is wrong: it ends a
// command with exit code 2, and with a hint at its help.
func UsageError(what string) error { return fault.Usage(what) }

// What a larger program adds, and what its commands get.
type (
	Scheme    = input.Scheme
	Format    = output.Format
	Report    = output.Report
	RowWriter = output.RowWriter
	Command   = command.Command
	Call      = command.Call
	Streams   = command.Streams
)

// Web returns the schemes http and https. Their files share connections.
func Web() []Scheme { return input.Web() }
