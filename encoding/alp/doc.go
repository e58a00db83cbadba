// Package alp decodes ALP, adaptive lossless floating-point: FLOAT and DOUBLE
// that are decimal numbers with few digits, as integers.
//
//	page      0 | 0 | log | count    7 bytes: kind, packing, vectors have 1<<log values, int32
//	          offset, offset, …      uint32 each, of a vector, counted from the first offset's byte
//	          vector, vector, …      back to back; the last may have fewer values
//
//	vector    exponent | factor | number of exceptions (uint16)
//	          frame (int32 or int64, as wide as the type) | bit width
//	          integers above frame, packed as package bitpack says
//	          positions of exceptions (uint16 each)
//	          exceptions, as PLAIN has them
//
//	value     (frame + integer) × 10^factor × 10^−exponent
//
// The two products are rounded one after the other, in the type of the column,
// and so are the powers: every reader gets the same bits. A value that this cannot
// give (NaN, infinities, −0, numbers of many digits) is an exception: it is stored
// as it is, and the integer at its place means nothing.
//
// 1500, NaN, 2500, 333.5 with exponent 4 and factor 3, which are ten times the
// values: 15000, (15000), 25000, 3335, and above 3335: 11665, 11665, 21665, 0 in
// 15 bits each:
//
//	byte  0         3             7             11     15                       23
//	      00 00 0a  04 00 00 00   04 00 00 00   04 03  01 00  07 0d 00 … 00     0f
//	      │     │   4 values      vector 0      │  │   │      3335             15 bits
//	      kind  1 << 10           is at 7 + 4   │  │   one exception
//	                                   exponent 4  factor 3
//
//	byte  24                        32     34
//	      91 ad c8 56 28 15 00 00   01 00  01 00 00 00 00 00 f8 7f
//	      11665 11665 21665 0       at 1   NaN
//
// A vector is found by its offset, so Skip is an addition. The mapping from
// integers to values is monotone, so Range derives from frame and width the least
// and the largest possible value of a vector before it decodes any.
//
// What never comes here: choosing exponents, rounding to fewer digits.
package alp
