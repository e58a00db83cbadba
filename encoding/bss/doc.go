// Package bss decodes BYTE_STREAM_SPLIT: the first bytes of all values, then
// all second bytes, and so on, little endian. Three values of four bytes:
//
//	value 0       value 1       value 2
//	aa bb cc dd   00 11 22 33   a3 b4 c5 d6
//
//	aa 00 a3 | bb 11 b4 | cc 22 c5 | dd 33 d6
//	stream 0   stream 1   stream 2   stream 3
//
// Nothing but the size of the body says how many values there are, so a body
// must divide into streams, and it must not hold more values than its page.
//
// Values are put together eight at a time. A word of each stream, eight of
// them below each other, is a square of bytes; swapping bytes, then pairs, then
// fours across the diagonal mirrors it, and each word is a value. On amd64
// AVX2 does the same with 32 values.
//
// What never comes here: what the bytes mean beyond their physical type.
package bss
