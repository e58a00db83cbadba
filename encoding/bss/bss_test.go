package bss

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// naiveNumbers decodes in two steps of naive: to PLAIN, and PLAIN.
func naiveNumbers[T encoding.Number](body []byte, n int, plain func([]byte, int) ([]T, error)) ([]T, error) {
	flat, err := naive.ByteStreamSplit(body, n, encoding.SizeOf[T]())
	v, _ := plain(flat, len(flat)/encoding.SizeOf[T]())
	return v, err
}

func testNumbers[T encoding.Number](t *testing.T, r *rand.Rand, body []byte, n int, plain func([]byte, int) ([]T, error)) {
	t.Helper()
	want, fault := naiveNumbers(body, n, plain)
	lo, hi := T(0), T(100)
	if len(want) > 0 {
		lo, hi = want[r.IntN(len(want))], want[r.IntN(len(want))]
	}
	var d Numbers[T]
	if err := d.Reset(body, n); err != nil {
		if len(body)%encoding.SizeOf[T]() == 0 && len(body)/encoding.SizeOf[T]() <= n {
			t.Fatalf("Reset: %v", err)
		}
		return
	}
	for _, gather := range []func([]T, []uint64, int) (int, error){d.Gather, d.Pack} {
		if err := d.Reset(body, n); err != nil {
			t.Fatal(err)
		}
		decodetest.Drive(t, r, decodetest.Decoder[T]{
			Next: d.Next, Skip: d.Skip, Gather: gather,
			Tests: []decodetest.Test[T]{{
				Name:  "Range",
				Clear: func(sel []uint64, n int) error { return d.Range(sel, n, lo, hi) },
				Pass:  func(x T) bool { return lo <= x && x <= hi },
			}},
		}, want, fault != nil)
	}
}

func testFixed(t *testing.T, r *rand.Rand, body []byte, n, size int) {
	t.Helper()
	flat, fault := naive.ByteStreamSplit(body, n, size)
	want := make([]string, 0, n)
	for i := 0; i < len(flat); i += size {
		want = append(want, string(flat[i:][:size]))
	}
	var d Fixed
	if err := d.Reset(body, n, size); err != nil {
		if len(body)%size == 0 && len(body)/size <= n {
			t.Fatalf("Reset: %v", err)
		}
		return
	}
	decodetest.Drive(t, r, decodetest.Fixed(&d, size), want, fault != nil)
}

func testAll(t *testing.T, r *rand.Rand, body []byte, n int) {
	body = dtest.Fenced(t, r, body, r.IntN(2)*encoding.Padding)
	testNumbers(t, r, body, n, naive.Int32s)
	testNumbers(t, r, body, n, naive.Int64s)
	for _, size := range []int{2, 1 + r.IntN(40)} {
		testFixed(t, r, body, n, size)
	}
	if v, _ := naiveNumbers(body, len(body)/8, naive.Float64s); !hasNaN(v) { // Drive compares with ==
		testNumbers(t, r, body, n, naive.Float64s)
	}
	if v, _ := naiveNumbers(body, len(body)/4, naive.Float32s); !hasNaN(v) {
		testNumbers(t, r, body, n, naive.Float32s)
	}
}

func hasNaN[T float32 | float64](v []T) bool {
	for _, x := range v {
		if x != x {
			return true
		}
	}
	return false
}

func TestAgainstNaive(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 8))
		n := r.IntN(700)
		size := []int{4, 8, 2, 1 + r.IntN(40)}[r.IntN(4)]
		plain := make([]byte, n*size)
		for i := range plain {
			plain[i] = byte(r.Uint32())
			if i%4 == 3 {
				plain[i] &= 0x3f // no NaN
			}
		}
		body := encode.ByteStreamSplit(nil, plain, size)
		if r.IntN(4) == 0 {
			body = body[:r.IntN(len(body)+1)]
		}
		n += r.IntN(3) - 1
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { testAll(t, r, body, max(n, 0)) })
	}
}

// Of many values few are wanted, and more in some places.
func TestGatherFew(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 10))
		testGatherFew(t, r, 4, naive.Int32s)
		testGatherFew(t, r, 8, naive.Int64s)
	}
}

func testGatherFew[T encoding.Number](t *testing.T, r *rand.Rand, size int, plain func([]byte, int) ([]T, error)) {
	t.Helper()
	body := make([]byte, r.IntN(20000)*size)
	for i := range body {
		body[i] = byte(r.Uint32())
	}
	all := len(body) / size
	values, err := naiveNumbers(body, all, plain)
	if err != nil {
		t.Fatal(err)
	}
	var d Numbers[T]
	if err := d.Reset(dtest.Fenced(t, r, body, 0), all); err != nil {
		t.Fatal(err)
	}
	first := r.IntN(all + 1)
	if err := d.Skip(first); err != nil {
		t.Fatal(err)
	}
	n := r.IntN(all - first + 1)
	sel := make([]uint64, n/64+1)
	var want []T
	one := 1 + r.IntN(150)
	for i := range n {
		if r.IntN(1000) == 0 {
			one = 1 + r.IntN(150)
		}
		if r.IntN(one) == 0 {
			sel[i/64] |= 1 << (i % 64)
			want = append(want, values[first+i])
		}
	}
	for i := n; i < len(sel)*64; i++ {
		sel[i/64] |= 1 << (i % 64) // of no value
	}
	dst := make([]T, len(want)) // no room for more
	if got, err := d.Gather(dst, sel, n); err != nil || got != len(want) || !slices.Equal(dst, want) {
		t.Fatalf("%d of %d values from %d on, want %d: %v", got, n, first, len(want), err)
	}
	if err := d.Reset(d.body, all); err != nil {
		t.Fatal(err)
	}
	if err := d.Skip(first); err != nil {
		t.Fatal(err)
	}
	dst = make([]T, n+64)
	if got, err := d.Pack(dst[:n], sel, n); err != nil || got != len(want) || !slices.Equal(dst[:got], want) || slices.Max(dst[n:]) != 0 {
		t.Fatalf("%d of %d values from %d on kept, want %d: %v", got, n, first, len(want), err)
	}
}

