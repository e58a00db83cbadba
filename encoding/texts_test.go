package encoding

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomTexts returns up to 64 strings of few letters, and a word of their bits.
func randomTexts(r *rand.Rand) (t Texts, texts []string, w uint64) {
	gap, letters, longest := r.IntN(5), 1+r.IntN(4), []int{2, 12, 40, 200}[r.IntN(4)]
	at := new([65]int32)
	body := make([]byte, r.IntN(10))
	for i := range body {
		body[i] = 'a'
	}
	n := 1 + r.IntN(64)
	for i := range n {
		at[i] = int32(len(body))
		body = append(body, "aaaaa"[:gap]...)
		s := make([]byte, r.IntN(longest))
		for i := range s {
			s[i] = byte('a' + r.IntN(letters))
		}
		body = append(body, s...)
		texts = append(texts, string(s))
	}
	at[n] = int32(len(body))
	for range r.IntN(20) {
		body = append(body, 'a')
	}
	w = r.Uint64()
	if r.IntN(2) == 0 {
		w = ^uint64(0)
	}
	return Texts{Body: bytes.Clone(body), At: at, Gap: int32(gap)}, texts, w & (1<<n - 1)
}

func TestTexts(t *testing.T) {
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 3))
		x, texts, w := randomTexts(r)
		p := texts[r.IntN(len(texts))]
		from := r.IntN(len(p) + 1)
		switch r.IntN(5) {
		case 0:
			p = p[from:]
		case 1:
			p = p[:from]
		case 2:
			p = p[from:][:r.IntN(len(p)-from+1)]
		case 3:
			p += "b"
		}
		lo, hi := texts[r.IntN(len(texts))], []byte(texts[r.IntN(len(texts))])
		if r.IntN(4) == 0 {
			hi = nil
		}
		check := func(name string, m Match, pass func(s string) bool) {
			t.Helper()
			got, want := x.Matching(w, &m), w
			for i, s := range texts {
				if !pass(s) {
					want &^= 1 << i
				}
			}
			if got != want {
				t.Fatalf("seed %d: %s %q of %q, bits %x: got %x, want %x", seed, name, p, texts, w, got, want)
			}
		}
		check("IsEqual", IsEqual([]byte(p)), func(s string) bool { return s == p })
		check("HasPrefix", HasPrefix([]byte(p)), func(s string) bool { return strings.HasPrefix(s, p) })
		check("HasSuffix", HasSuffix([]byte(p)), func(s string) bool { return strings.HasSuffix(s, p) })
		check("Contains", Contains([]byte(p)), func(s string) bool { return strings.Contains(s, p) })
		check("InRange", InRange([]byte(lo), hi), func(s string) bool { return s >= lo && (hi == nil || s < string(hi)) })
	}
}

// Of one letter, where each place is a candidate, of two, and of many.
func TestNeedle(t *testing.T) {
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 5))
		letters := []int{1, 2, 2, 256}[r.IntN(4)]
		body := make([]byte, r.IntN(700), 1000)
		for i := range body {
			body[i] = byte(r.IntN(letters))
		}
		body = body[: len(body) : len(body)+r.IntN(100)] // what is after is no part of it
		text := make([]byte, r.IntN(30))
		for i := range text {
			text[i] = byte(r.IntN(letters))
		}
		if letters == 1 && len(text) > 0 && r.IntN(2) == 0 {
			text[r.IntN(len(text))] = 1
		} else if r.IntN(2) == 0 && len(body) > len(text) {
			copy(body[r.IntN(len(body)-len(text)):], text)
		}
		at := r.IntN(len(body) + 1)
		want := bytes.Index(body[at:], text)
		if want >= 0 {
			want += at
		}
		needle := MakeNeedle(text)
		if got := needle.Index(body, at); got != want {
			t.Fatalf("seed %d: %x in %x from %d: got %d, want %d", seed, text, body, at, got, want)
		}
	}
}

// Each pair is found, and what else is found stands behind one.
func TestPairsGo(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 10))
		words, distance, letters := 1+r.IntN(4), 1+r.IntN(40), 2+r.IntN(40)
		b := make([]byte, words*64+distance)
		for i := range b {
			b[i] = byte(254 + r.IntN(letters)) // differences of 1 and 255 among them
		}
		found, left := pairsGo(b, b[distance:], words, 255, 0)
		for i := range min(words, words-left+1) * 64 {
			pair := b[i] == 255 && b[i+distance] == 0
			got := i >= (words-left)*64 && found>>(i%64)&1 != 0
			behind := i%64 > 0 && got && found>>(i%64-1)&1 != 0
			if pair && !got || got && !pair && !behind {
				t.Fatalf("seed %d, place %d of %d words: %v, want %v", seed, i, words, got, pair)
			}
		}
	}
}

func TestTextsAllocateNothing(t *testing.T) {
	x, _, w := randomTexts(rand.New(rand.NewPCG(1, 1)))
	p := []byte("abc")
	if n := testing.AllocsPerRun(10, func() {
		for _, m := range [...]Match{Contains(p), IsEqual(p), HasPrefix(p), HasSuffix(p), InRange(p, nil)} {
			x.Matching(w, &m)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
