//go:build !race

package plain

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// Lengths that change while strings are decoded, tested or stepped over.
func TestStringsWhileBytesChange(t *testing.T) {
	for _, shape := range []struct{ n, longest, spared int }{{3000, 12, 0}, {3000, 40, 0}, {2000, 300, 0}, {30_000, 100, cached}} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(shape.longest)))
			body, n := []byte(nil), shape.n
			if shape.spared > 0 { // more than a cache holds
				body = encode.ByteArrays(nil, [][]byte{make([]byte, shape.spared)})
				n++
			}
			var lengths []int // their bytes
			for range shape.n {
				for k := range 4 {
					lengths = append(lengths, len(body)+k)
				}
				body = encode.ByteArrays(body, [][]byte{[]byte(strings.Repeat("abcdefghij", shape.longest)[:r.IntN(shape.longest)])})
			}
			words := []string{"", "abc", "abcdefghijabcdefghi"}
			dtest.WhileChanging(t, body, lengths, func(r *rand.Rand, body []byte) {
				d := Strings{Buffer: 1, Cold: r.IntN(2) == 0}
				if err := d.Reset(body, n); err != nil {
					t.Fatal(err)
				}
				gather := d.Gather
				if r.IntN(4) == 0 {
					gather = d.Pack
				}
				test := decodetest.Decoder[bits.View]{Next: d.Next, Skip: d.Skip, Gather: gather}
				for _, s := range decodetest.Strings(r, words, &d) {
					test.Tests = append(test.Tests, decodetest.Test[bits.View]{Name: s.Name, Clear: s.Clear})
				}
				decodetest.Changing(r, test, n, decodetest.InBuffers(nil, body))
			})
		})
	}
}

// Values of which each has its place, whatever they are.
func TestFixedSizesWhileBytesChange(t *testing.T) {
	body := make([]byte, 24_000)
	for i := 0; i < len(body); i += 8 {
		binary.LittleEndian.PutUint64(body[i:], uint64(i))
	}
	t.Run("int32", func(t *testing.T) { numbersChange[int32](t, body) })
	t.Run("int64", func(t *testing.T) { numbersChange[int64](t, body) })
	t.Run("double", func(t *testing.T) { numbersChange[float64](t, body) })
	t.Run("boolean", func(t *testing.T) {
		dtest.WhileChanging(t, body[:1000], nil, func(r *rand.Rand, body []byte) {
			var d Bools
			d.Reset(body, 8000)
			decodetest.Changing(r, decodetest.Bools{BitDecoder: &d, At: r.IntN(100)}.Decoder(), 8000, nil)
		})
	})
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
		decodetest.Changing(r, numbers(&d, 10, 1000), n, nil)
	})
}
