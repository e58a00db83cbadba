//go:build unix

package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessorTime returns what the process has used, in all its threads.
func ProcessorTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
