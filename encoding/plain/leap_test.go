package plain

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	vbits "github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// Skip over many values of different lengths, of text, of bytes that look like
// lengths, and with a wrong length somewhere, against one length at a time.
func TestLeap(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 11))
		n, longest, kind := 500+r.IntN(3000), 1+r.IntN(80), r.IntN(4)
		var body []byte
		if r.IntN(5) == 0 {
			longest *= 8
			if r.IntN(2) == 0 { // a body that no cache holds
				body = encode.ByteArrays(body, [][]byte{make([]byte, cached)})
			}
		}
		for i := range n {
			if kind == 3 && i == n/2 {
				longest = 1 + r.IntN(200) // guesses go wrong
			}
			v := make([]byte, r.IntN(longest))
			for k := range v {
				switch kind {
				case 0, 3:
					v[k] = byte('a' + r.IntN(26))
				case 1:
					v[k] = byte(r.IntN(3)) // 0 0 0 is everywhere
				case 2:
					v[k] = byte(r.IntN(256))
				}
			}
			body = encode.ByteArrays(body, [][]byte{v})
		}
		if r.IntN(3) == 0 {
			body = body[:len(body)-r.IntN(min(len(body), 1<<18))]
		}
		if r.IntN(3) == 0 && len(body) > 0 {
			body[len(body)-1-r.IntN(min(len(body), 1<<18))] = byte(r.Uint32())
		}
		body = bytes.Clone(body)
		// Where values begin, as far as they are there.
		places := []int{0}
		for at := 0; len(body)-at >= 4 && len(places) <= n; {
			length := binary.LittleEndian.Uint32(body[at:])
			if uint64(length) > uint64(len(body)-at-4) {
				break
			}
			at += 4 + int(length)
			places = append(places, at)
		}
		testFarGather(t, r, body, n, places)
		testFarMatch(t, r, body, n, places)
		d := Strings{Cold: r.IntN(2) == 0}
		if err := d.Reset(body, n); err != nil {
			t.Fatal(err)
		}
		for done := 0; done < n; {
			some := 1 + r.IntN(n-done)
			err := d.Skip(some)
			done += some
			if (err == nil) != (done < len(places)) {
				t.Fatalf("seed %d: %d of %d values skipped: %v", seed, done, len(places)-1, err)
			}
			if err != nil {
				break
			}
			if d.at != places[done] {
				t.Fatalf("seed %d: value %d begins at %d, not %d", seed, done, places[done], d.at)
			}
		}
	}
}

// testFarGather gathers some of the values that begin at places.
func testFarGather(t *testing.T, r *rand.Rand, body []byte, n int, places []int) {
	t.Helper()
	d := Strings{Cold: r.IntN(2) == 0}
	if err := d.Reset(body, n); err != nil {
		t.Fatal(err)
	}
	first := r.IntN(min(len(places), 200))
	d.Skip(first)
	n -= first
	sel, dst := make([]uint64, n/64+1), make([]vbits.View, n)
	percent := []int{1, 20, 90}[r.IntN(3)]
	for i := range n {
		if r.IntN(100) < percent {
			vbits.Set(sel, i)
		}
	}
	got, err := d.Gather(dst, sel, n)
	if (err == nil) != (first+n < len(places)) {
		t.Fatalf("%d values from %d on, there are %d: %v", n, first, len(places)-1, err)
	}
	kept := 0
	for i := first; i+1 < len(places); i++ {
		if !vbits.Get(sel, i-first) {
			continue
		}
		if want := body[places[i]+4 : places[i+1]]; kept == got || !bytes.Equal(dst[kept].Bytes([][]byte{body}), want) {
			t.Fatalf("value %d of %d kept, number %d, is not %q", kept, got, i, want)
		}
		kept++
	}
	if kept != got {
		t.Fatalf("%d values, want %d", got, kept)
	}
}

// testFarMatch tests some of the values that begin at places.
func testFarMatch(t *testing.T, r *rand.Rand, body []byte, n int, places []int) {
	t.Helper()
	var part []byte
	if some := len(places) - 1; some > 0 {
		i := r.IntN(some)
		part = body[places[i]+4 : places[i+1]]
		part = part[:min(len(part), 1+r.IntN(6))]
	}
	for _, test := range []struct {
		match encoding.Match
		pass  func(b, part []byte) bool
	}{{encoding.Contains(part), bytes.Contains}, {encoding.HasPrefix(part), bytes.HasPrefix}, {encoding.HasSuffix(part), bytes.HasSuffix}} {
		d := Strings{Cold: r.IntN(2) == 0}
		if err := d.Reset(body, n); err != nil {
			t.Fatal(err)
		}
		for done := 0; done < n; {
			some := 1 + r.IntN(n-done)
			sel := make([]uint64, some/64+1)
			vbits.SetRange(sel, 0, some)
			if r.IntN(3) == 0 {
				vbits.ClearRange(sel, r.IntN(some), some)
			}
			was := slices.Clone(sel)
			err := d.Match(sel, some, &test.match)
			if (err == nil) != (done+some < len(places)) {
				t.Fatalf("%d values tested from %d on, there are %d: %v", some, done, len(places)-1, err)
			}
			if err != nil {
				break
			}
			for i := range some {
				b := body[places[done+i]+4 : places[done+i+1]]
				if got, want := vbits.Get(sel, i), vbits.Get(was, i) && test.pass(b, part); got != want {
					t.Fatalf("value %d, %q, with %q: %v", done+i, b, part, got)
				}
			}
			done += some
		}
	}
}

// Guesses must be right most of the time, else they cost more than they bring.
func TestLeapGoesFar(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("no leaps")
	}
	for _, c := range []struct{ longest, chains int }{{40, few}, {400, many}} {
		r := rand.New(rand.NewPCG(1, 12))
		var body []byte
		for range 10 * many * links {
			body = encode.ByteArrays(body, [][]byte{bytes.Repeat([]byte("x"), r.IntN(c.longest))})
		}
		total := 0
		for at := 0; total < 5*many*links; {
			end, n, good := leap(nil, body, at, c.longest/2+4, 6*many*links-total, c.chains)
			if !good || n < c.chains*links*3/4 {
				t.Fatalf("%d values from byte %d on", n, at)
			}
			at, total = end, total+n
		}
	}
}

// A body that changes once its lengths were followed: views have the lengths that were.
func TestViewsHaveTheLengthsThatWereChecked(t *testing.T) {
	var values [][]byte
	for i := range leapt + 100 {
		values = append(values, bytes.Repeat([]byte{'x'}, 3+i%20))
	}
	body := encode.ByteArrays(nil, values)
	var list [leapt + 1]int32
	_, n, _ := leap(list[:], body, 0, len(body)/len(values), leapt, few)
	if n < leapt/2 && strconv.IntSize == 64 {
		t.Fatalf("%d values", n)
	}
	places, views := make([]uint32, n), make([]vbits.View, n)
	for i := range places {
		places[i] = uint32(i)
	}
	for i, length := range []byte{0xf0, 0xff, 0x7f, 0} {
		changed := bytes.Clone(body)
		for _, at := range list[:n] {
			changed[at+int32(i)] = length
		}
		viewsAt(views, places, 0, list[:n+1], changed, 0)
		for k, v := range views {
			if got := v.Bytes([][]byte{changed}); !bytes.Equal(got, values[k]) {
				t.Fatalf("value %d is %q, want %q", k, got, values[k])
			}
		}
	}
}
