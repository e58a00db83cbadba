package decoders

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/apache/arrow-go/v18/parquet"
	pqdelta "github.com/parquet-go/parquet-go/encoding/delta"

	"github.com/winnow-scan/winnow/encoding/delta"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// deltaRows: DELTA_BINARY_PACKED as common writers lay it out, by the bits that
// differences need.
func deltaRows(s scale, visit func(row)) {
	for _, width := range []int{0, 1, 2, 4, 8, 12, 17, 24, 32} {
		all := pages(s, func(r *rand.Rand) []int32 {
			v := r.Int32()
			return random(s.n, func() int32 { v += int32(step(r, width)); return v })
		})
		bodies := mapped(all, func(v []int32) []byte { return body(encode.Delta{}.Int32s(nil, v)) })
		var d delta.Ints[int32]
		var q pqdelta.BinaryPackedEncoding
		visit(numberRow(fmt.Sprintf("op=delta/type=int32/width=%d", width), parquet.Types.Int32, parquet.Encodings.DeltaBinaryPacked,
			all, bodies, d.Reset, d.Next, q.DecodeInt32))
	}
	for _, width := range []int{0, 1, 4, 8, 12, 17, 24, 32, 48, 64} {
		all := pages(s, func(r *rand.Rand) []int64 {
			v := r.Int64()
			return random(s.n, func() int64 { v += step(r, width); return v })
		})
		bodies := mapped(all, func(v []int64) []byte { return body(encode.Delta{}.Int64s(nil, v)) })
		var d delta.Ints[int64]
		var q pqdelta.BinaryPackedEncoding
		visit(numberRow(fmt.Sprintf("op=delta/type=int64/width=%d", width), parquet.Types.Int64, parquet.Encodings.DeltaBinaryPacked,
			all, bodies, d.Reset, d.Next, q.DecodeInt64))
	}
}

// step returns a difference from a range that takes width bits.
func step(r *rand.Rand, width int) int64 {
	if width == 0 {
		return 3
	}
	return int64(r.Uint64()>>(64-width)) - 1<<(width-1)
}

// numberRow is a row of values that all three hand out as the same slice. They write to the same
// memory: where its pages lie, which nobody chooses, makes 15 % of such a row.
func numberRow[T any](name string, kind parquet.Type, encoding parquet.Encoding, all [][]T, bodies [][]byte,
	reset func([]byte, int) error, next func([]T) (int, error), peer func([]T, []byte) ([]T, error)) row {
	n := len(all[0])
	values := make([]T, n)
	return row{
		name: name,
		n:    n,
		size: int(reflect.TypeFor[T]().Size()) * n,
		want: func(p int) any { return all[p] },
		impls: []impl{
			{"winnow", func(p int) error {
				if err := reset(bodies[p], n); err != nil {
					return err
				}
				_, err := next(values)
				return err
			}, func() any { return values }},
			{"parquet-go", func(p int) (err error) {
				values, err = peer(values, bodies[p])
				return err
			}, func() any { return values }},
			arrowInto(values, arrowColumn{kind: kind, n: n, encoding: encoding, bodies: bodies}, same[T], nothing),
		},
	}
}
