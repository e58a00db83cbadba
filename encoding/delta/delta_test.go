package delta

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

func ints[T integer](d *Ints[T], keep bool, lo, hi T) decodetest.Decoder[T] {
	gather := d.Gather
	if keep {
		gather = func(dst []T, sel []uint64, n int) (int, error) {
			v := make([]T, n+100)
			got, err := d.Pack(v[:n], sel, n)
			if slices.ContainsFunc(v[n:], func(x T) bool { return x != 0 }) {
				panic("stored behind the room that there is")
			}
			return copy(dst, v[:got]), err
		}
	}
	return decodetest.Decoder[T]{
		Next: d.Next, Skip: d.Skip, Gather: gather,
		Tests: []decodetest.Test[T]{{
			Name:  "Range",
			Clear: func(sel []uint64, n int) error { return d.Range(sel, n, lo, hi) },
			Pass:  func(x T) bool { return lo <= x && x <= hi },
		}},
	}
}

// testInts decodes n values. If the sequence holds fewer, reading on must be an error.
func testInts[T integer](t *testing.T, r *rand.Rand, body []byte, n int, anyBlock bool, decode func([]byte, int, bool) ([]T, int, error)) {
	t.Helper()
	want, end, fault := decode(body, n, anyBlock)
	lo, hi := T(math.MinInt32), T(r.Int32())
	if len(want) > 0 {
		lo, hi = want[r.IntN(len(want))], want[r.IntN(len(want))]
		if r.IntN(2) == 0 && lo > hi {
			lo, hi = hi, lo
		}
	}
	var d Ints[T]
	if err := d.reset(body, 0, n, anyBlock); err != nil {
		if fault == nil || len(want) > 0 {
			t.Fatalf("reset: %v, naive finds %d values, %v", err, len(want), fault)
		}
		return
	}
	if got, err := d.end(); err == nil && (got != end || left(&d) != len(want)) || err != nil && fault == nil {
		t.Fatalf("%d values end at %d, %v, want %d at %d", left(&d), got, err, len(want), end)
	}
	start := d
	decodetest.Drive(t, r, ints(&d, false, lo, hi), want, fault != nil)
	d = start
	decodetest.Drive(t, r, ints(&d, true, lo, hi), want, fault != nil)
}

func views(buffers [][]byte, v []bits.View, dst []string) {
	for i := range v {
		dst[i] = string(v[i].Bytes(buffers))
	}
}

func toStrings(v [][]byte) []string {
	s := make([]string, len(v))
	for i := range v {
		s[i] = string(v[i])
	}
	return s
}

func testStrings(t *testing.T, r *rand.Rand, body []byte, n int, anyBlock bool) {
	t.Helper()
	want, fault := naive.DeltaLengthByteArrays(body, n, anyBlock)
	var d Strings
	if err := d.reset(body, 0, n, anyBlock); err != nil {
		if fault == nil || len(want) > 0 {
			t.Fatalf("reset: %v, naive finds %d values, %v", err, len(want), fault)
		}
		return
	}
	d.Buffer = 1
	buffers := [][]byte{nil, body}
	for _, gather := range []func([]bits.View, []uint64, int) (int, error){d.Gather, d.Pack} {
		if err := d.reset(body, 0, n, anyBlock); err != nil {
			t.Fatal(err)
		}
		decodetest.Drive(t, r, decodetest.Decoder[string]{
			Next: func(dst []string) (int, error) {
				v := make([]bits.View, len(dst))
				n, err := d.Next(v)
				views(buffers, v[:n], dst)
				return n, err
			},
			Skip: d.Skip,
			Gather: func(dst []string, sel []uint64, n int) (int, error) {
				v := make([]bits.View, n)
				n, err := gather(v, sel, n)
				views(buffers, v[:n], dst)
				return n, err
			},
			Tests:       decodetest.Strings(r, toStrings(want), &d),
			SkipsFaults: true,
		}, toStrings(want), fault != nil)
	}
}

