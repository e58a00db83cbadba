package dtest

import (
	"math/rand/v2"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

// WhileChanging calls read again and again while some of body's bytes change all the time,
// as those of a file do that is overwritten while it is mapped. places are the bytes that
// may change, all of them if it is nil. What is read ends where readable memory does, spare
// bytes included (see Edge). A panic in read, or a fault, fails the test.
func WhileChanging(t *testing.T, body []byte, places []int, read func(r *rand.Rand, body []byte)) {
	t.Helper()
	const most, round = 64, time.Millisecond // spare bytes; how long the same bytes change
	edge := Edge(t, len(body)+most)
	for seed, end := uint64(0), time.Now().Add(Moment(t, 10*time.Millisecond)); time.Now().Before(end); seed++ {
		r := rand.New(rand.NewPCG(seed, 61))
		here := edge[len(edge)-len(body)-r.IntN(2)*most:]
		here = here[:copy(here, body)]
		some := make([]int, 1+r.IntN(3))
		for i := range some {
			if len(places) == 0 {
				some[i] = r.IntN(len(body))
			} else {
				some[i] = places[r.IntN(len(places))]
			}
		}
		stop := Change(r.Uint64(), here, body, some)
		cause, stack := caught(func() {
			for until := time.Now().Add(round); time.Now().Before(until); {
				read(r, here)
			}
		})
		if stop(); cause != nil {
			t.Fatalf("seed %d: while bytes %v of %d change: %v\n%s", seed, some, len(body), cause, stack)
		}
	}
}

// caught calls f and returns what it panics with, or the fault that it meets.
func caught(f func()) (cause any, stack []byte) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause = recover(); cause != nil {
			stack = debug.Stack()
		}
	}()
	f()
	return nil, nil
}

// Change has the bytes of b at some places change to others and back to what they are in
// body, until stop is called. It returns when the first have changed.
func Change(seed uint64, b, body []byte, places []int) (stop func()) {
	var over atomic.Bool
	begun, left := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		r := rand.New(rand.NewPCG(seed, 62))
		for first := true; !over.Load(); first = false {
			others := [8]byte{0xf0, 0xff, 0, 0x7f, 0x80, 1, byte(r.Uint32()), byte(r.Uint32())}
			for _, other := range others {
				for _, at := range places {
					store(&b[at], other)
				}
				for _, at := range places {
					store(&b[at], body[at])
				}
			}
			if first {
				close(begun)
			}
		}
	}()
	<-begun
	return func() {
		over.Store(true)
		<-left
	}
}

// store is called, so that none of two stores to a byte is left out.
//
//go:noinline
func store(to *byte, b byte) { *to = b }
