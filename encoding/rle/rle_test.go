package rle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/gen/encode"
	"github.com/winnow-scan/winnow/internal/naive"
)

// padded returns b with or without room behind it, which is full of rubbish.
func padded(r *rand.Rand, b []byte) []byte {
	p := slices.Clone(b)
	if r.IntN(2) == 0 {
		for range encoding.Padding {
			p = append(p, 0x5a)
		}
	}
	return slices.Clip(p)[:len(b)]
}

// stream returns runs of all kinds, of values up to largest, and a number of
// values that may be a few more or less than they hold.
func stream(r *rand.Rand, width int, largest uint32) (body []byte, n int) {
	var runs []encode.Run
	value := func() uint32 { return uint32(r.Uint64N(uint64(largest) + 1)) }
	for range r.IntN(8) {
		switch r.IntN(3) {
		case 0:
			runs = append(runs, encode.Run{Repeat: 1 + r.IntN(300), Value: value()})
			n += runs[len(runs)-1].Repeat
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

func codesDriver(d *Codes, mask []uint64) decodetest.Decoder[uint32] {
	return decodetest.Decoder[uint32]{
		Next: d.Next, Skip: d.Skip, Gather: d.Gather,
		Tests: []decodetest.Test[uint32]{{
			Name:  "Mask",
			Clear: func(sel []uint64, n int) error { return d.Mask(sel, n, mask) },
			Pass:  func(c uint32) bool { return bits.Get(mask, int(c)) },
		}},
	}
}

// testCodes holds everything that decodes body to the naive decoder.
func testCodes(t *testing.T, r *rand.Rand, body []byte, width, n int) {
	t.Helper()
	want, err := naive.Hybrid(body, width, n)
	faulty := err != nil
	body = padded(r, body)
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
	decodetest.Drive(t, r, codesDriver(&d, mask), want, faulty)
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
	for width := range 33 {
		for seed := range uint64(150) {
			r := rand.New(rand.NewPCG(seed, uint64(width)))
			body, n := stream(r, width, uint32(1)<<min(width, 8+r.IntN(24))-1)
			testCodes(t, r, body, width, n)
			if t.Failed() {
				t.Fatalf("width %d, seed %d", width, seed)
			}
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

func levelsDriver(l *Levels, level uint8) decodetest.Decoder[uint8] {
	narrowing := func(sel []uint64, n int) error {
		// AtLeast stores: put it somewhere in a larger bitmap and narrow by that.
		dst := slices.Repeat([]uint64{0xaaaaaaaaaaaaaaaa}, len(sel)+2)
		before := slices.Clone(dst)
		const at = 37
		if err := l.AtLeast(dst, at, n, level); err != nil {
			return err
		}
		for i := range len(dst) * 64 {
			if (i < at || i >= at+n) && bits.Get(dst, i) != bits.Get(before, i) {
				panic("AtLeast changed a bit outside")
			}
			if i < at || i >= at+n {
				continue
			}
			if !bits.Get(dst, i) {
				bits.Clear(sel, i-at)
			}
		}
		return nil
	}
	counting := func(sel []uint64, n int) error {
		// Count must agree with AtLeast on a copy that has not moved on.
		twin := *l
		dst := make([]uint64, len(sel)+1)
		count, err := l.Count(n, level)
		if err != nil {
			return err
		}
		if err := twin.AtLeast(dst, 0, n, level); err != nil {
			return err
		}
		if want := bits.Count(dst, 0, n); count != want {
			panic(fmt.Sprint("Count is ", count, ", want ", want))
		}
		for i := range n {
			if !bits.Get(dst, i) {
				bits.Clear(sel, i)
			}
		}
		return nil
	}
	pass := func(x uint8) bool { return x >= level }
	return decodetest.Decoder[uint8]{
		Next: l.Next, Skip: l.Skip,
		Gather: func(dst []uint8, sel []uint64, n int) (int, error) {
			all := make([]uint8, n)
			got, err := l.Next(all)
			kept := 0
			for i, x := range all[:got] {
				if bits.Get(sel, i) {
					dst[kept] = x
					kept++
				}
			}
			return kept, err
		},
		Tests: []decodetest.Test[uint8]{{Name: "AtLeast", Clear: narrowing, Pass: pass}, {Name: "Count", Clear: counting, Pass: pass}},
	}
}

func testLevels(t *testing.T, r *rand.Rand, body []byte, max uint8, n int, bitPacked bool) {
	t.Helper()
	levels, err := naive.Levels(body, int(max), n, bitPacked)
	want := make([]uint8, len(levels))
	for i, x := range levels {
		want[i] = uint8(x)
	}
	faulty := len(want) < n
	if faulty && err == nil {
		t.Fatal("the naive decoder stopped without an error")
	}
	if faulty && !bitPacked {
		// A level above the maximum is no fault where levels are skipped.
		codes, _ := naive.Hybrid(body, widthOf(max), n)
		if len(codes) > len(want) {
			n, faulty = len(want), false
		}
	}
	body = padded(r, body)
	var l Levels
	level := uint8(r.IntN(int(max)+1)) | 1
	if bitPacked {
		err = l.ResetBitPacked(body, max, n)
	} else {
		err = l.Reset(body, max, n)
	}
	if err != nil {
		t.Fatal(err)
	}
	decodetest.Drive(t, r, levelsDriver(&l, level), want, faulty)
}

func widthOf(max uint8) int {
	width := 0
	for 1<<width <= int(max) {
		width++
	}
	return width
}

func TestLevels(t *testing.T) {
	for _, max := range []uint8{0, 1, 2, 3, 4, 7, 8, 100, 127, 128, 200, 255} {
		for seed := range uint64(200) {
			r := rand.New(rand.NewPCG(seed, uint64(max)))
			body, n := stream(r, widthOf(max), uint32(max))
			testLevels(t, r, body, max, n, false)
			if t.Failed() {
				t.Fatalf("max %d, seed %d", max, seed)
			}
		}
	}
}

func TestBitPackedLevels(t *testing.T) {
	for _, max := range []uint8{0, 1, 2, 3, 5, 7, 100, 255} {
		for seed := range uint64(100) {
			r := rand.New(rand.NewPCG(seed, uint64(max)))
			levels := make([]uint32, r.IntN(3000))
			for i := range levels {
				levels[i] = uint32(r.IntN(int(max) + 1))
			}
			body := encode.BitPackedMSB(nil, widthOf(max), levels)
			testLevels(t, r, body, max, len(levels)+r.IntN(10)*r.IntN(2), true)
			if t.Failed() {
				t.Fatalf("max %d, seed %d", max, seed)
			}
		}
	}
}

func TestBitPackedLevelsOfOldWriters(t *testing.T) {
	// Read from the wrong end they are 4 2 1 4 3 0 5 and more.
	levels := []uint32{0, 1, 2, 3, 4, 3, 2, 1, 0, 3, 3}
	body := encode.BitPackedLSB(nil, 3, levels)
	var l Levels
	if err := l.ResetBitPacked(body, 4, len(levels)); err != nil {
		t.Fatal(err)
	}
	got := make([]uint8, len(levels))
	if _, err := l.Next(got); err != nil {
		t.Fatal(err)
	}
	for i, x := range levels {
		if uint32(got[i]) != x {
			t.Fatalf("got %v, want %v", got, levels)
		}
	}
	// Where all are levels either way, only the caller can know.
	if err := l.ResetBitPacked([]byte{0x24}, 2, 4); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Next(got[:4]); err != nil || !slices.Equal(got[:4], []uint8{0, 2, 1, 0}) {
		t.Errorf("from the highest bit on: %v, %v", got[:4], err)
	}
	if err := l.ResetBitPackedLSB([]byte{0x24}, 2, 4); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Next(got[:4]); err != nil || !slices.Equal(got[:4], []uint8{0, 1, 2, 0}) {
		t.Errorf("from the lowest bit on: %v, %v", got[:4], err)
	}
	// Where both orders give bad levels the format's own counts, and is refused.
	if err := l.ResetBitPacked([]byte{0xff}, 4, 2); err != nil {
		t.Fatal(err)
	}
	if n, err := l.Next(got[:2]); n != 0 || err == nil {
		t.Errorf("levels 7 7 of at most 4: %d, %v", n, err)
	}
}

func TestBools(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 9))
		body, n := stream(r, 1, 1)
		testBools(t, r, body, n)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func testBools(t *testing.T, r *rand.Rand, body []byte, n int) {
	t.Helper()
	codes, err := naive.Hybrid(body, 1, n)
	want := make([]bool, len(codes))
	for i, c := range codes {
		want[i] = c == 1
	}
	body = padded(r, body)
	var b Bools
	equal := func(x bool) decodetest.Test[bool] {
		return decodetest.Test[bool]{
			Name:  fmt.Sprint("Equal ", x),
			Clear: func(sel []uint64, n int) error { return b.Equal(sel, n, x) },
			Pass:  func(y bool) bool { return x == y },
		}
	}
	drive := func(next func([]bool) (int, error), gather func([]bool, []uint64, int) (int, error)) {
		if err := b.Reset(body, n); err != nil {
			t.Fatal(err)
		}
		decodetest.Drive(t, r, decodetest.Decoder[bool]{
			Next: next, Skip: b.Skip, Gather: gather, Tests: []decodetest.Test[bool]{equal(true), equal(false)},
		}, want, err != nil)
	}
	drive(b.Next, b.Gather)
	// The same to bitmaps.
	const at = 21
	spread := func(dst []bool, got []uint64, n int) {
		for i := range dst[:n] {
			dst[i] = bits.Get(got, at+i)
		}
	}
	drive(func(dst []bool) (int, error) {
		got := make([]uint64, bits.Words(len(dst)+at))
		n, err := b.NextBits(got, at, len(dst))
		spread(dst, got, n)
		return n, err
	}, func(dst []bool, sel []uint64, n int) (int, error) {
		got := make([]uint64, bits.Words(len(dst)+at))
		kept, err := b.GatherBits(got, at, sel, n)
		spread(dst, got, kept)
		return kept, err
	})
}

// TestCodesOutOfRange puts one code at the limit into a stream and asks for it
// in every way there is.
func TestCodesOutOfRange(t *testing.T) {
	for seed := range uint64(2000) {
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
			body = encode.HybridRuns(nil, width, []encode.Run{{Packed: codes}})
		}
		body = padded(r, body)
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
		check("Mask", true, nil, func() (int, error) { return 0, d.Mask(all, n, mask) })
		check("Mask of it alone", true, nil, func() (int, error) { return 0, d.Mask(few, n, mask) })
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

func TestNothingAllocates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	codes := make([]uint32, 2000)
	for i := range codes {
		codes[i] = uint32(r.IntN(1000))
	}
	clear(codes[300:600])
	body := encode.Hybrid(nil, 10, codes)
	dictionary, dst := make([]int64, 1000), make([]int64, 2000)
	mask, sel := make([]uint64, 16), make([]uint64, 32)
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
			d.Mask(sel, 500, mask)
			l.ResetBitPacked(levels, 2, 2000)
			l.AtLeast(sel, 0, 1000, 2)
			l.Next(small[:1000])
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
