package rle

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// Bodies, dictionaries and room for values end where memory does: a byte too many is a
// fault. Some bodies are cut short, and some codes out of range.
func TestLookupStaysInBounds(t *testing.T) {
	testLookup(t, func(code uint32) int32 { return int32(code*7 + 1) })
	testLookup(t, func(code uint32) float64 { return float64(code) + 0.5 })
	testLookup(t, func(code uint32) bits.View {
		return bits.MakeInline([]byte{byte(code), byte(code >> 8), 3, 4, 5, 6, 7, 8, 9})
	})
	testLookup(t, func(code uint32) [16]byte { return [16]byte{byte(code), byte(code >> 8), 15: byte(code)} })
	testLookup(t, func(code uint32) uint16 { return uint16(code) }) // without a kernel
}

// Codes that are unpacked end where memory does, too, as do values and dictionaries.
func TestTranslateStaysInBounds(t *testing.T) {
	testTranslate(t, func(code uint32) float32 { return float32(code) + 0.5 })
	testTranslate(t, func(code uint32) int64 { return int64(code)<<33 - 1 })
	testTranslate(t, func(code uint32) bits.View {
		return bits.MakeInline([]byte{byte(code), byte(code >> 8), 3, 4, 5, 6, 7, 8, 9})
	})
	testTranslate(t, func(code uint32) [16]byte { return [16]byte{byte(code), byte(code >> 8), 15: byte(code)} })
	testTranslate(t, func(code uint32) uint16 { return uint16(code) }) // without a kernel
}

func testTranslate[T comparable](t *testing.T, entry func(uint32) T) {
	const most = 1 << 13
	r := rand.New(rand.NewPCG(3, 41))
	codes, values, entries := lastOf[uint32](t, most), lastOf[T](t, most), lastOf[T](t, most)
	for limit := range 40 {
		if limit++; limit == 40 {
			limit = most
		}
		dictionary := filled(entries(limit), entry)
		for n := range 100 {
			from, to := codes(n), values(n)
			for i := range from {
				from[i] = r.Uint32N(uint32(limit))
			}
			translate(to, from, dictionary)
			for i, code := range from {
				if to[i] != entry(code) {
					t.Fatalf("%d codes, %d entries: value %d is %v, not %v", n, limit, i, to[i], entry(code))
				}
			}
		}
	}
}

// Runs that are alike, of which most values are wanted, a part at a time. Here, too,
// bodies, dictionaries and room for values end where memory does.
func TestKeptStaysInBounds(t *testing.T) {
	testKept(t, func(code uint32) int32 { return int32(code*7 + 1) })
	testKept(t, func(code uint32) float64 { return float64(code) + 0.5 })
	testKept(t, func(code uint32) bits.View {
		return bits.MakeInline([]byte{byte(code), byte(code >> 8), 3, 4, 5, 6, 7, 8, 9})
	})
	testKept(t, func(code uint32) [16]byte { return [16]byte{byte(code), byte(code >> 8), 15: byte(code)} })
	testKept(t, func(code uint32) uint16 { return uint16(code) }) // without a kernel
}

func testKept[T comparable](t *testing.T, entry func(uint32) T) {
	const most = 1 << 14
	bodies, values, entries := dtest.Edge(t, most*4), lastOf[T](t, most), lastOf[T](t, 1<<14)
	narrow := 0
	for seed := range uint64(dtest.Rounds(t, 150)) {
		r := rand.New(rand.NewPCG(seed, 42))
		width := 1 + r.IntN(27)
		limit := uint32(1 + r.IntN(1<<min(width, 13)))
		if r.IntN(3) == 0 {
			limit = min(limit, 16)
		}
		n, each := 1+r.IntN(most-8), 8*(1+r.IntN(100))
		codes := make([]uint32, n)
		for i := range codes {
			codes[i] = r.Uint32N(limit)
		}
		bad := n
		if r.IntN(8) == 0 && limit < 1<<width {
			bad = r.IntN(n)
			codes[bad] = limit
		}
		var runs []encode.Run
		for at := 0; at < n; at += each {
			runs = append(runs, encode.Run{Packed: codes[at:min(at+each, n)]})
		}
		body := encode.HybridRuns(nil, width, runs)
		dictionary := filled(entries(int(limit)), entry)
		var d Codes
		fenced := dtest.Fence(r, bodies, body, r.IntN(3)*32)
		if err := d.Reset(fenced, uint(width), limit, n); err != nil {
			t.Fatal(err)
		}
		sel := make([]uint64, bits.Words(n))
		share := 50 + r.IntN(51)
		for i := range n {
			if r.IntN(100) < share {
				sel[i/64] |= 1 << (i % 64)
			}
		}
		for at, part := 0, 0; at < n; at += part {
			part = min(n-at, 1+r.IntN(6000))
			here := make([]uint64, bits.Words(part))
			if part%64 != 0 && r.IntN(2) == 0 { // bits after the part are set, and must stay so
				here[len(here)-1] = ^uint64(0)
			}
			bits.Copy(here, 0, sel, at, part)
			var want []T
			for i := at; i < min(at+part, bad); i++ {
				if sel[i/64]>>(i%64)&1 != 0 {
					want = append(want, entry(codes[i]))
				}
			}
			dst := values(bits.Count(sel, at, at+part))
			kept, err := LookupKept(&d, dst, dictionary, here, part)
			if (err != nil) != (bad < at+part) {
				t.Fatalf("seed %d: values %d to %d, code %d is bad: %v", seed, at, at+part, bad, err)
			}
			if err != nil {
				break
			}
			if !slices.Equal(dst[:kept], want) {
				t.Fatalf("seed %d: values %d to %d: %d of them, want %d, or others", seed, at, at+part, kept, len(want))
			}
		}
		d.Reset(fenced, uint(width), limit, n)
		done, _ := keepNarrow(&d, values(n), dictionary, sel, 0, n, narrowUpTo[T](&d, true))
		narrow += done
	}
	if _, isShort := any(*new(T)).(uint16); hasNarrow && !isShort && narrow == 0 {
		t.Error("a kernel never decoded anything")
	}
}

