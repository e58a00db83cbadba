package bitpack

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/winnow-scan/winnow/internal/dtest"
)

// Runs and selections that end where readable memory does, and room that ends so
// too: a byte too many is a fault.
func TestKeepTouchesNothingBehind(t *testing.T) {
	const size = 1 << 18
	codes, sel, dst := dtest.Edge(t, size), dtest.Edge(t, size), dtest.Edge(t, size)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&sel[0])), len(sel)/8)
	out := unsafe.Slice((*uint32)(unsafe.Pointer(&dst[0])), len(dst)/4)
	done := 0
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 31))
		c := newKeepCase(r)
		all := c.all[:max(len(c.src), len(c.all)-r.IntN(5*int(c.width)))]
		copy(codes[len(codes)-len(all):], all)
		c.src = codes[len(codes)-len(all):][:len(c.src)]
		copy(words[len(words)-len(c.sel):], c.sel)
		c.sel = words[len(words)-len(c.sel):]
		room := out[len(out)-c.n-KeepSpare:]
		kept, largest, ok := KeepRuns32(room, c.src, c.width, c.sel, c.at, c.n, c.first, c.count, c.gap)
		if !ok {
			continue
		}
		done++
		if !slices.Equal(room[:kept], c.want) || largest != c.largest {
			t.Fatalf("seed %d: %v, largest %d, want %v, %d", seed, room[:kept], largest, c.want, c.largest)
		}
	}
	if hasKeep && done == 0 {
		t.Error("nothing was ever kept")
	}
}

// So it is for runs of the usual length of which few values are wanted, as many of them as there are: room
// may be too small, the selection may begin at any byte, and one of the headers be another.
func TestPickWantedRunsTouchesNothingBehind(t *testing.T) {
	const size = 1 << 18
	bodies, sel, dst := dtest.Edge(t, size), dtest.Edge(t, size), dtest.Edge(t, size)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&sel[0])), len(sel)/8)
	out := unsafe.Slice((*uint32)(unsafe.Pointer(&dst[0])), len(dst)/4)
	whole, stopped := 0, 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 32))
		width, runs, at := uint(1+r.IntN(26)), 1+r.IntN(70), 8*r.IntN(20)
		values := numbers(r, runs*UsualRun, width)
		other := runs // the run whose header is another
		if r.IntN(3) == 0 {
			other = r.IntN(runs)
		}
		var body []byte
		for i := range runs {
			header := byte(UsualHeader)
			if i == other {
				header = byte(r.IntN(UsualHeader))
			}
			body = append(append(body, header), pack(values[i*UsualRun:][:UsualRun], width)...)
		}
		src := dtest.Fence(r, bodies, body, []int{0, 3, 16}[r.IntN(3)])
		wanted := words[len(words)-(at+runs*UsualRun+63)/64:]
		clear(wanted)
		every := 1 + r.IntN(1+r.IntN(300))
		for i := r.IntN(every); i < len(wanted)*64; i += 1 + r.IntN(every) {
			wanted[i/64] |= 1 << (i % 64)
		}
		room := out[len(out)-r.IntN(runs*UsualRun+200):]
		done, n := PickWantedRuns32(room, src, width, wanted, at, runs)
		if done > other {
			t.Fatalf("seed %d: went over run %d, whose header is another, to %d", seed, other, done)
		}
		var want []uint32
		for i := range done * UsualRun {
			if wanted[(at+i)/64]>>((at+i)%64)&1 != 0 {
				want = append(want, uint32(values[i]))
			}
		}
		if !slices.Equal(room[:n], want) {
			t.Fatalf("seed %d: width %d, %d of %d runs: %v, want %v", seed, width, done, runs, room[:n], want)
		}
		if done == runs {
			whole++
		} else if done > 0 {
			stopped++
		}
	}
	if hasWanted && (whole == 0 || stopped == 0) {
		t.Errorf("%d times all, %d times some", whole, stopped)
	}
}
