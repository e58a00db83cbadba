// Package bloom is the split-block Bloom filter of the format, and the filter of
// words in memory that stands for a host's join keys.
//
// A filter is a row of blocks of 32 bytes, eight little-endian words each. A
// value's 64-bit hash picks the block with its upper half and one bit in each
// of the block's words with its lower half:
//
//	hash    | upper 32 bits       | lower 32 bits x                  |
//	          × blocks, >> 32       (x × salt[0]) >> 27   bit of word 0
//	          = index of the block  (x × salt[1]) >> 27   bit of word 1
//	                                …
//
// So a look-up needs one block, never the whole filter: BlockIndex tells which
// 32 bytes to fetch, Contains judges them. Any number of blocks will do, a
// power of two or not.
//
// The hash is that of the value's PLAIN encoding without a length prefix.
// Values with more than one encoding cannot be looked up by hash; which those
// are is AppendHashes' to know.
//
// Words is another filter, for asking in memory about many values in a row:
// that of keys which a host publishes.
//
// What never comes here: the filter's header in a file (thrift, pageindex),
// I/O, which columns to probe and when to rest a filter.
package bloom
