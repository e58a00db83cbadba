package thrift

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// chunkBytes returns the structs of a footer's column chunks.
func chunkBytes(t *testing.T, b []byte) (all [][]byte) {
	t.Helper()
	f, err := ParseFooter(b)
	must(t, err)
	for _, at := range f.chunks {
		end, fault := skipStruct(b, int(at), 0, nil)
		if fault != noFault {
			t.Fatal(fault.at(end))
		}
		all = append(all, b[at:end])
	}
	return all
}

// Structs of known shapes, of others and broken ones end where reading their fields ends.
func TestShapesAgainstFields(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 0))
	seeds := append(chunkBytes(t, encode(t, wideFooter(9, 40))), chunkBytes(t, encode(t, fullFooter()))...)
	var known shapes
	good, bad, sameShape := 0, 0, 0
	for round := range dtest.Rounds(t, 30000) {
		if round%50 == 0 {
			known = shapes{latest: make([]int, 20)}
		}
		b := seeds[r.IntN(len(seeds))]
		switch r.IntN(8) {
		case 0:
			b = mutate(r, b)
		case 1:
			n, _ := parse(b, typeStruct, false)
			b = n.reshape(r).emit(nil)
		}
		front := r.IntN(3)
		all := append(make([]byte, front), b...)
		all = append(all, bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(2)*word)...)
		place, before := r.IntN(20), len(known.known)
		got, f := known.skip(all, front, place)
		want, wantFault := skipStruct(all, front, 0, nil)
		if got != want || f != wantFault {
			t.Fatalf("% x at %d: shapes end at %d with fault %d, fields at %d with %d", all, front, got, f, want, wantFault)
		}
		switch {
		case f != noFault:
			bad++
			known = shapes{latest: make([]int, 20)} // no footer is read beyond a fault
		case len(known.known) == before && int(known.latest[place]) < before:
			sameShape++
			fallthrough
		default:
			good++
		}
	}
	if bad < good/100 || sameShape < good/5 {
		t.Errorf("%d structs were good, %d of them of a known shape, %d bad: too few of a kind", good, sameShape, bad)
	}
}

// A shape is that of all lengths of integers and binaries, and of nothing that is broken.
func TestShapeOfLengths(t *testing.T) {
	structure := func(integer, text string) []byte {
		b := append([]byte{0x16}, integer...)
		b = append(binary.AppendUvarint(append(b, 0x18), uint64(len(text))), text...)
		b = append(append(b, 0x19, 0x26), integer...)
		return append(append(b, integer...), 0x11, 0x00)
	}
	varint := func(n int) string { return string(bytes.Repeat([]byte{0x80}, n-1)) + "\x01" }
	for learnt := 1; learnt <= 10; learnt++ {
		var s shape
		first := structure(varint(learnt), "text")
		if n, f := s.learn(first, 0); f != noFault || n != len(first) {
			t.Fatal(n, f)
		}
		for n := 1; n <= 11; n++ {
			for _, size := range []int{0, 1, 127, 128, 20000} {
				b := structure(varint(n), string(make([]byte, size)))
				want := len(b)
				if n > 10 {
					want = -1
				}
				if got := s.skip(append(b, make([]byte, word)...), 0); got != want {
					t.Errorf("integers of %d bytes after %d, a binary of %d: end at %d, want %d", n, learnt, size, got, want)
				}
			}
		}
		for i, c := range first {
			b := append(bytes.Clone(first), make([]byte, 300)...)
			b[i] = c ^ 0x40
			want, f := skipStruct(b, 0, 0, nil)
			if got := s.skip(b, 0); got >= 0 && (got != want || f != noFault) {
				t.Errorf("byte %d is %x: end at %d, want %d with fault %d", i, b[i], got, want, f)
			}
			if got := s.skip(first[:i], 0); got >= 0 {
				t.Errorf("a struct of %d bytes that is cut after %d ends at %d", len(first), i, got)
			}
		}
	}
}

// A file of many row groups has few shapes, and most structs are of one that is known.
func TestFootersHaveFewShapes(t *testing.T) {
	chunks := chunkBytes(t, encode(t, wideFooter(30, 60)))
	known := shapes{latest: make([]int, 30)}
	for i, b := range chunks {
		if n, f := known.skip(append(b[:len(b):len(b)], make([]byte, word)...), 0, i%30); n != len(b) || f != noFault {
			t.Fatalf("chunk %d ends at %d of %d, fault %d", i, n, len(b), f)
		}
	}
	if len(known.known) != 1 {
		t.Errorf("%d shapes of chunks that differ in lengths only", len(known.known))
	}
}

// A file of more shapes than are kept is read field by field.
func TestManyShapes(t *testing.T) {
	known := shapes{latest: make([]int, 2*maxShapes)}
	for round := range 3 {
		for fields := range 2 * maxShapes {
			b := append(bytes.Repeat([]byte{0x15, 0x02}, fields), make([]byte, 1+word)...)
			if n, f := known.skip(b, 0, fields); n != 2*fields+1 || f != noFault {
				t.Errorf("round %d: a struct of %d bytes ends at %d, fault %d", round, 2*fields+1, n, f)
			}
		}
	}
	if len(known.known) != maxShapes || known.latest[maxShapes-1] != maxShapes-1 || known.latest[maxShapes] != maxShapes {
		t.Errorf("%d shapes, of columns: %d", len(known.known), known.latest)
	}
}

// The work for a file each struct of which has another shape is in proportion to its bytes.
func TestWorkOfManyShapes(t *testing.T) {
	const structs = 20000
	var b []byte
	for i := range structs {
		b = append(b, bytes.Repeat([]byte{0x18, 0x00}, 20)...)
		b = append(b, 0x13, byte(i), 0x13, byte(i>>8), 0x00)
	}
	known, i, f, vain := shapes{latest: make([]int, structs)}, 0, noFault, 0
	for column := range structs {
		if i, f = known.skip(b, i, column); f != noFault || i != len(b)/structs*(column+1) {
			t.Fatalf("struct %d ends at %d, fault %d", column, i, f)
		}
	}
	for _, s := range known.known {
		vain += s.vain
	}
	if vain > 3*len(b) {
		t.Errorf("%d bytes are compared in vain, of %d", vain, len(b))
	}
}
