package column

import (
	"bytes"
	"testing"
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
