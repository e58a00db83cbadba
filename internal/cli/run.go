package cli

import (
	"context"
	"errors"
	"os"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/output"
)

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
