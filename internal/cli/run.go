package cli

import (
	"context"
	"errors"
	"os"
)

// Exit codes.
const (
	exitOK          = 0
	exitBadFile     = 1   // a file is missing, corrupt, or not supported
	exitUsage       = 2   // the command line is wrong
	exitHungUp      = 129 // as shells report SIGHUP
	exitInterrupted = 130 // and SIGINT
	exitTerminated  = 143 // and SIGTERM
)

// Main runs the command line of this process and returns its exit code. It sets
// limits of memory and listens to signals, so a process calls it once.
func (p *Program) Main() int {
	limitMemory()
	if closedAtStart(os.Stdin, os.Stdout, os.Stderr) {
		os.Stdout.Close()
	}
	return p.Run(interruptible(context.Background()), os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr})
}

// Run executes one command line and returns its exit code.
func (p *Program) Run(ctx context.Context, args []string, std Streams) int {
	code, err := p.dispatch(ctx, args, std)
	var usage *usageError
	switch {
	case ctx.Err() != nil:
		return exitCode(ctx)
	case errors.As(err, &usage):
		printError(std.Err, p.Name+": "+usage.what)
		if usage.picture != "" {
			std.Err.WriteString(usage.picture + "\n")
		}
		hint := "Try: " + p.Name + " help"
		if usage.command != "" {
			hint += " " + usage.command
		}
		std.Err.WriteString(hint + "\n")
		return exitUsage
	case err != nil:
		printError(std.Err, p.Name+": "+err.Error())
		return max(code, exitBadFile)
	}
	return code
}

// usageError is a fault in the command line.
type usageError struct {
	command string // whose help tells more, or ""
	what    string
	picture string // of the place in what was typed, or ""
}

func (e *usageError) Error() string { return e.what }

// usage returns an error for a command line that is wrong.
func usage(what string) error { return &usageError{what: what} }
