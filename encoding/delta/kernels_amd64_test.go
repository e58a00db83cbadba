//go:build !purego

package delta

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// Each kernel against sums of deltas that naive unpacks: two to four
// miniblocks whose widths the kernel is made for.
func TestKernels(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
	for _, c := range []struct {
		name   string
		widths uint64 // bit 63 stands for 64
		run    func(dst []int64, packed, widths []byte, groups int, least, last int64) (end int64)
		bits   int
	}{
		{"decode32NarrowAVX2", fourBytes, with32(decode32NarrowAVX2), 32},
		{"decode32WideAVX2", eightBytes, with32(decode32WideAVX2), 32},
		{"decode64NarrowAVX2", fourBytes, with64(decode64NarrowAVX2), 64},
		{"decode64WideAVX2", eightBytes, with64(decode64WideAVX2), 64},
		{"sumNarrowAVX2", fourBytes, withSum(sumNarrowAVX2), 0},
		{"sumWideAVX2", eightBytes, withSum(sumWideAVX2), 0},
	} {
		for seed := range uint64(1000) {
			r := rand.New(rand.NewPCG(seed, 10))
			groups, widths := 1+r.IntN(5), make([]byte, 2+r.IntN(3))
			least, last := int64(r.Uint64()), int64(r.Uint64())
			var packed []byte
			var want []int64
			var total uint64
			sum := last
			for i := range widths {
				for widths[i] = byte(r.IntN(64)); c.widths>>widths[i]&1 == 0; {
					widths[i] = byte(r.IntN(64))
				}
				if widths[i] == 63 {
					widths[i] = 64
				}
				part := make([]byte, groups*int(widths[i]))
				for k := range part {
					part[k] = byte(r.Uint32())
				}
				packed = append(packed, part...)
				for _, delta := range unpack(t, part, int(widths[i]), groups*8) {
					total += delta
					sum += least + int64(delta)
					want = append(want, sum)
				}
			}
			packed = append(packed, bytes.Repeat([]byte{0xff}, encoding.Padding)...) // is read, and means nothing
			if c.bits == 32 {
				for i := range want {
					want[i] = int64(int32(want[i]))
				}
			}
			got := make([]int64, len(want))
			end := c.run(got, packed, widths, groups, least, last)
			if c.bits == 0 {
				if uint64(end) != total {
					t.Fatalf("%s, seed %d, widths %d: sum %d, want %d", c.name, seed, widths, uint64(end), total)
				}
			} else if !slices.Equal(got, want) || end != want[len(want)-1] {
				t.Fatalf("%s, seed %d, widths %d: got %d, ends with %d, want %d", c.name, seed, widths, got, end, want)
			}
		}
	}
}

// TestSumValues holds the kernel to sums of sums.
func TestSumValues(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 11))
		groups, widths := 1+r.IntN(8), make([]byte, 1+r.IntN(4))
		var packed []byte
		var sum, sums uint32
		for i := range widths {
			for widths[i] = byte(r.IntN(29)); fourBytes>>widths[i]&1 == 0; {
				widths[i] = byte(r.IntN(29))
			}
			part := make([]byte, groups*int(widths[i]))
			for k := range part {
				part[k] = byte(r.Uint32())
			}
			packed = append(packed, part...)
			for _, delta := range unpack(t, part, int(widths[i]), groups*8) {
				sum += uint32(delta)
				sums += sum
			}
		}
		packed = append(packed, bytes.Repeat([]byte{0xff}, overread)...)
		if gotSum, gotSums := sumValuesAVX2(&packed[0], &widths[0], len(widths), groups); gotSum != sum || gotSums != sums {
			t.Fatalf("seed %d, widths %d, %d groups: %d, %d, want %d, %d", seed, widths, groups, gotSum, gotSums, sum, sums)
		}
	}
}

