package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Beyond a limit, garbage goes before memory is asked for. The first one is
// enough for some columns with pages of 8 MiB. A file of a few bytes may hold
// strings of a GiB: the other one is for what needs more.
const (
	memoryLimit = 160 << 20
	largeLimit  = 1 << 30
)

// limitMemory sets the limits, unless the user has set one.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
		afterCollection(func() bool {
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			if metrics.Read(live); live[0].Value.Uint64() < memoryLimit {
				return true
			}
			// To look for garbage all the time would be in vain.
			debug.SetMemoryLimit(largeLimit)
			return false
		})
	}
}

// afterCollection calls f after each collection of garbage as long as it returns true.
func afterCollection(f func() bool) {
	runtime.SetFinalizer(&struct{ self []byte }{}, func(any) {
		if f() {
			afterCollection(f)
		}
	})
}
