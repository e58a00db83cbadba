package alp

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// drive takes a decoder of body through its values as naive has them. Values
// are compared by their bits: -0 is not 0, and a NaN is itself. What a call of
// Skip or Gather does not look at it cannot refuse, so where the body is faulty
// a copy of the decoder has to get through first.
func drive[T number, U comparable](t *testing.T, r *rand.Rand, body []byte, n int, oracle func([]byte, int) ([]T, error), bitsOf func(T) U) {
	t.Helper()
	values, fault := oracle(body, n)
	want := all(values, bitsOf)
	body = dtest.Fenced(t, r, body, r.IntN(2)*encoding.Padding)
	var d Numbers[T]
	if err := d.Reset(body, n); err != nil {
		if fault == nil || len(values) > 0 {
			t.Fatalf("Reset: %v", err)
		}
		return
	}
	probe := func(n int) error {
		if fault == nil {
			return nil
		}
		copied := d
		_, err := copied.Next(make([]T, n))
		return err
	}
	convert := func(dst []U, get func([]T) (int, error)) (int, error) {
		v := make([]T, len(dst))
		n, err := get(v)
		copy(dst, all(v[:n], bitsOf))
		return n, err
	}
	dec := decodetest.Decoder[U]{
		Next: func(dst []U) (int, error) { return convert(dst, d.Next) },
		Skip: func(n int) error {
			if err := probe(n); err != nil {
				return err
			}
			return d.Skip(n)
		},
		Gather: func(dst []U, sel []uint64, n int) (int, error) {
			if err := probe(n); err != nil {
				return 0, err
			}
			return convert(dst, func(v []T) (int, error) { return d.Gather(v, sel, n) })
		},
	}
	lo, hi := T(0), T(100)
	if len(values) > 0 {
		lo, hi = values[r.IntN(len(values))], values[r.IntN(len(values))]
		if r.IntN(3) > 0 {
			lo, hi = min(lo, hi), max(lo, hi)
		}
	}
	number := map[U]T{}
	for i, x := range values {
		number[want[i]] = x
	}
	dec.Tests = []decodetest.Test[U]{{
		Name: "Range",
		Clear: func(sel []uint64, n int) error {
			if err := probe(n); err != nil {
				return err
			}
			return d.Range(sel, n, lo, hi)
		},
		Pass: func(x U) bool { return lo <= number[x] && number[x] <= hi },
	}}
	decodetest.Drive(t, r, dec, want, fault != nil)
}

func all[A, B any](v []A, f func(A) B) []B {
	w := make([]B, len(v))
	for i, x := range v {
		w[i] = f(x)
	}
	return w
}

func drive32(t *testing.T, r *rand.Rand, body []byte, n int) {
	t.Helper()
	drive(t, r, body, n, naive.ALPFloat32s, math.Float32bits)
}

func drive64(t *testing.T, r *rand.Rand, body []byte, n int) {
	t.Helper()
	drive(t, r, body, n, naive.ALPFloat64s, math.Float64bits)
}

// someDoubles returns n numbers that are mostly decimal, in one of several manners.
func someDoubles(r *rand.Rand, n int) []float64 {
	digits, scale, odd := r.IntN(12), r.IntN(10), r.IntN(4)*r.IntN(20)
	base := r.IntN(1 << 20)
	v := make([]float64, n)
	for i := range v {
		x, _ := strconv.ParseFloat(fmt.Sprintf("%de-%d", int64(base)+r.Int64N(1+int64(math.Pow10(digits)/7)), scale), 64)
		if r.IntN(2) == 0 && digits%2 == 0 {
			x = -x
		}
		if r.IntN(100) < odd {
			x = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), r.NormFloat64(), math.MaxFloat64, 5e-324,
				math.Float64frombits(0x7ff8000000000123), 0}[r.IntN(9)]
		}
		v[i] = x
	}
	return v
}

// someChoices returns an encoder that makes valid choices, sensible or not.
func someChoices(r *rand.Rand, maxExponent int) encode.ALP {
	a := encode.ALP{LogVector: []int{0, 0, 3, 4, 6, 11}[r.IntN(6)]}
	if r.IntN(3) == 0 {
		a.ExtraWidth = r.IntN(64)
		a.LowerFrame = int64(r.Uint64() >> (1 + r.IntN(63)))
	}
	if a.Backwards = r.IntN(4) == 0; a.Backwards || r.IntN(4) == 0 {
		a.Exceptions = 1 + r.IntN(9)
	}
	if r.IntN(3) == 0 || a.LogVector == 3 { // choosing takes long
		a.Fixed, a.Exponent = true, r.IntN(maxExponent+1)
		a.Factor = r.IntN(a.Exponent + 1)
	}
	return a
}

