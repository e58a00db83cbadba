package hostile

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// mutate returns a changed copy of b, and what was done to it. Other is a
// part of another place to splice from.
func mutate(r *rand.Rand, b, other []byte) ([]byte, string) {
	b = slices.Clone(b)
	log := ""
	for range 1 + r.IntN(8)*r.IntN(2) {
		did := ""
		b, did = mutateOnce(r, b, other)
		log += did + "; "
	}
	return b, log
}

func mutateOnce(r *rand.Rand, b, other []byte) ([]byte, string) {
	if len(b) == 0 {
		return randomBytes(r, 1+r.IntN(16)), "made up"
	}
	at := r.IntN(len(b))
	if r.IntN(2) == 0 { // the first bytes decide most
		at = r.IntN(min(len(b), 40))
	}
	n := min(1+r.IntN(16), len(b)-at)
	switch r.IntN(10) {
	case 0:
		bit := r.IntN(8)
		b[at] ^= 1 << bit
		return b, fmt.Sprintf("bit %d of byte %d", bit, at)
	case 1:
		b[at] = byte(r.Uint32())
		return b, fmt.Sprintf("byte %d is %#x", at, b[at])
	case 2:
		b[at] = [...]byte{0, 1, 0x0f, 0x10, 0x7f, 0x80, 0xfe, 0xff}[r.IntN(8)]
		return b, fmt.Sprintf("byte %d is %#x", at, b[at])
	case 3:
		return b[:at], fmt.Sprintf("cut at %d", at)
	case 4:
		return slices.Delete(b, at, at+n), fmt.Sprintf("%d bytes at %d gone", n, at)
	case 5:
		return slices.Insert(b, at, randomBytes(r, n)...), fmt.Sprintf("%d random bytes at %d", n, at)
	case 6:
		return slices.Insert(b, at, slices.Clone(b[at:at+n])...), fmt.Sprintf("%d bytes at %d twice", n, at)
	case 7: // a varint in place of a byte
		v := extreme(r)
		return slices.Replace(b, at, at+1, binary.AppendUvarint(nil, v)...), fmt.Sprintf("byte %d is varint %#x", at, v)
	case 8: // a fixed number over what stands there
		v := binary.LittleEndian.AppendUint64(nil, extreme(r))
		n = copy(b[at:], v[:4+4*r.IntN(2)])
		return b, fmt.Sprintf("%d bytes at %d are % x", n, at, v[:n])
	default:
		if len(other) == 0 {
			return b, "nothing"
		}
		from := r.IntN(len(other))
		n = min(1+r.IntN(64), len(other)-from, len(b)-at)
		copy(b[at:], other[from:from+n])
		return b, fmt.Sprintf("%d bytes at %d from elsewhere", n, at)
	}
}

// extreme returns a number at which lengths, counts and offsets break.
func extreme(r *rand.Rand) uint64 {
	v := uint64(1) << r.IntN(64)
	switch r.IntN(4) {
	case 0:
		return v - 1
	case 1:
		return -v
	case 2:
		return v + uint64(r.IntN(300))
	}
	return v
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestMutationsChangeAndRepeat(t *testing.T) {
	b, other := []byte("a page, or what was one"), []byte("elsewhere")
	changed := 0
	for seed := range uint64(1000) {
		one, log := mutate(rand.New(rand.NewPCG(seed, 0)), b, other)
		two, again := mutate(rand.New(rand.NewPCG(seed, 0)), b, other)
		if !slices.Equal(one, two) || log != again {
			t.Fatalf("seed %d gives %q and %q", seed, one, two)
		}
		if !slices.Equal(one, b) {
			changed++
		}
	}
	if changed < 900 {
		t.Errorf("only %d of 1000 differ", changed)
	}
	if string(b) != "a page, or what was one" {
		t.Error("the original was changed")
	}
}
