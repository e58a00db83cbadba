// Package zstd decodes frames of Zstandard (RFC 8878). Frames and output are whole in
// memory, as pages are: matches reach back in the output itself, there is no window.
//
// # The bytes of a frame
//
// A header (parseHeader), blocks, and 4 bytes of xxHash64 if the header says so. Three
// bytes start a block: bit 0 says whether it is the last, bits 1 and 2 are its kind, and
// the others are its length:
//
//	0  bytes as they are
//	1  one byte, repeated as often as the length says
//	2  literals, then sequences
//
// Literals are raw, one repeated byte, or in a Huffman code, in one stream or four. A
// sequence copies some literals, then repeats bytes from an offset back; the literals that
// are left end the block. Offsets are stored with 3 added: 1 to 3 stand for the last three
// offsets. Lengths and offsets consist of a code, from a table with states, and extra
// bits. All streams of bits are read from their end, below the highest bit that is set.
//
//	3d 00 00   the last block, of literals and sequences, 7 bytes
//	00         0 literals, raw
//	01 54      one sequence; each table is one symbol
//	00 02 05   0 literals; an offset of 4 and 2 bits more; 8 bytes
//	06         110: below the highest bit 10, so offset 4+2-3
//
// After "abc", this gives "abcabcab".
//
// # How it is decoded
//
// Most sequences run in a kernel, one of two in assembly for amd64. A kernel stops at rare
// sequences (many bits, near a bound, the last one) and invalid ones; next runs any one
// sequence and checks everything. If the kernel has already read the sequence, the cursor
// holds it for next. Kernels decode four streams of literals side by side. Elsewhere
// (HasKernels is false) next runs all sequences, and package codec decodes whole bodies by
// klauspost/compress.
//
// # Verdicts
//
// The package accepts and refuses the same bodies as klauspost/compress, with three
// exceptions: bytes after the last frame, and bits after the last sequence, are errors; it
// reads a table in the last three bytes of a block; it refuses dictionaries, by an error
// of its own kind.
//
// What never comes here: compression, dictionaries, streams, memory for output.
package zstd
