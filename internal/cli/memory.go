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
		afterCollection(func() bool {
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			if metrics.Read(live); live[0].Value.Uint64() < memoryLimit {
				return true
			}
			// All of it is in use: the collector would run all the time, in vain.
			debug.SetMemoryLimit(raisedLimit)
			return false
		})
	}
}

// afterCollection calls f after each collection of garbage until it returns false.
func afterCollection(f func() bool) {
	runtime.SetFinalizer(&struct{ self []byte }{}, func(any) {
		if f() {
			afterCollection(f)
		}
	})
}
