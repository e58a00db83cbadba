// Package lz4 decodes blocks of LZ4, which is what Parquet stores as LZ4_RAW: no framing, no
// checksums, no length of the output.
//
// # The bytes of a block
//
// Sequences of literals and a match. The last one has no match, and ends with its literals:
//
//	token      more literals    literals   offset   more match
//	LLLL MMMM  FF … FF 00       …          2 bytes  FF … FF 00
//
// LLLL is the number of literals, MMMM the length of the match less 4. A length whose four bits are all
// set continues in further bytes, which are added to it, up to one below FF. A match repeats as many
// bytes from offset bytes before the end of the output so far. If it is longer than the offset, it also
// repeats bytes that it has just written:
//
//	34 61 62 63 03 00  LLLL = 3: "abc"; MMMM = 4: a match of 8 bytes, from 3 before the end: "abcabcab"
//	10 64              LLLL = 1: "d", the last byte
//
// # How it is decoded
//
// Most of a block goes through a loop without bounds checks, which moves 16 literals and 18 bytes of a
// match at a time; the next sequence overwrites those that are too many. It needs room after the bytes
// that it reads and writes. The rest, and every rare or invalid sequence, goes to a loop that checks
// everything.
//
// In sorted numbers most matches are of the 8 bytes before, which were just written, and such memory is
// slow to read. There another loop, which has those bytes in a register, takes half the time. A few
// sequences of each stretch decide which one.
//
// What never comes here: compression, framings, checksums, memory of its own.
package lz4
