package snappy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/s2"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

var loops = append(kernels(), way{"picked", pick}, way{"Go", only(fastGo)})

// A way is one to decode all of a block.
type way struct {
	name string
	pick func(src []byte) loop
}

func only(l loop) func([]byte) loop { return func([]byte) loop { return l } }

// The examples of doc.go, and one of each kind of tag, worked out by hand.
func TestByHand(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789"), 30)
	for _, tc := range []struct{ tags, want string }{
		{"", ""},
		{"\x08abc", "abc"},
		{"\x08abc\x11\x03", "abcabcabcab"},
		{"\x08abc\x1e\x03\x00", "abcabcabcab"},
		{"\x08abc\x1f\x03\x00\x00\x00", "abcabcabcab"},
		{"\xf0\x02abc", "abc"},
		{"\xf4\x02\x00abc", "abc"},
		{"\xf8\x02\x00\x00abc", "abc"},
		{"\xfc\x02\x00\x00\x00abc", "abc"},
		{"\xf4\x2b\x01" + string(long) + "\x25\x2c", string(long) + "01234"},
	} {
		for _, l := range loops {
			got := make([]byte, len(tc.want))
			if err := decode(got, []byte(tc.tags), true, l.pick); err != nil || string(got) != tc.want {
				t.Errorf("%s: tags %q give %q, %v; want %q", l.name, tc.tags, got, err, tc.want)
			}
		}
	}
}

// guarded returns n bytes with room for spare more, in front of and after
// which nothing may be written; intact tells.
func guarded(n, spare int) (b []byte, intact func() bool) {
	const guard = 96
	all := bytes.Repeat([]byte{0xa5}, guard+n+spare+guard)
	return all[guard : guard+n : guard+n+spare], func() bool {
		front, back := all[:guard], all[guard+n+spare:]
		return bytes.Count(front, []byte{0xa5}) == guard && bytes.Count(back, []byte{0xa5}) == guard
	}
}

// check decodes the block with these tags and a declared length of n, and
// compares its output with that of two other decoders.
func check(t *testing.T, tags []byte, n, spare int) {
	t.Helper()
	block := append(binary.AppendUvarint(nil, uint64(n)), tags...)
	want, wantErr := snappy.Decode(nil, block)
	for _, l := range loops {
		dst, intact := guarded(n, spare)
		err := decode(dst, bytes.Clone(tags), true, l.pick)
		if !intact() {
			t.Fatalf("%s: wrote beyond %d+%d bytes", l.name, n, spare)
		}
		if (err == nil) != (wantErr == nil) || err != nil && !errors.Is(err, corrupt.Bad) {
			t.Fatalf("%s: %v, golang/snappy: %v", l.name, err, wantErr)
		}
		if err == nil && !bytes.Equal(dst, want) {
			t.Fatalf("%s: %d bytes differ", l.name, n)
		}
	}
	if wantErr != nil {
		return
	}
	if got, err := s2.Decode(nil, block); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("s2 and golang/snappy differ: %v", err)
	}
	for _, need := range []int{0, 1, n / 3, n - 1, n} {
		checkPrefix(t, tags, want, min(max(need, 0), n), spare)
	}
}

// checkPrefix decodes the first need bytes of tags that give want.
func checkPrefix(t *testing.T, tags, want []byte, need, spare int) {
	t.Helper()
	for _, l := range loops {
		dst, intact := guarded(need, spare)
		if err := decode(dst, tags, false, l.pick); err != nil || !bytes.Equal(dst, want[:need]) || !intact() {
			t.Fatalf("%s: first %d of %d bytes: %v, or they differ", l.name, need, len(want), err)
		}
	}
}

func TestRandomBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 1500 {
		tags, body := randomBlock(r, 1+r.IntN(1+i/4))
		spare := r.IntN(3) * r.IntN(100)
		dst := make([]byte, len(body), len(body)+spare)
		if err := Decode(dst, tags); err != nil || !bytes.Equal(dst, body) {
			t.Fatalf("block %d: %v, or it differs", i, err)
		}
		check(t, tags, len(body), spare)
		checkPrefix(t, tags, body, r.IntN(len(body)+1), spare)
	}
}

func TestRandomDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 10_000 {
		tags, body := randomBlock(r, 1+r.IntN(80))
		n := len(body)
		switch r.IntN(4) {
		case 0:
			n = max(n+r.IntN(200)-100, 0)
		case 1:
			tags = tags[:r.IntN(len(tags))]
		default:
			for range 1 + r.IntN(3) {
				tags[r.IntN(len(tags))] = byte(r.Uint32())
			}
		}
		check(t, tags, n, r.IntN(130))
	}
}

// Each length at each near offset, and at the borders of each kind of tag,
// surrounded by enough for the fast loop.
func TestEveryCopy(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	all := make([]byte, 70_000)
	for i := range all {
		all[i] = byte(r.Uint32())
	}
	tail := make([]byte, 150)
	offsets := []int{255, 256, 257, 2047, 2048, 2049, 65535, 65536, 65537, 70_000, 70_001}
	for o := range 70 {
		offsets = append(offsets, o)
	}
	for _, offset := range offsets {
		front, step := all, 7
		if offset < 70 {
			front, step = all[:100], 1
		}
		for length := 1; length <= 64; length += step {
			tags := literalOf(nil, front)
			tags = copyOf(tags, r, length, offset)
			tags = literalOf(tags, tail)
			check(t, tags, len(front)+length+len(tail), Slack)
		}
	}
}

func TestEveryLiteral(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for n := 1; n < 300; n++ {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		tags := literalOf(nil, data)
		tags = copyOf(tags, r, min(n, 64), n)
		tags = literalOf(tags, data)
		tags = literalOf(tags, make([]byte, 200))
		check(t, tags, 2*n+min(n, 64)+200, Slack)
	}
}

func TestCutAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	tags, body := randomBlock(r, 300)
	for cut := range tags {
		check(t, tags[:cut:cut], len(body), Slack)
	}
	for n := max(len(body)-100, 0); n < len(body)+100; n++ {
		check(t, tags, n, Slack)
	}
}

// Pages as golang/snappy, s2 and its slower levels write them.
func TestPages(t *testing.T) {
	for _, k := range codectest.Kinds() {
		page := k.Page(rand.New(rand.NewPCG(6, 6)))
		page = page[:min(len(page), stretch+100_000)] // more than the 64 KiB that are compressed at a time, and than a stretch
		for i, block := range [][]byte{
			snappy.Encode(nil, page), s2.EncodeSnappy(nil, page), s2.EncodeSnappyBetter(nil, page), s2.EncodeSnappyBest(nil, page),
		} {
			n, at, err := Header(block)
			if err != nil || int(n) != len(page) {
				t.Fatalf("%s by %d: length %d of %d, %v", k.Name, i, n, len(page), err)
			}
			for _, spare := range []int{0, Slack} {
				check(t, block[at:], len(page), spare)
			}
		}
	}
}

func TestHeaders(t *testing.T) {
	for _, block := range []string{
		"", "\x80", "\x00", "\x05", "\x80\x80", "\xff\xff\xff\xff\x0f", "\x80\x80\x80\x80\x10", "\x81\x80\x80\x80\x80\x80\x00",
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00",
	} {
		v, n := binary.Uvarint([]byte(block))
		got, at, err := Header([]byte(block))
		if ok := n > 0 && v < 1<<32; ok != (err == nil) || ok && (got != int64(v) || at != n) {
			t.Errorf("%q: length %d, tags at %d, %v", block, got, at, err)
		}
	}
}

func TestAllocatesNothing(t *testing.T) {
	page := codectest.Kinds()[0].Page(rand.New(rand.NewPCG(7, 7)))
	block := snappy.Encode(nil, page)
	dst := make([]byte, len(page), len(page)+Slack)
	if n := testing.AllocsPerRun(10, func() {
		_, at, _ := Header(block)
		if err := Decode(dst, block[at:]); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(8, 8))
	for n := range 20 {
		tags, body := randomBlock(r, 3*n+1)
		f.Add(tags, uint32(len(body)), uint8(64))
	}
	f.Fuzz(func(t *testing.T, tags []byte, n uint32, spare uint8) {
		check(t, tags, int(n%(64<<10)), int(spare))
	})
}
