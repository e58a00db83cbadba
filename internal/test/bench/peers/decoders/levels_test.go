package decoders

import (
	"fmt"
	"math/rand/v2"

	pqrle "github.com/parquet-go/parquet-go/encoding/rle"

	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// levelRows: levels to bytes. Packed are random ones in runs of the usual
// length; in mixed ones 1 to 40 are alike, and 8 of those from the border of a
// group on become a repeated run, as writers do it. arrow-go does not show its
// levels without the values.
func levelRows(s scale, visit func(row)) {
	for _, most := range []int{1, 3} {
		for _, runs := range []string{"packed", "mixed"} {
			all := pages(s, func(r *rand.Rand) []uint32 {
				level, left := uint32(0), 0
				return random(s.n, func() uint32 {
					if left == 0 {
						level, left = uint32(r.IntN(most+1)), 1
						if runs == "mixed" {
							left = 1 + r.IntN(40)
						}
					}
					left--
					return level
				})
			})
			width := 1 + most/2
			bodies := mapped(all, func(v []uint32) []byte {
				if runs == "mixed" {
					return body(encode.Hybrid(nil, width, v))
				}
				return packed(width, v, usual)[1:]
			})
			ours, theirs := make([]uint8, s.n), make([]byte, 0, s.n+8)
			var l rle.Levels
			q := pqrle.Encoding{BitWidth: width}
			visit(row{
				name: fmt.Sprintf("op=levels/width=%d/runs=%s", width, runs),
				n:    s.n,
				size: s.n,
				want: func(p int) any { return mapped(all[p], func(x uint32) uint8 { return uint8(x) }) },
				impls: []impl{
					{"winnow", func(p int) error {
						if err := l.Reset(bodies[p], uint8(most), s.n); err != nil {
							return err
						}
						_, err := l.Next(ours)
						return err
					}, func() any { return ours }},
					{"parquet-go", func(p int) (err error) {
						theirs, err = q.DecodeLevels(theirs, bodies[p])
						return err
					}, func() any { return theirs[:s.n] }},
				},
			})
		}
	}
}
