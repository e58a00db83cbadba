package zstd

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// A bitWriter writes bits that are read from the end.
type bitWriter struct {
	b    []byte
	acc  uint64
	have int
}

func (w *bitWriter) put(v, n int) {
	w.acc |= uint64(v) << w.have
	for w.have += n; w.have >= 8; w.have -= 8 {
		w.b = append(w.b, byte(w.acc))
		w.acc >>= 8
	}
}

func (w *bitWriter) end() []byte {
	w.put(1, 1)
	if w.have > 0 {
		w.put(0, 8-w.have)
	}
	return w.b
}

// The codes of lengths, from the format's text: up to 15 and 34 as they are.
var (
	codesLL = [][2]int{{16, 1}, {18, 1}, {20, 1}, {22, 1}, {24, 2}, {28, 2}, {32, 3}, {40, 3}, {48, 4}, {64, 6}, {128, 7}, {256, 8}, {512, 9},
		{1024, 10}, {2048, 11}, {4096, 12}, {8192, 13}, {16384, 14}, {32768, 15}, {65536, 16}}
	codesML = [][2]int{{35, 1}, {37, 1}, {39, 1}, {41, 1}, {43, 2}, {47, 2}, {51, 3}, {59, 3}, {67, 4}, {83, 4}, {99, 5}, {131, 7}, {259, 8}, {515, 9},
		{1027, 10}, {2051, 11}, {4099, 12}, {8195, 13}, {16387, 14}, {32771, 15}, {65539, 16}}
)

// The codes of lengths below 1,024, of which a block has room for many.
const (
	shortLL = 16 + 13
	shortML = 32 + 14
)

func length(r *rand.Rand, code, plain, least int, codes [][2]int) (v, extra, n int) {
	if code < plain {
		return code + least, 0, 0
	}
	c := codes[code-plain]
	extra = r.IntN(1 << c[1])
	return c[0] + extra, extra, c[1]
}

// block appends a block whose sequences are of one kind: one code for all
// lengths of literals, offsets and matches each. It runs them on body, in the
// simplest way. It gives up where a match would start in front of the frame.
func block(r *rand.Rand, src, body []byte, last *[3]int, codeLL, codeOF, codeML, n int) ([]byte, []byte, bool) {
	type sequence struct{ ll, ml, of, llN, mlN int }
	var all []sequence
	var lits []byte
	offsets := *last
	start := len(body)
	for range n {
		ll, llX, llN := length(r, codeLL, 16, 0, codesLL)
		ml, mlX, mlN := length(r, codeML, 32, 3, codesML)
		ofX := r.IntN(1 << codeOF)
		v := 1<<codeOF + ofX
		all = append(all, sequence{llX, mlX, ofX, llN, mlN})
		for range ll {
			lits = append(lits, byte(r.Uint32()))
		}
		body = append(body, lits[len(lits)-ll:]...)
		var offset int
		if v > 3 {
			offset = v - 3
			offsets = [3]int{offset, offsets[0], offsets[1]}
		} else {
			if ll == 0 {
				v++
			}
			if v == 4 {
				offset = max(offsets[0]-1, 1)
				offsets = [3]int{offset, offsets[0], offsets[1]}
			} else {
				offset = offsets[v-1]
				copy(offsets[1:v], offsets[:v-1])
				offsets[0] = offset
			}
		}
		if offset > len(body) {
			return src, body[:start], false
		}
		for range ml {
			body = append(body, body[len(body)-offset])
		}
	}
	for range r.IntN(5) {
		lits = append(lits, byte(r.Uint32()))
		body = append(body, lits[len(lits)-1])
	}
	if len(body)-start > maxBlock {
		return src, body[:start], false
	}
	var w bitWriter
	for i := len(all) - 1; i >= 0; i-- {
		w.put(all[i].ll, all[i].llN)
		w.put(all[i].ml, all[i].mlN)
		w.put(all[i].of, codeOF)
	}
	b := []byte{byte(3<<2 | len(lits)<<4), byte(len(lits) >> 4), byte(len(lits) >> 12)} // raw
	b = append(b, lits...)
	b = append(b, 128+byte(n>>8), byte(n), 0x54, byte(codeLL), byte(codeOF), byte(codeML))
	b = append(b, w.end()...)
	*last = offsets
	h := 2<<1 | len(b)<<3
	return append(append(src, byte(h), byte(h>>8), byte(h>>16)), b...), body, true
}

// frame returns a frame of random blocks and its output.
func frame(r *rand.Rand, blocks int) (src, body []byte) {
	src = []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 10 << 3}
	n := 1 + r.IntN(100)
	for range n {
		body = append(body, byte(r.Uint32()))
	}
	src = append(append(src, byte(n<<3), byte(n>>5), 0), body...)
	last := [3]int{1, 4, 8}
	for range blocks {
		far := bits.Len(uint(len(body)))
		src, body, _ = block(r, src, body, &last, r.IntN(shortLL), r.IntN(far), r.IntN(shortML), 1+r.IntN(20))
	}
	return append(src, 1, 0, 0), body
}

func TestRandomBlocks(t *testing.T) {
	c, r := newChecker(t), rand.New(rand.NewPCG(1, 1))
	for range dtest.Rounds(t, 300) {
		src, body := frame(r, r.IntN(12))
		spare := r.IntN(3) * r.IntN(100)
		c.checkPrefix(t, src, body, len(body), spare)
		c.checkPrefix(t, src, body, r.IntN(len(body)+1), spare)
		if c.check(t, src, len(body), spare) {
			t.Fatal("the other refuses")
		}
		src[6+r.IntN(len(src)-6)] = byte(r.Uint32())
		c.check(t, src, len(body), spare)
	}
}

