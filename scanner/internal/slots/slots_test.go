package slots

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Who has fewer slots is first, of equals who came first; those who ask come after all who wait.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(4)
		a, b, c := s.NewShare(), s.NewShare(), s.NewShare()
		if a.Take(t.Context(), 3) != 3 || b.TryTake(2) != 1 || a.TryTake(1) != 0 || s.Fair() != 1 {
			t.Fatal("four slots are not four")
		}
		var order []string
		wait := func(name string, x *Share, most int) {
			go func() { order = append(order, fmt.Sprint(name, " ", x.Take(t.Context(), most))) }()
			synctest.Wait()
		}
		asks := func(name string, x *Share, takes int) {
			if x.Room(9, func() { order = append(order, fmt.Sprint(name, " asked ", x.TryTake(takes))) }) != 0 {
				t.Error("there was room")
			}
		}
		asks("c", c, 1)
		asks("b", b, 0) // and takes none: the next is asked
		wait("a", a, 1)
		wait("b", b, 1)
		wait("c", c, 1)
		wait("c", c, 5)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { order = append(order, fmt.Sprint("cancelled ", c.Take(ctx, 1))) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		for range 3 {
			a.Give(1)
			synctest.Wait()
		}
		b.Give(2)
		synctest.Wait()
		c.Give(1)
		want := []string{"cancelled 0", "c 1", "a 1", "b 1", "c 2", "b asked 0", "c asked 1"}
		if !slices.Equal(order, want) {
			t.Errorf("%q, want %q", order, want)
		}
		var none *Slots
		if x := none.NewShare(); New(0) != nil || x.TryTake(7) != 7 || x.Room(7, nil) != 7 || a.Room(7, nil) != 4 {
			t.Error("there is a limit without slots")
		}
	})
}

// ranges is a source that counts the ranges that are read at once.
type ranges struct {
	fetch.Source
	mu       sync.Mutex
	now, max int
	took     func() time.Duration
}

func (r *ranges) ReadRanges(ctx context.Context, of []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	count := func(n int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.now += n
		r.max = max(r.max, r.now)
	}
	count(len(of))
	defer count(-len(of))
	time.Sleep(r.took())
	return r.Source.ReadRanges(ctx, of, alloc)
}

// However goroutines wait, are cancelled, read and read ahead, none waits for ever, no more slots are
// taken than there are, and all come back. The bytes are those of the ranges.
func TestSchedules(t *testing.T) {
	data := make([]byte, 256)
	for i := range data {
		data[i] = byte(i)
	}
	for round := range dtest.Rounds(t, 200) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(round), 48))
			workers, requests := New(1+rng.IntN(3)), New(1+rng.IntN(4))
			src := &ranges{Source: fetch.FromBytes(data), took: func() time.Duration { return time.Duration(1+rand.IntN(3)) * time.Millisecond }}
			decoding, most := 0, 0
			var mu sync.Mutex
			decode := func() {
				mu.Lock()
				decoding++
				most = max(most, decoding)
				mu.Unlock()
				time.Sleep(time.Duration(rand.IntN(3)) * time.Millisecond)
				mu.Lock()
				decoding--
				mu.Unlock()
			}
			var all sync.WaitGroup
			for range 1 + rng.IntN(5) {
				worker, request := workers.NewShare(), requests.NewShare()
				ctx, cancel := context.WithCancel(t.Context())
				if rng.IntN(3) == 0 {
					time.AfterFunc(time.Duration(rng.IntN(9))*time.Millisecond, cancel)
				}
				for g := range 1 + rng.IntN(3) {
					all.Go(func() { readAndDecode(ctx, t, uint64(round*8+g), &Turn{Share: worker}, request, src, decode) })
				}
				all.Go(func() { readAhead(request, 1+rand.IntN(9)) })
				defer cancel()
			}
			all.Wait()
			if most > workers.limit || src.max > requests.limit || workers.free != workers.limit || requests.free != requests.limit || workers.busy+requests.busy+len(workers.waiting)+len(requests.waiting) > 0 {
				t.Errorf("round %d: %d decode at once, %d requests, want %d and %d; %d and %d are free", round, most, src.max, workers.limit, requests.limit, workers.free, requests.free)
			}
		})
		if t.Failed() {
			return
		}
	}
}

// readAndDecode is a goroutine of a scan.
func readAndDecode(ctx context.Context, t *testing.T, seed uint64, turn *Turn, request *Share, src fetch.Source, decode func()) {
	rng := rand.New(rand.NewPCG(seed, 1))
	turn.Take(ctx)
	defer turn.Leave()
	for range 5 {
		if ctx.Err() != nil {
			return // without a worker, maybe
		}
		var of []fetch.Range
		for range 1 + rng.IntN(6) {
			of = append(of, fetch.Range{Off: rng.Int64N(200), Len: rng.Int64N(50)})
		}
		got, err := Source{Source: src, Requests: request, Taken: request.TryTake(len(of)), Turn: turn}.ReadRanges(ctx, of, nil)
		for i := range got {
			if int64(len(got[i])) != of[i].Len || len(got[i]) > 0 && got[i][0] != byte(of[i].Off) {
				t.Errorf("range %v is %v", of[i], got[i])
			}
		}
		if err != nil && ctx.Err() == nil || err == nil && len(got) != len(of) {
			t.Errorf("%d ranges of %d, %v", len(got), len(of), err)
		}
		if ctx.Err() == nil {
			decode()
		}
		turn.Yield(ctx)
	}
}

// readAhead reads so many times, each time as much as there is room for, and waits for none.
func readAhead(x *Share, times int) {
	var mu sync.Mutex
	var over sync.WaitGroup
	over.Add(times)
	var start func()
	start = func() {
		mu.Lock()
		defer mu.Unlock()
		for times > 0 && x.Room(2, start) > 0 {
			n := x.TryTake(2)
			if n == 0 {
				continue
			}
			times--
			go func() {
				time.Sleep(time.Millisecond)
				x.Give(n)
				over.Done()
			}()
		}
	}
	start()
	over.Wait()
}
