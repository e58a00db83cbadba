//go:build !race

package delta

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// Heads and widths of blocks that change while deltas are decoded, tested or stepped over.
func TestIntsWhileBytesChange(t *testing.T) {
	for _, shape := range []encode.Delta{{}, {BlockSize: 256, Miniblocks: 1}, {BlockSize: 2048, Miniblocks: 8}} {
		for _, most := range []int64{1 << 12, 1 << 30} { // some kernels are for narrow deltas only
			const n = 400
			r := rand.New(rand.NewPCG(2, uint64(most)))
			wide, short := make([]int64, n), make([]int32, n)
			for i := range wide {
				wide[i] = r.Int64N(most * most)
				short[i] = int32(r.Int64N(most))
			}
			t.Run(fmt.Sprint(shape.BlockSize, most, "int64"), func(t *testing.T) { intsChange[int64](t, shape.Int64s(nil, wide), n) })
			t.Run(fmt.Sprint(shape.BlockSize, most, "int32"), func(t *testing.T) { intsChange[int32](t, shape.Int32s(nil, short), n) })
		}
	}
}

func intsChange[T integer](t *testing.T, body []byte, n int) {
	dtest.WhileChanging(t, body, headsOf(body, n), func(r *rand.Rand, body []byte) {
		var d Ints[T]
		if d.Reset(body, n) == nil {
			decodetest.Changing(r, ints(&d, r.IntN(2) == 0, 10, 1<<20), n, nil)
		}
	})
}

// headsOf returns which bytes of a sequence are no deltas.
func headsOf(body []byte, n int) (heads []int) {
	var b blocks
	_, _, err := b.start(body, 0, n, false)
	for from := 0; err == nil; from = b.at {
		if b.toCome > 0 {
			err = b.enter()
		}
		for ; from < b.at; from++ {
			heads = append(heads, from)
		}
		if b.toCome == 0 {
			return heads
		}
		b.take(b.inMini)
	}
	panic(err)
}

// Lengths that change while strings are decoded, tested or stepped over.
func TestStringsWhileBytesChange(t *testing.T) {
	const n = 4000
	r := rand.New(rand.NewPCG(3, 1))
	values := make([][]byte, n)
	for i := range values {
		values[i] = bytes.Repeat([]byte("abcd"), 10)[:r.IntN(40)]
	}
	for _, shape := range []encode.Delta{{}, {BlockSize: 2048, Miniblocks: 8}} {
		t.Run(fmt.Sprint(shape.BlockSize, "lengths"), func(t *testing.T) {
			body := shape.LengthByteArrays(nil, values)
			dtest.WhileChanging(t, body, frontOf(body, &Strings{}, n), func(r *rand.Rand, body []byte) {
				d := Strings{Buffer: 1}
				if d.Reset(body, n) != nil {
					return
				}
				gather := d.Gather
				if r.IntN(2) == 0 {
					gather = d.Pack
				}
				test := decodetest.Decoder[bits.View]{Next: d.Next, Skip: d.Skip, Gather: gather}
				for _, s := range decodetest.Strings(r, toStrings(values[:20]), &d) {
					test.Tests = append(test.Tests, decodetest.Test[bits.View]{Name: s.Name, Clear: s.Clear})
				}
				decodetest.Changing(r, test, n, decodetest.InBuffers(nil, body))
			})
		})
		t.Run(fmt.Sprint(shape.BlockSize, "prefixes"), func(t *testing.T) {
			body := shape.ByteArrays(nil, values)
			dtest.WhileChanging(t, body, nil, func(r *rand.Rand, body []byte) {
				d := Prefixed{Buffer: 1}
				if d.Reset(body, n) != nil {
					return
				}
				var arena []byte
				of := func(read func() (int, []byte, error)) (n int, err error) {
					n, arena, err = read()
					return n, err
				}
				gather := d.Gather
				if r.IntN(2) == 0 {
					gather = d.Pack
				}
				test := decodetest.Decoder[bits.View]{
					Next: func(dst []bits.View) (int, error) {
						return of(func() (int, []byte, error) { return d.Next(dst, arena) })
					},
					Skip: d.Skip,
					Gather: func(dst []bits.View, sel []uint64, n int) (int, error) {
						return of(func() (int, []byte, error) { return gather(dst, arena, sel, n) })
					},
				}
				for _, s := range decodetest.Strings(r, toStrings(values[:20]), &d) {
					test.Tests = append(test.Tests, decodetest.Test[bits.View]{Name: s.Name, Clear: s.Clear})
				}
				decodetest.Changing(r, test, n, func(v bits.View) bool { return decodetest.InBuffers(nil, arena)(v) })
			})
		})
		t.Run(fmt.Sprint(shape.BlockSize, "fixed"), func(t *testing.T) {
			const size = 16
			fixed := make([][]byte, n)
			for i := range fixed {
				fixed[i] = fmt.Appendf(nil, "%016d", i/3*i)
			}
			body := shape.ByteArrays(nil, fixed)
			dtest.WhileChanging(t, body, nil, func(r *rand.Rand, body []byte) {
				var d Fixed
				if d.Reset(body, n, size) != nil {
					return
				}
				decodetest.Changing(r, decodetest.Fixed(&d, size), n, nil)
			})
		})
	}
}

// frontOf returns the bytes of the lengths.
func frontOf(body []byte, d *Strings, n int) (front []int) {
	if err := d.Reset(body, n); err != nil {
		panic(err)
	}
	for i := range d.at {
		front = append(front, i)
	}
	return front
}
