package bits

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The twin of every kernel works on a []bool.

func pack(bools []bool) []uint64 {
	b := make([]uint64, (len(bools)+63)/64)
	for i, set := range bools {
		if set {
			b[i/64] |= 1 << (i % 64)
		}
	}
	return b
}

func unpack(b []uint64) []bool {
	bools := make([]bool, len(b)*64)
	for i := range bools {
		bools[i] = b[i/64]&(1<<(i%64)) != 0
	}
	return bools
}

// random returns whole words of bools: all clear, all set, runs, or noise.
func random(r *rand.Rand, words int) []bool {
	bools := make([]bool, words*64)
	shape := r.IntN(4)
	set := false
	for i := range bools {
		switch shape {
		case 1:
			set = true
		case 2:
			if r.IntN(20) == 0 {
				set = !set
			}
		case 3:
			set = r.IntN(2) == 0
		}
		bools[i] = set
	}
	return bools
}

// span returns a random range within [0, n), often one that touches word borders.
func span(r *rand.Rand, n int) (from, to int) {
	from, to = r.IntN(n+1), r.IntN(n+1)
	if r.IntN(4) == 0 {
		from -= from % 64
	}
	if r.IntN(4) == 0 {
		to -= to % 64
	}
	return min(from, to), max(from, to)
}

func check(t *testing.T, name string, got []uint64, want []bool) {
	t.Helper()
	for i, set := range unpack(got) {
		if set != want[i] {
			t.Fatalf("%s: bit %d is %v", name, i, set)
		}
	}
}

func each(t *testing.T, f func(t *testing.T, r *rand.Rand)) {
	t.Helper()
	for seed := range uint64(3000) {
		f(t, rand.New(rand.NewPCG(seed, 1)))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestRanges(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		bools := random(r, 1+r.IntN(5))
		from, to := span(r, len(bools))
		edit := func(name string, kernel func([]uint64, int, int), naive func(bool) bool) {
			b, want := pack(bools), slices.Clone(bools)
			kernel(b, from, to)
			for i := from; i < to; i++ {
				want[i] = naive(want[i])
			}
			check(t, name, b, want)
		}
		edit("SetRange", SetRange, func(bool) bool { return true })
		edit("ClearRange", ClearRange, func(bool) bool { return false })
		edit("Not", Not, func(set bool) bool { return !set })

		b := pack(bools)
		var positions []int
		next, nextClear := to, to
		for i := to - 1; i >= from; i-- {
			if bools[i] {
				next = i
				positions = append(positions, i)
			} else {
				nextClear = i
			}
		}
		slices.Reverse(positions)
		got := make([]int, len(positions))
		if n := Positions(got, b, from, to); n != len(positions) || !slices.Equal(got, positions) {
			t.Errorf("Positions [%d, %d): got %d, %v, want %v", from, to, n, got, positions)
		}
		room := make([]uint32, to-from+r.IntN(100))
		if n := Positions(room, b, from, to); n != len(positions) {
			t.Errorf("Positions [%d, %d) of 32 bits: got %d, want %d", from, to, n, len(positions))
		}
		for i, p := range positions {
			if room[i] != uint32(p) {
				t.Errorf("Positions [%d, %d) of 32 bits: got %v, want %v", from, to, room, positions)
				break
			}
		}
		if n := Count(b, from, to); n != len(positions) {
			t.Errorf("Count [%d, %d): got %d, want %d", from, to, n, len(positions))
		}
		if p := Next(b, from, to); p != next {
			t.Errorf("Next [%d, %d): got %d, want %d", from, to, p, next)
		}
		if p := NextClear(b, from, to); p != nextClear {
			t.Errorf("NextClear [%d, %d): got %d, want %d", from, to, p, nextClear)
		}
		if any, all := Any(b, from, to), All(b, from, to); any != (len(positions) > 0) || all != (len(positions) == to-from) {
			t.Errorf("Any, All [%d, %d) of %v: %v, %v", from, to, positions, any, all)
		}
		for k, p := range positions {
			if s := Select(b, from, to, k); s != p {
				t.Errorf("Select %d of [%d, %d): got %d, want %d", k, from, to, s, p)
			}
		}
		if s := Select(b, from, to, len(positions)); s != to {
			t.Errorf("Select behind the last: got %d, want %d", s, to)
		}
		var byRuns []int
		for start, end := NextRun(b, from, to); start < to; start, end = NextRun(b, end, to) {
			if end < to && bools[end] || end <= start {
				t.Errorf("run [%d, %d) does not end there", start, end)
			}
			for ; start < end; start++ {
				byRuns = append(byRuns, start)
			}
		}
		if !slices.Equal(byRuns, positions) {
			t.Errorf("NextRun: got %v, want %v", byRuns, positions)
		}
		behind := 0 // the last run of Runs
		for start, end := range Runs(b, to) {
			if start > behind && Any(b, behind, start) || end <= start || !All(b, start, end) || end < to && bools[end] {
				t.Errorf("Runs up to %d: [%d, %d) behind %d", to, start, end, behind)
			}
			behind = end
		}
		if Any(b, behind, to) {
			t.Errorf("Runs up to %d: none behind %d", to, behind)
		}
		for start, end := range Runs(b, to) { // a loop that ends early
			if s, e := NextRun(b, 0, to); start != s || end != e {
				t.Errorf("Runs up to %d: [%d, %d) first", to, start, end)
			}
			break
		}
	})
}