// TestSkipLengths goes over many blocks, some of which have a length that is negative.
func TestSkipLengths(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 31))
		lengths, size := make([]int32, 1+r.IntN(3000)), 0
		most := 1 << r.IntN(10)
		for i := range lengths {
			if i%97 == 0 {
				most = 1 << r.IntN(10)
			}
			lengths[i] = int32(r.IntN(most))
			size += int(lengths[i])
		}
		if seed%3 == 0 {
			i := r.IntN(len(lengths))
			size -= int(lengths[i])
			lengths[i] = -1 - r.Int32N(1<<r.IntN(31))
		}
		bytes := make([]byte, size)
		for i := range bytes {
			bytes[i] = byte(r.Uint32())
		}
		shape := encode.Delta{BlockSize: 128 << r.IntN(3), Miniblocks: 4}
		body := append(shape.Int32s(nil, lengths), bytes...)
		spare := encoding.Padding * r.IntN(2)
		body = append(body, make([]byte, spare)...)[:len(body)]
		testStrings(t, r, body, len(lengths), false)
	}
}

const enough = 1 << 20

func testPrefixed(t *testing.T, r *rand.Rand, body []byte, n int, anyBlock bool) {
	t.Helper()
	values, fault := naive.DeltaByteArrays(body, n, enough, anyBlock)
	want := toStrings(values)
	var d Prefixed
	if fault == naive.ErrLimit {
		// No fault to the decoder, whose limit is for each call.
		if err := d.reset(body, n, anyBlock); err != nil {
			t.Fatal(err)
		}
		testNext(t, &d, want)
		return
	}
	if err := d.reset(body, n, anyBlock); err != nil {
		if fault == nil || len(want) > 0 {
			t.Fatalf("reset: %v, naive finds %d values, %v", err, len(want), fault)
		}
		return
	}
	d.Buffer = 2
	arena := make([]byte, 0, r.IntN(100))
	decodetest.Drive(t, r, decodetest.Decoder[string]{
		Next: func(dst []string) (int, error) {
			if r.IntN(2) == 0 {
				arena = arena[:0] // what comes next must not lean on it
				clear(arena[:cap(arena)])
			}
			v := make([]bits.View, len(dst))
			n, a, err := d.Next(v, arena)
			arena = a
			views([][]byte{nil, nil, arena}, v[:n], dst)
			return n, err
		},
		Skip: d.Skip,
		Gather: func(dst []string, sel []uint64, n int) (int, error) {
			v := make([]bits.View, len(dst))
			gather := d.Gather
			if r.IntN(2) == 0 {
				gather = d.Pack
			}
			n, a, err := gather(v, arena, sel, n)
			arena = a
			views([][]byte{nil, nil, arena}, v[:n], dst)
			return n, err
		},
		Tests: decodetest.Strings(r, want, &d),
	}, want, fault != nil)
}

func testNext(t *testing.T, d *Prefixed, want []string) {
	t.Helper()
	v, got := make([]bits.View, len(want)), make([]string, len(want))
	n, arena, err := d.Next(v, nil)
	views([][]byte{arena}, v[:n], got)
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%d values of %d, %v", n, len(want), err)
	}
}

func testFixed(t *testing.T, r *rand.Rand, body []byte, n int, anyBlock bool) {
	t.Helper()
	values, fault := naive.DeltaByteArrays(body, n, enough, anyBlock)
	if fault == naive.ErrLimit {
		return
	}
	size := 1 + r.IntN(10)
	if len(values) > 0 && len(values[0]) > 0 {
		size = len(values[0])
	}
	want := toStrings(values)
	for i, x := range want {
		if len(x) != size {
			want, fault = want[:i], errors.New("another length")
			break
		}
	}
	var d Fixed
	if err := d.reset(body, n, size, anyBlock); err != nil {
		if fault == nil || len(want) > 0 {
			t.Fatalf("reset: %v, naive finds %d values, %v", err, len(want), fault)
		}
		return
	}
	decodetest.Drive(t, r, decodetest.Fixed(&d, size), want, fault != nil)
}

// testAll reads body in each way.
func testAll(t *testing.T, r *rand.Rand, body []byte, n int, anyBlock bool) {
	body = dtest.Fenced(t, r, body, r.IntN(2)*encoding.Padding)
	testInts(t, r, body, n, anyBlock, naive.DeltaInt32s)
	testInts(t, r, body, n, anyBlock, naive.DeltaInt64s)
	testStrings(t, r, body, n, anyBlock)
	testPrefixed(t, r, body, n, anyBlock)
	testFixed(t, r, body, n, anyBlock)
}