func TestAgainstNaive(t *testing.T) {
	seeds := uint64(dtest.Rounds(t, 40))
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 10))
		n := r.IntN(3000)
		v := someDoubles(r, n)
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			body := padded(r, someChoices(r, 18).Float64s(nil, v))
			got, err := naive.ALPFloat64s(body, n)
			for i := range v {
				if err != nil || math.Float64bits(got[i]) != math.Float64bits(v[i]) {
					t.Fatalf("value %d of %d is %v, was %v, %v", i, n, got[i], v[i], err)
				}
			}
			drive64(t, r, body, n)
			floats := all(v, func(x float64) float32 { return float32(x) })
			body = padded(r, someChoices(r, 10).Float32s(nil, floats))
			small, err := naive.ALPFloat32s(body, n)
			for i := range v {
				if err != nil || math.Float32bits(small[i]) != math.Float32bits(floats[i]) {
					t.Fatalf("value %d of %d is %v, was %v, %v", i, n, small[i], floats[i], err)
				}
			}
			drive32(t, r, body, n)
		})
	}
}

// padded gives a body the spare bytes that kernels like, or not.
func padded(r *rand.Rand, body []byte) []byte {
	return append(body, make([]byte, encoding.Padding)...)[: len(body) : len(body)+r.IntN(2)*encoding.Padding]
}

func TestHostile(t *testing.T) {
	rounds := dtest.Rounds(t, 1200)
	r := rand.New(rand.NewPCG(1, 11))
	for range 20 {
		n := 1 + r.IntN(300)
		v := someDoubles(r, n)
		a := encode.ALP{LogVector: 3 + r.IntN(6), Fixed: true, Exponent: 6, Factor: 3}
		b64 := a.Float64s(nil, v)
		b32 := a.Float32s(nil, all(v, func(x float64) float32 { return float32(x) }))
		for range rounds / 20 {
			drive64(t, r, broken(r, b64), n+r.IntN(3)-1)
			drive32(t, r, broken(r, b32), n+r.IntN(3)-1)
		}
	}
}

// broken returns body cut, or with some bytes changed.
func broken(r *rand.Rand, body []byte) []byte {
	b := append([]byte(nil), body...)
	if r.IntN(4) == 0 {
		return b[:r.IntN(len(b))]
	}
	for range 1 + r.IntN(3) {
		at := r.IntN(len(b))
		if r.IntN(2) == 0 {
			at = r.IntN(min(60, len(b)))
		}
		b[at] = []byte{0, 1, b[at] + 1, b[at] - 1, 0xff, 0x80, byte(r.Uint32())}[r.IntN(7)]
	}
	return b
}

func FuzzAgainstNaive(f *testing.F) {
	f.Add(uint64(0), 4, example())
	f.Add(uint64(1), 100, encode.ALP{LogVector: 3}.Float32s(nil, make([]float32, 100)))
	f.Add(uint64(2), 20, encode.ALP{LogVector: 3, Backwards: true, Exceptions: 3}.Float64s(nil, make([]float64, 20)))
	f.Fuzz(func(t *testing.T, seed uint64, n int, body []byte) {
		n &= 1<<12 - 1
		drive32(t, rand.New(rand.NewPCG(seed, 12)), body, n)
		drive64(t, rand.New(rand.NewPCG(seed, 12)), body, n)
	})
}

// FuzzRoundTrip takes numbers from text, for decimals are what ALP is for.
func FuzzRoundTrip(f *testing.F) {
	f.Add(1.25, math.Copysign(0, -1), 1e300, uint8(4), uint8(2))
	f.Add(math.Inf(1), 123456.789, 5e-324, uint8(18), uint8(0))
	f.Fuzz(func(t *testing.T, a, b, c float64, e, factor uint8) {
		v := []float64{a, b, c, a + b, a * 10, math.Trunc(b), c / 100, -a, a}
		body := encode.ALP{LogVector: 3, Fixed: true, Exponent: int(e % 19), Factor: int(factor % (e%19 + 1))}.Float64s(nil, v)
		got := make([]float64, len(v))
		var d Numbers[float64]
		err := d.Reset(body, len(v))
		if err == nil {
			_, err = d.Next(got)
		}
		for i := range v {
			if err != nil || math.Float64bits(got[i]) != math.Float64bits(v[i]) {
				t.Fatalf("value %d is %v, was %v, %v", i, got[i], v[i], err)
			}
		}
	})
}

