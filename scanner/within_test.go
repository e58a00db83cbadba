package scanner

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
)

// What a path has found takes its bytes in a batch once: the slots, and the buffer that they are copied to.
func TestPathColumnBytes(t *testing.T) {
	text := func(bytes int) *vector.Vector {
		return &vector.Vector{Type: vector.Type{Physical: vector.ByteArray}, Len: 10, Buffers: [][]byte{make([]byte, bytes)}}
	}
	if n := (&pathColumn{values: text(100)}).bytes(); n != 10*16+100 {
		t.Errorf("10 strings of 100 bytes take %d", n)
	}
	whole := &vector.Vector{Type: vector.Type{Physical: vector.Group}, Len: 10, Children: []*vector.Vector{text(30), text(200)}}
	if n := (&pathColumn{values: whole}).bytes(); n != 3*10*16+30+200 {
		t.Errorf("10 VARIANTs of 230 bytes take %d", n)
	}
}
