// Package pack moves the values whose bits are set to the front:
//
//	sel     0 1 1 0 0 0 1 0
//	src     a b c d e f g h
//	dst     b c g
//
// It serves the rows that pass once values are decoded, or where a page stores them as
// memory does. It takes the same time for any share of wanted values, except for small
// ones: then it lists their positions, and fetches the values one by one.
//
// Fixed does it for values of any number of bytes, back to back. Spread is its inverse, which makes room for NULLs. LookUp
// and LookUpFixed fetch the entries of a dictionary at codes. Widths of up to 16 bytes have an instance each.
//
// What never comes here: what values mean, encodings, bitmaps that are packed
// themselves (bits.Compress).
package pack
