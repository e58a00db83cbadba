//go:build !linux

package dtest

import "testing"

// Edge returns n bytes, which may stand among others.
func Edge(t testing.TB, n int) []byte {
	t.Helper()
	return make([]byte, n)
}
