//go:build unix

package scans

import (
	"bytes"
	"os"
	"syscall"
	"time"
)

// ProcessorTime is what the program has used so far. Other programs that are in
// the way do not count.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// mapped is a file in memory.
type mapped struct {
	*bytes.Reader
	memory []byte
}

func openMapped(path string) (*mapped, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &mapped{bytes.NewReader(b), b}, nil
}

func (m *mapped) Close() error { return syscall.Munmap(m.memory) }
