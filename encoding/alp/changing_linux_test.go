//go:build !race

package alp

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// Offsets, heads of vectors and places of exceptions that change while values are decoded.
func TestNumbersWhileBytesChange(t *testing.T) {
	const n = 5000
	r := rand.New(rand.NewPCG(5, 1))
	floats, doubles := make([]float32, n), make([]float64, n)
	for i := range n {
		floats[i], doubles[i] = float32(r.IntN(1000))/4, float64(r.IntN(100_000))/100
		if r.IntN(20) == 0 { // an exception
			floats[i], doubles[i] = r.Float32(), r.Float64()
		}
	}
	t.Run("float", func(t *testing.T) { numbersChange[float32](t, encode.ALP{}.Float32s(nil, floats), n) })
	t.Run("double", func(t *testing.T) { numbersChange[float64](t, encode.ALP{}.Float64s(nil, doubles), n) })
}

func numbersChange[T number](t *testing.T, body []byte, n int) {
	var d Numbers[T]
	if err := d.Reset(body, n); err != nil {
		t.Fatal(err)
	}
	var heads []int // the file's, and of each vector what stands around its packed values
	for i := range headerSize + 4*d.vectors {
		heads = append(heads, i)
	}
	for k := range d.vectors {
		if err := d.enter(k); err != nil {
			t.Fatal(err)
		}
		at := headerSize + int(d.offset(k))
		for i := range 5 + encoding.SizeOf[T]() {
			heads = append(heads, at+i)
		}
		places := cap(body) - cap(d.positions)
		for i := range d.positions {
			heads = append(heads, places+i)
		}
	}
	dtest.WhileChanging(t, body, heads, func(r *rand.Rand, body []byte) {
		var d Numbers[T]
		if d.Reset(body, n) != nil {
			return
		}
		decodetest.Changing(r, decodetest.Decoder[T]{Next: d.Next, Skip: d.Skip, Gather: d.Gather, Tests: []decodetest.Test[T]{
			{Name: "Range", Clear: func(sel []uint64, n int) error { return d.Range(sel, n, 1, 1000) }},
		}}, n, nil)
	})
}