// Each length of match and of literals at each near offset.
func TestEveryCopy(t *testing.T) {
	c, r := newChecker(t), rand.New(rand.NewPCG(3, 3))
	for codeOF := range 7 {
		for code := range shortML {
			src, body := frame(r, 0)
			src = src[:len(src)-3]
			last := [3]int{1, 4, 8}
			for range 4 {
				src, body, _ = block(r, src, body, &last, code%shortLL, codeOF, code, 60)
			}
			src = append(src, 1, 0, 0)
			if c.check(t, src, len(body), Slack) {
				t.Fatal("the other refuses")
			}
			c.checkPrefix(t, src, body, len(body), 0)
		}
	}
}

// Lengths of up to a whole block.
func TestLongLengths(t *testing.T) {
	c, r := newChecker(t), rand.New(rand.NewPCG(10, 10))
	made := 0
	for n := range 600 {
		src, body := frame(r, 2)
		src = src[:len(src)-3]
		last := [3]int{1, 4, 8}
		ll, ml := shortLL+n%7, shortML+n/7%7
		if r.IntN(2) == 0 {
			ll = r.IntN(shortLL)
		} else if r.IntN(2) == 0 {
			ml = r.IntN(shortML)
		}
		src, body, ok := block(r, src, body, &last, ll, 2+r.IntN(5), ml, 1+r.IntN(5))
		if !ok {
			continue
		}
		made++
		src = append(src, 1, 0, 0)
		if c.check(t, src, len(body), Slack) {
			t.Fatal("the other refuses")
		}
	}
	if made < 200 {
		t.Fatalf("%d blocks only", made)
	}
}

// Two blocks put together by hand, of a frame with a checksum.
func TestByHand(t *testing.T) {
	src := []byte{
		0x28, 0xb5, 0x2f, 0xfd, 0x24, 11, // one segment, of 11 bytes, with a checksum
		0x18, 0, 0, 'a', 'b', 'c', // a block as it is, 3 bytes
		0x3d, 0, 0, // the last block, packed, 7 bytes
		0x00, 1, // no literals, one sequence
		0x54, 0, 2, 5, // each table has one symbol: no literals, offsets of 2 more bits, 8 bytes
		0x06, // bits 10, below the highest: offset 4+2-3
	}
	src = binary.LittleEndian.AppendUint32(src, sum(t, "abcabcabcab"))
	dst := make([]byte, 11)
	if err := NewDecoder().Decode(dst, src); err != nil || string(dst) != "abcabcabcab" {
		t.Fatalf("%q, %v", dst, err)
	}
	src[len(src)-1] ^= 1
	if err := NewDecoder().Decode(dst, src); err == nil {
		t.Fatal("a wrong checksum passes")
	}
}

// sum takes a checksum from a frame that the other writer made.
func sum(t *testing.T, body string) uint32 {
	src := pack(t, []byte(body))
	return binary.LittleEndian.Uint32(src[len(src)-4:])
}

func TestHeaders(t *testing.T) {
	c := newChecker(t)
	magic := []byte{0x28, 0xb5, 0x2f, 0xfd}
	raw := []byte{0x29, 0, 0, 'a', 'b', 'c', 'd', 'e'}
	for _, h := range [][]byte{
		{0, 0}, {0, 20 << 3}, {0, 21<<3 | 7}, {0, 0xff}, {8, 0}, {0x20, 5}, {0x20, 4}, {0x20, 6}, {0x10, 0},
		{1, 0, 0}, {1, 0, 7}, {2, 0, 0, 0}, {3, 0, 0, 0, 0, 0}, {3, 0, 0, 0, 0, 1}, {0x21, 0, 5},
		{0x40, 0, 5, 0}, {0x60, 5, 0}, {0x80, 0, 5, 0, 0, 0}, {0x80, 0, 5, 0, 0, 0x80}, {0xa0, 5, 0, 0, 0},
		{0xc0, 0, 5, 0, 0, 0, 0, 0, 0, 0}, {0xe0, 5, 0, 0, 0, 0, 0, 0, 0x80}, {0xe0, 5, 0, 0, 0, 1, 0, 0, 0},
	} {
		src := bytes.Join([][]byte{magic, h, raw}, nil)
		c.check(t, src, 5, 0)
		c.check(t, append([]byte{0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2}, src...), 5, 0)
		c.check(t, append(bytes.Clone(src), src...), 10, 0)
		for cut := range src {
			if cut > 3 { // less is nothing to the other
				c.check(t, src[:cut], 5, 0)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(8, 8))
	for n := range 20 {
		src, body := frame(r, n)
		f.Add(src, uint32(len(body)), uint8(64))
	}
	for _, k := range codectest.Kinds() {
		page := k.Page(r)[:2000]
		f.Add(pack(f, page), uint32(len(page)), uint8(64))
	}
	c := newChecker(f)
	f.Fuzz(func(t *testing.T, src []byte, n uint32, spare uint8) {
		if len(src) >= 4 {
			c.check(t, src, int(n%(64<<10)), int(spare))
		}
	})
}

func TestAllocatesNothing(t *testing.T) {
	d := NewDecoder()
	page := codectest.Kinds()[0].Page(rand.New(rand.NewPCG(7, 7)))
	src := pack(t, page)
	dst := make([]byte, len(page), len(page)+Slack)
	if n := testing.AllocsPerRun(10, func() {
		if err := d.Decode(dst, src); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
