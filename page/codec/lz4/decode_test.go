package lz4

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// sequenceOf appends a sequence; without an offset, it is the last one of a block.
func sequenceOf(block, literals []byte, offset, match int) []byte {
	l, m := len(literals), max(match-leastMatch, 0)
	block = append(block, byte(min(l, longest)<<4|min(m, longest)))
	block = append(lengthOf(block, l), literals...)
	if offset >= 0 {
		block = lengthOf(binary.LittleEndian.AppendUint16(block, uint16(offset)), m)
	}
	return block
}

// lengthOf appends the further bytes of a length.
func lengthOf(block []byte, n int) []byte {
	if n -= longest; n < 0 {
		return block
	}
	return append(append(block, bytes.Repeat([]byte{255}, n/255)...), byte(n%255))
}

// noise returns n bytes.
func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// randomBlock returns a block and what it gives, put together as the format lets it: a writer uses few of
// the sequences that are possible.
func randomBlock(r *rand.Rand, sequences int) (block, body []byte) {
	literals, matches, far := 1<<r.IntN(10), 1<<r.IntN(10), 1<<r.IntN(17)
	near := r.IntN(3) == 0
	if near {
		literals, matches = 1+r.IntN(8), 1+r.IntN(20)
	}
	for range sequences {
		data := noise(r, r.IntN(literals))
		if len(body)+len(data) == 0 {
			data = noise(r, 1)
		}
		body = append(body, data...)
		offset, match := 1+r.IntN(min(far, len(body), 65535)), leastMatch+r.IntN(matches)
		if near && r.IntN(10) > 0 {
			offset = min(nearOffset, len(body))
		}
		block = sequenceOf(block, data, offset, match)
		for range match {
			body = append(body, body[len(body)-offset])
		}
	}
	data := noise(r, r.IntN(40))
	return sequenceOf(block, data, -1, 0), append(body, data...)
}

// check decodes a block into n bytes with spare ones behind, and compares what it gives with the library.
func check(t *testing.T, block []byte, n, spare int) {
	t.Helper()
	want := make([]byte, n)
	size, wantErr := 0, error(nil)
	if n > 0 && len(block) > 0 { // else the library reads and writes out of bounds, or refuses nothing at all
		size, wantErr = lz4.UncompressBlock(block, want)
	} else if some, ok := Size(block, 1); !ok || some > 0 {
		wantErr = lz4.ErrInvalidSourceShortBuffer
	}
	all := bytes.Repeat([]byte{0xa5}, n+spare+100)
	got, err := Decode(all[:n:n+spare], block)
	if (err == nil) != (wantErr == nil) || err != nil && !errors.Is(err, corrupt.Bad) {
		t.Fatalf("%v, pierrec/lz4: %v", err, wantErr)
	}
	if bytes.Count(all[n+spare:], []byte{0xa5}) != 100 {
		t.Fatalf("wrote beyond %d+%d bytes", n, spare)
	}
	if err != nil {
		return
	}
	if got != size || !bytes.Equal(all[:size], want[:size]) {
		t.Fatalf("%d bytes, or they differ from the %d of pierrec/lz4", got, size)
	}
	if counted, ok := Size(block, 1<<62); !ok || counted != int64(size) {
		t.Fatalf("counted %d bytes of %d", counted, size)
	}
	for _, need := range []int{0, 1, size / 3, size - 1, size, size + 1} {
		all = bytes.Repeat([]byte{0xa5}, max(need, 0)+spare+100)
		dst := all[: max(need, 0) : max(need, 0)+spare]
		if err := DecodePrefix(dst, block); (err == nil) != (need <= size) || err == nil && !bytes.Equal(dst, want[:len(dst)]) {
			t.Fatalf("first %d of %d bytes: %v, or they differ", need, size, err)
		} else if bytes.Count(all[len(dst)+spare:], []byte{0xa5}) != 100 {
			t.Fatalf("wrote beyond the first %d+%d bytes", need, spare)
		}
	}
}

func TestRandomBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 1500 {
		block, body := randomBlock(r, 1+r.IntN(1+i/8))
		spare := r.IntN(2) * r.IntN(2*Slack)
		dst := make([]byte, len(body), len(body)+spare)
		if n, err := Decode(dst, block); n != len(body) || err != nil || !bytes.Equal(dst, body) {
			t.Fatalf("block %d: %d bytes, %v, or they differ", i, n, err)
		}
		check(t, block, len(body), spare)
	}
}

func TestRandomDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 10_000 {
		block, body := randomBlock(r, 1+r.IntN(60))
		n := len(body)
		if r.IntN(4) == 0 {
			n = max(n+r.IntN(200)-100, 0)
		} else {
			block = codectest.Damaged(r, block)
		}
		check(t, block, n, r.IntN(2*Slack))
	}
}

func TestCutAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	block, body := randomBlock(r, 100)
	for cut := range block {
		check(t, block[:cut:cut], len(body), Slack)
	}
	for n := max(len(body)-100, 0); n < len(body)+100; n++ {
		check(t, block, n, Slack)
	}
}

// Each length at each near offset, in front of all bytes too, amid enough for the fast loop.
func TestEverySequence(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	front, tail := noise(r, 400), noise(r, 150)
	for offset := range 70 {
		for _, match := range []int{4, 5, 7, 8, 9, 15, 16, 17, 18, 19, 20, 31, 32, 33, 64, 65, 272, 273, 274, 275, 528, 529, 600, 5000} {
			literals := front[:1+(offset*7+match)%300]
			block := sequenceOf(sequenceOf(nil, literals, offset, match), tail, -1, 0)
			check(t, block, len(literals)+match+len(tail), Slack)
			literals = front[:match%longest]
			block = sequenceOf(sequenceOf(sequenceOf(nil, front, 300, 4), literals, offset, match), tail, -1, 0)
			check(t, block, len(front)+4+len(literals)+match+len(tail), Slack)
		}
	}
	for n := range 300 {
		block := sequenceOf(sequenceOf(sequenceOf(nil, front, 300, 4), front[:n], 300, 20), tail, -1, 0)
		check(t, block, len(front)+4+n+20+len(tail), Slack)
	}
}

// Lengths that no memory can hold are errors, and take no longer than their bytes.
func TestLengthsBeyondMemory(t *testing.T) {
	long := append(bytes.Repeat([]byte{255}, 20<<20), 0)
	for _, block := range [][]byte{
		append([]byte{0xf0}, long...),
		append([]byte{0x1f, 7, 1, 0}, long...),
	} {
		dst := make([]byte, 1000, 1000+Slack)
		if n, err := Decode(dst, block); !errors.Is(err, corrupt.Bad) {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
	dst := make([]byte, 1000, 1000+Slack)
	if err := DecodePrefix(dst, append([]byte{0x1f, 7, 1, 0}, long...)); err != nil || bytes.Count(dst, []byte{7}) != len(dst) {
		t.Errorf("the first bytes of a long match: %v, or they differ", err)
	}
}

func TestPages(t *testing.T) {
	for _, k := range codectest.Kinds() {
		page := k.Page(rand.New(rand.NewPCG(6, 6)))
		block := make([]byte, lz4.CompressBlockBound(len(page)))
		var c lz4.Compressor
		n, err := c.CompressBlock(page, block)
		if err != nil {
			t.Fatal(err)
		}
		for _, spare := range []int{0, Slack} {
			check(t, block[:n], len(page), spare)
		}
	}
}

// Input and output begin or end where readable memory does: touching a byte too many is a fault.
func TestStaysInBounds(t *testing.T) {
	in, out := dtest.Edge(t, 1<<20), dtest.Edge(t, 1<<20)
	r := rand.New(rand.NewPCG(7, 7))
	for range 3000 {
		block, body := randomBlock(r, 1+r.IntN(100))
		spare := r.IntN(2) * r.IntN(2*Slack)
		if len(block) > len(in) || len(body)+spare > len(out) {
			continue
		}
		damaged := r.IntN(2) == 0
		if damaged {
			block = codectest.Damaged(r, block)
		}
		src, dst := dtest.Fence(r, in, block, 0), dtest.Fence(r, out, make([]byte, len(body)), spare)
		if n, err := Decode(dst, src); !damaged && (err != nil || n != len(body) || !bytes.Equal(dst, body)) {
			t.Fatalf("%d bytes of %d, %v, or they differ", n, len(body), err)
		}
		if err := DecodePrefix(dst[:len(dst)/2], src); !damaged && (err != nil || !bytes.Equal(dst[:len(dst)/2], body[:len(dst)/2])) {
			t.Fatalf("the first half: %v, or it differs", err)
		}
	}
}

func TestAllocatesNothing(t *testing.T) {
	block, body := randomBlock(rand.New(rand.NewPCG(8, 8)), 500)
	dst := make([]byte, len(body), len(body)+Slack)
	if n := testing.AllocsPerRun(10, func() {
		if _, err := Decode(dst, block); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 9))
	for n := range 20 {
		block, body := randomBlock(r, 3*n+1)
		f.Add(block, uint32(len(body)), uint8(Slack))
	}
	f.Fuzz(func(t *testing.T, block []byte, n uint32, spare uint8) {
		check(t, block, int(n%(64<<10)), int(spare))
	})
}
