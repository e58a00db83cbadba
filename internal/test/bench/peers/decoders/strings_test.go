package decoders

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/apache/arrow-go/v18/parquet"
	pqdelta "github.com/parquet-go/parquet-go/encoding/delta"
	pqplain "github.com/parquet-go/parquet-go/encoding/plain"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/delta"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// stringRows: BYTE_ARRAY in its three encodings. Winnow makes 16-byte views,
// parquet-go the bytes without gaps and their offsets, arrow-go slices. Pages are
// no longer than the megabyte that writers stop at.
func stringRows(s scale, visit func(row)) {
	for _, lengths := range [][2]int{{0, 12}, {1, 30}, {30, 60}, {200, 300}} {
		n := min(s.n, 1<<20/lengths[1])
		all := pages(s, func(r *rand.Rand) [][]byte {
			return random(n, func() []byte { return text(r, lengths[0], lengths[1]) })
		})
		at := fmt.Sprintf("/length=%d-%d", lengths[0], lengths[1])
		visit(plainStrings("op=strings/encoding=plain"+at, all))
		visit(lengthStrings("op=strings/encoding=delta-length"+at, all))
	}
	for _, shape := range []string{"sorted", "random", "paths"} {
		visit(prefixedStrings("op=strings/encoding=delta-prefix/shape="+shape, shared(s, shape)))
	}
}

func plainStrings(name string, all [][][]byte) row {
	var d plain.Strings
	var q pqplain.Encoding
	bodies := mapped(all, func(v [][]byte) []byte { return body(encode.ByteArrays(nil, v)) })
	dst := make([]bits.View, len(all[0]))
	var last []byte
	return stringRow(name, parquet.Encodings.Plain, all, bodies, impl{"winnow", func(p int) error {
		last = bodies[p]
		if err := d.Reset(last, len(dst)); err != nil {
			return err
		}
		_, err := d.Next(dst)
		return err
	}, func() any { return shown(dst, last) }}, q.DecodeByteArray)
}

func lengthStrings(name string, all [][][]byte) row {
	var d delta.Strings
	var q pqdelta.LengthByteArrayEncoding
	bodies := mapped(all, func(v [][]byte) []byte { return body(encode.Delta{}.LengthByteArrays(nil, v)) })
	dst := make([]bits.View, len(all[0]))
	var last []byte
	return stringRow(name, parquet.Encodings.DeltaLengthByteArray, all, bodies, impl{"winnow", func(p int) error {
		last = bodies[p]
		if err := d.Reset(last, len(dst)); err != nil {
			return err
		}
		_, err := d.Next(dst)
		return err
	}, func() any { return shown(dst, last) }}, q.DecodeByteArray)
}

func prefixedStrings(name string, all [][][]byte) row {
	var d delta.Prefixed
	var q pqdelta.ByteArrayEncoding
	bodies := mapped(all, func(v [][]byte) []byte { return body(encode.Delta{}.ByteArrays(nil, v)) })
	dst := make([]bits.View, len(all[0]))
	var arena []byte
	return stringRow(name, parquet.Encodings.DeltaByteArray, all, bodies, impl{"winnow", func(p int) error {
		if err := d.Reset(bodies[p], len(dst)); err != nil {
			return err
		}
		var err error
		_, arena, err = d.Next(dst, arena[:0])
		return err
	}, func() any { return shown(dst, arena) }}, q.DecodeByteArray)
}

func stringRow(name string, encoding parquet.Encoding, all [][][]byte, bodies [][]byte, ours impl,
	peer func(dst, src []byte, offsets []uint32) ([]byte, []uint32, error)) row {
	n, size := len(all[0]), 0
	for _, v := range all {
		size += len(bytes.Join(v, nil))
	}
	var dst []byte
	var offsets []uint32
	return row{
		name: name,
		n:    n,
		size: size / len(all),
		want: func(p int) any { return mapped(all[p], toString) },
		impls: []impl{ours,
			{"parquet-go", func(p int) (err error) {
				dst, offsets, err = peer(dst, bodies[p], offsets)
				return err
			}, func() any {
				v := make([]string, n)
				for i := range v {
					v[i] = string(dst[offsets[i]:offsets[i+1]])
				}
				return v
			}},
			arrow(arrowColumn{kind: parquet.Types.ByteArray, n: n, encoding: encoding, bodies: bodies},
				func(b parquet.ByteArray) string { return string(b) }, nothing),
		},
	}
}

// shared returns strings as DELTA_BYTE_ARRAY meets them: sorted words, words in
// no order, and paths that share much.
func shared(s scale, shape string) [][][]byte {
	return pages(s, func(r *rand.Rand) [][]byte {
		folder := []byte("archive/")
		v := random(s.n, func() []byte {
			if shape != "paths" {
				return text(r, 4, 24)
			}
			if r.IntN(20) == 0 {
				folder = append(append([]byte("archive/year="), text(r, 4, 4)...), "/region="...)
				folder = append(append(folder, text(r, 3, 12)...), "/part-"...)
			}
			return append(bytes.Clone(folder), text(r, 5, 8)...)
		})
		if shape == "sorted" {
			slices.SortFunc(v, bytes.Compare)
		}
		return v
	})
}
