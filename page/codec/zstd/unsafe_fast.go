package zstd

import "unsafe"

// repeatEntries sets entries of a table from number at on, n for each symbol, where n is a
// power of two that divides at. It returns the number of the next entry.
func repeatEntries(table *[1 << mostBits]uint16, at, n uint, width uint16, symbols []byte) uint {
	for _, s := range symbols {
		e := width | uint16(s)<<8
		end := at + n
		if n < 4 {
			for ; at < end; at++ {
				table[at%(1<<mostBits)] = e
			}
			continue
		}
		for ; at < end; at += 4 {
			*(*uint64)(unsafe.Pointer(&table[at%(1<<mostBits)])) = uint64(e) * 0x0001000100010001
		}
	}
	return at
}
