package inflate

import (
	"bytes"
	stdflate "compress/flate"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/flate"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// mostOut is how much output is compared.
const mostOut = 1 << 20

// inflated is what others make of a stream: its output, up to mostOut bytes or
// the first error, and how many bytes of it they took.
type inflated struct {
	out  []byte
	used int
	err  error
}

func others(t testing.TB, stream []byte) inflated {
	t.Helper()
	read := func(open func(io.Reader) io.ReadCloser) inflated {
		in := bytes.NewReader(stream)
		out, err := io.ReadAll(io.LimitReader(open(in), mostOut+1))
		return inflated{out, len(stream) - in.Len(), err}
	}
	a, b := read(flate.NewReader), read(stdflate.NewReader)
	if len(a.out) < len(b.out) {
		a, b = b, a
	}
	// In front of an error they may stop a few bytes earlier or later.
	same := bytes.HasPrefix(a.out, b.out) && (a.err == nil) == (b.err == nil)
	if a.err == nil {
		same = same && len(a.out) == len(b.out) && a.used == b.used
	}
	if !same {
		t.Fatalf("klauspost and Go differ: %d and %d bytes of %d and %d, %v and %v", len(a.out), len(b.out), a.used, b.used, a.err, b.err)
	}
	return a
}

// blocksOf decodes a stream without a frame, with joined tables and without, which must not differ.
func blocksOf(d *Decoder, dst, stream []byte, whole bool) (used int, err error) {
	d.eager = true
	joined, joinedErr := blocksOnce(d, dst, stream, whole)
	out := bytes.Clone(dst)
	clear(dst)
	d.eager = false
	used, err = blocksOnce(d, dst, stream, whole)
	if (err == nil) != (joinedErr == nil) || err == nil && (whole && used != joined || !bytes.Equal(dst, out)) {
		panic(fmt.Sprintf("%d bytes are taken, %v; with joined tables %d, %v; or the output differs", used, err, joined, joinedErr))
	}
	return used, err
}

func blocksOnce(d *Decoder, dst, stream []byte, whole bool) (used int, err error) {
	d.reset(dst, stream, whole)
	if err = d.blocks(); err == nil && d.made < len(dst) {
		err = corrupt.At(-1, "too few")
	}
	return d.read, err
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

// check decodes a stream with this package and with others, and compares: all of
// it, a byte more and less, and prefixes of it.
func check(t testing.TB, d *Decoder, stream []byte, spare int, needs ...int) {
	t.Helper()
	want := others(t, stream)
	n := len(want.out)
	if n > mostOut {
		needs = append(needs, mostOut)
	} else {
		dst, intact := guarded(n, spare)
		used, err := blocksOf(d, dst, stream, true)
		switch {
		case (err == nil) != (want.err == nil) || err != nil && !errors.Is(err, corrupt.Bad):
			t.Fatalf("%v, others: %v", err, want.err)
		case err == nil && (!bytes.Equal(dst, want.out) || used != want.used):
			t.Fatalf("%d bytes of %d differ, or are not %d bytes of %d", n, used, len(want.out), want.used)
		case !intact():
			t.Fatalf("wrote beyond %d+%d bytes", n, spare)
		}
		for _, off := range []int{-300, -1, 1, 300} {
			if n+off < 0 {
				continue
			}
			dst, intact := guarded(n+off, spare)
			if _, err := blocksOf(d, dst, stream, true); !errors.Is(err, corrupt.Bad) || !intact() {
				t.Fatalf("%v for a size of %d%+d bytes, or wrote beyond", err, n, off)
			}
			if off < 0 || want.err != nil { // we may decode some more in front of an error
				continue
			}
			dst, intact = guarded(n+off, spare)
			if _, err := blocksOf(d, dst, stream, false); !errors.Is(err, corrupt.Bad) || !intact() {
				t.Fatalf("%v for the first %d%+d bytes, or wrote beyond", err, n, off)
			}
		}
	}
	for _, need := range append(needs, 0, 1, n/3, n-1, n) {
		need = min(max(need, 0), n, mostOut)
		dst, intact := guarded(need, spare)
		if _, err := blocksOf(d, dst, stream, false); err != nil || !bytes.Equal(dst, want.out[:need]) || !intact() {
			t.Fatalf("first %d of %d bytes: %v, or they differ; others: %v", need, n, err, want.err)
		}
	}
}

func TestRandomStreams(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var d Decoder
	for i := range 1500 {
		stream, out := randomStream(r, 1+r.IntN(5), 1+r.IntN(1+i/2))
		if used, err := blocksOf(&d, make([]byte, len(out)), stream, true); err != nil || used != len(stream) {
			t.Fatalf("stream %d: %v, %d bytes of %d", i, err, used, len(stream))
		}
		if !bytes.Equal(d.out[:d.made], out) {
			t.Fatalf("stream %d differs", i)
		}
		behind := make([]byte, r.IntN(20))
		check(t, &d, append(stream, behind...), r.IntN(3)*r.IntN(400), r.IntN(len(out)+1), r.IntN(len(out)+1))
	}
}

func TestRandomDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var d Decoder
	for range 6000 {
		stream, out := randomStream(r, 1+r.IntN(3), 1+r.IntN(300))
		check(t, &d, codectest.Damaged(r, stream), r.IntN(400), r.IntN(len(out)+1))
	}
}

func TestCutAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var d Decoder
	for range 4 {
		stream, _ := randomStream(r, 4, 200)
		for cut := range stream {
			check(t, &d, stream[:cut:cut], 400)
		}
	}
}

// Each number of bytes is the end once, so that the loop that decodes the last
// ones starts at each place, and stops at each.
func TestEveryPrefix(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var d Decoder
	for range 20 {
		stream, out := randomStream(r, 3, 300)
		for need := range len(out) + 1 {
			dst, intact := guarded(need, need%2*400)
			if _, err := blocksOf(&d, dst, stream, false); err != nil || !bytes.Equal(dst, out[:need]) || !intact() {
				t.Fatalf("first %d of %d bytes: %v, or they differ", need, len(out), err)
			}
		}
	}
}

// Pages as compressors write them.
func TestPages(t *testing.T) {
	var d Decoder
	for _, k := range codectest.Kinds() {
		page := k.Page(rand.New(rand.NewPCG(6, 6)))
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			var out bytes.Buffer
			w, err := flate.NewWriter(&out, level)
			if err != nil {
				t.Fatal(err)
			}
			checkPage(t, &d, k.Name, page, w, &out)
			if level != flate.HuffmanOnly && level%3 == 0 || testing.Short() {
				continue
			}
			out.Reset()
			std, err := stdflate.NewWriter(&out, level)
			if err != nil {
				t.Fatal(err)
			}
			checkPage(t, &d, k.Name, page, std, &out)
		}
	}
}

func checkPage(t *testing.T, d *Decoder, name string, page []byte, w io.WriteCloser, out *bytes.Buffer) {
	t.Helper()
	if _, err := w.Write(page); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, spare := range []int{0, 64, 400} {
		dst, intact := guarded(len(page), spare)
		used, err := blocksOf(d, dst, out.Bytes(), true)
		if err != nil || used != out.Len() || !bytes.Equal(dst, page) || !intact() {
			t.Fatalf("%s, spare %d: %v, or it differs", name, spare, err)
		}
		dst = dst[:len(page)/3]
		if _, err := blocksOf(d, dst, out.Bytes(), false); err != nil || !bytes.Equal(dst, page[:len(dst)]) {
			t.Fatalf("%s: first %d bytes: %v, or they differ", name, len(dst), err)
		}
	}
}
