package brotli

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// bitWriter writes bits, each byte from its lowest on.
type bitWriter struct{ bits []byte } // one each

func (w *bitWriter) put(v, n uint) {
	for ; n > 0; n-- {
		w.bits = append(w.bits, byte(v&1))
		v >>= 1
	}
}

// body returns the bytes of these bits.
func (w *bitWriter) body() []byte {
	body := make([]byte, (len(w.bits)+7)/8)
	for i, b := range w.bits {
		body[i/8] |= b << (i % 8)
	}
	return body
}

// wordBody returns a body of so many bytes of output, whose only command copies length bytes from a distance.
// Its codes have one symbol each, which takes no bits.
func wordBody(length, distance, size uint) []byte {
	copyCode, copyBase, copyBits := uint(0), uint(2), uint(0)
	for copyBase+1<<copyBits <= length {
		copyBase += 1 << copyBits
		copyCode++
		copyBits = max(copyCode/2, 3) - 3 // up to 3 of them, which is enough
	}
	far, farBase, farBits := uint(0), uint(1), uint(1)
	for farBase+1<<farBits <= distance {
		farBase += 1 << farBits
		far++
		farBits = 1 + far/2
	}
	var w bitWriter
	w.put(0, 1)       // a window of 64 KB
	w.put(1, 2)       // the last meta-block, not empty
	w.put(0, 2)       // its length has 16 bits
	w.put(size-1, 16) // less one
	w.put(0, 3)       // one type of block of each kind
	w.put(0, 6)       // no direct distances
	w.put(0, 2)       // mode of contexts
	w.put(0, 2)       // one code of literals, one of distances
	for kind, wide := range []uint{8, 10, 6} {
		symbol := []uint{0, []uint{128, 192, 384}[copyCode/8] + copyCode%8, 16 + far}[kind]
		w.put(1, 4) // one symbol, which is named
		w.put(symbol, wide)
	}
	w.put(length-copyBase, copyBits)
	w.put(distance-farBase, farBits)
	return w.body()
}

// Codes that name a symbol twice, or one that there is not, are refused, and distances that are not above 0.
func TestNamedDistances(t *testing.T) {
	for _, c := range []struct {
		symbol, second uint // the third symbol, and the second distance
		good           bool
	}{{6, 0b0, true}, {6, 0b01, false}, {6, 0b11, false}, {4, 0b0, false}, {16, 0b0, false}, {64, 0b0, true}, {65, 0b0, false}} {
		var w bitWriter
		w.put(0, 1)          // a window of 64 KB
		w.put(1, 4)          // the last meta-block, whose length has 16 bits,
		w.put(6-1, 16)       // less one
		w.put(1<<5, 3+6+2+2) // one type of block of each kind, one direct distance, one code of each kind
		w.one('x', 256)      // literals
		w.one(136, 704)      // commands: insert one byte, copy two
		w.put(0b1001, 4)     // three distances:
		w.put(16, 7)         // 1, of one bit;
		w.put(4, 7)          // the last less 1, of two bits;
		w.put(c.symbol, 7)   // 6 is the last less 2
		w.put(0b0, 1)        // the first distance
		w.put(c.second, c.second&1+1)
		var d Decoder
		if check(t, &d, w.body(), 0); (d.Decode(make([]byte, 6), w.body()) == nil) != c.good {
			t.Errorf("%+v is taken or refused", c)
		}
	}
}

// Each transform of words of each length gives the library's bytes.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var d Decoder
	for length := leastWord; length <= mostWord; length++ {
		for i := range 3 * (len(transforms) + 1) {
			beyond := i/3<<wordBits[length] + r.IntN(1<<wordBits[length])
			found := false
			for size := 1; size < 64 && !found; size++ { // of which one fits
				body, dst := wordBody(uint(length), uint(beyond+1), uint(size)), make([]byte, size)
				if d.Decode(dst, body) != nil {
					continue
				}
				want, err := library(body)
				if found = true; err != nil || !bytes.Equal(dst, want) {
					t.Fatalf("transform %d of a word: %q, the library: %q, %v", i/3, dst, want, err)
				}
			}
			if known := i/3 < len(transforms); found != known && (!known || length > 9) {
				t.Fatalf("transform %d of a word of %d bytes: %v", i/3, length, found)
			}
		}
	}
}
