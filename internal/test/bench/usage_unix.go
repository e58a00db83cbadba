//go:build unix

package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// faults returns how many pages of memory the process has touched for the first time.
func faults() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return int64(u.Minflt)
}

// untouched returns memory that was never touched, and what gives it back.
func untouched(bytes int) (memory []byte, free func(), err error) {
	memory, err = unix.Mmap(-1, 0, max(bytes, 1), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	return memory, func() { _ = unix.Munmap(memory) }, err
}

// ProcessorTime returns what the process has used, in all its threads.
func ProcessorTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
