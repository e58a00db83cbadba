//go:build !race

package rle

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// Headers and codes that change while codes are decoded, looked up, tested or stepped over.
func TestCodesWhileBytesChange(t *testing.T) {
	for _, width := range []int{1, 4, 8, 12, 17, 27} {
		limit := max(2, uint32(1)<<min(width, 14)*3/4) // an honest code is below it, others may be above
		for _, longest := range []int{30, 600} {
			body, n := changingRuns(uint64(width), width, limit, longest)
			passing := make([]uint64, bits.Words(int(limit)))
			for i := range passing {
				passing[i] = 0x123456789abcdef
			}
			mask := bitpack.MakeMask(passing, limit)
			ints, longs, views := make([]int32, limit), make([]int64, limit), make([]bits.View, limit)
			for i := range limit {
				ints[i], longs[i] = int32(0x5a<<24|i), 0x5a<<56|int64(i)
				views[i] = bits.MakeInline([]byte{0x5a, 0x5a, byte(i), byte(i >> 8), 0, 0, 0, 0, 0, 0, 0x5a, 0x5a})
			}
			reset := func(body []byte) *Codes {
				var d Codes
				if d.Reset(body, uint(width), limit, n) != nil {
					panic("a width is not in the body")
				}
				return &d
			}
			name := fmt.Sprintf("width=%d longest=%d ", width, longest)
			t.Run(name+"codes", func(t *testing.T) {
				dtest.WhileChanging(t, body, nil, func(r *rand.Rand, body []byte) {
					decodetest.Changing(r, codesDriver(reset(body), &mask), n, func(c uint32) bool { return c < limit })
				})
			})
			t.Run(name+"indices", func(t *testing.T) {
				dtest.WhileChanging(t, append([]byte{byte(width)}, body...), []int{0}, func(r *rand.Rand, body []byte) {
					var d Codes
					if d.ResetIndices(body, limit, n) == nil {
						decodetest.Changing(r, codesDriver(&d, &mask), n, func(c uint32) bool { return c < limit })
					}
				})
			})
			t.Run(name+"lookup", func(t *testing.T) {
				dtest.WhileChanging(t, body, nil, func(r *rand.Rand, body []byte) {
					switch r.IntN(3) {
					case 0:
						lookupChanging(r, reset(body), ints, n, func(x int32) bool { return x>>24 == 0x5a && uint32(x&0xffffff) < limit })
					case 1:
						lookupChanging(r, reset(body), longs, n, func(x int64) bool { return x>>56 == 0x5a && uint32(x) < limit })
					default:
						lookupChanging(r, reset(body), views, n, func(x bits.View) bool {
							b := x.Bytes(nil)
							return len(b) == 12 && b[0] == 0x5a && b[11] == 0x5a
						})
					}
				})
			})
		}
	}
}

func lookupChanging[T comparable](r *rand.Rand, d *Codes, dictionary []T, n int, sound func(T) bool) {
	gather := LookupSelected[T]
	if r.IntN(2) == 0 {
		gather = LookupKept[T]
	}
	decodetest.Changing(r, decodetest.Decoder[T]{
		Next:   func(dst []T) (int, error) { return Lookup(d, dst, dictionary) },
		Skip:   d.Skip,
		Gather: func(dst []T, sel []uint64, n int) (int, error) { return gather(d, dst, dictionary, sel, n) },
	}, n, sound)
}

// changingRuns returns runs of both kinds of up to so many codes below a limit, as one writer
// makes them or another.
func changingRuns(seed uint64, width int, limit uint32, longest int) (body []byte, n int) {
	r := rand.New(rand.NewPCG(seed, 63))
	var runs []encode.Run
	for n < 6000 {
		count := 1 + r.IntN(longest)
		if r.IntN(2) == 0 {
			runs = append(runs, encode.Run{Repeat: count, Value: r.Uint32N(limit)})
			n += count
			continue
		}
		count = (count + 7) &^ 7
		const usual = 504 // values of a packed run with a header of one byte, as writers make them
		if longest > usual && r.IntN(8) > 0 {
			count = usual
		}
		packed := make([]uint32, count)
		for i := range packed {
			packed[i] = r.Uint32N(limit)
		}
		runs = append(runs, encode.Run{Packed: packed})
		n += count
	}
	return encode.HybridRuns(nil, width, runs), n
}

// The same for levels and booleans.
func TestLevelsWhileBytesChange(t *testing.T) {
	for _, most := range []uint8{1, 2, 5, 200} {
		for _, longest := range []int{20, 600} {
			body, n := changingRuns(uint64(most), widthOf(most), uint32(most)+1, longest)
			check := func(name string, body []byte, reset func(l *Levels, body []byte) error) {
				t.Run(fmt.Sprintf("%s most=%d longest=%d", name, most, longest), func(t *testing.T) {
					dtest.WhileChanging(t, body, nil, func(r *rand.Rand, body []byte) {
						var l Levels
						if reset(&l, body) != nil {
							return
						}
						d := levelsDriver(&l, 1+uint8(r.IntN(int(most))))
						d.Tests[1].Clear = func(sel []uint64, n int) error { // its own compares what it reads twice
							count, err := l.Count(n, 1)
							if count < 0 || count > n {
								panic("a count that cannot be")
							}
							return err
						}
						decodetest.Changing(r, d, n, func(x uint8) bool { return x <= most })
					})
				})
			}
			check("hybrid", body, func(l *Levels, body []byte) error { return l.Reset(body, most, n) })
			check("bit-packed", body, func(l *Levels, body []byte) error { return l.ResetBitPacked(body, most, n) })
			if most > 1 {
				continue
			}
			t.Run(fmt.Sprint("booleans longest=", longest), func(t *testing.T) {
				dtest.WhileChanging(t, body, nil, func(r *rand.Rand, body []byte) {
					var b Bools
					if b.Reset(body, n) != nil {
						panic("a length is not in the body")
					}
					decodetest.Changing(r, decodetest.Bools{BitDecoder: &b, At: r.IntN(100)}.Decoder(), n, nil)
				})
			})
		}
	}
}
