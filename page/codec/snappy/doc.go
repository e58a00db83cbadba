// Package snappy decodes blocks of Snappy, which is what Parquet stores: no
// framing, no checksums.
//
// # The bytes of a block
//
// The length of the output as a varint of up to 32 bits, then tags. The low two
// bits of a tag say which kind it is:
//
//	bits 0-1  kind                 the rest of the tag           after it
//	00        literal              length-1, if that is below 60 the bytes
//	                               60 to 63: 1 to 4 bytes follow length-1, little-endian; the bytes
//	01        copy, near           bits 2-4: length-4            1 byte: the offset's low 8 bits
//	                               bits 5-7: offset bits 8-10
//	10        copy                 length-1                      2 bytes of offset, little-endian
//	11        copy, far            length-1                      4 bytes of offset, little-endian
//
// A copy repeats length bytes from offset bytes before the end of the output so far. If
// the length is above the offset, it also repeats bytes that it has just written:
//
//	08 61 62 63  08>>2 = 2: a literal of 3 bytes, "abc"
//	11 03        kind 01, 0x11>>2&7 = 4: a copy of 8 bytes, from 3 before the end: "abcabcab"
//
// With 0b, for 11 bytes of output, in front, these tags are a block.
//
// # How it is decoded
//
// Most of a block goes through a loop without bounds checks, which moves too many bytes;
// the next tag overwrites them. It needs room after the bytes that it reads and writes. The
// rest, and every rare or invalid tag, goes to a loop that checks everything. On amd64 there
// are three fast loops, in assembly:
//
//	far    decodes tag after tag; its time goes to mispredicting which tags are literals
//	near   for stretches where most copies are of the last few bytes, as in sorted numbers:
//	       those bytes stay in a register, since memory that was just written is slow to read
//	wide   for all others, with AVX-512: finds the tags in 128 bytes of input without a branch,
//	       up to 64 of them, lists the moves, and then executes them
//
// The first tags of each stretch decide which one.
//
// What never comes here: compression, framings, checksums, memory of its own.
package snappy
