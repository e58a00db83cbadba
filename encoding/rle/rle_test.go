package rle

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// padded returns b with or without room after it, which is full of rubbish.
func padded(t *testing.T, r *rand.Rand, b []byte) []byte {
	t.Helper()
	return dtest.Fenced(t, r, b, r.IntN(2)*encoding.Padding)
}

// stream returns runs of all kinds, of values up to largest, and a number of
// values that may be a few more or less than they hold.
func stream(r *rand.Rand, width int, largest uint32) (body []byte, n int) {
	var runs []encode.Run
	value := func() uint32 { return uint32(r.Uint64N(uint64(largest) + 1)) }
	for range r.IntN(8) {
		switch r.IntN(6) {
		case 0:
			longest := 300
			if r.IntN(20) == 0 {
				longest = 20000 // a header of three bytes
			}
			runs = append(runs, encode.Run{Repeat: 1 + r.IntN(longest), Value: value()})
			n += runs[len(runs)-1].Repeat
		case 1: // many that take as many bytes
			longest := 1 + r.IntN(63)
			if r.IntN(3) == 0 {
				longest = 300
			}
			for range r.IntN(100) {
				runs = append(runs, encode.Run{Repeat: 1 + r.IntN(longest), Value: value()})
				n += runs[len(runs)-1].Repeat
			}
		case 2: // many that are as long, as most writers make them
			v := make([]uint32, 8*[]int{1, 7, 63, 64, 100}[r.IntN(5)])
			for range r.IntN(20) {
				v := slices.Clone(v)
				for i := range v {
					v[i] = value()
				}
				runs = append(runs, encode.Run{Packed: v})
				n += len(v)
			}
		case 3: // many of which none tells what the next is
			for range r.IntN(150) {
				run := encode.Run{Repeat: 1 + r.IntN(300), Value: value()}
				if r.IntN(2) == 0 {
					run = encode.Run{Packed: make([]uint32, 8*(1+r.IntN(3)))}
					for i := range run.Packed {
						run.Packed[i] = value()
					}
				}
				runs = append(runs, run)
				n += run.Repeat + len(run.Packed)
			}
		default:
			v := make([]uint32, 8*(1+r.IntN(40)))
			if r.IntN(10) == 0 {
				v = make([]uint32, 8*(200+r.IntN(100))) // more than one block
			}
			for i := range v {
				v[i] = value()
			}
			runs = append(runs, encode.Run{Packed: v})
			n += len(v)
		}
	}
	switch last := len(runs) - 1; {
	case last >= 0 && runs[last].Packed != nil && r.IntN(3) == 0:
		runs[last].Cut = min(r.IntN(2*width+1), width*len(runs[last].Packed)/8)
		n -= r.IntN(20)
	case r.IntN(3) == 0:
		n += r.IntN(20) - 10
	}
	return encode.HybridRuns(nil, width, runs), max(n, 0)
}

func codesDriver(d *Codes, mask *bitpack.Mask) decodetest.Decoder[uint32] {
	return decodetest.Decoder[uint32]{
		Next: d.Next, Skip: d.Skip, Gather: d.Gather,
		Tests: []decodetest.Test[uint32]{{
			Name:  "Mask",
			Clear: func(sel []uint64, n int) error { return d.Mask(sel, n, mask) },
			Pass:  func(c uint32) bool { return mask.Passes(c) },
		}},
	}
}

