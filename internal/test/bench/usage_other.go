//go:build !unix

package bench

import "time"

// ProcessorTime is not known here.
func ProcessorTime() time.Duration { return 0 }

func faults() int64 { return 0 }

func untouched(bytes int) (memory []byte, free func(), err error) {
	return make([]byte, bytes), func() {}, nil
}
