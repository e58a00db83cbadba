package bits

import "unsafe"

// Bytes returns the string: a part of the view itself if it is inline, so it
// lives and changes with *v, else a part of one of buffers.
func (v *View) Bytes(buffers [][]byte) []byte {
	n := v.Len()
	if n > MaxInline {
		buffer, offset := v.Ref()
		return buffers[buffer][offset : int(offset)+n : int(offset)+n]
	}
	// Safe: the bytes 4 to 4+n, n <= 12, of the 16 that v points at.
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(v), 4)), MaxInline)[:n:n]
}

// Compile-time check of the layout: 16 bytes.
var _ [16]struct{} = [unsafe.Sizeof(View{})]struct{}{}
