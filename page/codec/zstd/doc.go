// Package zstd decodes frames of Zstandard (RFC 8878) that are whole in memory,
// as pages are: matches reach back in the output itself, there is no window.
//
// # The bytes of a frame
//
// A header (parseHeader), blocks, and 4 bytes of xxHash64 if the header says so.
// Three bytes start a block: bit 0 says whether it is the last, bits 1 and 2
// what it is, and the others how long:
//
//	0  bytes as they are
//	1  one byte, repeated as often as the length says
//	2  literals, then sequences
//
// Literals are raw, one byte, or in a Huffman code, in one stream or four. A
// sequence takes some literals, then repeats bytes from an offset before; what
// is left of the literals is the end of the block. Offsets are stored with 3
// added: 1 to 3 stand for the last ones. Lengths and offsets have a code, of a
// table with states, and some bits more. All streams of bits are read from their
// end, below the highest bit that is set.
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
// Most sequences run in a kernel: fastGo, or on amd64 one of two in assembly.
// It leaves alone what is rare (many bits, bounds that are near, the last
// sequence) and what is wrong; next runs any one sequence and checks everything.
// What a kernel has read before it found that out is held for next.
// Four streams of literals are decoded side by side.
//
// # Verdicts
//
// What klauspost/compress refuses is refused, and what it takes is taken, but:
// bytes after the last frame, and after the last bit of sequences, are
// errors here; a table in the last three bytes of a block is read here;
// dictionaries are not supported, which is an error of its own kind.
//
// What never comes here: compression, dictionaries, streams, memory for output.
package zstd
