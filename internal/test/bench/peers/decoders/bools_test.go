package decoders

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/apache/arrow-go/v18/parquet"
	pqplain "github.com/parquet-go/parquet-go/encoding/plain"
	pqrle "github.com/parquet-go/parquet-go/encoding/rle"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// boolRows: booleans to bitmaps, which arrow-go does not have, and to []bool,
// for which users of parquet-go and of winnow spread the bits. Repeated are whole groups of 8
// and only false, for parquet-go reads other repeats as something else.
func boolRows(s scale, visit func(row)) {
	for _, runs := range []string{"packed", "mixed"} {
		all := pages(s, func(r *rand.Rand) []bool {
			v := make([]bool, 0, s.n+64)
			for len(v) < s.n {
				if runs == "mixed" && r.IntN(2) == 0 {
					v = append(v, make([]bool, 8*(1+r.IntN(7)))...)
					continue
				}
				v = append(v, random(8, func() bool { return r.IntN(2) == 0 })...)
			}
			return v[:s.n]
		})
		bodies := mapped(all, func(v []bool) []byte {
			codes := mapped(v, func(b bool) uint32 {
				if b {
					return 1
				}
				return 0
			})
			b := packed(1, codes, usual)[1:]
			if runs == "mixed" {
				b = encode.HybridRuns(nil, 1, wholeGroups(codes))
			}
			return body(append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...))
		})
		var d rle.Bools
		var q pqrle.Encoding
		reset := func(b []byte, n int) error { return d.Reset(b[4:], n) }
		op := "bools"
		if runs == "packed" {
			op = "copy"
		}
		visit(bitRow("op="+op+"/encoding=rle/to=bits/runs="+runs, all, bodies, reset, d.NextBits, q.DecodeBoolean))
		visit(boolRow("op=bools/encoding=rle/to=bools/runs="+runs, parquet.Encodings.RLE, all, bodies, reset, d.NextBits, q.DecodeBoolean))
	}
	all := pages(s, func(r *rand.Rand) []bool { return random(s.n, func() bool { return r.IntN(2) == 0 }) })
	var d plain.Bools
	var q pqplain.Encoding
	visit(boolRow("op=bools/encoding=plain/to=bools", parquet.Encodings.Plain, all, written(all, encode.Bools), d.Reset, d.NextBits, q.DecodeBoolean))
}

func bitRow(name string, all [][]bool, bodies [][]byte, reset func([]byte, int) error, next func([]uint64, int, int) (int, error),
	peer func(dst, src []byte) ([]byte, error)) row {
	n := len(all[0])
	ours, theirs := make([]uint64, bits.Words(n)), make([]byte, (n+7)/8)
	return row{
		name: name,
		n:    n,
		size: n / 8,
		want: func(p int) any { return all[p] },
		impls: []impl{
			{"winnow", func(p int) error {
				if err := reset(bodies[p], n); err != nil {
					return err
				}
				_, err := next(ours, 0, n)
				return err
			}, func() any {
				v := make([]bool, n)
				for i := range v {
					v[i] = bits.Get(ours, i)
				}
				return v
			}},
			{"parquet-go", func(p int) (err error) {
				theirs, err = peer(theirs, bodies[p])
				return err
			}, func() any { return spread(make([]bool, n), theirs) }},
		},
	}
}

func boolRow(name string, encoding parquet.Encoding, all [][]bool, bodies [][]byte, reset func([]byte, int) error, next func([]uint64, int, int) (int, error),
	peer func(dst, src []byte) ([]byte, error)) row {
	n := len(all[0])
	ours, theirs, words, packed := make([]bool, n), make([]bool, n), make([]uint64, bits.Words(n)), make([]byte, (n+7)/8)
	return row{
		name: name,
		n:    n,
		size: n,
		want: func(p int) any { return all[p] },
		impls: []impl{
			{"winnow", func(p int) error {
				if err := reset(bodies[p], n); err != nil {
					return err
				}
				_, err := next(words, 0, n)
				for i := range ours {
					ours[i] = bits.Get(words, i)
				}
				return err
			}, func() any { return ours }},
			{"parquet-go", func(p int) (err error) {
				packed, err = peer(packed, bodies[p])
				spread(theirs, packed)
				return err
			}, func() any { return theirs }},
			arrow(arrowColumn{kind: parquet.Types.Boolean, n: n, encoding: encoding, bodies: bodies}, same[bool], nothing),
		},
	}
}

// spread sets each bool to its bit.
func spread(v []bool, packed []byte) []bool {
	all := v
	for len(v) >= 8 {
		b, some := packed[0], v[:8]
		for i := range some {
			some[i] = b>>i&1 != 0
		}
		v, packed = v[8:], packed[1:]
	}
	return all
}

// wholeGroups repeats whole groups of 8 zeros, and packs all else.
func wholeGroups(codes []uint32) (runs []encode.Run) {
	for ; len(codes) > 0; codes = codes[8:] {
		group := codes[:8]
		zeros := slices.Max(group) == 0
		if last := len(runs) - 1; last >= 0 && zeros == (runs[last].Repeat > 0) {
			if zeros {
				runs[last].Repeat += 8
			} else {
				runs[last].Packed = append(runs[last].Packed, group...)
			}
			continue
		}
		if zeros {
			runs = append(runs, encode.Run{Repeat: 8})
		} else {
			runs = append(runs, encode.Run{Packed: slices.Clone(group)})
		}
	}
	return runs
}
