package slots

import (
	"context"
	"time"

	"github.com/winnow-scan/winnow/internal/invariants"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// quantum is for how long a goroutine keeps its slot, at least, while others wait: in it, a scan
// decodes about as much as the caches of a processor hold.
const quantum = time.Millisecond

// Turn is the slot of a goroutine. Without a Share it needs none. Only its goroutine calls its methods.
type Turn struct {
	Share *Share
	since time.Time // when it took its slot; zero: it has none
}

// Take takes a slot. When ctx ends before there is one, the goroutine goes on without, to its end.
func (t *Turn) Take(ctx context.Context) {
	if t.Share != nil && t.Share.Take(ctx, 1) > 0 {
		t.since = time.Now()
	}
}

// Leave gives the slot back, if there is one, and reports whether there was.
func (t *Turn) Leave() bool {
	if t == nil || t.since.IsZero() {
		return false
	}
	t.Share.use(time.Since(t.since))
	t.since = time.Time{}
	t.Share.Give(1)
	return true
}

// Away calls wait, without the slot meanwhile.
func (t *Turn) Away(ctx context.Context, wait func()) {
	if t.Leave() {
		defer t.Take(ctx)
	}
	wait()
}

// Yield gives the slot to one that waits and comes first, if the goroutine has had it for long enough.
func (t *Turn) Yield(ctx context.Context) {
	if t.since.IsZero() {
		return
	}
	if now := time.Now(); invariants.On || now.Sub(t.since) >= quantum {
		over := t.Share.use(now.Sub(t.since))
		if t.since = now; over {
			t.Away(ctx, func() {})
		}
	}
}

// Source is a source each of whose requests takes a slot. A call for more ranges than slots are
// free becomes several.
type Source struct {
	fetch.Source
	Requests *Share
	Taken    int   // slots that the caller has taken for the first call, which gives them back
	Turn     *Turn // of the goroutine that calls, away meanwhile; nil: none
}

// ReadRanges implements fetch.Source.
func (s Source) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) (got [][]byte, err error) {
	s.Turn.Away(ctx, func() {
		if s.Requests == nil {
			got, err = s.Source.ReadRanges(ctx, ranges, alloc)
			return
		}
		for n := s.Taken; len(ranges) > 0 && err == nil; n = 0 {
			if n == 0 {
				n = s.Requests.Take(ctx, len(ranges))
			}
			var part [][]byte
			if err = fetch.Ended(ctx); n > 0 {
				part, err = s.read(ctx, ranges[:n], alloc)
			}
			got, ranges = append(got, part...), ranges[n:]
		}
	})
	return got, err
}

// read reads ranges with as many slots, and gives them back.
func (s Source) read(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	defer s.Requests.Give(len(ranges))
	return s.Source.ReadRanges(ctx, ranges, alloc)
}
