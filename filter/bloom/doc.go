// Package bloom has the split-block Bloom filter of the Parquet format (Filter), and
// an in-memory Bloom filter for a host's join keys (Words).
//
// A Filter is an array of blocks of 32 bytes, eight little-endian words each. A
// value's 64-bit hash picks the block with its upper half and one bit in each
// of the block's words with its lower half:
//
//	hash    | upper 32 bits       | lower 32 bits x                  |
//	          × blocks, >> 32       (x × salt[0]) >> 27   bit of word 0
//	          = index of the block  (x × salt[1]) >> 27   bit of word 1
//	                                …
//
// So a look-up reads one block, never the whole filter: BlockIndex returns which
// block to fetch, and Contains tests it. The number of blocks need not be a power
// of two.
//
// The hash is that of the value's PLAIN encoding without a length prefix.
// AppendHashes computes it, and rejects values with several encodings, which cannot
// be looked up.
//
// Words tests batches of values in memory, against the keys that a host publishes.
//
// What never comes here: the filter's header in a file (thrift, pageindex),
// I/O, which columns to probe and when to rest a filter.
package bloom
