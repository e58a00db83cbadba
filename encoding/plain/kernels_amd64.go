//go:build !purego

package plain

// prefetch starts to load bytes that will be read soon.
func prefetch(b []byte) {
	if len(b) >= 64 {
		prefetchLines(&b[0], len(b)/64)
	}
}
