package slots

import (
	"context"
	"time"

	"github.com/winnow-scan/winnow/internal/invariants"
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
