//go:build unix

package compare

import (
	"syscall"
	"time"
)

// processorTime is what the program has used so far. Other programs that are in
// the way do not count.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
