package decoders

import (
	"fmt"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/parquet"
	pqsplit "github.com/parquet-go/parquet-go/encoding/bytestreamsplit"
	pqplain "github.com/parquet-go/parquet-go/encoding/plain"

	"github.com/winnow-scan/winnow/encoding/bss"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

func float32s(s scale) [][]float32 {
	return pages(s, func(r *rand.Rand) []float32 { return random(s.n, r.Float32) })
}
func float64s(s scale) [][]float64 {
	return pages(s, func(r *rand.Rand) []float64 { return random(s.n, r.Float64) })
}
func int32s(s scale) [][]int32 {
	return pages(s, func(r *rand.Rand) []int32 { return random(s.n, r.Int32) })
}
func int64s(s scale) [][]int64 {
	return pages(s, func(r *rand.Rand) []int64 { return random(s.n, r.Int64) })
}

// written returns the PLAIN pages of values.
func written[T any](all [][]T, plain func([]byte, []T) []byte) [][]byte {
	return mapped(all, func(v []T) []byte { return body(plain(nil, v)) })
}

// split returns the BYTE_STREAM_SPLIT pages of values.
func split[T any](all [][]T, plain func([]byte, []T) []byte) [][]byte {
	return mapped(all, func(v []T) []byte {
		b := plain(nil, v)
		return body(encode.ByteStreamSplit(nil, b, len(b)/len(v)))
	})
}

// splitRows: BYTE_STREAM_SPLIT.
func splitRows(s scale, visit func(row)) {
	var q pqsplit.Encoding
	const name = "op=split/type="
	encoding := parquet.Encodings.ByteStreamSplit
	{
		all := float32s(s)
		var d bss.Numbers[float32]
		visit(numberRow(name+"float", parquet.Types.Float, encoding, all, split(all, encode.Numbers), d.Reset, d.Next, q.DecodeFloat))
	}
	{
		all := float64s(s)
		var d bss.Numbers[float64]
		visit(numberRow(name+"double", parquet.Types.Double, encoding, all, split(all, encode.Numbers), d.Reset, d.Next, q.DecodeDouble))
	}
	{
		all := int32s(s)
		var d bss.Numbers[int32]
		visit(numberRow(name+"int32", parquet.Types.Int32, encoding, all, split(all, encode.Numbers), d.Reset, d.Next, q.DecodeInt32))
	}
	{
		all := int64s(s)
		var d bss.Numbers[int64]
		visit(numberRow(name+"int64", parquet.Types.Int64, encoding, all, split(all, encode.Numbers), d.Reset, d.Next, q.DecodeInt64))
	}
	for _, size := range []int{2, 5, 12, 16} {
		all := fixed(s, size)
		bodies := mapped(all, func(b []byte) []byte { return body(encode.ByteStreamSplit(nil, b, size)) })
		var d bss.Fixed
		visit(fixedRow(fmt.Sprintf("%sflba/size=%d", name, size), parquet.Encodings.ByteStreamSplit, size, all, bodies,
			d.Reset, d.Next, q.DecodeFixedLenByteArray))
	}
}

// fixed returns pages of values of a size, one behind the other.
func fixed(s scale, size int) [][]byte {
	return pages(s, func(r *rand.Rand) []byte {
		return random(s.n*size, func() byte { return byte(r.Uint32()) })
	})
}

// fixedRow is a row of FIXED_LEN_BYTE_ARRAY. arrow-go hands out slices.
func fixedRow(name string, encoding parquet.Encoding, size int, all, bodies [][]byte,
	reset func([]byte, int, int) error, next func([]byte) (int, error), peer func([]byte, []byte, int) ([]byte, error)) row {
	n := len(all[0]) / size
	ours, theirs := make([]byte, n*size), make([]byte, n*size)
	cut := func(b []byte) (v []string) {
		for ; len(b) > 0; b = b[size:] {
			v = append(v, string(b[:size]))
		}
		return v
	}
	return row{
		name: name,
		n:    n,
		size: n * size,
		want: func(p int) any { return cut(all[p]) },
		impls: []impl{
			{"winnow", func(p int) error {
				if err := reset(bodies[p], n, size); err != nil {
					return err
				}
				_, err := next(ours)
				return err
			}, func() any { return cut(ours) }},
			{"parquet-go", func(p int) (err error) {
				theirs, err = peer(theirs, bodies[p], size)
				return err
			}, func() any { return cut(theirs) }},
			arrow(arrowColumn{kind: parquet.Types.FixedLenByteArray, length: size, n: n, encoding: encoding, bodies: bodies},
				func(b parquet.FixedLenByteArray) string { return string(b) }, nothing),
		},
	}
}

// copyRows: PLAIN numbers, which are in memory what they are in the page. They
// measure copying (or not copying) and are judged by nobody.
func copyRows(s scale, visit func(row)) {
	var q pqplain.Encoding
	const name = "op=copy/type="
	{
		all := int32s(s)
		var d plain.Numbers[int32]
		visit(numberRow(name+"int32", parquet.Types.Int32, parquet.Encodings.Plain, all, written(all, encode.Numbers), d.Reset, d.Next, q.DecodeInt32))
	}
	{
		all := int64s(s)
		var d plain.Numbers[int64]
		visit(numberRow(name+"int64", parquet.Types.Int64, parquet.Encodings.Plain, all, written(all, encode.Numbers), d.Reset, d.Next, q.DecodeInt64))
	}
	{
		all := float32s(s)
		var d plain.Numbers[float32]
		visit(numberRow(name+"float", parquet.Types.Float, parquet.Encodings.Plain, all, written(all, encode.Numbers), d.Reset, d.Next, q.DecodeFloat))
	}
	{
		all := float64s(s)
		var d plain.Numbers[float64]
		visit(numberRow(name+"double", parquet.Types.Double, parquet.Encodings.Plain, all, written(all, encode.Numbers), d.Reset, d.Next, q.DecodeDouble))
	}
	all := fixed(s, 12)
	var d plain.Fixed
	visit(fixedRow(name+"flba/size=12", parquet.Encodings.Plain, 12, all, mapped(all, body), d.Reset, d.Next, q.DecodeFixedLenByteArray))
}