// variant chooses how to write.
func variant(r *rand.Rand) encode.Delta {
	e := encode.Delta{
		Padding: r.IntN(2) == 0, UnneededWidth: byte(r.Uint32()), Wide: r.IntN(4) == 0,
	}
	switch r.IntN(4) {
	case 0:
		e.BlockSize, e.Miniblocks = 256, 8
	case 1:
		e.BlockSize, e.Miniblocks = 128, 1
	}
	if r.IntN(3) == 0 {
		e.ExtraWidth, e.LowerMin = r.IntN(40), r.Int64N(1000)
	}
	return e
}

// numbers come in stretches of the same kind, so that there are blocks of all widths.
func numbers(r *rand.Rand, n int) []int64 {
	v := make([]int64, n)
	var last, step int64
	width := 0
	for i := range v {
		if i%200 == 0 {
			width, step = r.IntN(65), r.Int64N(100)-50
			if r.IntN(3) > 0 {
				width = r.IntN(10)
			}
		}
		last += step + int64(r.Uint64()>>(64-width))
		v[i] = last
	}
	return v
}

func words(r *rand.Rand, n, longest int) [][]byte {
	v := make([][]byte, n)
	var last []byte
	for i := range v {
		last = slices.Clone(last[:r.IntN(len(last)+1)])
		for range r.IntN(max(1, longest-len(last))) {
			last = append(last, byte('a'+r.IntN(26)))
		}
		v[i] = last
	}
	return v
}

// body returns bytes that are sound for one encoding, or were until a byte was changed.
func body(r *rand.Rand) ([]byte, int) {
	n := r.IntN(1000)
	e := variant(r)
	var b []byte
	switch r.IntN(6) {
	case 0:
		b = e.Int64s(nil, numbers(r, n))
	case 1:
		v := make([]int32, n)
		for i, x := range numbers(r, n) {
			v[i] = int32(x)
		}
		b = e.Int32s(nil, v)
	case 2:
		b = e.LengthByteArrays(nil, words(r, n, []int{3, 14, 50, 500}[r.IntN(4)]))
	case 3:
		b = e.ByteArrays(nil, words(r, n, []int{3, 14, 50, 500}[r.IntN(4)]))
	case 4: // of one size
		v := words(r, n, 20)
		for i := range v {
			v[i] = append(v[i], "01234567890123456789"[len(v[i]):]...)
		}
		b = e.ByteArrays(nil, v)
	case 5: // random lengths: negative, beyond the body, beyond the value before
		prefixes, suffixes := make([]int32, n), make([][]byte, n)
		for i := range prefixes {
			prefixes[i] = r.Int32N(8) - r.Int32N(2)*r.Int32N(2)*r.Int32N(3)
			suffixes[i] = make([]byte, r.IntN(8))
		}
		b = e.PrefixedByteArrays(nil, prefixes, suffixes)
	}
	switch r.IntN(6) {
	case 0:
		b = b[:r.IntN(len(b)+1)]
	case 1:
		b[r.IntN(len(b))] ^= byte(1 << r.IntN(8))
	case 2:
		n = r.IntN(n + 1)
	case 3:
		n += r.IntN(10)
	}
	return b, n
}

func TestAgainstNaive(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		b, n := body(r)
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { testAll(t, r, b, n, false) })
	}
}

// TestWindows takes windows of whole blocks, as scans do, which end one value in front of
// where blocks do, and at times some values away from that.
func TestWindows(t *testing.T) {
	testWindows(t, func(shape encode.Delta, v []int32) []byte { return shape.Int32s(nil, v) }, naive.DeltaInt32s)
	testWindows(t, func(shape encode.Delta, v []int64) []byte { return shape.Int64s(nil, v) }, naive.DeltaInt64s)
}

