// Package codec decompresses page bodies.
//
// A Set holds the codecs of the format, the codecs of Options.More, and a pool of
// idle decoders. Two scans with two Sets share nothing.
//
//	number  name          decoder                 DecodePrefix stops early  steady state allocates
//	0       UNCOMPRESSED  (a copy)                yes                       no
//	1       SNAPPY        page/codec/snappy       yes                       no
//	2       GZIP          page/codec/inflate      yes                       no
//	3       LZO           none: refused by name
//	4       BROTLI        page/codec/brotli       yes                       no
//	5       LZ4           page/codec/lz4          yes                       no; LZ4 frames a little
//	6       ZSTD          page/codec/zstd         yes                       no
//	7       LZ4_RAW       page/codec/lz4          yes                       no
//
// # Hostile sizes
//
// The size that a page header declares is a claim. Memory for it is allocated
// only if the input justifies it:
//
//	SNAPPY    one byte becomes at most 22: a greater claim is an error at once
//	LZ4       one byte becomes at most 255; as ZSTD beyond 16 times the input
//	GZIP      one byte becomes at most 1032; as ZSTD beyond 16 times the input
//	BROTLI    beyond 16 times the input, as ZSTD
//	ZSTD      a block becomes at most 128 KiB: the block headers bound the claim;
//	          beyond 16 times the input, an eighth of the claim is decoded before
//	          the whole buffer is allocated
//
// A decoder's own memory is bounded, too: ZSTD needs no window but the decoded
// bytes, whatever the frame says; LZ4 frames have at most two blocks of 4 MiB,
// GZIP 48 KiB of tables, BROTLI 54 KiB and at most some 2 MiB of tables, of which an idle
// decoder keeps 128 KiB.
//
// # Libraries
//
// SNAPPY and ZSTD have kernels for amd64. On other machines, and with the tag purego,
// klauspost/compress decodes whole bodies of ZSTD. Package zstd then decodes prefixes of
// up to a fifth, without kernels, and bodies that the library refuses: errors are the same
// everywhere.
//
// pierrec/lz4 decodes LZ4 in frames.
//
// Libraries returns golang/snappy, klauspost/compress, andybalholm/brotli and pierrec/lz4 for
// the codecs that a Set decodes by code of this module, as a second opinion: scan verify
// decodes bodies twice. LZ4 in its older framings is decoded once.
//
// A body that is longer or shorter than its declared size is an error, never a
// shorter page. DecodePrefix does not detect it in a body whose end it does not
// reach: its bytes are right, but the body after them may be bad.
//
// # The three framings of LZ4
//
// Writers use three framings with number 5, and the file does not say which. Here
// are four bytes "abcd" as one block of literals, 40 61 62 63 64, in each:
//
//	Hadoop  00 00 00 04  00 00 00 05  40 61 62 63 64      any number of such blocks
//	        ^ big-endian size of      ^ the block
//	        the block, out and in
//	raw     40 61 62 63 64                                as LZ4_RAW
//	frame   04 22 4d 18 …                                 as the lz4 tool
//
// A body is Hadoop's if its sizes add up to the body's length and to the declared
// size, and it decodes. Else it is a frame if it begins with the magic number and
// decodes, else raw.
//
// What never comes here: compression, page headers, levels and values, a
// registry that the process shares.
package codec
