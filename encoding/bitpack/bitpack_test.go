package bitpack

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// pack is the twin of every kernel: one bit at a time.
func pack(values []uint64, width uint) []byte {
	out := make([]byte, (uint(len(values))*width+7)/8)
	at := uint(0)
	for _, v := range values {
		for b := range width {
			out[at/8] |= byte(v>>b&1) << (at % 8)
			at++
		}
	}
	return out
}

func numbers(r *rand.Rand, n int, width uint) []uint64 {
	v := make([]uint64, n)
	for i := range v {
		v[i] = r.Uint64() & (1<<width - 1)
	}
	return v
}

// lengths touch every way through the kernels: vectors, blocks, single values.
var lengths = []int{0, 1, 3, 7, 8, 9, 31, 32, 33, 40, 63, 64, 65, 100, 128, 200, 259}

func TestUnpack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for width := range uint(65) {
		for _, n := range lengths {
			want := numbers(r, n, width)
			packed := pack(want, width)
			for _, padding := range []int{0, 1, 8, 9, 15, 16, 17, encoding.Padding} {
				src := dtest.Fenced(t, r, packed, padding)
				at := fmt.Sprintf("width %d, %d values, %d bytes of padding", width, n, padding)
				unpacked(t, at, Unpack64, want, src, width)
				if width <= 32 {
					unpacked(t, at, Unpack32, want, src, width)
				}
				if width <= 8 {
					unpacked(t, at, Unpack8, want, src, width)
				}
				for i, v := range want {
					if got := Get(src, i, width); got != v {
						t.Fatalf("%s: value %d is %#x, want %#x", at, i, got, v)
					}
				}
			}
		}
	}
}

func unpacked[T uint8 | uint32 | uint64](t *testing.T, at string, kernel func([]T, []byte, uint), want []uint64, src []byte, width uint) {
	t.Helper()
	const guard = 99
	got := make([]T, len(want)+1)
	got[len(want)] = guard
	kernel(got[:len(want):len(want)], src, width)
	for i, v := range want {
		if uint64(got[i]) != v {
			t.Fatalf("%s, %T: value %d is %#x, want %#x", at, got, i, got[i], v)
		}
	}
	if got[len(want)] != guard {
		t.Fatalf("%s: written behind the end", at)
	}
}

// The format's own example.
func TestTheNumbersFrom0To7(t *testing.T) {
	var got [8]uint32
	Unpack32(got[:], []byte{0b10001000, 0b11000110, 0b11111010}, 3)
	if got != [8]uint32{0, 1, 2, 3, 4, 5, 6, 7} {
		t.Errorf("got %v", got)
	}
}

func TestPick32(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for width := range uint(33) {
		for _, n := range lengths {
			for _, padding := range []int{0, 3, encoding.Padding} {
				values := numbers(r, n, width)
				src := dtest.Fenced(t, r, pack(values, width), padding)
				first := r.IntN(n + 1)
				var positions []uint32
				var want []uint32
				for i := first; i < n; i += 1 + r.IntN(9) {
					positions = append(positions, uint32(i-first+5))
					want = append(want, uint32(values[i]))
				}
				got := make([]uint32, len(want))
				Pick32(got, src, width, positions, first-5)
				if !slices.Equal(got, want) {
					t.Fatalf("width %d, %d values from %d on, padding %d: %v, want %v", width, n, first, padding, got, want)
				}
				if n > 0 && Largest(got) != slices.Max(append(want, 0)) {
					t.Fatalf("largest of %v: %d", got, Largest(got))
				}
			}
		}
	}
}

// TestPickRuns32 picks from runs that lie apart by bytes of ones.
func TestPickRuns32(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for width := range uint(33) {
		for range 30 {
			count, gap, runs := 8*(1+r.IntN(64)), r.IntN(4), 1+r.IntN(9)
			if r.IntN(20) == 0 {
				count = LongestRun
			}
			var values []uint64
			var src []byte
			for range runs {
				v := numbers(r, count, width)
				values = append(values, v...)
				src = append(append(src, pack(v, width)...), bytes.Repeat([]byte{0xff}, gap)...)
			}
			src = dtest.Fenced(t, r, src[:len(src)-gap], []int{0, 3, encoding.Padding}[r.IntN(3)])
			var positions, want []uint32
			for i := r.IntN(10); i < len(values); i += 1 + r.IntN(30) {
				positions = append(positions, uint32(i+100))
				want = append(want, uint32(values[i]))
			}
			got := make([]uint32, len(want))
			PickRuns32(got, src[:Size(count, width)], width, positions, -100, count, gap)
			if !slices.Equal(got, want) {
				t.Fatalf("width %d, %d runs of %d, %d bytes apart: %v, want %v", width, runs, count, gap, got, want)
			}
		}
	}
}

func TestUnpackWantsAllBytes(t *testing.T) {
	for _, width := range []uint{1, 5, 8, 13, 32} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("width %d: a byte is missing, and nothing happened", width)
				}
			}()
			Unpack32(make([]uint32, 64), make([]byte, 8*width-1), width)
		}()
	}
}

