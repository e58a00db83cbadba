package brotli

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// bitWriter writes bits, each byte from its lowest on.
type bitWriter struct {
	bytes []byte
	used  uint // bits
}

func (w *bitWriter) put(v, n uint) {
	for ; n > 0; n-- {
		if w.used%8 == 0 {
			w.bytes = append(w.bytes, 0)
		}
		w.bytes[w.used/8] |= byte(v&1) << (w.used % 8)
		w.used++
		v >>= 1
	}
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
	return w.bytes
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