// TestBlocks holds the kernels to values that are summed up one by one, as far as blocks
// are what they are for, with bodies that end anywhere.
func TestBlocks(t *testing.T) {
	if !hasBlocks {
		t.Skip("no AVX-512 VBMI")
	}
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 12))
		size, n := 32*(1+r.IntN(3)), 1+r.IntN(6)
		type block struct {
			end int
			sum uint64
		}
		var body []byte
		var want []block
		var values []int32
		var values64 []int64
		start, start64 := int32(r.Uint32()), int64(r.Uint64())
		sum, usual := uint64(0), true
		for range n {
			least := int64(r.Uint64()) >> r.IntN(64)
			head := binary.AppendVarint(nil, least)
			if r.IntN(8) == 0 { // longer than it need be
				head[len(head)-1] |= 0x80
				head = append(head, 0)
			}
			widths := make([]byte, 4)
			for i := range widths {
				widths[i] = byte(r.IntN(27))
				if r.IntN(50) == 0 {
					widths[i] = byte(r.IntN(256))
				}
				usual = usual && widths[i] <= 26
			}
			usual = usual && len(head) <= 8
			body = append(append(body, head...), widths...)
			value, value64 := start+int32(sum), start64+int64(sum)
			sum += uint64(least) * uint64(4*size)
			for _, width := range widths {
				part := make([]byte, size/8*int(width))
				for k := range part {
					part[k] = byte(r.Uint32())
				}
				body = append(body, part...)
				if width <= 26 {
					for _, delta := range unpack(t, part, int(width), size) {
						sum += delta
						value += int32(delta) + int32(least)
						values = append(values, value)
						value64 += int64(delta) + least
						values64 = append(values64, value64)
					}
				}
			}
			if usual {
				want = append(want, block{len(body), sum})
			}
		}
		for range r.IntN(100) {
			body = append(body, byte(r.Uint32()))
		}
		cut := slices.Clip(body[:len(body)-min(len(body), r.IntN(200))])
		most := 1 + r.IntN(n)
		blocks, last := 0, block{}
		for blocks < min(most, len(want)) && want[blocks].end+64 <= len(cut) {
			last = want[blocks]
			blocks++
		}
		gotBlocks, gotEnd, gotSum := sumBlocks(cut, most, 4, size)
		if gotBlocks != blocks || gotEnd != last.end || gotSum != last.sum {
			t.Fatalf("seed %d: %d blocks, %d bytes, sum %d, want %d, %d, %d", seed, gotBlocks, gotEnd, gotSum, blocks, last.end, last.sum)
		}
		values = values[:blocks*4*size]
		dst := make([]int32, most*4*size+1)
		gotBlocks, gotEnd, end := decodeBlocks(dst, cut, most, 4, size, start)
		if gotBlocks != blocks || gotEnd != last.end || end != start+int32(last.sum) || !slices.Equal(dst[:len(values)], values) || dst[len(values)] != 0 {
			t.Fatalf("seed %d: %d blocks, %d bytes to %d, want %d, %d, %d, or other values", seed, gotBlocks, gotEnd, end, blocks, last.end, start+int32(last.sum))
		}
		values64 = values64[:blocks*4*size]
		dst64 := make([]int64, most*4*size+1)
		gotBlocks, gotEnd, end64 := decodeBlocks(dst64, cut, most, 4, size, start64)
		if gotBlocks != blocks || gotEnd != last.end || end64 != start64+int64(last.sum) || !slices.Equal(dst64[:len(values64)], values64) || dst64[len(values64)] != 0 {
			t.Fatalf("seed %d: %d blocks, %d bytes to %d, want %d, %d, %d, or other values of 64 bits", seed, gotBlocks, gotEnd, end64, blocks, last.end, start64+int64(last.sum))
		}
		sel := make([]uint64, most*4*size/64)
		for i := range sel {
			sel[i] = r.Uint64() | r.Uint64()
		}
		testKeepAndWithin(t, seed, r, cut, most, size, sel, start, values, last.end)
		testKeepAndWithin(t, seed, r, cut, most, size, sel, start64, values64, last.end)
		sums := uint32(0)
		for _, v := range values {
			sums += uint32(v - start)
		}
		gotBlocks, gotEnd, deltas, gotSums := sumBlockValues(cut, most, 4, size)
		if gotBlocks != blocks || gotEnd != last.end || deltas != uint32(last.sum) || gotSums != sums {
			t.Fatalf("seed %d: %d blocks, %d bytes, sums %d and %d, want %d, %d, %d, %d", seed, gotBlocks, gotEnd, deltas, gotSums, blocks, last.end, uint32(last.sum), sums)
		}
	}
}

