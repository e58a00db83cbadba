package rle

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// Many runs with headers of as many bytes, one byte of them perhaps wrong: what is
// stepped over is held to the headers, read one by one, and may not contain what
// is wrong.
func TestSkipAlike(t *testing.T) {
	edge := dtest.Edge(t, 1<<12)
	stepped := 0
	for seed := range uint64(dtest.Rounds(t, 4000)) {
		r := rand.New(rand.NewPCG(seed, 3))
		width, header := uint(r.IntN(33)), 1+r.IntN(2)
		var runs []encode.Run
		for range r.IntN(60) {
			length := 1 + r.IntN(63)
			if header == 2 {
				length = 64 + r.IntN(1<<13-64)
			}
			runs = append(runs, encode.Run{Repeat: length, Value: uint32(r.Uint64N(1 << width))})
		}
		body := dtest.Fence(r, edge, encode.HybridRuns(nil, int(width), runs), r.IntN(2)*encoding.Padding)
		if len(body) > 0 && r.IntN(2) == 0 {
			body[r.IntN(len(body))] = byte(r.Uint32())
		}
		left := r.IntN(64 * header * 40)
		next, still := skipAlike(body, 0, left, header, width)
		at, values := 0, 0
		for at < next {
			count, packed, start := shortHeader(body, at)
			size := int(width+7) / 8
			if count == 0 || packed || start-at != header {
				t.Fatalf("seed %d: stepped over what is wrong at %d", seed, at)
			}
			var value uint64
			for i := range size {
				value |= uint64(body[start+i]) << (8 * i)
			}
			if value>>width != 0 {
				t.Fatalf("seed %d: stepped over value %x of more than %d bits at %d", seed, value, width, at)
			}
			at, values = start+size, values+count
		}
		if at != next || still < 0 || values != left-still {
			t.Fatalf("seed %d, width %d: at %d with %d left, but %d with %d", seed, width, next, still, at, left-values)
		}
		stepped += next
	}
	if stepped == 0 {
		t.Error("nothing was ever stepped over")
	}
}

// random returns n numbers of a width.
func random(r *rand.Rand, n, width int) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = uint32(r.Uint64N(1 << width))
	}
	return v
}
