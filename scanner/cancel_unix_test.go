//go:build unix

package scanner

import (
	"syscall"
	"time"
)

// processorTime is what this process has used of processors: what others use
// does not lengthen it.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
