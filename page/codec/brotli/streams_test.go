package brotli

import (
	"bytes"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// kind is how the symbols of one kind are written.
type kind struct {
	types, now, before, left int
	typeCode, sizeCode       code
	contexts                 int
	places                   []byte // by type and context, which of the codes
	codes                    []code
}

// Flaws of a stream.
const (
	none = iota
	shortLength
	zeroInFront
	longMap
	badDistance
	allFlaws
)

// A stream is a body whose meta-blocks use what no compressor does.
type stream struct {
	bitWriter
	flaw    int // that meta-blocks may have
	r       *rand.Rand
	out     []byte // what the body gives
	window  int
	last    []int // distances, the latest last
	kinds   [3]kind
	modes   []int
	postfix int
	direct  int
}

// codeMap writes a map of contexts to codes.
func (w *stream) codeMap(k *kind) (codes int) {
	k.places = make([]byte, k.types*k.contexts)
	codes = 1 + w.r.IntN(1<<w.r.IntN(5))
	if w.number(uint(codes)); codes == 1 {
		return codes
	}
	var symbols []int
	var digits []uint
	longest, same := max(w.r.IntN(30)-13, 0), w.r.IntN(3) == 0
	for i := 0; i < len(k.places); {
		s := min(w.r.IntN(longest+codes), bits.Len(uint(len(k.places)-i))-1)
		if same {
			s = longest + codes - 1
		}
		digit := uint(0)
		switch {
		case s > longest:
			k.places[i] = byte(s - longest)
			i++
		case s == 0:
			i++
		default:
			room := len(k.places) - i - 1<<s + 1
			if digit = uint(w.r.IntN(min(1<<s, room))); w.flaw == longMap {
				digit = uint(min(1<<s-1, room))
			}
			i += 1<<s + int(digit)
		}
		symbols, digits = append(symbols, s), append(digits, digit)
	}
	if w.put(uint(min(longest, 1)), 1); longest > 0 {
		w.put(uint(longest-1), 4)
	}
	if same {
		w.one(uint(symbols[0]), uint(longest+codes))
	} else {
		c := w.code(longest+codes, symbols...)
		for i, s := range symbols {
			if w.symbol(c, s); s <= longest {
				w.put(digits[i], uint(s))
			}
		}
	}
	toFront := w.r.IntN(2)
	if w.put(uint(toFront), 1); toFront == 1 {
		list := make([]byte, codes)
		for i := range list {
			list[i] = byte(i)
		}
		for i, at := range k.places {
			k.places[i] = list[at]
			list = slices.Insert(slices.Delete(list, int(at), int(at)+1), 0, k.places[i])
		}
	}
	return codes
}

// head writes the head of a meta-block of commands, after its length.
func (w *stream) head() {
	w.kinds = [3]kind{{contexts: literalContexts}, {contexts: 1}, {contexts: distanceContexts}}
	for i := range w.kinds {
		k := &w.kinds[i]
		k.types, k.before, k.left = 1+w.r.IntN(1<<w.r.IntN(5)), 1, math.MaxInt
		if w.r.IntN(100) == 0 {
			k.types = 256
		}
		if w.number(uint(k.types)); k.types > 1 {
			k.typeCode, k.sizeCode = w.code(k.types+2), w.code(len(sizeBits))
			w.size(k)
		}
	}
	w.postfix = w.r.IntN(4)
	w.direct = w.r.IntN(16)
	w.put(uint(w.postfix), 2)
	w.put(uint(w.direct), 4)
	w.direct <<= w.postfix
	w.modes = make([]int, w.kinds[literals].types)
	for i := range w.modes {
		w.modes[i] = w.r.IntN(4)
		w.put(uint(w.modes[i]), 2)
	}
	numbers := []int{w.codeMap(&w.kinds[literals]), w.kinds[commands].types, w.codeMap(&w.kinds[distances])}
	for i, symbols := range []int{256, mostSymbols, 16 + w.direct + 48<<w.postfix} {
		k := &w.kinds[i]
		for j := range numbers[i] {
			if i == commands {
				k.places = append(k.places, byte(j))
				k.codes = append(k.codes, w.code(symbols, w.r.IntN(400)))
			} else {
				k.codes = append(k.codes, w.code(symbols))
			}
		}
	}
}

func (w *stream) size(k *kind) {
	s := w.any(k.sizeCode)
	more := uint(w.r.IntN(1 << sizeBits[s]))
	w.put(more, uint(sizeBits[s]))
	k.left = sizeBases[s] + int(more)
}

// turn returns a kind whose next symbol is to be written, after a switch to the next block.
func (w *stream) turn(i int) *kind {
	k := &w.kinds[i]
	if k.left == 0 {
		now := k.now
		switch s := w.any(k.typeCode); s {
		case 0:
			k.now = k.before
		case 1:
			k.now = (k.now + 1) % k.types
		default:
			k.now = s - 2
		}
		k.before = now
		w.size(k)
	}
	k.left--
	return k
}

// code returns the code of the current type in a context.
func (k *kind) code(context int) code { return k.codes[k.places[k.now*k.contexts+context]] }

// few writes a number, and returns it.
func (w *stream) few(wide, most uint8) int {
	v := w.r.IntN(1 << min(wide, most))
	w.put(uint(v), uint(wide))
	return v
}

// command writes a command that gives up to 5,000 bytes, if it is valid. No other may follow one that is
// the last.
func (w *stream) command() (valid, last bool) {
	c := commandTable[w.any(w.turn(commands).code(0))]
	run, length := int(c.insert)+w.few(c.insertBits, 6), int(c.copy)+w.few(c.copyBits, 6)
	if run+length > 5000 {
		return false, false
	}
	for range run {
		k := w.turn(literals)
		tail := append([]byte{0, 0}, w.out[max(len(w.out)-2, 0):]...)
		mode := &contexts[w.modes[k.now]]
		context := mode[0][tail[len(tail)-1]] | mode[1][tail[len(tail)-2]]
		w.out = append(w.out, byte(w.any(k.code(int(context)))))
	}
	inserted := *w
	// A meta-block ends in front of the distance of a copy that gives nothing.
	if valid = w.copy(&c, length); run > 0 && (!valid || len(w.out) == len(inserted.out)) {
		*w = inserted
		return true, true
	}
	return valid, false
}

// copy writes a distance, and copies from it, if that is valid.
func (w *stream) copy(c *command, length int) bool {
	symbol := 0
	if !c.again {
		symbol = w.any(w.turn(distances).code(min(length-2, 3)))
	}
	distance, before := 0, w.last[len(w.last)-4:]
	switch far := symbol - 16 - w.direct; {
	case symbol < 4:
		distance = before[3-symbol]
	case symbol < 10:
		distance = before[3] + []int{-1, 1, -2, 2, -3, 3}[symbol-4]
	case symbol < 16:
		distance = before[2] + []int{-1, 1, -2, 2, -3, 3}[symbol-10]
	case far < 0:
		distance = symbol - 15
	default:
		wide := uint8(1 + far>>(w.postfix+1))
		offset := (2+far>>w.postfix&1)<<wide - 4 + w.few(wide, 24)
		distance = offset<<w.postfix + far&(1<<w.postfix-1) + w.direct + 1
	}
	most := min(len(w.out), w.window)
	switch {
	case distance <= 0:
		w.out = append(w.out, make([]byte, length)...)
		return w.flaw == badDistance
	case distance > most:
		word, ok := wordOf(length, distance-most-1)
		w.out = append(w.out, word...)
		return ok
	case symbol > 0:
		w.last = append(w.last, distance)
	}
	for range length {
		w.out = append(w.out, w.out[len(w.out)-distance])
	}
	return true
}

// wordOf returns the word that the library makes of a copy.
func wordOf(length, beyond int) (word []byte, ok bool) {
	if length < leastWord || length > mostWord || beyond>>wordBits[length] >= len(transforms) {
		return nil, false
	}
	for size := uint(1); size < 64; size++ {
		if word, err := library(wordBody(uint(length), uint(beyond+1), size)); err == nil {
			return word, true
		}
	}
	return nil, true
}

// start writes the start of a meta-block, up to the number of nibbles of its length.
func (w *stream) start(last bool, nibbles int) {
	if w.put(0, 1); last {
		w.bits[len(w.bits)-1] = 1
		w.put(0, 1)
	}
	w.put(uint(nibbles-4), 2)
}

func (w *stream) length(last bool, n int) {
	nibbles := max(4, (bits.Len(uint(n-1))+3)/4)
	switch flawed := w.r.IntN(2) == 0; {
	case flawed && w.flaw == shortLength:
		n = max(n-w.r.IntN(10), 1)
	case flawed && w.flaw == zeroInFront:
		nibbles = 5 + w.r.IntN(2)
	}
	w.start(last, nibbles)
	w.put(uint(n-1), uint(4*nibbles))
}

func (w *stream) bytes(b []byte) {
	w.put(0, uint(-len(w.bits)&7))
	for _, v := range b {
		w.put(uint(v), 8)
	}
}

func (w *stream) random(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(w.r.Uint32())
	}
	return b
}

