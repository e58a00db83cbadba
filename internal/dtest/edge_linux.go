package dtest

import (
	"os"
	"syscall"
	"testing"
)

// Edge returns n bytes at least that end where readable memory does: to touch a byte
// behind them is a fault.
func Edge(t testing.TB, n int) []byte {
	t.Helper()
	page := os.Getpagesize()
	n += (page - n%page) % page
	all, err := syscall.Mmap(-1, 0, n+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { syscall.Munmap(all) })
	if err := syscall.Mprotect(all[n:], syscall.PROT_NONE); err != nil {
		t.Skip(err)
	}
	return all[:n:n]
}