// testCodes holds everything that decodes body to the naive decoder.
func testCodes(t *testing.T, r *rand.Rand, body []byte, width, n int) {
	t.Helper()
	want, err := naive.Hybrid(body, width, n)
	faulty := err != nil
	body = padded(t, r, body)
	var d Codes
	if !slices.Contains(want, math.MaxUint32) {
		if err := d.Reset(body, uint(width), math.MaxUint32, n); err != nil {
			t.Fatal(err)
		}
		decodetest.Drive(t, r, decodetest.Decoder[uint32]{Next: d.Next, Skip: d.Skip, Gather: d.Gather}, want, faulty)
	}

	// A mask and a dictionary need a limit.
	limit := uint32(1)<<min(width, 13) - uint32(r.IntN(2))
	limit = max(limit, 1)
	mask := make([]uint64, bits.Words(int(limit)))
	for i := range mask {
		mask[i] = r.Uint64()
	}
	made := bitpack.MakeMask(mask, limit)
	for i, c := range want {
		if c >= limit { // such are for TestCodesOutOfRange
			want, faulty, n = want[:i], false, i
			break
		}
	}
	reset := func() {
		if err := d.Reset(body, uint(width), limit, n); err != nil {
			t.Fatal(err)
		}
	}
	reset()
	decodetest.Drive(t, r, codesDriver(&d, &made), want, faulty)
	reset()
	testRuns(t, r, &d, want)

	dictionary := make([]bits.View, limit)
	for i := range dictionary {
		dictionary[i] = bits.MakeInline([]byte{byte(i), byte(i >> 8), 7})
	}
	wantViews := make([]bits.View, len(want))
	for i, c := range want {
		wantViews[i] = dictionary[c]
	}
	reset()
	decodetest.Drive(t, r, decodetest.Decoder[bits.View]{
		Next: func(dst []bits.View) (int, error) { return Lookup(&d, dst, dictionary) },
		Skip: d.Skip,
		Gather: func(dst []bits.View, sel []uint64, n int) (int, error) {
			return LookupSelected(&d, dst, dictionary, sel, n)
		},
	}, wantViews, faulty)
	reset()
	decodetest.Drive(t, r, decodetest.Decoder[bits.View]{
		Next: func(dst []bits.View) (int, error) { return Lookup(&d, dst, dictionary) },
		Skip: d.Skip,
		Gather: func(dst []bits.View, sel []uint64, n int) (int, error) {
			return LookupKept(&d, dst, dictionary, sel, n)
		},
	}, wantViews, faulty)
}

func testRuns(t *testing.T, r *rand.Rand, d *Codes, want []uint32) {
	t.Helper()
	for pos := 0; pos < len(want); {
		run, err := d.NextRun(1 + r.IntN(400))
		if err != nil || run.N == 0 || run.N > len(want)-pos {
			t.Fatalf("run at %d of %d: %+v, %v", pos, len(want), run, err)
		}
		got := make([]uint32, run.N)
		if run.Packed == nil {
			fill(got, run.Value)
		} else {
			for i := range got {
				got[i] = uint32(bitpack.Get(run.Packed, run.First+i, d.width))
			}
		}
		if !slices.Equal(got, want[pos:pos+run.N]) {
			t.Fatalf("run at %d: %v, want %v", pos, got, want[pos:pos+run.N])
		}
		pos += run.N
	}
}

func TestCodes(t *testing.T) {
	seeds := uint64(dtest.Rounds(t, 30))
	for width := range 33 {
		for seed := range seeds {
			r := rand.New(rand.NewPCG(seed, uint64(width)))
			body, n := stream(r, width, uint32(1)<<min(width, 8+r.IntN(24))-1)
			testCodes(t, r, body, width, n)
			if t.Failed() {
				t.Fatalf("width %d, seed %d", width, seed)
			}
		}
	}
}

// TestCodesChanged changes a byte of a stream, which may then be wrong anywhere.
func TestCodesChanged(t *testing.T) {
	seeds := uint64(dtest.Rounds(t, 600))
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 12))
		width := r.IntN(26)
		body, n := stream(r, width, uint32(1)<<width-1)
		if len(body) == 0 {
			continue
		}
		for range 1 + r.IntN(2) {
			body[r.IntN(len(body))] ^= 1 << r.IntN(8)
		}
		testCodes(t, r, body, width, n)
		if t.Failed() {
			t.Fatalf("width %d, seed %d", width, seed)
		}
	}
}

