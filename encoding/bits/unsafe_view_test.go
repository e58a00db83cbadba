package bits

import (
	"bytes"
	"encoding/binary"
	"testing"
	"unsafe"
)

func TestViewsHoldStrings(t *testing.T) {
	text := []byte("The quick brown fox jumps over the lazy dog")
	buffers := [][]byte{nil, nil, text}
	for from := range text {
		for to := from; to <= len(text); to++ {
			want := text[from:to]
			v := Make(want, 2, int32(from))
			if got := v.Bytes(buffers); !bytes.Equal(got, want) || v.Len() != len(want) || cap(got) != len(want) {
				t.Fatalf("view of %q holds %q, length %d, capacity %d", want, got, v.Len(), cap(got))
			}
			if v.IsInline() != (len(want) <= 12) {
				t.Fatalf("%q inline: %v", want, v.IsInline())
			}
			moved := v.Moved(1, int32(from)+3)
			if got := moved.Bytes([][]byte{nil, append([]byte("xyz"), text...)}); !bytes.Equal(got, want) {
				t.Fatalf("%q moved is %q", want, got)
			}
			if v.Head() != moved.Head() {
				t.Fatalf("%q: head changed by moving", want)
			}
		}
	}
}

// The memory is compared with Arrow's layout as a big-endian or little-endian
// machine writes it.
func TestViewsLieInMemoryAsArrowWants(t *testing.T) {
	memory := func(v View) [16]byte { return *(*[16]byte)(unsafe.Pointer(&v)) }

	var want [16]byte
	binary.NativeEndian.PutUint32(want[:], 5)
	copy(want[4:], "hello")
	if got := memory(Make([]byte("hello"), 7, 9)); got != want {
		t.Errorf("inline: % x, want % x", got, want)
	}
	clear(want[:])
	binary.NativeEndian.PutUint32(want[:], 13)
	copy(want[4:], "hell")
	binary.NativeEndian.PutUint32(want[8:], 7)
	binary.NativeEndian.PutUint32(want[12:], 9)
	v := Make([]byte("hello, world!"), 7, 9)
	if got := memory(v); got != want {
		t.Errorf("long: % x, want % x", got, want)
	}
	if buffer, offset := v.Ref(); buffer != 7 || offset != 9 {
		t.Errorf("stands at %d, %d", buffer, offset)
	}
	if memory(View{}) != memory(Make(nil, 1, 2)) {
		t.Error("the zero view is not the empty string")
	}
}
