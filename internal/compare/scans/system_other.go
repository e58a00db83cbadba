//go:build !unix

package scans

import (
	"os"
	"time"
)

var start = time.Now()

// ProcessorTime is the time since the program began: it is at most that long.
func ProcessorTime() time.Duration { return time.Since(start) }

// mapped is a file that is read: mapping is for unix alone here.
type mapped struct {
	*os.File
	size int64
}

func openMapped(path string) (*mapped, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &mapped{f, info.Size()}, nil
}

func (m *mapped) Size() int64 { return m.size }
