package values

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/validate"
)

// TestCopyShort wants n bytes to come over wherever slices end, and what lies in
// front to stay.
func TestCopyShort(t *testing.T) {
	src := make([]byte, 200)
	for i := range src {
		src[i] = byte(i + 1)
	}
	for n := range 100 {
		for _, spare := range []int{0, 1, 40, 100} {
			dst := make([]byte, 10+n+spare)
			copyShort(dst[10:], src[:n+(100-spare)], n)
			if !bytes.Equal(dst[10:10+n], src[:n]) || bytes.Count(dst[:10], []byte{0}) != 10 {
				t.Fatalf("%d bytes, %d to spare: %v", n, spare, dst)
			}
		}
	}
}

// Bodies are copied whole, whatever steps they take, to memory that has room and to memory that has none.
func TestCopyBody(t *testing.T) {
	src := make([]byte, 2*copyStep+1)
	rand.NewChaCha8([32]byte{}).Read(src)
	for _, n := range []int{0, 1, copyStep, 2 * copyStep, len(src)} {
		for _, room := range []int{0, len(src) + encoding.Padding} {
			if got := CopyBody(make([]byte, 3, room+3), src[:n]); !bytes.Equal(got, src[:n]) || cap(got)-n < encoding.Padding {
				t.Errorf("%d bytes of %d, room for %d", len(got), n, cap(got))
			}
		}
	}
}

// A page that changes after views of it were made: copies are sound.
func TestCopiedViewsHaveThePrefixOfTheirCopy(t *testing.T) {
	var body []byte
	var made []bits.View
	for n := range 100 {
		made = append(made, bits.Make(bytes.Repeat([]byte{'a'}, n), 0, int32(len(body))))
		body = append(body, bytes.Repeat([]byte{'a'}, n)...)
	}
	for i := range body {
		body[i] = 'b'
	}
	v := vector.Vector{Type: vector.Type{Physical: vector.ByteArray}}
	first := build.Extend(&v, len(made))
	CopyViews(&v, first, made, [][]byte{body}, new(Bodies))
	if err := validate.Vector(&v); err != nil {
		t.Error(err)
	}
	for i := range made {
		want := byte('b')
		if i <= bits.MaxInline {
			want = 'a'
		}
		if got := v.Bytes(i); !bytes.Equal(got, bytes.Repeat([]byte{want}, i)) {
			t.Errorf("string %d is %q", i, got)
		}
	}
}
