// Package brotli decodes BROTLI (RFC 7932). Body and output are whole in memory, as pages
// are: copies reach back in the output itself, and there is no ring of bytes.
//
// A body is the size of its window, then meta-blocks. A meta-block is metadata, stored bytes,
// or commands: each inserts literals, then copies from a distance. A distance in front of all
// bytes names a word of the dictionary and what to do to it. Literals, commands and distances
// are split into blocks of types; the type, and for literals and distances the context (the
// two bytes before, the length of the copy), pick the code.
//
// The next 9 bits are looked up in a table of the code; longer codes take a second look-up. The
// bits are in a register that a load fills to at least 56. After the end of the input, bits are
// zeros, and the next command notices that more bits were taken than there are.
//
// The package accepts and refuses the same bodies as andybalholm/brotli, but refuses bytes after
// the last meta-block wherever they are.
//
// What a head costs is bounded by its length: symbols that have no code take no time, and maps that take
// no bits are filled, not read. BenchmarkHeads measures the dearest ones, and that of blocks of one literal. A
// Decoder has 55 KB, and the tables of a meta-block: at most 774 codes, of which each takes 1 to 3 KB. It keeps
// up to 128 KB of them while it is idle.
//
// dictionary.bin and the transforms are the data of RFC 7932, appendices A and B, as they are in
// andybalholm/brotli (Copyright 2009, 2010, 2013-2016 by the Brotli Authors, MIT License).
//
// What never comes here: compression, streams, memory for output.
package brotli
