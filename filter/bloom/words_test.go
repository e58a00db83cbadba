package bloom

import (
	"math/bits"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestWords: what was inserted stays, of the rest little does, whether few or
// many of 64 values are asked for.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{0, 1, 7, 1000, 100_000} {
		for _, shape := range []string{"random", "ascending", "shifted"} {
			value := func(i int) int64 {
				switch shape {
				case "random":
					return int64(r.Uint64())
				case "ascending":
					return int64(i)
				}
				return int64(i) << 40
			}
			w := NewWords(n)
			in := map[int64]bool{}
			for i := range n {
				v := value(i)
				in[v] = true
				w.Insert(uint64(v))
			}
			var all []int64
			for v := range in {
				if len(all) < 5000 {
					all = append(all, v)
				}
			}
			for i := range 20_000 {
				all = append(all, value(n+i))
			}
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for _, density := range []int{1, 2, 20} {
				asked, kept := make([]bool, len(all)), make([]uint64, len(all)/64+1)
				for i := range kept {
					kept[i] = ^uint64(0)
				}
				for i := range all {
					if asked[i] = r.IntN(density) == 0; !asked[i] {
						kept[i/64] &^= 1 << (i % 64)
					}
				}
				Keep(w, kept, all)
				others, wrong := 0, 0
				for i, v := range all {
					got := kept[i/64]>>(i%64)&1 != 0
					switch {
					case !asked[i] && got:
						t.Fatalf("n=%d %s: value %d was not asked for", n, shape, i)
					case asked[i] && in[v] && !got:
						t.Fatalf("n=%d %s: %d is gone", n, shape, v)
					case asked[i] && !in[v]:
						others++
						if got {
							wrong++
						}
					}
				}
				if kept[len(all)/64]>>(len(all)%64) != ^uint64(0)>>(len(all)%64) {
					t.Fatal("bits behind the values have changed")
				}
				if wrong*100 > others {
					t.Errorf("n=%d %s: %d of %d others are kept", n, shape, wrong, others)
				}
			}
		}
	}
}

// TestWordsOf32Bits: INT32 and INT64 values that are equal are the same word.
func TestWordsOf32Bits(t *testing.T) {
	w := NewWords(4)
	for _, v := range []int64{0, -1, 1 << 31, -1 << 31} {
		w.Insert(uint64(v))
	}
	sel := []uint64{0b11111}
	if Keep(w, sel, []int32{-1 << 31, 7, -1, 0, 8}); sel[0] != 0b01101 {
		t.Errorf("%b", sel[0])
	}
}

func BenchmarkKeep(b *testing.B) {
	for _, keys := range []int{1000, 100_000, 1_000_000} {
		for _, percent := range []int{100, 25} {
			b.Run("keys="+strconv.Itoa(keys)+"/selected="+strconv.Itoa(percent), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				w := NewWords(keys)
				values := make([]int64, 16<<10)
				for i := range keys {
					x := r.Uint64()
					w.Insert(x)
					if 2*i < len(values) {
						values[2*i] = int64(x)
					}
				}
				for i := 1; i < len(values); i += 2 {
					values[i] = int64(r.Uint64())
				}
				all := make([]uint64, len(values)/64)
				for i := range values {
					if r.IntN(100) < percent {
						all[i/64] |= 1 << (i % 64)
					}
				}
				sel := make([]uint64, len(all))
				b.SetBytes(int64(8 * len(values)))
				b.ReportAllocs()
				for b.Loop() {
					copy(sel, all)
					Keep(w, sel, values)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(values)*percent/100), "ns/value")
			})
		}
	}
}

// TestMergeWords: whatever the sizes, a hash's word in the sum has the bits of its word in
// each part, also where the word's range of hashes begins and ends.
func TestMergeWords(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 0))
	for range 2000 {
		from, to := make(Words, 1+r.IntN(40)), make(Words, 1+r.IntN(40))
		n := uint64(len(from))
		i := uint64(r.IntN(len(from)))
		from[i] = 1 << r.IntN(64)
		kept := uint64(1) << r.IntN(64)
		at := r.IntN(len(to))
		to[at] = kept
		to.Merge(from)
		if to[at]&kept == 0 {
			t.Fatal("Merge clears bits")
		}
		first, last := (i<<32+n-1)/n, ((i+1)<<32-1)/n
		for _, half := range []uint64{first, first + 1, (first + last) / 2, last - 1, last} {
			if half*n>>32 != i {
				t.Fatalf("hash %x belongs to word %d of %d", half, half*n>>32, n)
			}
			if to[half*uint64(len(to))>>32]&from[i] == 0 {
				t.Fatalf("word %d of %d is lost in %d, for the hash %x", i, n, len(to), half)
			}
		}
		if len(from) == len(to) && bits.OnesCount64(to[i]) > 2 {
			t.Fatal("more bits than both have")
		}
	}
}
