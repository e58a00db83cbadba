package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/alp"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/bss"
	"github.com/winnow-scan/winnow/encoding/delta"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/gen/encode"
)

// A decoder of values of a type.
type decoder[T any] interface {
	Next(dst []T) (int, error)
	Skip(n int) error
	Gather(dst []T, sel []uint64, n int) (int, error)
}

// decoded completes a row: reset starts d on a page.
func decoded[T any](r row, bodies [][]byte, d decoder[T], reset func(body []byte) error) *row {
	dst := make([]T, r.n+bits.Spare)
	r.pages = len(bodies)
	r.next = func(page int) error {
		if err := reset(bodies[page]); err != nil {
			return err
		}
		_, err := d.Next(dst[:r.n])
		return err
	}
	r.over = func(page int) error {
		if err := reset(bodies[page]); err != nil {
			return err
		}
		return d.Skip(r.n)
	}
	r.collect = func(page int, sel []uint64) error {
		if err := reset(bodies[page]); err != nil {
			return err
		}
		_, err := d.Gather(dst, sel, r.n)
		return err
	}
	return &r
}

// pagesOf makes as many pages as are taken in turn.
func pagesOf(make func(r *rand.Rand) []byte) [][]byte {
	var all [][]byte
	for size := 0; len(all) == 0 || size+len(all[0]) <= megabyte/8; size += len(all[0]) {
		b := make(rand.New(rand.NewPCG(7, uint64(len(all)))))
		all = append(all, append(b, padding[:]...)[:len(b)])
	}
	return all
}

var padding [encoding.Padding]byte

// random returns n things.
func random[T any](n int, one func() T) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = one()
	}
	return v
}

// rows visits the rows whose names are chosen.
func rows(chosen func(name string) bool, visit func(*row) error) (err error) {
	add := func(name string, skip, gather float64, complete func(r row) *row) {
		if err == nil && chosen(name) {
			err = visit(complete(row{name: name, n: usual, skip: skip, gather: gather}))
		}
	}
	numbers := func(name string, size int, complete func(r row) *row) {
		add(name, 0.01, 0.25, complete)
		add(name+", page of 1 MiB", 0.01, 0.25, func(r row) *row { r.n = megabyte / size; return complete(r) })
	}
	numbers("PLAIN int32", 4, func(r row) *row {
		var d plain.Numbers[int32]
		return decoded(r, pagesOf(func(x *rand.Rand) []byte { return encode.Int32s(nil, random(r.n, x.Int32)) }), &d,
			func(b []byte) error { return d.Reset(b, r.n) })
	})
	numbers("PLAIN int64", 8, func(r row) *row {
		var d plain.Numbers[int64]
		return decoded(r, pagesOf(func(x *rand.Rand) []byte { return encode.Int64s(nil, random(r.n, x.Int64)) }), &d,
			func(b []byte) error { return d.Reset(b, r.n) })
	})
	for _, l := range [][2]int{{2, 12}, {0, 30}, {20, 60}, {100, 200}} {
		strings := func(r row) *row {
			var d plain.Strings
			return decoded(r, textPages(r.n, l, encode.ByteArrays), &d, func(b []byte) error { return d.Reset(b, r.n) })
		}
		name := fmt.Sprintf("PLAIN strings of %d to %d bytes", l[0], l[1])
		add(name, 0.5, 0, strings)
		if n := megabyte / ((l[0]+l[1])/2 + 4); n < usual {
			add(name+", page of 1 MiB", 0.5, 0, func(r row) *row { r.n = n; return strings(r) })
		}
	}
	numbers("BYTE_STREAM_SPLIT float", 4, func(r row) *row {
		var d bss.Numbers[float32]
		return decoded(r, pagesOf(func(x *rand.Rand) []byte {
			return encode.ByteStreamSplit(nil, encode.Int32s(nil, random(r.n, x.Int32)), 4)
		}), &d, func(b []byte) error { return d.Reset(b, r.n) })
	})
	numbers("BYTE_STREAM_SPLIT double", 8, func(r row) *row {
		var d bss.Numbers[float64]
		return decoded(r, pagesOf(func(x *rand.Rand) []byte {
			return encode.ByteStreamSplit(nil, encode.Int64s(nil, random(r.n, x.Int64)), 8)
		}), &d, func(b []byte) error { return d.Reset(b, r.n) })
	})
	codeRows(add)
	for _, width := range []int{0, 4, 12, 24} {
		add(fmt.Sprintf("DELTA_BINARY_PACKED int32, %d bits", width), 0.6, 0, func(r row) *row {
			var d delta.Ints[int32]
			return decoded(r, pagesOf(func(x *rand.Rand) []byte {
				v := x.Int32()
				return encode.Delta{}.Int32s(nil, random(r.n, func() int32 { v += 3 + x.Int32N(1<<width); return v }))
			}), &d, func(b []byte) error { return d.Reset(b, r.n) })
		})
	}
	for _, width := range []int{4, 12, 32, 48} {
		add(fmt.Sprintf("DELTA_BINARY_PACKED int64, %d bits", width), 0.6, 0, func(r row) *row {
			var d delta.Ints[int64]
			return decoded(r, pagesOf(func(x *rand.Rand) []byte {
				v := x.Int64()
				return encode.Delta{}.Int64s(nil, random(r.n, func() int64 { v += 3 + x.Int64N(1<<width); return v }))
			}), &d, func(b []byte) error { return d.Reset(b, r.n) })
		})
	}
	for _, l := range [][2]int{{0, 12}, {0, 30}, {20, 60}, {20, 200}} {
		add(fmt.Sprintf("DELTA_LENGTH_BYTE_ARRAY, %d to %d bytes", l[0], l[1]), 0.3, 0, func(r row) *row {
			var d delta.Strings
			return decoded(r, textPages(r.n, l, encode.Delta{}.LengthByteArrays), &d, func(b []byte) error { return d.Reset(b, r.n) })
		})
	}
	for _, odd := range []int{0, 3} {
		add(fmt.Sprintf("ALP double, %d %% exceptions", odd), 0, 0.25, func(r row) *row {
			var d alp.Numbers[float64]
			return decoded(r, pagesOf(func(x *rand.Rand) []byte {
				return encode.ALP{}.Float64s(nil, random(r.n, func() float64 {
					if x.IntN(100) < odd {
						return x.NormFloat64()
					}
					return float64(100000+x.IntN(1<<12)) / 100
				}))
			}), &d, func(b []byte) error { return d.Reset(b, r.n) })
		})
	}
	return err
}

