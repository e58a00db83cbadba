//go:build !purego

package zstd

import "unsafe"

// pairs is a table of the code in which one index stands for two literals, of up to half of
// mostPairBits each: their symbols, and how many bits they take.
type pairs struct {
	symbols [1 << mostPairBits / 4]uint64 // 16 bits each
	widths  [1 << mostPairBits / 8]uint64 // 8 bits each
	seconds
}

// seconds are the entries of the second literals that may follow a first one, each several
// times, and room for entries that are written too many.
type seconds struct {
	symbols [1<<mostPairBits/2 + 4]uint16
	widths  [1<<mostPairBits/2 + 4]uint8
}

const (
	leastPairLog = 3
	mostPairBits = 12
)

// make makes the table for a code if that pays off, and reports whether it did.
//
// A symbol of width w has 2^(log-w) entries of the code's table, and that many times as
// many in this one. Symbols of one width are side by side, and have the same seconds.
func (p *pairs) make(code *[1 << mostBits]uint16, log, literals int) bool {
	if log < leastPairLog || 2*log > mostPairBits || literals < 2<<(2*log) {
		return false
	}
	table, had := code[:1<<log], 0
	for i := 0; i < len(table); {
		first := table[i]
		times := 1 << (log - int(first&7))
		if times != had {
			p.repeat(table, times)
			had = times
		}
		at, n := i<<log, times<<log
		symbols, seconds := p.symbols[at/4:][:n/4], eights(&p.seconds.symbols[0], n/4)
		for k, v := range seconds {
			symbols[k] = v | uint64(first>>8)*0x0001000100010001
		}
		widths, more := p.widths[at/8:][:n/8], eights(&p.seconds.widths[0], n/8)
		for k, v := range more {
			widths[k] = v + uint64(first&7)*0x0101010101010101
		}
		i += times
	}
	return true
}

func eights[T any](p *T, n int) []uint64 { return unsafe.Slice((*uint64)(unsafe.Pointer(p)), n) }

// repeat makes seconds of a table, each entry times times.
func (s *seconds) repeat(table []uint16, times int) {
	at := 0
	for _, e := range table {
		end := at + times
		for ; at < end; at += 4 { // the next one overwrites entries that are too many
			*(*uint64)(unsafe.Pointer((*[4]uint16)(s.symbols[at:]))) = uint64(e&^255) * 0x0001000100010001
			*(*uint32)(unsafe.Pointer((*[4]uint8)(s.widths[at:]))) = uint32(e&255) * 0x01010101
		}
		at = end
	}
}
