package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// interruption is a signal that ends a command, with its exit code.
type interruption struct {
	signal os.Signal
	code   int // as shells report it: 128 and the number
}

func (i *interruption) Error() string { return i.signal.String() }

// exitGrace is how long an interrupted command may take to end. One that needs
// longer waits for a reader of its output that takes nothing.
const exitGrace = 2 * time.Second

// interruptible returns a context that ends when a signal asks for that. A signal
// that this process was started to ignore, as nohup does with SIGHUP, is ignored.
func interruptible(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	all := [...]interruption{{os.Interrupt, exitInterrupted}, {syscall.SIGTERM, exitTerminated}, {syscall.SIGHUP, exitHungUp}}
	for _, i := range all {
		if !signal.Ignored(i.signal) {
			signal.Notify(signals, i.signal)
		}
	}
	go func() {
		got := <-signals
		signal.Stop(signals) // a second signal ends the process at once
		for _, i := range all {
			if i.signal == got {
				cancel(&i)
				time.Sleep(exitGrace)
				os.Exit(i.code)
			}
		}
	}()
	return ctx
}

// exitCode returns the exit code of a command that was interrupted.
func exitCode(ctx context.Context) int {
	var i *interruption
	if errors.As(context.Cause(ctx), &i) {
		return i.code
	}
	return exitInterrupted
}

// Exit codes.
const (
	exitOK          = 0
	exitBadFile     = 1   // a file is missing, corrupt, or not supported
	exitUsage       = 2   // the command line is wrong
	exitHungUp      = 129 // as shells report SIGHUP
	exitInterrupted = 130 // and SIGINT
	exitTerminated  = 143 // and SIGTERM
)
