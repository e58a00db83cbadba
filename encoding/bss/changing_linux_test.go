//go:build !race

package bss

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// Values whose bytes stand in several places, whatever they are.
func TestStreamsWhileBytesChange(t *testing.T) {
	body := make([]byte, 24_000)
	t.Run("float", func(t *testing.T) { numbersChange[float32](t, body) })
	t.Run("int64", func(t *testing.T) { numbersChange[int64](t, body) })
	t.Run("fixed", func(t *testing.T) {
		const size = 12
		dtest.WhileChanging(t, body, nil, func(r *rand.Rand, body []byte) {
			var d Fixed
			d.Reset(body, len(body)/size, size)
			decodetest.Changing(r, decodetest.Fixed(&d, size), len(body)/size, nil)
		})
	})
}

func numbersChange[T encoding.Number](t *testing.T, body []byte) {
	n := len(body) / encoding.SizeOf[T]()
	dtest.WhileChanging(t, body, nil, func(r *rand.Rand, body []byte) {
		var d Numbers[T]
		d.Reset(body, n)
		gather := d.Gather
		if r.IntN(2) == 0 {
			gather = d.Pack
		}
		decodetest.Changing(r, decodetest.Decoder[T]{Next: d.Next, Skip: d.Skip, Gather: gather, Tests: []decodetest.Test[T]{
			{Name: "Range", Clear: func(sel []uint64, n int) error { return d.Range(sel, n, 1, 1000) }},
		}}, n, nil)
	})
}