func testWindows[T integer](t *testing.T, write func(encode.Delta, []T) []byte, read func([]byte, int, bool) ([]T, int, error)) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 37))
		v := make([]T, 1+r.IntN(5000))
		most := uint64(1) << r.IntN(34)
		for i := range v {
			v[i] = T(r.Uint64N(most))
		}
		block := 128 << r.IntN(3)
		body := padded(write(encode.Delta{BlockSize: block, Miniblocks: 4}, v))
		want, _, err := read(body, len(v), false)
		if err != nil || !slices.Equal(want, v) {
			t.Fatalf("naive: %v", err)
		}
		var d Ints[T]
		if err := d.Reset(body, len(v)); err != nil {
			t.Fatal(err)
		}
		dst := make([]T, len(v))
		for at := 0; at < len(v); {
			n := block * (1 + r.IntN(20))
			if r.IntN(8) == 0 {
				n += r.IntN(20) - 10
			}
			n = min(n, len(v)-at)
			sel, percent := make([]uint64, bits.Words(n)), r.IntN(120)
			want = want[:0]
			keep := r.IntN(3) > 0
			for i, x := range v[at:][:n] {
				if !keep || r.IntN(100) < percent {
					bits.Set(sel, i)
					want = append(want, x)
				}
			}
			got := 0
			if keep {
				got, err = d.Pack(dst[:n:n], sel, n)
			} else {
				got, err = d.Next(dst[:n:n])
			}
			if err != nil || !slices.Equal(dst[:got], want) {
				t.Fatalf("seed %d, blocks of %d: %d values at %d, kept or all: %v, %d of them, %v", seed, block, n, at, keep, got, err)
			}
			at += n
		}
	}
}

func FuzzAgainstNaive(f *testing.F) {
	for seed := range uint64(20) {
		b, n := body(rand.New(rand.NewPCG(seed, 6)))
		f.Add(seed, n, false, b)
	}
	f.Add(uint64(0), 8, true, []byte{8, 1, 8, 14, 3, 2, 0xc0, 0x3f})
	f.Fuzz(func(t *testing.T, seed uint64, n int, anyBlock bool, body []byte) {
		testAll(t, rand.New(rand.NewPCG(seed, 7)), body, n&1023, anyBlock)
	})
}

// left returns how many values d has yet to return.
func left[T integer](d *Ints[T]) int { return d.to - d.from + d.toCome }

// TestGatherFew holds what is put together from some of the suffixes against the values that were written. Lengths that
// are wrong must be found before.
func TestGatherFew(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 41))
		want := words(r, 1+r.IntN(3*atOnce), []int{3, 14, 50, 500}[r.IntN(4)])
		var d Prefixed
		if err := d.Reset(encode.Delta{BlockSize: 128, Miniblocks: 4}.ByteArrays(nil, want), len(want)); err != nil {
			t.Fatal(err)
		}
		for base := 0; base < len(want); {
			var s shares
			n, err := d.lengths(&s, 1+r.IntN(min(atOnce, len(want)-base)))
			ends := make([]int32, n)
			if err != nil || !d.findSuffixes(ends, &s) {
				t.Fatalf("seed %d: %v, or a length is wrong", seed, err)
			}
			broken, i := s, r.IntN(n)
			if broken.prefix[i] = int32(len(d.last)); base+i > 0 {
				broken.prefix[i] = int32(len(want[base+i-1]))
			}
			if broken.prefix[i]++; d.findSuffixes(slices.Clone(ends), &broken) {
				t.Fatalf("seed %d: value %d has a prefix longer than the value before it", seed, base+i)
			}
			sel := make([]uint64, bits.Words(base+n))
			var wanted [][]byte
			for k := base + r.IntN(n); k < base+n; k += 1 + r.IntN(40) {
				bits.Set(sel, k)
				wanted = append(wanted, want[k])
			}
			dst := make([]bits.View, len(wanted))
			kept, arena, err := d.gatherFew(dst, &s, ends, nil, 1<<20, sel, base)
			if base += n; err != nil || kept != len(wanted) || !bytes.Equal(d.last, want[base-1]) {
				t.Fatalf("seed %d: %d of %d values, %v; last is %q, not %q", seed, kept, len(wanted), err, d.last, want[base-1])
			}
			for k, v := range dst {
				if got := v.Bytes([][]byte{arena}); !bytes.Equal(got, wanted[k]) {
					t.Fatalf("seed %d: %q, not %q", seed, got, wanted[k])
				}
			}
		}
	}
}
