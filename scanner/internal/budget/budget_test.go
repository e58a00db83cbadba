package budget

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
)

func limits(n int64) (l [Uses]int64) {
	for i := range l {
		l[i] = n
	}
	return l
}

func TestShares(t *testing.T) {
	b := New(limits(100))
	a := b.Join(Reading)
	if got := a.Share(); got != 100 {
		t.Errorf("alone: a share of %d, want 100", got)
	}
	if !a.TryTake(80) || a.TryTake(21) || !a.TryTake(20) {
		t.Error("a holder that is alone may have 100 bytes, no more")
	}
	c := b.Join(Reading)
	if a.Share() != 50 || c.Share() != 50 {
		t.Errorf("shares of %d and %d, want 50 each", a.Share(), c.Share())
	}
	if c.TryTake(1) {
		t.Error("there was room beside 100 bytes of 100")
	}
	a.Give(40)
	if a.TryTake(1) {
		t.Error("a holder with 60 bytes may have 50")
	}
	if got := c.TakeUpTo(10, 90); got != 40 {
		t.Errorf("took %d, want the 40 that the other left", got)
	}
	if got := c.TakeUpTo(10, 90); got != 10 {
		t.Errorf("took %d, want the least, 10", got)
	}
	if got := b.Join(Making).TakeUpTo(1, 7); got != 7 {
		t.Errorf("another part: took %d, want 7", got)
	}
	if now, peak := b.Used(); now != 117 || peak != 117 {
		t.Errorf("used %d, at most %d, want 117", now, peak)
	}
	a.Leave()
	if c.Share() != 100 {
		t.Errorf("alone again: a share of %d, want 100", c.Share())
	}
	c.GiveAll()
	if now, peak := b.Used(); now != 7 || peak != 117 {
		t.Errorf("used %d, at most %d, want 7 and 117", now, peak)
	}
}

func TestNoBudget(t *testing.T) {
	var b *Budget
	h := b.Join(Making)
	h.Take(1)
	h.Give(2)
	h.GiveAll()
	if !h.TryTake(1<<62) || h.TakeUpTo(1, 1<<62) != 1<<62 || h.Share() < 1<<62 {
		t.Error("a nil holder has a limit")
	}
	h.Leave()
}

// Wait goes on when there is room, when its condition holds, and when another holder has
// left; not before.
func TestWait(t *testing.T) {
	for name, free := range map[string]func(b *Budget, other *Holder, urgent *bool){
		"room":   func(_ *Budget, other *Holder, _ *bool) { other.Give(100) },
		"leave":  func(_ *Budget, other *Holder, _ *bool) { other.Leave() },
		"urgent": func(b *Budget, _ *Holder, urgent *bool) { *urgent = true; b.Wake() },
	} {
		synctest.Test(t, func(t *testing.T) {
			b := New(limits(100))
			other, h := b.Join(Waiting), b.Join(Waiting)
			other.Take(100)
			urgent, over := false, false
			go func() {
				h.Wait(30, func() bool { return urgent })
				over = true
			}()
			synctest.Wait()
			if over {
				t.Errorf("%s: did not wait", name)
			}
			free(b, other, &urgent)
			synctest.Wait()
			if !over {
				t.Fatalf("%s: still waits", name)
			}
			h.Leave()
		})
	}
}

// However many holders take and give, TryTake and Wait never exceed the limit, and at the
// end nothing is used.
func TestHoldersTogether(t *testing.T) {
	const limit, least, holders = 1000, 3, 8
	b := New(limits(limit))
	var all sync.WaitGroup
	for i := range holders {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			for range 200 {
				h := b.Join(Use(rng.IntN(2)))
				for range 20 {
					switch n := 1 + rng.Int64N(50); rng.IntN(3) {
					case 0:
						h.TryTake(n)
					case 1:
						h.GiveAll()
						h.Wait(n, func() bool { return false })
					default:
						h.GiveAll()
						h.TakeUpTo(least, 10*n)
					}
				}
				h.Leave()
			}
		})
	}
	all.Wait()
	if now, peak := b.Used(); now != 0 || peak > 2*limit+holders*least || peak == 0 {
		t.Errorf("used %d, at most %d", now, peak)
	}
}