// commands writes a meta-block of commands that give n bytes, or more, or less.
func (w *stream) commands(last bool, n int) bool {
	before := *w
	w.bits = nil
	w.head()
	good, done := *w, false
	for tries := 0; len(w.out)-len(before.out) < n && tries < 50 && !done; tries++ {
		here, valid := *w, false
		if valid, done = w.command(); !valid {
			*w = here
		} else if len(w.out) > len(good.out) {
			good, tries = *w, 0
		}
	}
	*w = good
	w.bits = before.bits
	if len(w.out) == len(before.out) {
		return false
	}
	if w.length(last, len(w.out)-len(before.out)); !last {
		w.put(0, 1)
	}
	w.bits = append(w.bits, good.bits...)
	return true
}

// randomStream returns a body that may have a flaw, and what it gives.
func randomStream(r *rand.Rand, flaw int) (body, out []byte) {
	w := stream{r: r, flaw: flaw, last: []int{16, 15, 11, 4}}
	wide := 10 + r.IntN(15)
	switch {
	case wide < 16:
		w.put(1+uint(wide-8)<<4, 7)
	case wide == 16:
		w.put(0, 1)
	case wide == 17:
		w.put(1, 7)
	default:
		w.put(1+uint(wide-17)<<1, 4)
	}
	w.window = 1<<wide - 16
	for {
		last := r.IntN(4) == 0
		n := 1 + w.r.IntN(1<<w.r.IntN(12))
		switch r.IntN(6) {
		case 0: // metadata
			w.start(last, 7)
			wide := uint(r.IntN(3))
			skipped := []int{0, 1 + r.IntN(256), 257 + r.IntN(300)}[wide]
			if flaw == zeroInFront && wide > 0 {
				wide++
			}
			w.put(wide<<1, 3)
			w.put(uint(max(skipped-1, 0)), 8*wide)
			w.bytes(w.random(skipped))
		case 1: // stored bytes
			if last {
				w.put(3, 2)
				break
			}
			b := w.random(n)
			w.length(false, n)
			w.put(1, 1)
			w.bytes(b)
			w.out = append(w.out, b...)
		default:
			last = w.commands(last, n) && last
		}
		if last {
			return w.body(), w.out
		}
	}
}

// Streams that use what no compressor does give the library's bytes, and are refused where it refuses them,
// if they have a flaw, are damaged or cut.
func TestStreams(t *testing.T) {
	in := dtest.Edge(t, 1<<20) // touching a byte more than the body's is a fault
	var d Decoder
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 8))
		body, out := randomStream(r, none)
		if err := d.Decode(make([]byte, len(out)), body); err != nil {
			want, libraryErr := library(body)
			t.Fatalf("seed %d: %v, the library: %v, same: %v", seed, err, libraryErr, bytes.Equal(want, out))
		}
		check(t, &d, dtest.Fence(r, in, body, 0), r.IntN(100), r.IntN(len(out)+1))
		for flaw := range allFlaws {
			bad, _ := randomStream(r, flaw)
			check(t, &d, dtest.Fence(r, in, bad, 0), r.IntN(100), r.IntN(len(out)+1))
			check(t, &d, dtest.Fence(r, in, codectest.Damaged(r, body), 0), r.IntN(100), r.IntN(len(out)+1))
		}
	}
}