func TestTest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for width := range uint(33) {
		for _, n := range append(lengths, 1000) {
			for _, padding := range []int{0, encoding.Padding} {
				limit := uint64(1) << min(width, 18)
				if r.IntN(2) == 0 {
					limit = 1 + r.Uint64N(limit)
				}
				codes := make([]uint64, n)
				for i := range codes {
					codes[i] = r.Uint64N(limit)
				}
				mask := make([]uint64, (limit+63)/64)
				for i := range mask {
					mask[i] = r.Uint64()
				}
				// One range, or all but one, or none, or all.
				if from := r.IntN(int(limit)); r.IntN(2) == 0 {
					clear(mask)
					bits.SetRange(mask, from, from+r.IntN(int(limit)-from+1))
					if r.IntN(2) == 0 {
						bits.Not(mask, 0, int(limit))
					}
				}
				src := dtest.Fenced(t, r, pack(codes, width), padding)
				at := fmt.Sprintf("width %d, limit %d, %d codes, padding %d", width, limit, n, padding)

				out := slices.Repeat([]uint64{0x5555}, (n+63)/64+1)
				made := MakeMask(mask, uint32(limit))
				largest := Test(out, n, src, width, &made)
				for i := range n/64*64 + 64 {
					got := out[i/64]>>(i%64)&1 != 0
					want := i < n && mask[codes[i]/64]>>(codes[i]%64)&1 != 0
					if i/64 == (n+63)/64 {
						want = uint64(0x5555)>>(i%64)&1 != 0
					}
					if got != want {
						t.Fatalf("%s: bit %d is %v", at, i, got)
					}
				}
				for c := range uint32(limit) {
					if made.Passes(c) != (mask[c/64]>>(c%64)&1 != 0) || made.Limit() != uint32(limit) {
						t.Fatalf("%s: code %d passes: %v", at, c, made.Passes(c))
					}
				}
				if n > 0 && uint64(largest) != slices.Max(codes) {
					t.Fatalf("%s: largest code is %d, want %d", at, largest, slices.Max(codes))
				}
				if n == 0 {
					continue
				}
				// One code out of range, anywhere.
				bad := limit + r.Uint64N(1<<width-limit+1)
				if bad >= 1<<width {
					continue
				}
				codes[r.IntN(n)] = bad
				if got := Test(out, n, dtest.Fenced(t, r, pack(codes, width), padding), width, &made); uint64(got) != bad {
					t.Fatalf("%s: code %d was not seen, but %d", at, bad, got)
				}
			}
		}
	}
}

// Runs with something in between, against each of them by itself.
func TestTestRuns(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 5))
		width, limit := uint(1+r.IntN(25)), uint32(1)<<(16+r.IntN(2))
		runs, count, gap := 1+r.IntN(5), 8*(1+r.IntN(100)), r.IntN(3)
		passing := make([]uint64, limit/64)
		for i := range passing {
			passing[i] = r.Uint64()
		}
		mask := MakeMask(passing, limit)
		var src []byte
		want := make([]uint64, (runs*count+63)/64)
		largest := uint32(0)
		for run := range runs {
			codes := numbers(r, count, min(width, 16))
			for i, c := range codes {
				if p := run*count + i; mask.Passes(uint32(c)) {
					want[p/64] |= 1 << (p % 64)
				}
				largest = max(largest, uint32(c))
			}
			src = append(src, pack(codes, width)...)
			if run < runs-1 {
				src = append(src, "zzz"[:gap]...)
			}
		}
		src = dtest.Fenced(t, r, src, r.IntN(2)*encoding.Padding)
		out := make([]uint64, len(want))
		got := TestRuns(out, src[:Size(count, width)], width, &mask, runs, count, gap)
		out[len(out)-1] &= ^uint64(0) >> uint(-runs*count&63)
		if got != largest || !slices.Equal(out, want) {
			t.Fatalf("seed %d, width %d, %d runs of %d, %d apart: %x, want %x; largest %d, want %d", seed, width, runs, count, gap, out, want, got, largest)
		}
	}
}

func TestFromMSB(t *testing.T) {
	lsb := []byte{0b10001000, 0b11000110, 0b11111010}
	msb := []byte{0b00000101, 0b00111001, 0b01110111}
	if got := FromMSB(nil, msb, 8, 3); !bytes.Equal(got, lsb) {
		t.Errorf("the numbers 0 to 7: %08b", got)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for width := range uint(33) {
		for _, n := range lengths {
			values := numbers(r, n, width)
			src := make([]byte, Size(n, width))
			at := 0
			for _, v := range values {
				for b := int(width) - 1; b >= 0; b-- {
					src[at/8] |= byte(v>>b&1) << (7 - at%8)
					at++
				}
			}
			if got, want := FromMSB([]byte("x"), src, n, width), append([]byte("x"), pack(values, width)...); !bytes.Equal(got, want) {
				t.Fatalf("width %d, %d values: % x, want % x", width, n, got, want)
			}
		}
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{0b10001000, 0b11000110, 0b11111010}, uint8(3), uint8(0))
	f.Fuzz(func(t *testing.T, src []byte, width, padding uint8) {
		width %= 65
		n := 300
		if width > 0 {
			n = len(src) * 8 / int(width)
		}
		want := make([]uint64, n)
		for i := range want {
			for b := range int(width) {
				at := i*int(width) + b
				want[i] |= uint64(src[at/8]>>(at%8)&1) << b
			}
		}
		src = dtest.Fenced(t, rand.New(rand.NewPCG(uint64(len(src)), uint64(padding))), src, int(padding))
		unpacked(t, "64", Unpack64, want, src, uint(width))
		if width <= 32 {
			unpacked(t, "32", Unpack32, want, src, uint(width))
		}
		if width <= 8 {
			unpacked(t, "8", Unpack8, want, src, uint(width))
		}
	})
}

func TestAllocatesNothing(t *testing.T) {
	src := make([]byte, 1100)[:1000]
	small, medium, large := make([]uint8, 101), make([]uint32, 101), make([]uint64, 101)
	mask, out := MakeMask(make([]uint64, 2048), 1<<17), make([]uint64, 16)
	if n := testing.AllocsPerRun(10, func() {
		for width := range uint(65) {
			Unpack64(large, src, width)
			if width <= 32 {
				Unpack32(medium, src, width)
				Test(out, 199, src, width, &mask)
			}
			if width <= 8 {
				Unpack8(small, src, width)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
