// Package rle decodes the hybrid of run lengths and bit packing that holds
// levels, dictionary codes and booleans, and the deprecated BIT_PACKED levels.
//
// A stream is a row of runs. Its bit width is not in it: it follows from the
// maximum level, is 1 for booleans, and of dictionary codes it is the byte in
// front. (Length prefixes are package page's; none reaches this package.)
//
//	run       header, ULEB128   then
//	repeated  length << 1       the value, in as few whole bytes as hold the width
//	packed    groups << 1 | 1   groups of 8 values, width bytes each, as in package bitpack
//
// Width 1, first a packed run, then a repeated one:
//
//	byte    0   1  2     3   4
//	        05  eb 02    10  01
//	        │   │        │   └ the value 1
//	        │   │        └ 8 << 1: 8 times
//	        │   └ 1 1 0 1 0 1 1 1  0 1 0 0 0 0 0 0
//	        └ 2 << 1 | 1: 2 groups
//
// Width 3, dictionary codes, the bit width in front:
//
//	byte    0   1   2  3  4     5   6
//	        03  03  88 c6 fa    14  05
//	        │   │   │           │   └ the code 5
//	        │   │   │           └ 10 << 1: 10 times
//	        │   │   └ 0 1 2 3 4 5 6 7
//	        │   └ 1 << 1 | 1: 1 group
//	        └ the width
//
// # What is legal
//
// A last run may go on after the last value of the page, and a last packed
// run may lack the bytes that hold no value of the page. The width may be
// wider than any value needs, or 0. A run of no values, a run longer than
// 2^31-1, a header of more than 32 bits, a repeated value with bits above the
// width, and the end of the bytes before the end of the values are errors.
// So is a code at or above the limit that Reset was given, wherever one is
// handed out or tested; codes that are stepped over are not looked at.
//
// # Types
//
// Codes decodes numbers: to []uint32, through a dictionary (Lookup), or tested
// against a mask. Levels decodes levels, to bytes or straight to bitmaps, from
// either encoding. Bools decodes booleans, to bitmaps.
//
// What never comes here: length prefixes, the meaning of levels, nulls, the
// contents of dictionaries.
package rle
