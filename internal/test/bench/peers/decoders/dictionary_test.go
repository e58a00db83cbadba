package decoders

import (
	"fmt"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/parquet"
	pqrle "github.com/parquet-go/parquet-go/encoding/rle"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// dictionaryRows: codes to values, in packed runs, and in the mixture of runs
// that repeating values make. No dictionary fills its width, so all must check.
func dictionaryRows(s scale, visit func(row)) {
	for _, width := range []int{3, 8, 12, 16} {
		for _, runs := range []string{"packed", "mixed"} {
			c := dictionaryPages(s, width, runs == "mixed")
			at := fmt.Sprintf("/width=%d/runs=%s", width, runs)
			r := rand.New(rand.NewPCG(9, uint64(width)))
			visit(dictionaryRow("int32"+at, c, parquet.Types.Int32, encode.Numbers, random(c.entries, r.Int32)))
			visit(dictionaryRow("int64"+at, c, parquet.Types.Int64, encode.Numbers, random(c.entries, r.Int64)))
			visit(dictionaryRow("double"+at, c, parquet.Types.Double, encode.Numbers, random(c.entries, r.Float64)))
			visit(stringDictionaryRow("string"+at, c, random(c.entries, func() []byte { return text(r, 1, 20) })))
		}
	}
}

func dictionaryPages(s scale, width int, mixed bool) codePages {
	c := codePages{scale: s, width: width, entries: 3<<width/4 + 1}
	c.codes = pages(s, func(r *rand.Rand) []uint32 {
		code, left := uint32(0), 0
		return random(s.n, func() uint32 {
			if left == 0 {
				code, left = uint32(r.IntN(c.entries)), 1
				if mixed && r.IntN(4) == 0 {
					left = 8 + r.IntN(56)
				}
			}
			left--
			return code
		})
	})
	c.bodies = mapped(c.codes, func(v []uint32) []byte {
		if mixed {
			return body(encode.Hybrid([]byte{byte(width)}, width, v))
		}
		return packed(width, v, usual)
	})
	return c
}

func dictionaryRow[T any](name string, c codePages, kind parquet.Type, plain func([]byte, []T) []byte, dictionary []T) row {
	var d rle.Codes
	dst := make([]T, c.n)
	return row{
		name: "op=dictionary/type=" + name,
		n:    c.n,
		size: len(plain(nil, dictionary[:1])) * c.n,
		want: func(p int) any { return mapped(c.codes[p], func(code uint32) T { return dictionary[code] }) },
		impls: []impl{
			{"winnow", func(p int) error {
				if err := d.ResetIndices(c.bodies[p], uint32(c.entries), c.n); err != nil {
					return err
				}
				_, err := rle.Lookup(&d, dst, dictionary)
				return err
			}, func() any { return dst }},
			lookup(c, dictionary, same),
			arrow(arrowColumn{
				kind: kind, n: c.n, encoding: parquet.Encodings.RLEDict,
				bodies: c.bodies, dictionary: plain(nil, dictionary), entries: c.entries,
			}, same[T], nothing),
		},
	}
}

// lookup is how users of parquet-go's encodings look codes up.
func lookup[T, V any](c codePages, dictionary []T, show func(T) V) impl {
	var q pqrle.DictionaryEncoding
	codes, dst := make([]int32, c.n), make([]T, c.n)
	return impl{"parquet-go", func(p int) (err error) {
		codes, err = q.DecodeInt32(codes, c.bodies[p])
		codes := codes[:len(dst)] // the last group's padding is in them, too
		for i, code := range codes {
			dst[i] = dictionary[code]
		}
		return err
	}, func() any { return mapped(dst, show) }}
}

func stringDictionaryRow(name string, c codePages, dictionary [][]byte) row {
	var d rle.Codes
	dst := make([]bits.View, c.n)
	plain := encode.ByteArrays(nil, dictionary)
	var buffer []byte
	views := mapped(dictionary, func(b []byte) bits.View {
		buffer = append(buffer, b...)
		return bits.Make(b, 0, int32(len(buffer)-len(b)))
	})
	return row{
		name: "op=dictionary/type=" + name,
		n:    c.n,
		size: 16 * c.n,
		want: func(p int) any {
			return mapped(c.codes[p], func(code uint32) string { return string(dictionary[code]) })
		},
		impls: []impl{
			{"winnow", func(p int) error {
				if err := d.ResetIndices(c.bodies[p], uint32(c.entries), c.n); err != nil {
					return err
				}
				_, err := rle.Lookup(&d, dst, views)
				return err
			}, func() any { return shown(dst, buffer) }},
			lookup(c, mapped(dictionary, toString), same[string]),
			arrow(arrowColumn{
				kind: parquet.Types.ByteArray, n: c.n, encoding: parquet.Encodings.RLEDict,
				bodies: c.bodies, dictionary: plain, entries: c.entries,
			}, func(b parquet.ByteArray) string { return string(b) }, nothing),
		},
	}
}

func toString(b []byte) string { return string(b) }

// shown returns views into one buffer as strings.
func shown(views []bits.View, buffer []byte) []string {
	return mapped(views, func(v bits.View) string { return string(v.Bytes([][]byte{buffer})) })
}

const letters = "abcdefghijklmnopqrstuvwxyz 0123456789"

// text returns from least to most letters.
func text(r *rand.Rand, least, most int) []byte {
	return random(least+r.IntN(most-least+1), func() byte { return letters[r.IntN(len(letters))] })
}
