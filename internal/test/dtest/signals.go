package dtest

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// HeedSignals makes programs that a test starts heed signals that this one was started to ignore,
// as nohup and shells in the background do: a signal that is caught here is not ignored there.
func HeedSignals(t testing.TB) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(caught) })
}