func TestSingleBits(t *testing.T) {
	b := make([]uint64, 2)
	for _, i := range []int{0, 63, 64, 127} {
		Set(b, i)
		if !Get(b, i) || Count(b, 0, 128) != 1 {
			t.Errorf("bit %d was not set: %x", i, b)
		}
		Clear(b, i)
		if Get(b, i) || Count(b, 0, 128) != 0 {
			t.Errorf("bit %d was not cleared: %x", i, b)
		}
	}
	for n, want := range map[int]int{0: 0, 1: 1, 64: 1, 65: 2} {
		if Words(n) != want {
			t.Errorf("Words(%d) = %d", n, Words(n))
		}
	}
}

func TestCombine(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		words := 1 + r.IntN(4)
		x, y := random(r, words), random(r, words)
		combine := func(name string, kernel func(dst, src []uint64), naive func(x, y bool) bool) {
			b, want := pack(x), slices.Clone(x)
			kernel(b, pack(y))
			for i := range want {
				want[i] = naive(x[i], y[i])
			}
			check(t, name, b, want)
		}
		combine("And", And, func(x, y bool) bool { return x && y })
		combine("AndNot", AndNot, func(x, y bool) bool { return x && !y })
		combine("Or", Or, func(x, y bool) bool { return x || y })
	})
}

func TestDropAndLast(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		words := 1 + r.IntN(4)
		x, y := random(r, words), random(r, words)
		n := r.IntN(64*words + 1)
		b, want, last := pack(x), slices.Clone(x), -1
		Drop(b, pack(y), n)
		for i := range n {
			want[i] = x[i] && !y[i]
			if want[i] {
				last = i
			}
		}
		check(t, "Drop", b, want)
		if got := Last(b, n); got != last {
			t.Errorf("Last of %d bits is %d, want %d", n, got, last)
		}
	})
}

// TestCopyAndCountMany is for kernels that handle many words at once: bit by bit.
func TestCopyAndCountMany(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for range 1000 {
		src := make([]uint64, 1+r.IntN(70))
		for i := range src {
			src[i] = r.Uint64()
		}
		from := r.IntN(len(src) * 64)
		n := r.IntN(len(src)*64-from) + 1
		at, count := r.IntN(100), 0
		dst := make([]uint64, Words(at+n)+1)
		want := slices.Clone(dst)
		for i := range n {
			if src[(from+i)/64]>>((from+i)%64)&1 != 0 {
				count++
				want[(at+i)/64] |= 1 << ((at + i) % 64)
			}
		}
		if Copy(dst, at, src, from, n); !slices.Equal(dst, want) {
			t.Fatalf("%d bits from %d to %d: %x, want %x", n, from, at, dst, want)
		}
		if got := Count(src, from, from+n); got != count {
			t.Fatalf("%d bits from %d: %d, want %d", n, from, got, count)
		}
	}
}

func TestCopies(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		dst, src := random(r, 1+r.IntN(5)), random(r, 1+r.IntN(5))
		from, to := span(r, len(src))
		n := min(to-from, len(dst))
		at := r.IntN(len(dst) - n + 1)
		want := slices.Clone(dst)
		copy(want[at:], src[from:from+n])

		b := pack(dst)
		Copy(b, at, pack(src), from, n)
		check(t, "Copy", b, want)

		inBytes := make([]byte, (from+n+7)/8)
		for i := range inBytes {
			inBytes[i] = byte(pack(src)[i/8] >> (i % 8 * 8))
		}
		b = pack(dst)
		FromBytes(b, at, inBytes, from, n)
		check(t, "FromBytes", b, want)

		n = min(n, 64)
		w := r.Uint64()
		b, want = pack(dst), slices.Clone(dst)
		copy(want[at:at+n], unpack([]uint64{w}))
		Insert(b, at, w, n)
		check(t, "Insert", b, want)
		b, want = pack(dst), slices.Clone(dst)
		for i, keep := range unpack([]uint64{w})[:n] {
			want[at+i] = want[at+i] && keep
		}
		AndWord(b, at, w, n)
		check(t, "AndWord", b, want)
		if from < len(src) {
			padded := append(slices.Clone(src), make([]bool, 64)...)
			check(t, "Extract", []uint64{Extract(pack(src), from)}, padded[from:])
		}
	})
}