func TestIndices(t *testing.T) {
	body := []byte{3, 3, 0x88, 0xc6, 0xfa, 0x14, 5}
	want := []uint32{0, 1, 2, 3, 4, 5, 6, 7, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}
	var d Codes
	if err := d.ResetIndices(body, 8, 18); err != nil {
		t.Fatal(err)
	}
	got := make([]uint32, 18)
	if n, err := d.Next(got); n != 18 || err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got[:n], err)
	}
	if d.ResetIndices(nil, 8, 0) != nil || d.ResetIndices([]byte{33}, 8, 1) == nil || d.ResetIndices(nil, 8, 1) == nil {
		t.Error("a missing or a bad width is judged wrongly")
	}
	if d.Skip(1) == nil {
		t.Error("values after a failed reset")
	}
}

// TestCodesOutOfRange puts one code at the limit into a stream and reads it
// in every way there is.
func TestCodesOutOfRange(t *testing.T) {
	for seed := range uint64(dtest.Rounds(t, 400)) {
		r := rand.New(rand.NewPCG(seed, 11))
		width := 1 + r.IntN(17)
		limit := uint32(1 + r.IntN(1<<width-1)) // below 1<<width
		if r.IntN(10) == 0 {
			limit = 0
		}
		n := 1 + r.IntN(3000)
		codes := make([]uint32, n)
		for i := range codes {
			codes[i] = uint32(r.Uint64N(uint64(max(limit, 1))))
		}
		bad := r.IntN(n)
		if limit == 0 {
			bad = 0
		}
		codes[bad] = limit + uint32(r.Uint64N(1<<width-uint64(limit)))
		var body []byte
		if r.IntN(3) == 0 { // the bad code as a run
			runs := []encode.Run{{Repeat: 1, Value: codes[bad]}}
			if bad > 0 {
				runs = append([]encode.Run{{Packed: codes[:bad/8*8]}}, runs...)
				for _, c := range codes[bad/8*8 : bad] {
					runs = slices.Insert(runs, len(runs)-1, encode.Run{Repeat: 1, Value: c})
				}
				if bad < 8 {
					runs = runs[1:]
				}
			}
			if bad+1 < n {
				runs = append(runs, encode.Run{Packed: codes[bad+1:]})
			}
			body = encode.HybridRuns(nil, width, runs)
		} else {
			var runs []encode.Run
			for part := range slices.Chunk(codes, 8*[]int{8, 63, 100, n}[r.IntN(4)]) {
				runs = append(runs, encode.Run{Packed: part})
			}
			body = encode.HybridRuns(nil, width, runs)
		}
		body = padded(t, r, body)
		all := make([]uint64, bits.Words(n))
		bits.SetRange(all, 0, n)
		allButBad := slices.Clone(all)
		bits.Clear(allButBad, bad)
		few := make([]uint64, bits.Words(n))
		bits.Set(few, bad)
		dictionary, mask := make([]uint32, limit), make([]uint64, bits.Words(int(limit)))
		for i := range dictionary {
			dictionary[i] = uint32(i)
		}
		made := bitpack.MakeMask(mask, limit)
		var d Codes
		dst := make([]uint32, n)
		check := func(name string, wantErr bool, want []uint32, op func() (int, error)) {
			t.Helper()
			if err := d.Reset(body, uint(width), limit, n); err != nil {
				t.Fatal(err)
			}
			got, err := op()
			if (err != nil) != wantErr || !slices.Equal(dst[:got], want) {
				t.Fatalf("seed %d, width %d, limit %d, %d at %d of %d, %s: %d values, error %v", seed, width, limit, codes[bad], bad, n, name, got, err)
			}
		}
		check("Next", true, codes[:bad], func() (int, error) { return d.Next(dst) })
		check("Skip", false, nil, func() (int, error) { return 0, d.Skip(n) })
		check("Gather", true, codes[:bad], func() (int, error) { return d.Gather(dst, all, n) })
		check("Gather of it alone", true, nil, func() (int, error) { return d.Gather(dst, few, n) })
		check("Lookup", true, codes[:bad], func() (int, error) { return Lookup(&d, dst, dictionary) })
		check("LookupSelected", true, codes[:bad], func() (int, error) { return LookupSelected(&d, dst, dictionary, all, n) })
		check("LookupSelected of it alone", true, nil, func() (int, error) { return LookupSelected(&d, dst, dictionary, few, n) })
		check("LookupKept", true, codes[:bad], func() (int, error) { return LookupKept(&d, dst, dictionary, all, n) })
		check("LookupKept of it alone", true, nil, func() (int, error) { return LookupKept(&d, dst, dictionary, few, n) })
		check("Mask", true, nil, func() (int, error) { return 0, d.Mask(all, n, &made) })
		check("Mask of it alone", true, nil, func() (int, error) { return 0, d.Mask(few, n, &made) })
		if limit > 0 {
			others := append(slices.Clone(codes[:bad]), codes[bad+1:]...)
			check("Gather of the others", false, others, func() (int, error) { return d.Gather(dst, allButBad, n) })
		}
		if limit > 0 && width <= 8 && limit > 1<<(width-1) {
			var l Levels
			levels := make([]uint8, n)
			if err := l.Reset(body, uint8(limit-1), n); err != nil {
				t.Fatal(err)
			}
			twin, third := l, l
			if got, err := l.Next(levels); err == nil || got != bad {
				t.Fatalf("seed %d: %d levels, %v", seed, got, err)
			}
			if twin.AtLeast(make([]uint64, bits.Words(n)), 0, n, 1) == nil {
				t.Fatalf("seed %d: AtLeast sees nothing", seed)
			}
			if _, err := third.Count(n, 1); err == nil {
				t.Fatalf("seed %d: Count sees nothing", seed)
			}
		}
	}
}

