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

// Main runs the command line of this process, and returns its exit code. It sets
// the limit of memory and listens to signals, so a process calls it once.
func Main() int {
	limitMemory()
	if closedAtStart(os.Stdin, os.Stdout, os.Stderr) {
		os.Stdout.Close()
	}
	return run(interruptible(context.Background()), os.Args[1:], os.Stdout, os.Stderr)
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr *os.File) int {
	code, err := dispatch(ctx, args, stdout, stderr)
	var usage *usageError
	switch {
	case ctx.Err() != nil:
		return exitCode(ctx)
	case errors.As(err, &usage):
		printError(stderr, "scan: "+usage.what)
		if usage.picture != "" {
			stderr.WriteString(usage.picture + "\n")
		}
		if usage.command != "" {
			stderr.WriteString("Try: scan help " + usage.command + "\n")
		} else {
			stderr.WriteString("Try: scan help\n")
		}
		return exitUsage
	case err != nil:
		printError(stderr, "scan: "+err.Error())
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
