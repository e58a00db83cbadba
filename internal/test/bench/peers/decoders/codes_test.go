package decoders

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/parquet"
	pqrle "github.com/parquet-go/parquet-go/encoding/rle"

	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// usual is the length of packed runs that most writers do not exceed: the
// longest whose header has one byte.
const usual = 504

// packed encodes codes behind the byte of their width, in packed runs of a length.
func packed(width int, codes []uint32, length int) []byte {
	var runs []encode.Run
	for at := 0; at < len(codes); at += length {
		runs = append(runs, encode.Run{Packed: codes[at:min(at+length, len(codes))]})
	}
	return body(encode.HybridRuns([]byte{byte(width)}, width, runs))
}

// identity is the dictionary in which entry number i is i: through it a column
// of arrow-go shows its codes.
func identity(entries int) []byte {
	v := make([]int32, entries)
	for i := range v {
		v[i] = int32(i)
	}
	return encode.Numbers(nil, v)
}

// codePages hold codes of a width, below a number of entries.
type codePages struct {
	scale
	width, entries int
	codes          [][]uint32
	bodies         [][]byte
}

// unpackers are the peers' ways to codes, which then may use.
func (c codePages) unpackers(then func(codes []int32)) []impl {
	var q pqrle.DictionaryEncoding
	codes := make([]int32, c.n)
	return []impl{
		{"parquet-go", func(p int) (err error) {
			codes, err = q.DecodeInt32(codes, c.bodies[p])
			then(codes)
			return err
		}, func() any { return mapped(codes, toUint32) }},
		arrow(arrowColumn{
			kind: parquet.Types.Int32, n: c.n, encoding: parquet.Encodings.RLEDict,
			bodies: c.bodies, dictionary: identity(c.entries), entries: c.entries,
		}, toUint32, then),
	}
}

func toUint32(x int32) uint32 { return uint32(x) }

// codeRows: packed codes to 32-bit numbers. The dictionary fills the width, so
// nobody needs to check a code, up to 16 bits; from there on it has 65,536
// entries, else arrow-go's lookup would be a test of caches. Codes of 32 bits
// are only copied, and by winnow compared with the limit.
func codeRows(s scale, visit func(row)) {
	for width := 1; width <= 32; width++ {
		c := codePages{scale: s, width: width, entries: 1 << min(width, 16)}
		c.codes = pages(s, func(r *rand.Rand) []uint32 {
			return random(s.n, func() uint32 { return uint32(r.IntN(c.entries)) })
		})
		c.bodies = mapped(c.codes, func(v []uint32) []byte { return packed(width, v, usual) })
		limit := uint32(min(uint64(1)<<width, math.MaxUint32))
		var d rle.Codes
		dst := make([]uint32, s.n)
		name := fmt.Sprintf("op=unpack/width=%d", width)
		if width == 32 {
			name = "op=copy/type=code/width=32"
		}
		visit(row{
			name: name,
			n:    s.n,
			size: 4 * s.n,
			want: func(p int) any { return c.codes[p] },
			impls: append([]impl{{"winnow", func(p int) error {
				if err := d.ResetIndices(c.bodies[p], limit, s.n); err != nil {
					return err
				}
				_, err := d.Next(dst)
				return err
			}, func() any { return dst }}}, c.unpackers(nothing)...),
		})
	}
}

// maskRows: packed codes against a mask, to a bitmap; peers unpack and then
// test. Scattered is random all over; clustered codes come in stretches that lie
// close to each other, and the mask is one range, so hits stand together. Runs
// are of the usual length, or one for the page, as some writers make it.
func maskRows(s scale, visit func(row)) {
	for width := 1; width <= 16; width++ {
		for _, shape := range []string{"scattered", "clustered"} {
			at := fmt.Sprintf("op=mask/width=%d/shape=%s/run=", width, shape)
			maskRow(s, width, usual, shape == "clustered", at+"usual", visit)
			maskRow(s, width, s.n, shape == "clustered", at+"one", visit)
		}
	}
}

func maskRow(s scale, width, length int, clustered bool, name string, visit func(row)) {
	entries := 1 << width
	c := codePages{scale: s, width: width, entries: entries}
	c.codes = pages(s, func(r *rand.Rand) []uint32 {
		base, left := 0, 0
		return random(s.n, func() uint32 {
			if !clustered {
				return uint32(r.IntN(entries))
			}
			if left == 0 {
				base, left = r.IntN(entries), 64+r.IntN(448)
			}
			left--
			return uint32((base + r.IntN(entries/16+1)) % entries)
		})
	})
	c.bodies = mapped(c.codes, func(v []uint32) []byte { return packed(width, v, length) })

	mask := make([]uint64, bits.Words(entries))
	if clustered {
		bits.SetRange(mask, entries/4, entries/4+max(entries/4, 1))
	} else {
		r := rand.New(rand.NewPCG(8, uint64(width)))
		for i := range entries {
			if r.IntN(2) == 0 || i == 1 {
				bits.Set(mask, i)
			}
		}
	}

	sel := make([]uint64, bits.Words(s.n))
	show := func() any { return append([]uint64(nil), sel...) }
	ours := bitpack.MakeMask(mask, uint32(entries)) // once for a dictionary, as the mask itself
	var d rle.Codes
	impls := []impl{{"winnow", func(p int) error {
		if err := d.ResetIndices(c.bodies[p], uint32(entries), s.n); err != nil {
			return err
		}
		bits.SetRange(sel, 0, s.n)
		return d.Mask(sel, s.n, &ours)
	}, show}}
	for _, u := range c.unpackers(func(codes []int32) { testAfter(sel, codes, mask) }) {
		u.values = show
		impls = append(impls, u)
	}
	visit(row{
		name: name,
		n:    s.n,
		size: 4 * s.n,
		want: func(p int) any {
			w := make([]uint64, bits.Words(s.n))
			for i, code := range c.codes[p] {
				if bits.Get(mask, int(code)) {
					bits.Set(w, i)
				}
			}
			return w
		},
		impls: impls,
	})
}

// testAfter is the test that a user of unpacked codes would write.
func testAfter(sel []uint64, codes []int32, mask []uint64) {
	for i := range sel {
		some := codes[i*64 : min(i*64+64, len(codes))]
		word := uint64(0)
		for _, c := range some {
			word = word>>1 | mask[uint32(c)/64]>>(uint32(c)%64)<<63
		}
		sel[i] = word >> (64 - len(some))
	}
}