// textPages hold n strings with lengths from a range.
func textPages(n int, lengths [2]int, encode func(dst []byte, v [][]byte) []byte) [][]byte {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return pagesOf(func(x *rand.Rand) []byte {
		return encode(nil, random(n, func() []byte {
			return random(lengths[0]+x.IntN(lengths[1]-lengths[0]+1), func() byte { return letters[x.IntN(len(letters))] })
		}))
	})
}

// codeRows: codes of several widths in runs of several kinds.
func codeRows(add func(name string, skip, gather float64, complete func(r row) *row)) {
	for _, length := range []int{usual, 504} {
		for _, width := range []int{3, 8, 12, 16, 20} {
			name := fmt.Sprintf("packed codes of %d bits, ", width) + map[bool]string{true: "one run", false: "runs of 504"}[length == usual]
			add(name, 0.05, 0.25, func(r row) *row { return codes(r, width, packed(r.n, width, length)) })
		}
	}
	for _, length := range []int{10000, 100, 10} {
		gather := 0.0
		if length == 10000 {
			gather = 0.25
		}
		for _, width := range []int{3, 8, 12, 16, 20} {
			add(fmt.Sprintf("codes of %d bits, repeated by %d", width, length), 0.05, gather, func(r row) *row {
				return codes(r, width, func(x *rand.Rand) []byte {
					var c uint32
					i := 0
					return encode.Hybrid(nil, width, random(r.n, func() uint32 {
						if i%length == 0 {
							c = x.Uint32N(1 << width)
						}
						i++
						return c
					}))
				})
			})
		}
	}
	add("codes of 1 bit, runs of all lengths", 0.05, 0, func(r row) *row {
		return codes(r, 1, func(x *rand.Rand) []byte {
			c, left := uint32(0), 0
			return encode.Hybrid(nil, 1, random(r.n, func() uint32 {
				if left == 0 {
					c, left = c^1, 1+x.IntN(1<<x.IntN(8))
				}
				left--
				return c
			}))
		})
	})
	add("packed codes of 10 bits through a dictionary of int64", 0.05, 0.25, func(r row) *row {
		return lookedUp(r, 10, packed(r.n, 10, 504))
	})
}

// packed encodes n codes of a width in packed runs of a length.
func packed(n, width, length int) func(x *rand.Rand) []byte {
	return func(x *rand.Rand) []byte {
		var runs []encode.Run
		for at := 0; at < n; at += length {
			runs = append(runs, encode.Run{Packed: random(min(length, n-at), func() uint32 { return x.Uint32N(1 << width) })})
		}
		return encode.HybridRuns(nil, width, runs)
	}
}

func codes(r row, width int, make func(x *rand.Rand) []byte) *row {
	var d rle.Codes
	return decoded(r, pagesOf(make), &d, func(b []byte) error { return d.Reset(b, uint(width), 1<<width, r.n) })
}

func lookedUp(r row, width int, make func(x *rand.Rand) []byte) *row {
	d := dictionary{entries: random(1<<width, rand.Int64)}
	return decoded(r, pagesOf(make), &d, func(b []byte) error { return d.Reset(b, uint(width), 1<<width, r.n) })
}

// A dictionary decodes codes and looks them up.
type dictionary struct {
	rle.Codes
	entries []int64
}

func (d *dictionary) Next(dst []int64) (int, error) { return rle.Lookup(&d.Codes, dst, d.entries) }

func (d *dictionary) Gather(dst []int64, sel []uint64, n int) (int, error) {
	return rle.LookupSelected(&d.Codes, dst, d.entries, sel, n)
}