func TestPowers(t *testing.T) {
	check := func(e int, got float64, typeBits int) {
		if want, err := strconv.ParseFloat(fmt.Sprintf("1e%d", e), typeBits); got != want || err != nil {
			t.Errorf("10^%d is %v in %d bits", e, got, typeBits)
		}
	}
	for e := range up32 {
		check(e, float64(up32[e]), 32)
		check(-e, float64(down32[e]), 32)
	}
	for e := range up64 {
		check(e, up64[e], 64)
		check(-e, down64[e], 64)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		at   int
		b    byte
		want string
	}{
		{0, 1, "byte 0: compression mode 1"},
		{1, 7, "byte 1: integer encoding 7"},
		{2, 2, "byte 2: vectors of 2^2 values"},
		{2, 16, "byte 2: vectors of 2^16 values"},
		{3, 5, "byte 3: 5 values in a page of at most 4"},
		{6, 0x80, "byte 3: -2147483644 values in a page of at most 4"},
		{7, 5, "byte 7: offset 5 of the first of 1 vectors"},
		{11, 19, "byte 11: exponent 19 and factor 3"},
		{12, 5, "byte 11: exponent 4 and factor 5"},
		{13, 5, "byte 13: 5 exceptions among 4 values"},
		{13, 2, "byte 11: vector of 41 bytes is cut short"},
		{23, 65, "byte 23: integers of 65 bits"},
		{32, 4, "byte 32: exception at 4 of 4 values"},
	} {
		body := example()
		body[c.at] = c.b
		var d Numbers[float64]
		err := d.Reset(body, 4)
		n := 0
		if err == nil {
			n, err = d.Next(make([]float64, 4))
		}
		if !errors.Is(err, corrupt.Bad) || err.Error() != c.want || n != 0 {
			t.Errorf("byte %d is %d: %d values, %v, want %s", c.at, c.b, n, err, c.want)
		}
	}
	var d Numbers[float32]
	if err := d.Reset(nil, 0); err != nil {
		t.Error(err)
	}
	if err := d.Skip(1); !errors.Is(err, corrupt.Bad) {
		t.Errorf("got %v", err)
	}
	if err := d.Reset(nil, 1); !errors.Is(err, corrupt.Bad) {
		t.Errorf("got %v", err)
	}
}

// Vectors that are stepped over, and those of which nothing is selected, are not
// even looked at.
func TestSkipJumps(t *testing.T) {
	v := make([]float64, 64)
	for i := range v {
		v[i] = float64(i)
	}
	body := encode.ALP{LogVector: 3}.Float64s(nil, v)
	for i := 7 + 4*8 + 1; i < len(body)-(13+8*3/8); i++ {
		body[i] = 0xff
	}
	for name, step := range map[string]func(*Numbers[float64]) error{
		"Skip":   func(d *Numbers[float64]) error { return d.Skip(56) },
		"Gather": func(d *Numbers[float64]) error { _, err := d.Gather(nil, make([]uint64, 1), 56); return err },
		"Range":  func(d *Numbers[float64]) error { return d.Range(make([]uint64, 1), 56, 0, 1) },
	} {
		var d Numbers[float64]
		got := make([]float64, 8)
		err := d.Reset(body, 64)
		if err == nil {
			err = step(&d)
		}
		if err == nil {
			_, err = d.Next(got)
		}
		if err != nil || got[0] != 56 || got[7] != 63 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// A vector whose integers wrap around has values at both ends, and its frame
// says nothing about them.
func TestRangeOfIntegersThatWrap(t *testing.T) {
	body := example()
	body[13], body[23] = 0, 2 // no exceptions, 2 bits
	for i := range 8 {
		body[15+i] = 0xff
	}
	body[22] = 0x7f
	body[24] = 0b_11_10_01_00
	for _, c := range []struct {
		lo, hi float64
		want   uint64
	}{{0, math.MaxFloat64, 0b0001}, {-math.MaxFloat64, 0, 0b1110}, {-1, 1, 0}} {
		var d Numbers[float64]
		sel := []uint64{0b1111}
		err := d.Reset(body[:25], 4)
		if err == nil {
			err = d.Range(sel, 4, c.lo, c.hi)
		}
		if err != nil || sel[0] != c.want {
			t.Errorf("from %v to %v: %04b, %v", c.lo, c.hi, sel[0], err)
		}
	}
}

func TestAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	v := someDoubles(r, 5000)
	b64 := encode.ALP{}.Float64s(nil, v)
	b32 := encode.ALP{}.Float32s(nil, all(v, func(x float64) float32 { return float32(x) }))
	sel := make([]uint64, 16)
	dst64, dst32 := make([]float64, 1000), make([]float32, 1000)
	var d64 Numbers[float64]
	var d32 Numbers[float32]
	if allocs := testing.AllocsPerRun(10, func() {
		for i := range sel {
			sel[i] = 0x11ff000000000f00
		}
		_, _ = d64.Reset(b64, 5000), d32.Reset(b32, 5000)
		d64.Next(dst64)
		d64.Skip(10)
		d64.Gather(dst64, sel, 1000)
		d64.Range(sel, 1000, 1, 2)
		d32.Next(dst32)
		d32.Skip(10)
		d32.Gather(dst32, sel, 1000)
		d32.Range(sel, 1000, 1, 2)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
