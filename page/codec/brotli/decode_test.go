package brotli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// packed returns data as BROTLI of a quality and a size of window, flushed after each part.
func packed(t testing.TB, quality, window int, parts ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: quality, LGWin: window})
	for i, p := range parts {
		if _, err := w.Write(p); err != nil {
			t.Fatal(err)
		}
		if i+1 < len(parts) {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// mostOut is how much output is compared.
const mostOut = 1 << 20

// library returns what the library makes of a body, up to mostOut bytes.
func library(body []byte) ([]byte, error) {
	return io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(body)), mostOut+1))
}

// guarded returns n bytes with room for spare more, in front of and after
// which nothing may be written; intact tells.
func guarded(n, spare int) (b []byte, intact func() bool) {
	const guard = 300
	all := bytes.Repeat([]byte{0xa5}, guard+n+spare+guard)
	return all[guard : guard+n : guard+n+spare], func() bool {
		front, back := all[:guard], all[guard+n+spare:]
		return bytes.Count(front, []byte{0xa5}) == guard && bytes.Count(back, []byte{0xa5}) == guard
	}
}

// check decodes a body with this package and with the library, and compares: all of it, a
// byte more and less, and prefixes of it.
func check(t testing.TB, d *Decoder, body []byte, spare int, needs ...int) {
	t.Helper()
	want, wantErr := library(body)
	n := len(want)
	if n > mostOut {
		needs = append(needs, mostOut)
	} else {
		dst, intact := guarded(n, spare)
		err := d.Decode(dst, body)
		switch {
		case (err == nil) != (wantErr == nil) || err != nil && !errors.Is(err, corrupt.Bad):
			t.Fatalf("%v for %d bytes, the library: %v", err, n, wantErr)
		case err == nil && !bytes.Equal(dst, want):
			t.Fatalf("%d bytes differ", n)
		case !intact():
			t.Fatalf("wrote beyond %d+%d bytes", n, spare)
		}
		for _, off := range []int{-300, -1, 1, 300} {
			if n+off < 0 {
				continue
			}
			dst, intact := guarded(n+off, spare)
			if err := d.Decode(dst, body); !errors.Is(err, corrupt.Bad) || !intact() {
				t.Fatalf("%v for a size of %d%+d bytes, or wrote beyond", err, n, off)
			}
		}
	}
	// Where the library fails is not where the body ends. With room for more than the body gives, its only
	// fault would be to be shorter.
	if err := d.Decode(make([]byte, 1<<16), body); wantErr != nil && strings.Contains(fmt.Sprint(err), "shorter") {
		t.Fatalf("%v; the library: %v", err, wantErr)
	}
	for _, need := range append(needs, 0, 1, n/3, n-1, n) {
		need = min(max(need, 0), n, mostOut)
		dst, intact := guarded(need, spare)
		err := d.DecodePrefix(dst, body)
		if !intact() || err == nil && !bytes.Equal(dst, want[:need]) || err != nil && wantErr == nil {
			t.Fatalf("first %d of %d bytes: %v, or they differ; the library: %v", need, n, err, wantErr)
		}
	}
}

// pages returns data of many kinds, of up to n bytes.
func pages(r *rand.Rand, n int) (all [][]byte) {
	for _, k := range codectest.Kinds() {
		p := k.Page(r)
		at := r.IntN(max(len(p)-n, 1))
		all = append(all, p[at:min(at+n, len(p))])
	}
	english := []byte("The time of the World, which is in the List of Information and the Development of Other Languages. ")
	return append(all, nil, []byte("x"), make([]byte, n), bytes.Repeat(english, n/len(english)+1)[:n])
}

func TestQualitiesAndWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var d Decoder
	for quality := range 12 {
		for _, window := range []int{10, 16, 24} {
			for _, n := range []int{100, 3000, 30_000, 200_000} {
				if n > 3000 && quality%4 != 1 || n > 30_000 && (quality != 5 || window == 24) {
					continue // the library takes long to write them
				}
				for _, p := range pages(r, n) {
					cut := r.IntN(len(p) + 1)
					check(t, &d, packed(t, quality, window, p[:cut], p[cut:]), r.IntN(100), r.IntN(len(p)+1))
				}
			}
		}
	}
}