// testKeepAndWithin holds the kernels that store or test values to these, of most blocks.
func testKeepAndWithin[T integer](t *testing.T, seed uint64, r *rand.Rand, body []byte, most, size int, sel []uint64, start T, values []T, end int) {
	t.Helper()
	lo, hi, last := T(r.Uint64()), T(r.Uint64()), start
	if len(values) > 0 {
		lo, hi, last = values[r.IntN(len(values))], values[r.IntN(len(values))], values[len(values)-1]
	}
	lo, hi = min(lo, hi), max(lo, hi)
	var want []T
	passes := slices.Clone(sel)
	for i, v := range values {
		if bits.Get(sel, i) {
			want = append(want, v)
		}
		if v < lo || v > hi {
			bits.Clear(passes, i)
		}
	}
	blocks, dst := len(values)/(4*size), make([]T, most*4*size+1)
	gotBlocks, gotEnd, gotLast, kept := keepBlocks(dst, sel, body, most, 4, size, start)
	if gotBlocks != blocks || gotEnd != end || gotLast != last || !slices.Equal(dst[:kept], want) || dst[len(values)] != 0 {
		t.Fatalf("seed %d, %T: %d blocks, %d bytes to %d, %d values kept, want %d, %d, %d, %d, or other values", seed, lo, gotBlocks, gotEnd, gotLast, kept, blocks, end, last, len(want))
	}
	got := slices.Clone(sel)
	gotBlocks, gotEnd, gotLast = withinBlocks(got, body, most, 4, size, start, lo, hi)
	if gotBlocks != blocks || gotEnd != end || gotLast != last || !slices.Equal(got, passes) {
		t.Fatalf("seed %d, %T: %d blocks, %d bytes to %d, want %d, %d, %d, or other bits: %x, want %x", seed, lo, gotBlocks, gotEnd, gotLast, blocks, end, last, got, passes)
	}
}

// unpack splits packed numbers by reading 1 bit at a time.
func unpack(t *testing.T, packed []byte, width, n int) []uint64 {
	ones, err := naive.BitPacked(packed, 1, width*n, false)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]uint64, n)
	for i, bit := range ones {
		v[i/width] |= uint64(bit) << (i % width)
	}
	return v
}

func with32(kernel func(dst *int32, src, widths *byte, minis, groups int, least, last int32) int32) func([]int64, []byte, []byte, int, int64, int64) int64 {
	return func(dst []int64, packed, widths []byte, groups int, least, last int64) int64 {
		v := make([]int32, len(dst)+1)
		end := kernel(&v[0], &packed[0], &widths[0], len(widths), groups, int32(least), int32(last))
		for i := range dst {
			dst[i] = int64(v[i])
		}
		return int64(end) + int64(v[len(dst)]) // which nothing may have been stored to
	}
}

func with64(kernel func(dst *int64, src, widths *byte, minis, groups int, least, last int64) int64) func([]int64, []byte, []byte, int, int64, int64) int64 {
	return func(dst []int64, packed, widths []byte, groups int, least, last int64) int64 {
		v := make([]int64, len(dst)+1)
		end := kernel(&v[0], &packed[0], &widths[0], len(widths), groups, least, last)
		copy(dst, v)
		return end + v[len(dst)]
	}
}

func withSum(kernel func(src, widths *byte, minis, groups int) uint64) func([]int64, []byte, []byte, int, int64, int64) int64 {
	return func(_ []int64, packed, widths []byte, groups int, _, _ int64) int64 {
		return int64(kernel(&packed[0], &widths[0], len(widths), groups))
	}
}
