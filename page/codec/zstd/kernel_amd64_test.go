//go:build !purego

package zstd

import (
	"math/rand/v2"
	"testing"
)

// kernels are those that pick may return, and each of its loops alone.
func kernels() []way {
	if k := pick(); HasKernels() {
		all := []way{careful(), k}
		for name, isMixed := range map[string]bool{"steady": false, "mixed": true} {
			loop := func(c *cursor, b *bounds, tables *[3][mostStates]state, dst, src []byte, at int, lits []byte) {
				b.mixed = isMixed
				fast(c, b, tables, dst, src, at, lits)
			}
			all = append(all, way{name, loop, k.literals})
		}
		return all
	}
	return []way{careful()}
}

// A table of pairs against the table that it is of, looked into twice.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	var p pairs
	l := &NewDecoder().lit
	for made := 0; made < 500; {
		n := 2 + r.IntN(60)
		for i := range n {
			l.weights[i] = byte(r.IntN(6))
		}
		if l.fillTable(n) != nil || !p.make(&l.table, l.log, 1<<20) {
			continue
		}
		made++
		for i := range 1 << (2 * l.log) {
			first := l.table[i>>l.log]
			second := l.table[i<<(first&255)>>l.log&(1<<l.log-1)]
			symbols, width := uint16(p.symbols[i/4]>>(i%4*16)), byte(p.widths[i/8]>>(i%8*8))
			if symbols != first>>8|second&^255 || width != byte(first)+byte(second) {
				t.Fatalf("log %d, entry %d: symbols %x and width %d, want those of %x and %x", l.log, i, symbols, width, first, second)
			}
		}
	}
	var table [1 << mostBits]uint16
	for _, c := range []struct{ log, literals int }{{2, 1 << 17}, {7, 1 << 17}, {11, 1 << 17}, {6, 1<<13 - 1}, {3, 127}} {
		if p.make(&table, c.log, c.literals) {
			t.Errorf("pairs of %d literals of log %d", c.literals, c.log)
		}
	}
}
