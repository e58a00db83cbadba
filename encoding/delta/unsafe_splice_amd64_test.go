//go:build !purego

package delta

import (
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// random returns bytes, and as many 0xff after them that mean nothing.
func random(r *rand.Rand, n, behind int) []byte {
	b := make([]byte, n+behind)
	for i := range b {
		if b[i] = byte(r.Uint32()); i >= n {
			b[i] = 0xff
		}
	}
	return b
}

func TestViews(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 12))
		lengths, total, good := make([]int32, 1+r.IntN(100)), 5, 0
		for i := range lengths {
			lengths[i] = r.Int32N(20)
			if r.IntN(10) == 0 {
				lengths[i] = r.Int32N(600)
			}
			total += int(lengths[i])
		}
		limit, bad := total, len(lengths)
		if r.IntN(2) == 0 { // one that is negative, or some that wrap around together
			bad = r.IntN(len(lengths))
			lengths[bad] = -1 - r.Int32N(1<<31-1)
			if r.IntN(2) == 0 {
				for i := bad; i < min(bad+4, len(lengths)); i++ {
					lengths[i] = 1<<(20+r.IntN(11)) - 1
				}
			}
		} else if r.IntN(2) == 0 { // or that ends after the limit
			limit = 5 + r.IntN(total-4)
		}
		body := random(r, total, 16)
		at := 5
		var want []bits.View
		for ; good < bad && at+int(lengths[good]) <= limit; good++ {
			end := at + int(lengths[good])
			want = append(want, bits.Make(body[at:end], 7, int32(at)))
			at = end
		}
		check := func(kernel string, done, end, good, at int, got []bits.View) {
			t.Helper()
			if done != good || end != at || got[len(lengths)] != (bits.View{}) {
				t.Fatalf("seed %d, %s: %d views to byte %d, want %d to %d", seed, kernel, done, end, good, at)
			}
			for i := range want[:good] {
				if got[i] != want[i] {
					t.Fatalf("seed %d, %s: view %d is %x, want %x", seed, kernel, i, got[i], want[i])
				}
			}
		}
		got := make([]bits.View, len(lengths)+1)
		done, end := viewsAVX2(viewBytes(got), &lengths[0], len(lengths), &body[0], 5, limit, 7)
		check("viewsAVX2", done, end, good, at, got)
		if sixteens := len(lengths) / 16; hasVBMI && sixteens > 0 {
			got := make([]bits.View, len(lengths)+1)
			done, end := viewsVBMI(viewBytes(got), &lengths[0], sixteens, &body[0], 5, limit, 7)
			good = min(good, sixteens*16) / 16 * 16
			at = 5
			for _, length := range lengths[:good] {
				at += int(length)
			}
			check("viewsVBMI", done, end, good, at, got)

			sel, most := []uint64{r.Uint64() | r.Uint64(), r.Uint64()}, sixteens*16
			if r.IntN(3) == 0 {
				sel = []uint64{r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64(), 0}
			}
			some := want[:0]
			for i, v := range want[:good] {
				if bits.Get(sel, i) {
					some = append(some, v)
				}
			}
			want = some
			got = make([]bits.View, most+1)
			left, begins := slices.Clone(lengths), make([]int32, most+1)
			done, end, kept := keepViewsVBMI(viewBytes(got), &left[0], sixteens, &body[0], 5, limit, 7, &sel[0], &begins[0])
			if !slices.Equal(left[good:], lengths[good:]) || slices.ContainsFunc(begins[good:], func(x int32) bool { return x != 0 }) {
				t.Fatalf("seed %d, keepViewsVBMI: stored behind %d values", seed, good)
			}
			if done != good || end != at || kept != len(want) || !slices.Equal(got[:kept], want) || got[most] != (bits.View{}) {
				t.Fatalf("seed %d, keepViewsVBMI: %d of %d views to byte %d, want %d of %d to %d", seed, kept, done, end, len(want), good, at)
			}
		}
	}
}

func TestSumLengthsAVX2(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 13))
		lengths := make([]int32, 8*(1+r.IntN(10)))
		total := int64(0)
		for i := range lengths {
			lengths[i] = r.Int32()
		}
		negative := r.IntN(2) == 0
		if negative {
			lengths[r.IntN(len(lengths))] *= -1
		}
		for _, x := range lengths {
			total += int64(x)
		}
		if sum, signs := sumLengthsAVX2(&lengths[0], len(lengths)/8); sum != total || (signs < 0) != negative {
			t.Fatalf("seed %d: got %d, %d, want %d, negative %v", seed, sum, signs, total, negative)
		}
	}
}

