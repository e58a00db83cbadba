package brotli

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// number writes how many types or codes there are.
func (w *bitWriter) number(n uint) {
	if w.put(min(n-1, 1), 1); n > 1 {
		wide := uint(bits.Len(n-1)) - 1
		w.put(wide, 3)
		w.put(n-1-1<<wide, wide)
	}
}

// one writes a code of one symbol out of so many.
func (w *bitWriter) one(symbol, symbols uint) {
	w.put(1, 4)
	w.put(symbol, uint(bits.Len(symbols-1)))
}

// long writes a code of 704 symbols: 320 of 9 bits, then 384 of 10.
func (w *bitWriter) long() {
	w.put(0, 2+2*8) // no lengths are skipped; eight of them have no code
	w.put(7, 4)     // the sign for repeats has 1 bit,
	w.put(0, 4)
	w.put(0b011011, 6) // 9 and 10 have 2
	for _, part := range []struct{ length, lengthBits, n uint }{{9, 1, 320}, {10, 3, 384}} {
		w.put(part.lengthBits, 2)
		var digits []uint
		left := part.n - 1
		for ; left > 6; left = (left-3)/4 + 2 {
			digits = append(digits, (left-3)%4)
		}
		digits = append(digits, left-3)
		for i := range digits {
			w.put(0, 1)
			w.put(digits[len(digits)-1-i], 2)
		}
	}
}

// heads returns bodies of meta-blocks of one byte each, whose heads take much time for their length.
func heads() map[string][]byte {
	meta := func(types [3]uint, maps uint, long bool) []byte {
		var w bitWriter
		w.put(0, 1) // a window of 64 KB
		for range 20 {
			w.put(0, 20) // one byte
			for _, n := range types {
				if w.number(n); n > 1 {
					w.one(0, n+2)
					w.one(0, 26)
					w.put(0, 2) // a block of one byte
				}
			}
			w.put(0, 6)
			for range types[literals] {
				w.put(0, 2)
			}
			if w.number(maps); maps > 1 {
				w.put(0, 1)
				w.one(maps-1, maps)
				w.put(1, 1) // moved to the front
			}
			w.number(1)
			for range maps {
				w.one('x', 256)
			}
			for i := range types[commands] {
				if long && i > 0 {
					w.long()
				} else {
					w.one(136, 704) // inserts one byte
				}
			}
			w.one(0, 64)
		}
		w.put(3, 2)
		return w.body()
	}
	return map[string][]byte{
		"metadata": append(append([]byte{0x0c}, bytes.Repeat([]byte{0x06}, 2000)...), 3),
		"maps":     meta([3]uint{256, 1, 1}, 200, false),
		"codes":    meta([3]uint{1, 256, 256}, 1, false),
		"lengths":  meta([3]uint{1, 256, 1}, 1, true),
		"blocks":   shortBlocks(),
	}
}

// shortBlocks returns a body of 20,000 literals, each in a block of its own, of a type whose contexts have two
// codes.
func shortBlocks() []byte {
	var w bitWriter
	w.put(0, 1)         // a window of 64 KB
	w.put(0, 3)         // a length of 16 bits,
	w.put(20_000-1, 16) // less one
	w.put(0, 1)         // commands
	w.number(256)       // types of literals
	w.one(1, 258)       // the next type
	w.one(0, 26)        // one byte, or a few more,
	w.put(0, 2)         // but no more
	w.put(0, 2+6+2*256) // one type of commands and distances; modes of contexts
	w.number(2)         // codes of literals
	w.put(0b100101<<1, 7)
	for range mostTypes * literalContexts / 2 {
		w.put(0b10, 2) // both codes
	}
	w.put(0, 1+1) // not moved to the front; one code of distances
	w.one('x', 256)
	w.one('y', 256)
	w.one(448+6<<3, 704) // a command that inserts 6210 bytes,
	w.one(0, 64)
	w.put(20_000-6210, 14) // and so many more
	w.put(0, 2*19_999)     // sizes of blocks
	w.put(3, 2)
	return w.body()
}

// headSizes is how many bytes the bodies give.
var headSizes = map[string]int{"metadata": 0, "maps": 20, "codes": 20, "lengths": 20, "blocks": 20_000, "page": 2000}

// The dearest heads give the library's bytes, and an idle decoder keeps no tables of theirs.
func TestHeads(t *testing.T) {
	for name, body := range heads() {
		t.Run(name, func(t *testing.T) {
			var d Decoder
			if check(t, &d, body, 0); d.Decode(make([]byte, headSizes[name]), body) != nil {
				t.Fatalf("%d bytes are not decoded", headSizes[name])
			}
			if cap(d.tables) > mostKept {
				t.Errorf("an idle decoder keeps %d entries", cap(d.tables))
			}
			if tables := testing.AllocsPerRun(3, func() { _ = d.Decode(make([]byte, headSizes[name]), body) }); tables > 40 {
				t.Errorf("%v allocations", tables)
			}
		})
	}
}

// BenchmarkHeads is the time for a byte of input, of the dearest heads and of a small page.
func BenchmarkHeads(b *testing.B) {
	all := heads()
	all["page"] = packed(b, 4, 0, codectest.Kinds()[0].Pages()[0][:headSizes["page"]])
	for name, body := range all {
		b.Run("head="+name, func(b *testing.B) {
			var d Decoder
			dst := make([]byte, headSizes[name])
			for b.Loop() {
				if err := d.Decode(dst, body); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(body)), "ns/byte")
		})
	}
}

// A body that ends at any byte is refused as the library refuses it, and its prefixes are right.
func TestCutAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var d Decoder
	for quality := 0; quality < 12; quality += 3 {
		for _, p := range pages(r, 500) {
			for body := packed(t, quality, 0, p); len(body) > 0; {
				body = body[:len(body)-1]
				check(t, &d, body, r.IntN(100), r.IntN(len(p)+1))
			}
		}
	}
}

// Bytes that change while they are read do no harm.
func TestWhileChanging(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, p := range pages(r, 3000) {
		var d Decoder
		body := packed(t, 8, 0, p)
		places := make([]int, min(len(body), 80))
		for i := range places {
			places[i] = i
		}
		dtest.WhileChanging(t, body, places, func(r *rand.Rand, body []byte) {
			dst, intact := guarded(len(p), r.IntN(100))
			if _ = d.Decode(dst, body); !intact() {
				panic("wrote beyond the output")
			}
		})
	}
}