func TestCompressAndDeposit(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand) {
		words := 1 + r.IntN(4)
		src, mask := random(r, words), random(r, words)
		n := r.IntN(len(src) + 1)
		at := r.IntN(70)
		dst := random(r, words+2)
		want := slices.Clone(dst)
		count := at
		for i := range n {
			if mask[i] {
				want[count] = src[i]
				count++
			}
		}
		b := pack(dst)
		if got := Compress(b, at, pack(src), pack(mask), n); got != count-at {
			t.Errorf("Compress returned %d, want %d", got, count-at)
		}
		check(t, "Compress", b, want)

		packed := want
		dst = random(r, words)
		want = slices.Clone(dst)
		next := at
		for i := range n {
			want[i] = false
			if mask[i] {
				want[i] = packed[next]
				next++
			}
		}
		b = pack(dst)
		if got := Deposit(b, pack(packed), at, pack(mask), n); got != next-at {
			t.Errorf("Deposit returned %d, want %d", got, next-at)
		}
		check(t, "Deposit", b, want)
	})
}

func FuzzCompress(f *testing.F) {
	f.Add(uint64(0x123456789abcdef0), uint64(0xff00ff00ff00ff00))
	f.Fuzz(func(t *testing.T, x, m uint64) {
		var want uint64
		k := 0
		for i := range 64 {
			if m>>i&1 != 0 {
				want |= x >> i & 1 << k
				k++
			}
		}
		for name, compress := range map[string]func(x, m uint64) uint64{"compress": compress, "compressGo": compressGo} {
			if got := compress(x, m); got != want {
				t.Errorf("%s(%#x, %#x) = %#x, want %#x", name, x, m, got, want)
			}
		}
		for name, deposit := range map[string]func(x, m uint64) uint64{"deposit": deposit, "depositGo": depositGo} {
			if got := deposit(want, m); got != x&m {
				t.Errorf("%s(%#x, %#x) = %#x, want %#x", name, want, m, got, x&m)
			}
		}
	})
}

func TestAllocatesNothing(t *testing.T) {
	a, b, c := make([]uint64, 8), make([]uint64, 8), make([]uint64, 8)
	positions := make([]uint32, 512)
	v := MakeInline([]byte("short"))
	if n := testing.AllocsPerRun(10, func() {
		SetRange(a, 3, 500)
		Copy(b, 5, a, 1, 400)
		Compress(c, 7, a, b, 300)
		Deposit(c, a, 7, b, 300)
		Positions(positions, a, 0, 512)
		v.Bytes(nil)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestFew wants all positions where there is room for them, and no others ever.
func TestFew(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 21))
		n := 1 + r.IntN(64*300)
		b := make([]uint64, Words(n)+1)
		every := 1 + r.IntN(200)
		dense := r.IntN(4) * r.IntN(3)
		for i := range b {
			for j := range 64 {
				if r.IntN(every) == 0 || dense > 0 && i%20 < dense {
					b[i] |= 1 << j
				}
			}
		}
		from := r.IntN(n)
		if r.IntN(2) == 0 {
			from = from / 64 * 64
		}
		var want []uint32
		for i := from; i < n; i++ {
			if b[i/64]>>(i%64)&1 != 0 {
				want = append(want, uint32(i))
			}
		}
		// Nothing may be written after the room.
		all := slices.Repeat([]uint32{77}, len(want)+3*Spare)
		size := max(0, len(want)+Spare-r.IntN(3)*r.IntN(40))
		room := all[:size]
		got, ok := Few(room, b, from, n)
		if ok && !slices.Equal(room[:got], want) {
			t.Fatalf("seed %d: [%d, %d): %d positions, want %d: %v, %v", seed, from, n, got, len(want), room[:got], want)
		}
		if !ok && len(room) >= len(want)+Spare {
			t.Fatalf("seed %d: [%d, %d): gave up, there are %d and room for %d", seed, from, n, len(want), len(room))
		}
		size = max(size, len(want))
		if got := Positions(all[:size], b, from, n); !slices.Equal(all[:got], want) {
			t.Fatalf("seed %d: [%d, %d): %d positions, want %d", seed, from, n, got, len(want))
		}
		for i, x := range all[size:] {
			if x != 77 {
				t.Fatalf("seed %d: entry %d behind the room is %d", seed, i, x)
			}
		}
	}
}

func TestAtLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	memory := make([]uint8, 300)
	for c := range 256 {
		for i := range memory {
			switch memory[i] = uint8(r.Uint32()); i % 3 {
			case 0:
				memory[i] = uint8(c)
			case 1:
				memory[i] = uint8(c - 1)
			}
		}
		for n := range 200 {
			levels := memory[c%70:][:n:n]
			want := make([]bool, n)
			for i, l := range levels {
				want[i] = l >= uint8(c)
			}
			got := []uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), 7}
			AtLeast(got, levels, uint8(c))
			if words := Words(n); !slices.Equal(got[:words], pack(want)) {
				t.Fatalf("%v at least %d: %x", levels, c, got[:words])
			} else if words < 4 && got[words] != ^uint64(0) || got[4] != 7 {
				t.Fatalf("wrote behind word %d", words)
			}
		}
	}
}
