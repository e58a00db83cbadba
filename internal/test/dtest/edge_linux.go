package dtest

import (
	"os"
	"syscall"
	"testing"
)

// Edge returns n bytes at least that begin and end where readable memory does: to touch
// a byte in front of them or behind them is a fault.
func Edge(t testing.TB, n int) []byte {
	t.Helper()
	page := os.Getpagesize()
	n += (page - n%page) % page
	all, err := syscall.Mmap(-1, 0, page+n+page, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(all) })
	edge := all[page : page+n : page+n]
	if err := syscall.Mprotect(edge, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		t.Fatal(err)
	}
	return edge
}