func FuzzHybrid(f *testing.F) {
	f.Add([]byte{3, 0x88, 0xc6, 0xfa, 0x14, 5}, uint8(3), uint16(18), uint64(1))
	f.Add([]byte{0b00000101, 0b11101011, 0b00000010, 0b00010000, 0b00000001}, uint8(1), uint16(24), uint64(2))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f}, uint8(0), uint16(100), uint64(3))
	f.Add([]byte{0xfe, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3, 4}, uint8(32), uint16(100), uint64(4))
	f.Fuzz(func(t *testing.T, body []byte, width uint8, n uint16, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		width %= 33
		testCodes(t, r, body, int(width), int(n))
		testBools(t, r, body, int(n))
		for _, max := range []uint8{0, 1, 2, 3, 6, uint8(seed)} {
			testLevels(t, r, body, max, int(n), false)
		}
		var l Levels
		max := uint8(seed >> 8)
		if err := l.ResetBitPacked(body, max, int(n)); err != nil {
			t.Fatal(err)
		}
		dst := make([]uint8, n)
		l.Next(dst)
	})
}

func TestAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	codes := make([]uint32, 2000)
	for i := range codes {
		codes[i] = uint32(r.IntN(1000))
	}
	clear(codes[300:600])
	body := encode.Hybrid(nil, 10, codes)
	dictionary, dst := make([]int64, 1000), make([]int64, 2000)
	mask, sel := bitpack.MakeMask(make([]uint64, 16), 1000), make([]uint64, 32)
	levels := encode.BitPackedMSB(nil, 2, make([]uint32, 2000))
	small := make([]uint8, 2000)
	var d Codes
	var l Levels
	if n := testing.AllocsPerRun(10, func() {
		for range 3 {
			d.Reset(body, 10, 1000, 2000)
			d.Skip(37)
			d.Next(codes[:300])
			Lookup(&d, dst[:99], dictionary)
			sel[0], sel[3], sel[7] = math.MaxUint64, 1<<40, 77
			d.Gather(codes, sel, 500)
			LookupSelected(&d, dst, dictionary, sel, 300)
			LookupKept(&d, dst, dictionary, sel, 200)
			d.Mask(sel, 500, &mask)
			l.ResetBitPacked(levels, 2, 2000)
			l.AtLeast(sel, 0, 1000, 2)
			l.Next(small[:1000])
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