// Runs of any kind, of which most values are wanted, a part at a time. Here selections end
// where memory does, too.
func TestMixedStaysInBounds(t *testing.T) {
	testMixed(t, func(code uint32) int32 { return int32(code*7 + 1) })
	testMixed(t, func(code uint32) float64 { return float64(code) + 0.5 })
	testMixed(t, func(code uint32) bits.View {
		return bits.MakeInline([]byte{byte(code), byte(code >> 8), 3, 4, 5, 6, 7, 8, 9})
	})
	testMixed(t, func(code uint32) uint16 { return uint16(code) }) // without a kernel
}

func testMixed[T comparable](t *testing.T, entry func(uint32) T) {
	const most = 1 << 21
	bodies := dtest.Edge(t, most)
	values, entries, words := lastOf[T](t, most/16), lastOf[T](t, 1<<13), lastOf[uint64](t, most/64)
	seeds := uint64(dtest.Rounds(t, 200))
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 44))
		body, n, width, limit := someRuns(r, []int{4, 13}[r.IntN(2)])
		want, _ := naive.Hybrid(body, width, n)
		end := len(want)
		if bad := slices.IndexFunc(want, func(code uint32) bool { return code >= limit }); bad >= 0 {
			end = bad
		}
		dictionary := filled(entries(int(limit)), entry)
		fenced := dtest.Fence(r, bodies, body, r.IntN(3)*32)
		var d Codes
		d.Reset(fenced, uint(width), limit, n)
		for at := 0; at < n; {
			part := min(n-at, 1+r.IntN(6000))
			sel := words(bits.Words(part))
			var kept []T
			for i := range sel {
				sel[i] = r.Uint64() | r.Uint64() | r.Uint64() | -uint64(r.IntN(2))
			}
			for i := range min(part, end-at) {
				if bits.Get(sel, i) {
					kept = append(kept, entry(want[at+i]))
				}
			}
			dst := values(bits.Count(sel, 0, part) + r.IntN(2)*128)
			got, err := LookupKept(&d, dst, dictionary, sel, part)
			if (err != nil) != (at+part > end) {
				t.Fatalf("seed %d: values %d to %d of %d that are right: %v", seed, at, at+part, end, err)
			}
			if err != nil {
				break
			}
			if !slices.Equal(dst[:got], kept) {
				t.Fatalf("seed %d: values %d to %d: %d of them, want %d, or others", seed, at, at+part, got, len(kept))
			}
			at += part
		}
	}
}

