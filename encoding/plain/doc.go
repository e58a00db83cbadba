// Package plain decodes PLAIN: values back to back, little endian.
//
//	BOOLEAN                 one bit a value, the first in the least significant bit
//	    true false true true false false false false | true
//	    0d                                             01
//
//	INT32, FLOAT            4 bytes                       1, -2      01 00 00 00  fe ff ff ff
//	INT64, DOUBLE           8 bytes
//	INT96                   12 bytes
//	FIXED_LEN_BYTE_ARRAY    as many bytes as the schema says
//
//	BYTE_ARRAY              4 bytes of length, and the bytes
//	    "foo", "fourteen bytes"
//	    03 00 00 00 66 6f 6f  0e 00 00 00 66 6f 75 72 74 65 65 6e 20 62 79 74 65 73
//	    │           │         │           └ byte 11
//	    length      value     length
//
// For the second string, Next makes a view that says: 14 bytes, "four", at 11 of buffer
// Buffer; the first fits into its view. No byte is copied. A value of BYTE_ARRAY is found
// only by way of the one before, so Skip reads every length; among values of one size it
// is an addition.
//
// What never comes here: what the bytes mean beyond their physical type
// (decimals, times), dictionaries, the prefix of RLE data.
package plain
