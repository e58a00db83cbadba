// Package codec decompresses page bodies.
//
// A Set is a value: it holds the codecs of the format, those that its maker
// added or replaced, and decoders at rest, which it lends to one call at a
// time. Two scans with two Sets share nothing.
//
//	number  name          decoder                 DecodePrefix stops early  steady state allocates
//	0       UNCOMPRESSED  (a copy)                yes                       no
//	1       SNAPPY        page/codec/snappy       yes                       no
//	2       GZIP          page/codec/inflate      yes                       no
//	3       LZO           none: refused by name
//	4       BROTLI        andybalholm/brotli      yes                       a few small context maps a meta-block
//	5       LZ4           pierrec/lz4             no, decodes all           no; LZ4 frames a little
//	6       ZSTD          page/codec/zstd         yes                       no
//	7       LZ4_RAW       pierrec/lz4             up to a third, our own    no
//
// # Hostile sizes
//
// The size that a page header declares is a claim. Memory for it is made when
// the input justifies it:
//
//	SNAPPY    one byte becomes at most 22: a greater claim is refused unread
//	LZ4       one byte becomes at most 255; the exact size is counted from the
//	          sequence headers before a buffer is made
//	GZIP      one byte becomes at most 1032; as ZSTD beyond 16 times the input
//	BROTLI    the buffer doubles as it fills
//	ZSTD      a block becomes at most 128 KiB: a greater claim is refused from
//	          the block headers alone; beyond 16 times the input, a buffer is
//	          made when an eighth of it was really produced
//
// A decoder's own memory is bounded too: ZSTD needs no window beside the bytes
// that were asked for, whatever the frame says; BROTLI has at most 16 MiB of
// window, LZ4 frames at most two blocks of 4 MiB, GZIP 48 KiB of tables. On arm64 whole
// bodies of ZSTD are left to klauspost/compress, which has assembly for it.
//
// A body that turns out longer or shorter than its declared size is an error,
// never a shorter page. DecodePrefix cannot see that of a body whose end it
// does not reach; there it promises right bytes, not a right body.
//
// # The three framings of LZ4
//
// Number 5 was written in three ways, and nothing in the file says which. Here
// are four bytes "abcd" as one block of literals, 40 61 62 63 64, in each:
//
//	Hadoop  00 00 00 04  00 00 00 05  40 61 62 63 64      any number of such blocks
//	        ^ big-endian size of      ^ the block
//	        the block, out and in
//	raw     40 61 62 63 64                                as LZ4_RAW
//	frame   04 22 4d 18 …                                 as the lz4 tool
//
// Hadoop's sizes must add up to the body's length and to the declared size;
// what passes that, and decodes, is Hadoop's. The magic number is tried next, then raw.
//
// What never comes here: compression, page headers, levels and values, a
// registry that the process shares.
package codec
