package plain

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// numbers makes floats comparable by their bits: NaN is what was written.
func numbers[T encoding.Number](d *Numbers[T], lo, hi T) decodetest.Decoder[T] {
	return decodetest.Decoder[T]{
		Next: d.Next, Skip: d.Skip, Gather: d.Gather,
		Tests: []decodetest.Test[T]{{
			Name:  "Range",
			Clear: func(sel []uint64, n int) error { return d.Range(sel, n, lo, hi) },
			Pass:  func(x T) bool { return lo <= x && x <= hi },
		}},
	}
}

func testNumbers[T encoding.Number](t *testing.T, r *rand.Rand, body []byte, n int, decode func([]byte, int) ([]T, error)) {
	t.Helper()
	want, err := decode(body, n)
	if len(want) == 0 {
		want = make([]T, 0, 1)
	}
	lo, hi := T(0), T(100)
	if len(want) > 1 {
		lo, hi = want[r.IntN(len(want))], want[r.IntN(len(want))]
	}
	var d Numbers[T]
	if err := d.Reset(body, n); err != nil {
		t.Fatal(err)
	}
	decodetest.Drive(t, r, numbers(&d, lo, hi), want, err != nil)
}

// testAll reads body as each type in turn.
func testAll(t *testing.T, r *rand.Rand, body []byte, n int) {
	body = dtest.Fenced(t, r, body, r.IntN(2)*encoding.Padding)
	testNumbers(t, r, body, n, naive.Int32s)
	testNumbers(t, r, body, n, naive.Int64s)
	if !hasNaN(body) { // Drive compares with ==
		testNumbers(t, r, body, n, naive.Float32s)
		testNumbers(t, r, body, n, naive.Float64s)
	}
	testBools(t, r, body, n)
	testFixed(t, r, body, n, 1+r.IntN(20))
	testFixed(t, r, body, n, 12)
	testStrings(t, r, body, n)
}

func hasNaN(body []byte) bool {
	f, _ := naive.Float32s(body, len(body)/4)
	for _, x := range f {
		if x != x {
			return true
		}
	}
	g, _ := naive.Float64s(body, len(body)/8)
	for _, x := range g {
		if x != x {
			return true
		}
	}
	return false
}

func testBools(t *testing.T, r *rand.Rand, body []byte, n int) {
	t.Helper()
	want, fault := naive.Bools(body, n)
	var d Bools
	if err := d.Reset(body, n); err != nil {
		t.Fatal(err)
	}
	decodetest.Drive(t, r, decodetest.Bools{BitDecoder: &d, At: r.IntN(100)}.Decoder(), want, fault != nil)
}

func toStrings(v [][]byte) []string {
	s := make([]string, len(v))
	for i := range v {
		s[i] = string(v[i])
	}
	return s
}

func testFixed(t *testing.T, r *rand.Rand, body []byte, n, size int) {
	t.Helper()
	want, fault := naive.FixedLenByteArrays(body, n, size)
	var d Fixed
	if err := d.Reset(body, n, size); err != nil {
		t.Fatal(err)
	}
	decodetest.Drive(t, r, decodetest.Fixed(&d, size), toStrings(want), fault != nil)
}

// bounds chooses bounds for a Range among the values.

func testStrings(t *testing.T, r *rand.Rand, body []byte, n int) {
	t.Helper()
	values, fault := naive.ByteArrays(body, n)
	want := toStrings(values)
	var d Strings
	d.Buffer = 1
	buffers := [][]byte{nil, body}
	read := func(dst []string, views []bits.View, n int) {
		for i := range n {
			dst[i] = string(views[i].Bytes(buffers))
		}
	}
	for _, gather := range []func([]bits.View, []uint64, int) (int, error){d.Gather, d.Pack} {
		if err := d.Reset(body, n); err != nil {
			t.Fatal(err)
		}
		decodetest.Drive(t, r, decodetest.Decoder[string]{
			Next: func(dst []string) (int, error) {
				views := make([]bits.View, len(dst))
				n, err := d.Next(views)
				read(dst, views, n)
				return n, err
			},
			Skip: d.Skip,
			Gather: func(dst []string, sel []uint64, n int) (int, error) {
				views := make([]bits.View, n)
				n, err := gather(views, sel, n)
				read(dst, views, n)
				return n, err
			},
			Tests: decodetest.Strings(r, want, &d),
		}, want, fault != nil)
	}
}

