package delta

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// Many blocks, which end, or are cut off, where readable memory does: to look at a byte
// after is a fault. Skips are held to the values that were written.
func TestSkipManyBlocks(t *testing.T) {
	readable := dtest.Edge(t, 64<<10)
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 13))
		values := make([]int64, 1+r.IntN(3000))
		widest, last := 1+r.IntN(27), int64(r.Uint64())
		width := 0
		for i := range values {
			if i%32 == 1 {
				width = r.IntN(widest)
				if r.IntN(100) == 0 {
					width = r.IntN(64)
				}
			}
			last += int64(r.Uint64()&(1<<width-1)) - int64(seed)
			values[i] = last
		}
		body := encode.Delta{}.Int64s(nil, values)
		whole := len(body)
		if r.IntN(2) == 0 {
			body = body[:whole-r.IntN(whole)]
		}
		behind := readable[len(readable)-len(body):]
		copy(behind, body)
		var d Ints[int64]
		if err := d.Reset(behind, len(values)); err != nil {
			if len(body) == whole {
				t.Fatalf("seed %d: %v", seed, err)
			}
			continue
		}
		for at := 0; left(&d) > 0; {
			n := r.IntN(left(&d))
			err := d.Skip(n)
			at += n
			var v [1]int64
			if err == nil {
				_, err = d.Next(v[:])
			}
			if err != nil {
				if len(body) == whole {
					t.Fatalf("seed %d: value %d: %v", seed, at, err)
				}
				break
			}
			if v[0] != values[at] {
				t.Fatalf("seed %d: value %d is %d, want %d", seed, at, v[0], values[at])
			}
			at++
		}
	}
}
