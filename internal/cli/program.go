package cli

import (
	"context"
	"errors"
	"os"

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

// Main runs the command line of this process and returns its exit code. It sets
// limits of memory and listens to signals, so a process calls it once.
func (p *Program) Main() int {
	limitMemory()
	if output.ClosedAtStart(os.Stdin, os.Stdout, os.Stderr) {
		os.Stdout.Close()
	}
	return p.Run(interruptible(context.Background()), os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}

// Run executes one command line and returns its exit code.
func (p *Program) Run(ctx context.Context, args []string, std command.Streams) int {
	code, err := p.dispatch(ctx, args, std)
	var usage *fault.UsageError
	switch {
	case ctx.Err() != nil:
		return exitCode(ctx)
	case errors.As(err, &usage):
		fault.Print(std.Err, p.Name+": "+usage.What)
		if usage.Picture != "" {
			std.Err.WriteString(usage.Picture + "\n")
		}
		hint := "Try: " + p.Name + " help"
		if usage.Command != "" {
			hint += " " + usage.Command
		}
		std.Err.WriteString(hint + "\n")
		return exitUsage
	case err != nil:
		fault.Print(std.Err, p.Name+": "+err.Error())
		return max(code, exitBadFile)
	}
	return code
}
