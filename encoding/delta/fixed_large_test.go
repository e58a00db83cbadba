package delta

import (
	"bytes"
	"testing"
)

// Values that are larger than the scratch are gathered one by one; where there are none, their size allocates nothing.
func TestLargeFixed(t *testing.T) {
	const size = 20_000
	page := []byte("\x80\x01\x04\x02\x00\x00\x00\x00\x00\x00" + "\x80\x01\x04\x02") // two prefixes of 0 bytes
	page = append(page, 0xc0, 0xb8, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00)             // two suffixes of 20,000
	page = append(append(page, bytes.Repeat([]byte("a"), size)...), bytes.Repeat([]byte("b"), size)...)
	var d Fixed
	dst := make([]byte, 2*size)
	for _, sel := range []uint64{0b10, 0b11} {
		if err := d.Reset(page, 2, size); err != nil {
			t.Fatal(err)
		}
		n, err := d.Gather(dst, []uint64{sel}, 2)
		if err != nil || n != int(sel)-1 || dst[n*size-1] != 'b' || dst[0] != "\x00\x00ba"[sel] {
			t.Fatalf("%b: %d values, %v", sel, n, err)
		}
	}
	if err := d.Reset(nil, 0, 1<<30); err != nil {
		t.Fatal(err)
	}
	if err := d.Skip(1); err == nil || cap(d.large) > size+size/2 {
		t.Fatalf("%v, %d bytes", err, cap(d.large))
	}
}
