package bitpack

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// keepCase is a call of KeepRuns32 at random, with what it must return.
type keepCase struct {
	src                      []byte // the first run, others behind it
	all                      []byte // src, to its capacity
	width                    uint
	sel                      []uint64 // no longer than needed
	at, n, first, count, gap int
	want                     []uint32
	largest                  uint32
}

func newKeepCase(r *rand.Rand) (c keepCase) {
	c.width = uint(1 + r.IntN(mostKept))
	c.first, c.n, c.at = 8*r.IntN(10), 1+r.IntN(600), r.IntN(200)
	each := c.first + c.n
	if r.IntN(3) > 0 {
		each = c.first + 8 + 8*r.IntN(64)
		c.count, c.gap = each, r.IntN(3)
	}
	c.sel = make([]uint64, (c.at+c.n+63)/64)
	for i := range c.sel {
		a, b := r.Uint64(), r.Uint64()
		c.sel[i] = []uint64{a, a & b, a | b, 0, ^uint64(0)}[r.IntN(5)]
	}
	for v := 0; v < c.first+c.n; v += each {
		codes := make([]uint64, each)
		for i := range codes {
			codes[i] = r.Uint64N(1 << c.width)
			k := v + i - c.first
			if k < 0 || k >= c.n {
				continue
			}
			if p := c.at + k; c.sel[p/64]>>(p%64)&1 != 0 {
				c.want = append(c.want, uint32(codes[i]))
			}
			c.largest = max(c.largest, uint32(codes[i]))
		}
		c.all = append(append(c.all, pack(codes, c.width)...), "zzz"[:c.gap]...)
		if v == 0 {
			c.src = c.all
		}
	}
	c.all = append(c.all, bytes.Repeat([]byte{0xa5}, 4*int(c.width))...)
	c.src = c.all[:len(c.src)]
	return c
}

func (c *keepCase) check(t *testing.T, seed uint64) {
	t.Helper()
	dst := make([]uint32, c.n+KeepSpare+3)
	behind := dst[c.n+KeepSpare:]
	kept, largest, ok := KeepRuns32(dst[:c.n+KeepSpare], c.src, c.width, c.sel, c.at, c.n, c.first, c.count, c.gap)
	if ok != hasKeep || ok && (!slices.Equal(dst[:kept], c.want) || largest != c.largest) {
		t.Fatalf("seed %d: %+v: %v, %v, largest %d", seed, *c, ok, dst[:kept], largest)
	}
	if slices.Max(behind) > 0 {
		t.Fatalf("seed %d: wrote behind its room", seed)
	}
}

func TestKeepRuns32(t *testing.T) {
	if !hasKeep {
		t.Log("there is no kernel here")
	}
	for seed := range uint64(5000) {
		c := newKeepCase(rand.New(rand.NewPCG(seed, 30)))
		c.check(t, seed)
	}
}
