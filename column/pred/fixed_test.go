package pred

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// signed is the number that b is as a decimal.
func signed(b []byte) *big.Int {
	x := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return x
}

// halfOf is the number that b is as a FLOAT16, by what the format says of its bits.
func halfOf(b []byte) float64 {
	h := binary.LittleEndian.Uint16(b)
	exponent, fraction, sign := int(h>>10&31), float64(h&1023), 1-2*float64(h>>15)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// moment is what b is as an INT96: nanoseconds since Julian day 0.
func moment(b []byte) *big.Int {
	days, nanos := big.NewInt(int64(int32(binary.LittleEndian.Uint32(b[8:])))), big.NewInt(int64(binary.LittleEndian.Uint64(b)))
	return nanos.Add(nanos, days.Mul(days, big.NewInt(86400e9)))
}

// A fixedCase is a test of values of a fixed size, and what it means.
type fixedCase struct {
	name string
	test *Test
	pass func(b []byte) bool
}

// around returns bytes like those of a value: the same, its neighbours, cut, or longer.
func around(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	switch r.IntN(6) {
	case 0:
		b[r.IntN(len(b))] += byte(1 - 2*r.IntN(2))
	case 1:
		b = b[:r.IntN(len(b)+1)]
	case 2:
		b = append(b, byte(r.IntN(3)))
	case 3:
		b = bytes.Repeat([]byte{[]byte{0, 0xff, 0x7f, 0x80}[r.IntN(4)]}, r.IntN(len(b)+20))
	}
	return b
}

func randomFixedCase(r *rand.Rand, values [][]byte) fixedCase {
	pick := func() []byte { return values[r.IntN(len(values))] }
	width := len(values[0])
	lo, hi := around(r, pick()), around(r, pick())
	if r.IntN(3) == 0 {
		hi = bytes.Clone(lo)
	}
	kinds := 4
	if width == 2 || width == 12 {
		kinds = 6
	}
	switch kind := r.IntN(kinds); {
	case kind == 0:
		return fixedCase{fmt.Sprintf("equal %x", lo), Text(Equal, lo), func(b []byte) bool { return bytes.Equal(b, lo) }}
	case kind == 1:
		in := [][]byte{lo, hi}
		for range r.IntN(3) * r.IntN(200) {
			in = append(in, around(r, pick()))
		}
		return fixedCase{fmt.Sprintf("in %x", in), InStrings(in), func(b []byte) bool {
			return slices.ContainsFunc(in, func(x []byte) bool { return bytes.Equal(x, b) })
		}}
	case kind >= 4 && width == 2:
		numbers := []float64{halfOf(pick()), halfOf(pick()), 0, math.Inf(1), math.Inf(-1), math.NaN(), 1e9, -1e-9, 70000}
		from, to := numbers[r.IntN(len(numbers))], numbers[r.IntN(len(numbers))]
		if r.IntN(3) == 0 {
			from = to
		}
		return fixedCase{fmt.Sprintf("halves %v to %v", from, to), Halves(from, to), func(b []byte) bool { return from <= halfOf(b) && halfOf(b) <= to }}
	case kind >= 4:
		lo, hi := pick(), pick()
		switch r.IntN(4) {
		case 0:
			lo = nil
		case 1:
			hi = nil
		case 2:
			lo = hi
		}
		return fixedCase{fmt.Sprintf("stamps %x to %x", lo, hi), Stamps(lo, hi), func(b []byte) bool {
			return (lo == nil || moment(b).Cmp(moment(lo)) >= 0) && (hi == nil || moment(b).Cmp(moment(hi)) <= 0)
		}}
	}
	if r.IntN(5) == 0 {
		hi = nil
	}
	if r.IntN(2) == 0 {
		if r.IntN(5) == 0 {
			lo = nil
		}
		return fixedCase{fmt.Sprintf("decimals %x to %x", lo, hi), Decimals(lo, hi), func(b []byte) bool {
			return (lo == nil || signed(b).Cmp(signed(lo)) >= 0) && (hi == nil || signed(b).Cmp(signed(hi)) <= 0)
		}}
	}
	return fixedCase{fmt.Sprintf("bytes %x to %x", lo, hi), Strings(lo, hi), func(b []byte) bool {
		return bytes.Compare(b, lo) >= 0 && (hi == nil || bytes.Compare(b, hi) < 0)
	}}
}

// Values of each width against big integers, floats and bytes, at every number of rows and with any of them left.
func TestFixed(t *testing.T) {
	for seed := range uint64(30_000) {
		r := rand.New(rand.NewPCG(seed, 7))
		width := 1 + r.IntN(20)
		switch r.IntN(6) {
		case 0:
			width = 2 // FLOAT16
		case 1:
			width = 12 // INT96
		case 2:
			width = 1 + r.IntN(vector.MaxFixed)
		}
		n := r.IntN(200)
		v := &vector.Vector{}
		build.Reset(v, vector.Type{Physical: vector.FixedLenByteArray, Length: int32(width)})
		build.Extend(v, n)
		alphabet := [][]byte{{0, 1, 0xff}, {0, 0x7f, 0x80, 0xff}, {0x12}}[r.IntN(3)]
		same, distinct := r.IntN(width+1), r.IntN(2) == 0 // bytes that are alike, and whether many values are
		values := [][]byte{make([]byte, width)}
		for i := range n {
			b := v.Bytes(i)
			for k := range b {
				b[k] = alphabet[r.IntN(len(alphabet))]
				if distinct || r.IntN(8) == 0 {
					b[k] = byte(r.Uint32())
				}
			}
			copy(b[:same], values[0])
			if width == 12 && r.IntN(2) == 0 { // nanoseconds of a day
				binary.LittleEndian.PutUint64(b, uint64(r.IntN(3))*43200e9)
			}
			values = append(values, b)
		}
		if n == 0 {
			values = append(values, make([]byte, width))
		}
		v.Fixed = slices.Clip(v.Fixed) // keys must not reach beyond the memory
		tc := randomFixedCase(r, values)
		tc.test.Negate = r.IntN(2) == 0
		sel := make([]uint64, bits.Words(n)+1)
		for i := range sel {
			sel[i] = []uint64{r.Uint64(), ^uint64(0), r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64(), 0}[r.IntN(4)]
		}
		want := slices.Clone(sel)
		for i := range n {
			if tc.pass(v.Bytes(i)) == tc.test.Negate {
				bits.Clear(want, i)
			}
		}
		tc.test.Filter(sel, v)
		if !slices.Equal(sel, want) {
			t.Fatalf("seed %d: %d values of %d bytes, %.200s, negated %v: got %x, want %x", seed, n, width, tc.name, tc.test.Negate, sel, want)
		}
	}
}

// All halves, between bounds that are halves, and between such.
func TestHalves(t *testing.T) {
	v := &vector.Vector{}
	build.Reset(v, vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Float16})
	build.Extend(v, 1<<16)
	for i := range 1 << 16 {
		binary.LittleEndian.PutUint16(v.Fixed[2*i:], uint16(i))
	}
	r := rand.New(rand.NewPCG(8, 8))
	for i := range 60 {
		lo, hi := halfOf(v.Bytes(r.IntN(1<<16))), halfOf(v.Bytes(r.IntN(1<<16)))
		switch {
		case i%3 == 0:
			lo = math.Nextafter(lo, math.Inf(1))
		case i%7 == 0:
			lo = hi
		case i < 3:
			lo, hi = 0, math.Copysign(0, -1)
		}
		sel := slices.Repeat([]uint64{^uint64(0)}, 1<<10)
		Halves(lo, hi).Filter(sel, v)
		for i := range 1 << 16 {
			x := halfOf(v.Bytes(i))
			if want := lo <= x && x <= hi; bits.Get(sel, i) != want {
				t.Fatalf("%04x, %v, from %v to %v: %v", i, x, lo, hi, !want)
			}
		}
	}
}

