// Package inflate decodes GZIP (RFC 1952), which is DEFLATE (RFC 1951) in members. Body
// and output are whole in memory, as pages are: matches reach back in the output itself,
// and nothing is read or written piece by piece.
//
// # The bytes of a member
//
//	1f 8b 08   DEFLATE in GZIP
//	1 byte     flags: which of the optional fields follow
//	6 bytes    time, compression, operating system: ignored
//	           FEXTRA: 2 bytes of length, then as many bytes. FNAME, FCOMMENT: up to a
//	           zero byte. FHCRC: the low 2 bytes of a CRC32 of all these
//	           blocks
//	8 bytes    CRC32 and length (mod 2^32) of the output, little-endian
//
// A body is any number of members; its output is the outputs of these, one after another.
//
// # The bits of a block
//
// Bits are taken from each byte lowest first. The first bit of a block says whether it
// is the last, the next two what it is:
//
//	0  stored: up to the next byte nothing, 2 bytes of length, the same inverted, the bytes
//	1  symbols in the fixed code
//	2  the lengths of two codes, themselves in a code, then symbols in these
//
// A symbol of the first code is a byte (0 to 255), the end of the block (256), or a
// length (257 to 285). After a length comes a symbol of the second code, a distance.
// Extra bits may follow both, and are added. The decoder then repeats length bytes from
// distance bytes back; if the length is above the distance, also bytes that it has just
// written. Codes are read from their highest bit on, everything else from its lowest.
//
//	4b 4c 4a 86 21 00     as bits, in the order in which they are read:
//	1 10                  the last block, fixed code
//	10010001              0x91 - 0x30: "a"
//	10010010 10010011     "b", "c"
//	0000110 00010         symbol 262, a length of 8; symbol 2, a distance of 3
//	0000000               the end
//
// gives "abcabcabcab".
//
// # How it is decoded
//
// The next 11 bits are looked up in a table. An entry stands for a byte, two bytes, a
// length, or a byte and a length, as many as these bits hold: each look-up waits for the
// one before, and whether it gives a length cannot be predicted. Longer codes take a second
// look-up. A block that gives few bytes in codes of its own does without entries of two symbols,
// whose making would take longer than it saves. The bits are in a register that a load fills to at least 56, which is enough for
// a round of fast: up to three look-ups, then a length; before its distance, fast loads more
// if necessary.
//
// fast does not check bounds; it needs room after the bytes that it reads and writes.
// slow decodes the rest, one symbol at a time, and checks everything.
//
// # Verdicts
//
// The package accepts and refuses the same bodies as klauspost/compress, with two
// exceptions: it skips names and comments of 512 bytes and more, which RFC 1952 allows; and
// a member that ends within its name or comment is an error, as in compress/gzip, where
// the library takes it for the end of the body.
//
// What never comes here: compression, zlib's framing, streams, memory for output.
package inflate
