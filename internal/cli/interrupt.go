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

// patience is how long a command may take to end when it was interrupted. What
// waits longer is at a reader who takes nothing.
const patience = 2 * time.Second

// interruptible returns a context that ends when a signal asks for that. Whoever
// started scan may have made it ignore SIGHUP or SIGINT, as nohup does.
func interruptible(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	came := make(chan os.Signal, 1)
	all := [...]interruption{{os.Interrupt, exitInterrupted}, {syscall.SIGTERM, exitTerminated}, {syscall.SIGHUP, exitHungUp}}
	for _, i := range all {
		if !signal.Ignored(i.signal) {
			signal.Notify(came, i.signal)
		}
	}
	go func() {
		got := <-came
		signal.Stop(came) // whoever interrupts twice does not want to wait for us
		for _, i := range all {
			if i.signal == got {
				cancel(&i)
				time.Sleep(patience)
				os.Exit(i.code)
			}
		}
	}()
	return ctx
}

// exitCode returns that of a command that was interrupted.
func exitCode(ctx context.Context) int {
	var i *interruption
	if errors.As(context.Cause(ctx), &i) {
		return i.code
	}
	return exitInterrupted
}