// Decimals of any lengths in views, where bounds may be longer than what a kernel takes.
func TestDecimalsInViews(t *testing.T) {
	kernels := 0
	for seed := range uint64(10_000) {
		r := rand.New(rand.NewPCG(seed, 9))
		random := func() []byte {
			b := make([]byte, r.IntN([]int{4, 20, 40}[r.IntN(3)]))
			fill := []byte{0, 0xff, 0x7f, 0x80}[r.IntN(4)]
			for i := range b {
				if b[i] = fill; r.IntN(3) == 0 {
					b[i] = byte(r.Uint32())
				}
			}
			return b
		}
		v := &vector.Vector{}
		build.Reset(v, vector.Type{Physical: vector.ByteArray})
		n := r.IntN(150)
		build.Extend(v, n)
		values := [][]byte{random()}
		for i := range n {
			b := random()
			if r.IntN(4) == 0 {
				b = values[r.IntN(len(values))]
			}
			values = append(values, b)
			v.Views[i] = bits.Make(b, build.AddBuffer(v, append(b, 0)), 0)
		}
		lo, hi := values[r.IntN(len(values))], values[r.IntN(len(values))]
		switch r.IntN(5) {
		case 0:
			lo = nil
		case 1:
			hi = nil
		case 2:
			lo = hi
		}
		test := Decimals(lo, hi)
		if _, _, ok := test.Decimals(); ok {
			kernels++
		}
		sel := make([]uint64, bits.Words(n)+1)
		for i := range sel {
			sel[i] = r.Uint64() | r.Uint64()
		}
		want := slices.Clone(sel)
		for i := range n {
			if x := signed(values[i+1]); lo != nil && x.Cmp(signed(lo)) < 0 || hi != nil && x.Cmp(signed(hi)) > 0 {
				bits.Clear(want, i)
			}
		}
		if test.Filter(sel, v); !slices.Equal(sel, want) {
			t.Fatalf("seed %d: %x from %x to %x: got %x, want %x", seed, values[1:], lo, hi, sel, want)
		}
	}
	if kernels < 5000 || kernels == 10_000 {
		t.Errorf("%d of 10000 tests had bounds for a kernel", kernels)
	}
}

// What KeepsFixed says no to has no kernel: a test of another type passes nothing.
func TestFixedOfOtherType(t *testing.T) {
	for _, test := range []*Test{Halves(0, 1), Stamps(nil, nil), Ints(0, 1), Floats(0, 1), {}} {
		if test.KeepsFixed(3) {
			t.Errorf("kind %d, domain %d: a kernel for values of 3 bytes", test.Kind, test.domain)
		}
	}
	for _, width := range []int{0, vector.MaxFixed + 1} {
		if Strings(nil, nil).KeepsFixed(width) {
			t.Errorf("a kernel for values of %d bytes", width)
		}
	}
}