// body returns bytes that are sound for one type or another, or for none.
func body(r *rand.Rand) ([]byte, int) {
	n := r.IntN(700)
	var b []byte
	switch r.IntN(3) {
	case 0:
		longest := []int{3, 13, 40, 300}[r.IntN(4)]
		letters := 1 + r.IntN(26)
		for range n {
			v := make([]byte, r.IntN(longest))
			for i := range v {
				v[i] = byte('a' + r.IntN(letters))
			}
			b = encode.ByteArrays(b, [][]byte{v})
		}
	case 1:
		for range n {
			b = encode.Numbers(b, []float64{math.Round(r.NormFloat64() * 10)})
		}
	case 2:
		for range n {
			b = append(b, byte(r.IntN(256)>>r.IntN(9)))
		}
	}
	if r.IntN(3) == 0 && len(b) > 0 {
		b = b[:r.IntN(len(b))]
	}
	if r.IntN(3) == 0 {
		n = r.IntN(n + 1)
	}
	return append([]byte(nil), b...), n
}

func TestAgainstNaive(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		b, n := body(r)
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { testAll(t, r, b, n) })
	}
}

// Of many values few are wanted, and more in some places.
func TestGatherFew(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		testGatherFew(t, r, naive.Int32s)
		testGatherFew(t, r, naive.Int64s)
	}
}

func testGatherFew[T encoding.Number](t *testing.T, r *rand.Rand, decode func([]byte, int) ([]T, error)) {
	t.Helper()
	body := make([]byte, r.IntN(20000)*encoding.SizeOf[T]())
	for i := range body {
		body[i] = byte(r.Uint32())
	}
	values, err := decode(body, len(body)/encoding.SizeOf[T]())
	if err != nil {
		t.Fatal(err)
	}
	var d Numbers[T]
	if err := d.Reset(dtest.Fenced(t, r, body, 0), len(values)); err != nil {
		t.Fatal(err)
	}
	first := r.IntN(len(values) + 1)
	if err := d.Skip(first); err != nil {
		t.Fatal(err)
	}
	n := r.IntN(len(values) - first + 1)
	sel := make([]uint64, n/64+1)
	var want []T
	one := 1 + r.IntN(150)
	for i := range n {
		if r.IntN(1000) == 0 {
			one = 1 + r.IntN(150)
		}
		if r.IntN(one) == 0 {
			bits.Set(sel, i)
			want = append(want, values[first+i])
		}
	}
	bits.SetRange(sel, n, len(sel)*64) // of no value
	dst := make([]T, len(want))        // no room for more
	if got, err := d.Gather(dst, sel, n); err != nil || got != len(want) || !slices.Equal(dst, want) {
		t.Fatalf("%d of %d values from %d on, want %d: %v", got, n, first, len(want), err)
	}
}

func FuzzAgainstNaive(f *testing.F) {
	f.Add(uint64(0), 3, encode.ByteArrays(nil, [][]byte{[]byte("a"), []byte("a longer string"), nil}))
	f.Add(uint64(1), 3, []byte("\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, seed uint64, n int, body []byte) {
		testAll(t, rand.New(rand.NewPCG(seed, 4)), body, n&1023)
	})
}

// NaN cannot go through Drive.
func TestNaN(t *testing.T) {
	want := []float64{math.NaN(), 1, math.Inf(1), math.NaN()}
	var d Numbers[float64]
	if err := d.Reset(encode.Numbers(nil, want), 4); err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 4)
	if n, err := d.Next(got); n != 4 || err != nil || !math.IsNaN(got[0]) || got[1] != 1 || !math.IsNaN(got[3]) {
		t.Errorf("got %v, %v", got, err)
	}
	if err := d.Reset(encode.Numbers(nil, want), 4); err != nil {
		t.Fatal(err)
	}
	sel := []uint64{0b1111}
	if err := d.Range(sel, 4, math.Inf(-1), math.Inf(1)); err != nil || sel[0] != 0b0110 {
		t.Errorf("got %b, %v", sel, err)
	}
}

