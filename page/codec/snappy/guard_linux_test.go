package snappy

import (
	"bytes"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
)

// Input that ends where readable memory does, and output that ends so too: a
// byte too many is a fault.
func TestNothingBehindIsTouched(t *testing.T) {
	page := os.Getpagesize()
	edge := func(n int) []byte {
		n += (page - n%page) % page
		all, err := syscall.Mmap(-1, 0, n+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			t.Skip(err)
		}
		if err := syscall.Mprotect(all[n:], syscall.PROT_NONE); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { syscall.Munmap(all) })
		return all[:n:n]
	}
	in, out := edge(1<<20), edge(1<<20)
	r := rand.New(rand.NewPCG(9, 9))
	for range 2000 {
		tags, body := randomBlock(r, 1+r.IntN(200))
		if len(tags) > len(in) || len(body) > len(out) {
			continue
		}
		if r.IntN(2) == 0 {
			tags = tags[:r.IntN(len(tags)+1)]
		}
		src := in[len(in)-len(tags):]
		copy(src, tags)
		for _, l := range loops {
			dst := out[len(out)-len(body):]
			if err := decode(dst, src, true, l.pick); err == nil && !bytes.Equal(dst, body) {
				t.Fatalf("%s: differs", l.name)
			}
			if err := decode(dst[:len(dst)/2], src, false, l.pick); err == nil && !bytes.Equal(dst[:len(dst)/2], body[:len(dst)/2]) {
				t.Fatalf("%s: differs", l.name)
			}
		}
	}
}
