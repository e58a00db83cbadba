// Command asm writes the AVX2 kernels of encoding/bitpack with avo, and some of AVX-512.
//
// All kernels are one loop each, whatever the width: what differs between
// widths are shuffles, shifts and strides, and those are tables.
//
// Unpacking to 32 bits takes 8 values, w bytes, at a time. Each half of a YMM
// register gets the 16 bytes in which its 4 values lie, a byte shuffle moves to
// each lane the 4 bytes that hold its value, a shift by lane and a mask finish:
//
//	width 5     byte 0        1        2        3        4
//	            11100000 22222111 43333322 55444445 …       (value that a bit belongs to, MSB left)
//	shuffled    lane 0: bytes 0-3, lane 1: 0-3, lane 2: 1-4, lane 3: 1-4 | lane 4: 2-5, …
//	shifted     by 0, 5, 2, 7 | 4, 1, 6, 3
//
// Where shift and width are more than 32 bits (widths 27, 29, 30, 31), Go unpacks. To 64
// bits it is the same with two registers of 4 values; to 8 bits the lanes have 16
// bits, where AVX2 has no shift by lane: a multiplication moves each value to
// the top of its lane, and one shift back down clears what was around it.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	unpack32()
	unpack64()
	unpack8()
	testNibbles()
	testBytes()
	testTables(9)
	testTables(10) // wider ones are no faster than testWide
	for width := 9; width <= 13; width++ {
		testPermuted(width) // more tables take longer than to look up one by one
	}
	testRange()
	testWide()
	test16Bits()
	testUnpacked()
	largest()
	pick()
	Generate()
}