// The examples of doc.go.
func TestExamples(t *testing.T) {
	var b Bools
	_ = b.Reset([]byte{0x0d, 0x01}, 9)
	values := make([]bool, 9)
	if _, err := (decodetest.Bools{BitDecoder: &b}).Next(values); err != nil || !slices.Equal(values, []bool{true, false, true, true, 4: false, 8: true}) {
		t.Errorf("booleans: %v, %v", values, err)
	}
	page := []byte("\x03\x00\x00\x00foo\x0e\x00\x00\x00fourteen bytes")
	var s Strings
	_ = s.Reset(page, 2)
	views := make([]bits.View, 2)
	if n, err := s.Next(views); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if buffer, offset := views[1].Ref(); buffer != 0 || offset != 11 {
		t.Errorf("the long view is at %d of %d", offset, buffer)
	}
	if got := toStrings([][]byte{views[0].Bytes(nil), views[1].Bytes([][]byte{page})}); got[0] != "foo" || got[1] != "fourteen bytes" {
		t.Errorf("got %q", got)
	}
}

func TestErrorsNameTheByte(t *testing.T) {
	var s Strings
	_ = s.Reset([]byte("\x01\x00\x00\x00a\xff\xff\xff\xffbc"), 2)
	n, err := s.Next(make([]bits.View, 2))
	if n != 1 || !errors.Is(err, corrupt.Bad) || err.Error() != "byte 5: value of 4294967295 bytes, the page holds 2" {
		t.Errorf("got %d, %v", n, err)
	}
	var d Numbers[int32]
	_ = d.Reset([]byte{1, 0, 0, 0, 2, 0}, 3)
	if err := d.Skip(2); !errors.Is(err, corrupt.Bad) || err.Error() != "byte 4: values end after 1, wanted were 1 more" {
		t.Errorf("got %v", err)
	}
	var f Fixed
	if err := f.Reset(nil, 1, 0); !errors.Is(err, corrupt.Bad) {
		t.Errorf("got %v", err)
	}
	if n, err := f.Next(make([]byte, 4)); n != 0 || err == nil {
		t.Errorf("got %d, %v", n, err)
	}
}

func TestAllocatesNothing(t *testing.T) {
	var words [16]uint64
	for i := range words {
		words[i] = 0x5555
	}
	sel := words[:]
	page := encode.ByteArrays(nil, bytes.Split([]byte(strings.Repeat("some,words,and a longer one,", 200)), []byte(",")))
	views, doubles, bitmap := make([]bits.View, 200), make([]float64, 200), make([]uint64, 4)
	var s Strings
	var d Numbers[float64]
	var b Bools
	var f Fixed
	fixed := make([]byte, 100)
	needle := []byte("long")
	allocs := testing.AllocsPerRun(20, func() {
		_, _, _, _ = s.Reset(page, 600), d.Reset(page, 400), b.Reset(page, 1000), f.Reset(page, 100, 5)
		s.Next(views[:50])
		s.Gather(views, sel, 70)
		s.Pack(views, sel, 70)
		s.Skip(70)
		contains, inRange, equal := encoding.Contains(needle), encoding.InRange(needle, needle), encoding.IsEqual(needle)
		s.Match(sel, 70, &contains)
		s.Match(sel, 70, &inRange)
		s.Match(sel, 70, &equal)
		d.Next(doubles[:50])
		d.Gather(doubles, sel, 70)
		d.Range(sel, 100, 1, 2)
		b.NextBits(bitmap, 3, 50)
		b.GatherBits(bitmap, 3, sel, 70)
		b.Equal(sel, 70, true)
		f.Next(fixed)
		f.View(5)
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