// Runs of any kind against a mask, a part at a time. Here, too, bodies end where memory does.
func TestMaskStaysInBounds(t *testing.T) {
	const most = 1 << 21
	bodies := dtest.Edge(t, most)
	seeds := uint64(dtest.Rounds(t, 600))
	short := 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 43))
		body, n, width, limit := someRuns(r, 17)
		want, fault := naive.Hybrid(body, width, n)
		bad := slices.IndexFunc(want, func(code uint32) bool { return code >= limit })
		passing := make([]uint64, bits.Words(int(limit)))
		for i := range passing {
			passing[i] = r.Uint64()
		}
		mask := bitpack.MakeMask(passing, limit)
		fenced := dtest.Fence(r, bodies, body, r.IntN(3)*32)
		var d Codes
		if err := d.Reset(fenced, uint(width), limit, n); err != nil {
			t.Fatal(err)
		}
		for at := 0; at < n; {
			part := min(n-at, 1+r.IntN(3000))
			sel := make([]uint64, bits.Words(part)+1)
			for i := range sel {
				sel[i] = r.Uint64() | r.Uint64() | -uint64(r.IntN(2))
			}
			got := slices.Clone(sel)
			err := d.Mask(got, part, &mask)
			if at+part > len(want) {
				if err == nil {
					t.Fatalf("seed %d: no fault found, there is %v", seed, fault)
				}
				break
			}
			if isBad := bad >= at && bad < at+part; err != nil || isBad {
				if err != nil && isBad {
					break
				}
				// It may have stood where no bit was set, as others after it.
				if err != nil || bits.Get(sel, bad-at) {
					t.Fatalf("seed %d: values %d to %d, code %d is bad: %v", seed, at, at+part, bad, err)
				}
				break
			}
			for i := range sel {
				for b := range 64 {
					if p := 64*i + b; p < part && !bits.Get(passing, int(want[at+p])) {
						sel[i] &^= 1 << b
					}
				}
			}
			if !slices.Equal(got, sel) {
				t.Fatalf("seed %d: width %d, limit %d, values %d to %d: %x, want %x", seed, width, limit, at, at+part, got, sel)
			}
			at += part
		}
		d.Reset(fenced, uint(width), limit, n)
		var outcome [testBlock / 64]uint64
		short += d.testShort(outcome[:], n, &mask)
	}
	if hasBytes && short == 0 {
		t.Error("the kernels never tested anything")
	}
}

// someRuns returns runs of n codes of a width, now and then some that are not below the limit,
// which has at most so many bits.
func someRuns(r *rand.Rand, most int) (body []byte, n, width int, limit uint32) {
	width = 1 + r.IntN(27)
	limit = uint32(1 + r.IntN(1<<min(width, most)))
	largest := limit - 1
	if r.IntN(8) == 0 {
		largest = uint32(1)<<width - 1
	}
	body, n = stream(r, width, largest)
	return body, n, width, limit
}

func filled[T any](dictionary []T, entry func(uint32) T) []T {
	for i := range dictionary {
		dictionary[i] = entry(uint32(i))
	}
	return dictionary
}

// lastOf returns what gives the last n values of memory that ends with them.
func lastOf[T any](t *testing.T, most int) func(n int) []T {
	size := int(unsafe.Sizeof(*new(T)))
	edge := dtest.Edge(t, most*size)
	return func(n int) []T {
		end := edge[len(edge)-n*size:]
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(end))), n)
	}
}

func testLookup[T comparable](t *testing.T, entry func(uint32) T) {
	const most = 1 << 21
	bodies := dtest.Edge(t, most)
	values, entries := lastOf[T](t, most/16), lastOf[T](t, 1<<14)
	seeds := uint64(dtest.Rounds(t, 400))
	decoded := 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 40))
		body, n, width, limit := someRuns(r, 13)
		body = body[:len(body)-r.IntN(1+min(len(body), 4))*r.IntN(2)]
		want, fault := naive.Hybrid(body, width, n)
		bad := slices.IndexFunc(want, func(code uint32) bool { return code >= limit })
		dictionary := filled(entries(int(limit)), entry)
		if n > most/16 {
			t.Fatal("too many values for the room")
		}
		dst := values(n)
		var d Codes
		if err := d.Reset(dtest.Fence(r, bodies, body, r.IntN(3)*32), uint(width), limit, n); err != nil {
			t.Fatal(err)
		}
		done, err := 0, error(nil)
		for done < n && err == nil {
			var some int
			some, err = Lookup(&d, dst[done:][:min(n-done, 1+r.IntN(3000))], dictionary)
			done += some
		}
		switch {
		case done > len(want) || bad < 0 && fault == nil && (done < n || err != nil):
			t.Fatalf("seed %d: %d of %d values, %d there, %v", seed, done, n, len(want), err)
		case bad >= 0 && (done != bad || err == nil):
			t.Fatalf("seed %d: %d values, %v, code %d is out of range", seed, done, err, bad)
		case fault != nil && err == nil:
			t.Fatalf("seed %d: no fault found, there is %v", seed, fault)
		}
		for i, v := range dst[:done] {
			if v != entry(want[i]) {
				t.Fatalf("seed %d: value %d is %v, not %v", seed, i, v, entry(want[i]))
			}
		}
		d.Reset(body, uint(width), limit, n)
		some, _ := lookupRuns(&d, dst, dictionary)
		decoded += some
	}
	if _, isShort := any(*new(T)).(uint16); hasLookup && !isShort && decoded == 0 {
		t.Error("the kernel never decoded anything")
	}
}
