// Package pred is the closed set of tests on one leaf's values that decoders
// understand.
//
//	Range      lo <= value <= hi: = < <= > >= and BETWEEN in one kernel; strings lo <= value < hi
//	Set        value is one of some, thousands if need be
//	Equal, Prefix, Suffix, Contains, Like    on strings
//	Codes      a bit for each entry of the chunk's dictionary, computed by the caller
//	Null       definition levels alone
//	Func       whatever the caller's function says
//
// NULL passes no test but Null. Negate inverts a test for values that are not
// NULL: a NaN passes a negated Range, a NULL does not.
//
// # Order
//
// A Range of integers compares the stored, signed integers. The constructors map
// other orders to it: an interval of unsigned numbers is an interval of signed
// ones, or everything outside one. So are decimals of one width when their
// bytes are compared as unsigned.
//
//	unsigned   0 ─────── 2³¹-1 | 2³¹ ─────── 2³²-1
//	signed     0 ─────── 2³¹-1 | -2³¹ ─────── -1
//	                 [5          7+2³¹]              as unsigned: one interval
//	                 not [8-2³¹ …… 4]                as signed: all but one
//
// Values of a fixed size, and decimals of any lengths, become numbers of up to
// 128 bits that compare as the values do, 64 of them at a time: see span.
//
// A sieve is a Bloom filter with one hash: a bitmap in which each value of a Set
// has its bit set. It rules most other values out before any is looked up.
//
// What never comes here: expressions, names, SQL's three values, encodings.
package pred