// spliceAVX2 and spliceFixedAVX2 against appending prefix and suffix.
func TestSpliceAVX2(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 14))
		size := 1 + r.IntN(150)
		fixed := r.IntN(2) == 0
		n := 1 + r.IntN(40)
		var s shares
		var d Prefixed
		d.last = random(r, r.IntN(65), 0)
		const before = 64 // of which its bytes came
		d.suffixes.at = before
		var want []string
		last, suffixes := string(d.last), 0
		for i := range n {
			prefix := r.IntN(len(last) + 1)
			suffix := r.IntN(size + 1)
			if fixed {
				prefix = min(prefix, size)
				suffix = size - prefix
			}
			s.prefix[i], s.suffix[i] = int32(prefix), int32(suffix)
			last = last[:prefix] + string(make([]byte, suffix))
			suffixes += suffix
		}
		suffixes += before
		body := random(r, suffixes, slack)
		bad := n
		if r.IntN(2) == 0 {
			bad = r.IntN(n)
			wrong := []int32{-1, -1 << 31, 1<<31 - 1}[r.IntN(3)]
			if r.IntN(2) == 0 {
				s.prefix[bad] = wrong
			} else {
				s.suffix[bad] = wrong
			}
		}
		last, at := string(d.last), before
		long := 0
		for i := range bad {
			end := at + int(s.suffix[i])
			last = last[:s.prefix[i]] + string(body[at:end])
			want = append(want, last)
			at = end
			if fixed || len(last) > bits.MaxInline {
				long += len(last)
			}
		}
		out := make([]byte, long+80+slack)
		state := d.splicer(0, 0)
		got := make([]bits.View, n)
		var done int
		if fixed {
			done = spliceFixedAVX2(size, &s.prefix[0], n, &state.head[0], &out[0], &out[long+80], &body[0], &body[suffixes], 0)
		} else {
			done = spliceAVX2(viewBytes(got), &s.prefix[0], n, &state.head[0], &out[0], &out[long+80], &body[0], &body[suffixes], 0)
		}
		if done != bad || int(state.to) != long || int(state.next) != at {
			t.Fatalf("seed %d: %d values of %d, %d bytes of %d, suffixes to %d of %d", seed, done, bad, state.to, long, state.next, at)
		}
		d.stop(&state, out)
		if string(d.last) != last {
			t.Fatalf("seed %d: the last value is %q, want %q", seed, d.last, last)
		}
		for i, x := range want {
			if fixed {
				if v := out[i*size:][:size]; string(v) != x {
					t.Fatalf("seed %d: value %d is %q, want %q", seed, i, v, x)
				}
			} else if v := got[i].Bytes([][]byte{out}); string(v) != x {
				t.Fatalf("seed %d: value %d is %q, want %q", seed, i, v, x)
			}
		}
	}
}

// spliceShortVBMI against appending prefix and suffix, with room for just what it makes.
func TestSpliceShortVBMI(t *testing.T) {
	if !hasVBMI {
		t.Skip("no AVX-512 VBMI")
	}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 15))
		n, most := 16*(1+r.IntN(12)), 1+r.IntN(33)
		var s shares
		var d Prefixed
		d.last = random(r, r.IntN(65), 0)
		const before = 64 // of which its bytes came
		d.suffixes.at = before
		last, suffixes := len(d.last), before
		for i := range n {
			prefix := r.IntN(min(last, most) + 1)
			last = prefix + r.IntN(most-prefix+1)
			s.prefix[i], s.suffix[i] = int32(prefix), int32(last-prefix)
			suffixes += last - prefix
		}
		body := random(r, suffixes, slack)
		bad := n
		if r.IntN(2) == 0 {
			bad = r.IntN(n)
			wrong := []int32{-1, -1 << 31, 1<<31 - 1, 33}[r.IntN(4)]
			if r.IntN(2) == 0 {
				s.prefix[bad] = wrong
			} else {
				s.suffix[bad] = wrong
			}
		}
		bodyLimit, outLimit := suffixes, 1<<31-1
		if r.IntN(4) == 0 {
			bodyLimit -= r.IntN(suffixes - before + 1)
		} else if r.IntN(3) == 0 {
			outLimit = r.IntN(suffixes)
		}
		var want []string
		value, at, to := string(d.last), before, 0
		for start := 0; start+16 <= bad; start += 16 {
			some, v, next, long, longest := want, value, at, to, 0
			for i := start; i < start+16; i++ {
				end := next + int(s.suffix[i])
				v = v[:s.prefix[i]] + string(body[next:end])
				some = append(some, v)
				next, longest = end, max(longest, len(v))
				if len(v) > bits.MaxInline {
					long += len(v)
				}
			}
			if next > bodyLimit || long > outLimit || longest > 32 {
				break
			}
			want, value, at, to = some, v, next, long
		}
		out := make([]byte, to+slack)
		state := d.splicer(0, 0)
		got := make([]bits.View, n)
		done := spliceShortVBMI(viewBytes(got), &s.prefix[0], n/16, &state.head[0], &out[0], outLimit, &body[0], bodyLimit, 0)
		if done != len(want) || int(state.to) != to || int(state.next) != at {
			t.Fatalf("seed %d: %d values of %d, %d bytes of %d, suffixes to %d of %d", seed, done, len(want), state.to, to, state.next, at)
		}
		d.stop(&state, out)
		if string(d.last) != value {
			t.Fatalf("seed %d: the last value is %q, want %q", seed, d.last, value)
		}
		for i, x := range want {
			if v := got[i].Bytes([][]byte{out}); string(v) != x {
				t.Fatalf("seed %d: value %d is %q, want %q", seed, i, v, x)
			}
		}
		if done < n && got[done] != (bits.View{}) {
			t.Fatalf("seed %d: view %d of %d is written", seed, done, done)
		}
	}
}