// Runs of all lengths are wanted, of many values.
func TestGatherFixed(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 13))
		size, all := 1+r.IntN(20), r.IntN(6000)
		body := make([]byte, all*size)
		for i := range body {
			body[i] = byte(r.Uint32())
		}
		flat, err := naive.ByteStreamSplit(body, all, size)
		if err != nil {
			t.Fatal(err)
		}
		var d Fixed
		if err := d.Reset(body, all, size); err != nil {
			t.Fatal(err)
		}
		first := r.IntN(all + 1)
		if err := d.Skip(first); err != nil {
			t.Fatal(err)
		}
		n := r.IntN(all - first + 1)
		sel := make([]uint64, n/64+1)
		var want []byte
		for i := 0; i < n; i++ {
			for end := min(n, i+r.IntN(1<<r.IntN(9))); i < end; i++ {
				sel[i/64] |= 1 << (i % 64)
				want = append(want, flat[(first+i)*size:][:size]...)
			}
			i += r.IntN(1 << r.IntN(9))
		}
		dst := make([]byte, len(want)) // no room for more
		if got, err := d.Gather(dst, sel, n); err != nil || got != len(want)/size || !slices.Equal(dst, want) {
			t.Fatalf("seed %d: %d of %d values of %d bytes, want %d: %v", seed, got, n, size, len(want)/size, err)
		}
	}
}

func FuzzAgainstNaive(f *testing.F) {
	f.Add(uint64(0), 3, []byte{0xaa, 0, 0xa3, 0xbb, 0x11, 0xb4, 0xcc, 0x22, 0xc5, 0xdd, 0x33, 0xd6})
	f.Add(uint64(1), 100, make([]byte, 800))
	f.Fuzz(func(t *testing.T, seed uint64, n int, body []byte) {
		testAll(t, rand.New(rand.NewPCG(seed, 9)), body, n&1023)
	})
}

// The format's own example.
func TestExample(t *testing.T) {
	var d Numbers[uint32]
	if err := d.Reset([]byte{0xaa, 0, 0xa3, 0xbb, 0x11, 0xb4, 0xcc, 0x22, 0xc5, 0xdd, 0x33, 0xd6}, 3); err != nil {
		t.Fatal(err)
	}
	got := make([]uint32, 3)
	if n, err := d.Next(got); n != 3 || err != nil || [3]uint32(got) != [3]uint32{0xddccbbaa, 0x33221100, 0xd6c5b4a3} {
		t.Errorf("got %x, %v", got, err)
	}
}

func TestErrors(t *testing.T) {
	var d Numbers[float64]
	for _, c := range []struct {
		size, n int
		want    string
	}{{9, 9, "9 bytes in streams of values of 8 bytes"}, {16, 1, "2 values in a page of at most 1"}} {
		if err := d.Reset(make([]byte, c.size), c.n); !errors.Is(err, corrupt.Bad) || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if n, err := d.Next(make([]float64, 1)); n != 0 || err == nil {
			t.Errorf("%d values after an error, %v", n, err)
		}
	}
	var f Fixed
	if err := f.Reset(nil, 1, 0); !errors.Is(err, corrupt.Bad) {
		t.Errorf("got %v", err)
	}
	if n, err := f.Next(make([]byte, 4)); n != 0 || err == nil {
		t.Errorf("got %d, %v", n, err)
	}
}

func TestNaN(t *testing.T) {
	body := encode.ByteStreamSplit(nil, encode.Numbers(nil, []float64{math.NaN(), 1, math.Inf(1)}), 8)
	var d Numbers[float64]
	if err := d.Reset(body, 3); err != nil {
		t.Fatal(err)
	}
	sel := []uint64{0b111}
	if err := d.Range(sel, 3, math.Inf(-1), math.Inf(1)); err != nil || sel[0] != 0b110 {
		t.Errorf("got %b, %v", sel, err)
	}
}

func TestAllocatesNothing(t *testing.T) {
	body := make([]byte, 4000)
	var n4 Numbers[float32]
	var n8 Numbers[int64]
	var f Fixed
	var words [16]uint64
	for i := range words {
		words[i] = 0x11ff000000000f00
	}
	sel := words[:]
	dst4, dst8, flat := make([]float32, 1000), make([]int64, 500), make([]byte, 4000)
	if allocs := testing.AllocsPerRun(10, func() {
		_, _, _ = n4.Reset(body, 1000), n8.Reset(body, 1000), f.Reset(body, 1000, 5)
		n4.Next(dst4[:100])
		n4.Gather(dst4, sel, 300)
		n4.Range(sel, 300, 1, 2)
		n8.Next(dst8[:100])
		n8.Gather(dst8, sel, 100)
		n8.Pack(dst8, sel, 100)
		n8.Range(sel, 100, 1, 2)
		f.Next(flat[:500])
		f.Gather(flat, sel, 200)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