// Damaged bodies are refused by both, or give the same bytes.
func TestRandomDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var d Decoder
	for quality := range 12 {
		for _, p := range pages(r, 600) {
			body := packed(t, quality, 0, p)
			for range 20 {
				check(t, &d, codectest.Damaged(r, body), r.IntN(100), r.IntN(len(p)+1))
			}
		}
	}
}

// Input and output begin or end where readable memory does: touching a byte too
// many is a fault.
func TestStaysInBounds(t *testing.T) {
	in, out := dtest.Edge(t, 1<<20), dtest.Edge(t, 1<<20)
	r := rand.New(rand.NewPCG(3, 3))
	var d Decoder
	for range 40 {
		for _, p := range pages(r, 1+r.IntN(2000)) {
			body, spare := packed(t, r.IntN(10), 0, p), r.IntN(2)*r.IntN(100)
			damaged := r.IntN(2) == 0
			if damaged {
				body = body[:r.IntN(len(body))+1]
				body[r.IntN(len(body))] ^= 1 << r.IntN(8)
			}
			src, dst := dtest.Fence(r, in, body, 0), dtest.Fence(r, out, make([]byte, len(p)), spare)
			if err := d.Decode(dst, src); !damaged && (err != nil || !bytes.Equal(dst, p)) {
				t.Fatalf("%v, or it differs", err)
			}
			n := r.IntN(len(p) + 1)
			dst = dtest.Fence(r, out, make([]byte, n), spare)
			if err := d.DecodePrefix(dst, src); !damaged && (err != nil || !bytes.Equal(dst, p[:n])) {
				t.Fatalf("first %d bytes: %v, or they differ", n, err)
			}
		}
	}
}

// FuzzBody decodes any body with this package and with the library, and compares.
func FuzzBody(f *testing.F) {
	r := rand.New(rand.NewPCG(4, 4))
	for quality := range 12 {
		for _, p := range pages(r, 200) {
			f.Add(packed(f, quality, 0, p), uint16(len(p)/2), uint16(17*quality))
		}
	}
	for seed := range uint64(30) {
		body, out := randomStream(rand.New(rand.NewPCG(seed, 9)), none)
		f.Add(body, uint16(len(out)/2), uint16(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte, need, spare uint16) {
		var d Decoder
		check(t, &d, body, int(spare%100), int(need))
	})
}

// BenchmarkDecode is for benchstat -col /impl. Each turn decodes the next of 16 pages, or of their
// first 8,000 bytes. Quality 4 is without contexts of literals; 8 is what Arrow writes.
func BenchmarkDecode(b *testing.B) {
	for _, k := range codectest.Kinds() {
		for _, n := range []int{8000, 1 << 20} {
			for _, quality := range []int{4, 8} {
				benchmarkPages(b, k, n, quality)
			}
		}
	}
}

func benchmarkPages(b *testing.B, k codectest.Kind, n, quality int) {
	pages := k.Pages()
	var bodies [][]byte
	for i, p := range pages {
		pages[i] = p[:min(n, len(p))]
		bodies = append(bodies, packed(b, quality, 0, pages[i]))
	}
	dst := make([]byte, 1<<20)
	var d Decoder
	var in bytes.Reader
	lib := brotli.NewReader(&in)
	for _, impl := range []struct {
		name   string
		decode func(dst, body []byte) error
	}{
		{"winnow", d.Decode},
		{"andybalholm", func(dst, body []byte) error {
			in.Reset(body)
			if err := lib.Reset(&in); err != nil {
				return err
			}
			_, err := io.ReadFull(lib, dst)
			return err
		}},
	} {
		name := fmt.Sprintf("page=%s/bytes=%d/quality=%d/impl=%s", k.Name, len(pages[0]), quality, impl.name)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(pages[0])))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := impl.decode(dst[:len(pages[i%16])], bodies[i%16]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
