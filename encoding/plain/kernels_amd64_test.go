//go:build !purego

package plain

import "testing"

// prefetchLines has no effect but on time: it must not fail at the end of memory.
func TestPrefetch(t *testing.T) {
	for n := range 300 {
		b := make([]byte, n)
		prefetch(b)
		prefetchLines(&make([]byte, 1)[0], 1+n)
	}
}
