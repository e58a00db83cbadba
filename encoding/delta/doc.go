// Package delta decodes the three delta encodings.
//
// # DELTA_BINARY_PACKED
//
// The first value, then blocks of differences above the least difference of
// their block, packed per miniblock with as many bits as it needs. The numbers
// 7 5 3 1 2 3 4 5 (differences −2 −2 −2 1 1 1 1, least −2) are, with blocks of
// 8 values in 1 miniblock as only an example may have:
//
//	08     01     08      0e         03       02      c0 3f
//	block  minis  values  first: 7   least:−2 2 bits  0 0 0 3 | 3 3 3 and padding
//	                      zigzag     zigzag
//
// All differences of the last block are written, padding included, except miniblocks
// without a value: these have only a width, which may be anything. Sums wrap around.
// Widths go up to 64, for INT32 too: some writers subtract in 64 bits, and the low 32
// bits of the sum are right.
//
// Skip adds differences without storing sums; where the width is 0, it multiplies.
// Range first bounds the values of each block or miniblock, and decodes only those that
// the bounds do not settle. Where a kernel decodes and compares many blocks at once, it
// does not: the kernel is faster than the bounds.
//
// # DELTA_LENGTH_BYTE_ARRAY
//
// All lengths, then all bytes. "Hello", "World", "Foobar", "ABCDEF":
//
//	08 01 04 0a 00 01 02    lengths 5 5 6 6
//	HelloWorldFoobarABCDEF
//
// Reset walks over the widths of the lengths to find where the bytes begin.
//
// # DELTA_BYTE_ARRAY
//
// What each value shares with the one before, in two parts: lengths of
// prefixes, and the rest in DELTA_LENGTH_BYTE_ARRAY. "axis", "axle", "babble",
// "babyhood":
//
//	08 01 04 00 03 03 44 01 00    prefixes 0 2 0 3
//	08 01 04 08 03 03 70 00 00    suffixes 4 2 6 5
//	axislebabbleyhood
//
// A value is made from the one before, which the decoder therefore keeps, and nothing
// can be skipped without making it. The kept value is never longer than the page; all
// values together can be, by far. Match tests values without making most of them.
//
// What never comes here: the type's meaning, pages, reading ahead of what was
// asked for.
package delta
