package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// bounded is what running scans may take that have memory=. As long as there is one, Go collects garbage
// before its heap has grown by half of that since the last collection, instead of when it has doubled.
var bounded struct {
	mu       sync.Mutex
	bytes    int64 // of all of them
	usual    int64 // Go's limit without them
	watching bool
}

// boundHeap adds the memory of a scan that begins, or takes that of one that ends away.
func boundHeap(bytes int64) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return // the user has chosen
	}
	b := &bounded
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bytes == 0 {
		b.usual = debug.SetMemoryLimit(-1)
	}
	b.bytes += bytes
	setHeapLimit()
	if !b.watching && b.bytes > 0 {
		b.watching = true
		afterCollection()
	}
}

// setHeapLimit sets Go's limit: above what the last collection left, since hosts may keep any number of batches.
func setHeapLimit() {
	if bounded.bytes == 0 {
		debug.SetMemoryLimit(bounded.usual)
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	limit := max(bounded.bytes/4*5, int64(live[0].Value.Uint64())+bounded.bytes/2)
	debug.SetMemoryLimit(min(limit, bounded.usual))
}

// afterCollection sets the limit after the next collection, and all that follow while scans run.
func afterCollection() {
	runtime.SetFinalizer(&struct{ self []byte }{}, func(any) {
		bounded.mu.Lock()
		defer bounded.mu.Unlock()
		if bounded.watching = bounded.bytes > 0; bounded.watching {
			setHeapLimit()
			afterCollection()
		}
	})
}
