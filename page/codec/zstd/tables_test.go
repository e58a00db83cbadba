package zstd

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// naiveStates builds a table as the format's text has it: states of symbols
// with -1 at the end, those of others dealt out one by one; k states of
// a symbol share the table, in ranges of which as few as can be are twice as
// wide, and those come first but lie last.
func naiveStates(c *counts, code *[256]state) []state {
	size := 1 << c.log
	at := make([]int, size) // symbol of each state
	used := make([]bool, size)
	end := size
	for s, k := range c.of[:c.n] {
		if k == -1 {
			end--
			at[end], used[end] = s, true
		}
	}
	pos := 0
	for s, k := range c.of[:c.n] {
		for range k {
			for used[pos] {
				pos = (pos + size/2 + size/8 + 3) % size
			}
			at[pos], used[pos] = s, true
		}
	}
	out := make([]state, size)
	for s, k := range c.of[:c.n] {
		states := max(int(k), -int(k))
		if states == 0 {
			continue
		}
		shares, width := 1, c.log // ranges, were all equal, and bits of each
		for shares < states {
			shares, width = shares*2, width-1
		}
		wide := shares - states
		base, seen := (states-wide)<<width, 0
		for i := range size {
			if at[i] != s {
				continue
			}
			w := width
			if seen < wide {
				w++
			} else if seen == wide {
				base = 0
			}
			out[i] = code[s] | state(w)<<8 | state(base)<<32
			out[i] += state(w) << 16
			base += 1 << w
			seen++
		}
	}
	return out
}

// randomCounts fills a table of 2^log states, some symbols rare, most absent or one taking nearly all.
func randomCounts(r *rand.Rand, log int) *counts {
	c := &counts{log: log}
	left := 1 << log
	for rare := r.IntN(3) * r.IntN(20); left > 0; c.n++ {
		k := 0
		switch {
		case c.n == 255:
			k = left
		case rare > 0 && r.IntN(3) == 0:
			k, rare = -1, rare-1
		case r.IntN(4) > 0:
			k = 1 + r.IntN(left)>>r.IntN(6)
		}
		c.of[c.n] = int16(k)
		left -= max(k, -k)
	}
	return c
}

func TestTablesOfStates(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	d := NewDecoder()
	check := func(c *counts, code *[256]state) {
		t.Helper()
		var table [mostStates]state
		c.build(&table, code)
		if want := naiveStates(c, code); !slices.Equal(table[:1<<c.log], want) {
			t.Fatalf("2^%d states of %v: %x, want %x", c.log, c.of[:c.n], table[:1<<c.log], want)
		}
	}
	for range 3000 {
		check(randomCounts(r, leastLog+r.IntN(mostLog-leastLog+1)), &d.lit.codes)
	}
	for i := range 3 {
		c := usual(i)
		if want := naiveStates(&c, &d.seq.codes[i]); d.seq.usual[i].log != c.log || !slices.Equal(d.seq.usual[i].states[:1<<c.log], want) {
			t.Fatalf("the usual table %d is another", i)
		}
	}
}

// The table of literals, from weights as four bits each, against one that is
// made entry by entry.
func TestTableOfLiterals(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	l := &NewDecoder().lit
	good := 0
	for range 20000 {
		n := 1 + r.IntN(128)
		weights := make([]byte, n+1)
		most := 1 + r.IntN(mostBits+r.IntN(2))
		left := 1 << most
		for i := range n {
			w := r.IntN(min(most, 15) + 1)
			if r.IntN(2) == 0 {
				w = r.IntN(3)
			}
			if r.IntN(200) > 0 && 1<<w>>1 >= left {
				w = 0
			}
			weights[i], left = byte(w), left-1<<w>>1
		}
		b := []byte{byte(127 + n)}
		for i := 0; i < n; i += 2 {
			b = append(b, weights[i]<<4|weights[i+1])
		}
		sum, longest := 0, 0
		for _, w := range weights[:n] {
			sum += 1 << w >> 1
			longest += b2i(w == 1)
		}
		log := 1
		for 1<<log <= sum {
			log++
		}
		last := 1
		for 1<<last>>1 < 1<<log-sum {
			last++
		}
		weights[n] = byte(last)
		longest += b2i(last == 1)
		ok := sum > 0 && log <= mostBits && 1<<last>>1 == 1<<log-sum && longest >= 2 && longest%2 == 0
		used, err := l.readTable(append(b, 0))
		if (err == nil) != ok || ok && used != len(b) {
			t.Fatalf("weights %v: %d bytes of %d, %v", weights, used, len(b), err)
		}
		if !ok {
			continue
		}
		good++
		var want []uint16
		for w := 1; w <= log; w++ {
			for s, v := range weights {
				if int(v) == w {
					for range 1 << w >> 1 {
						want = append(want, uint16(s)<<8|uint16(log+1-w))
					}
				}
			}
		}
		l.weights[r.IntN(n)] = byte(16 + r.IntN(240))
		if l.fillTable(n) == nil {
			t.Fatalf("weights %v", l.weights[:n])
		}
		if l.log != log || !slices.Equal(l.table[:1<<log], want) {
			t.Fatalf("weights %v: another table", weights)
		}
	}
	if good < 1000 {
		t.Fatalf("%d tables only", good)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
