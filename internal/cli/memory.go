package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Limits of memory, beyond which Go's runtime collects garbage before it asks for
// more. The first suffices for several columns with pages of 8 MiB. A small file
// may hold strings of a GiB, so a process that has more than this in use gets the
// raised limit.
const (
	memoryLimit = 160 << 20
	raisedLimit = 1 << 30
)

// limitMemory sets a limit of memory, unless the user has set one.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
		raiseWhenFull()
	}
}

// raiseWhenFull raises the limit after the first collection of garbage that leaves more than it: the
// collector would run all the time, in vain.
func raiseWhenFull() {
	runtime.SetFinalizer(&struct{ self []byte }{}, func(any) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		if metrics.Read(live); live[0].Value.Uint64() < memoryLimit {
			raiseWhenFull()
		} else {
			debug.SetMemoryLimit(raisedLimit)
		}
	})
}
