// Package pack moves values whose bits are set to the front:
//
//	sel     0 1 1 0 0 0 1 0
//	src     a b c d e f g h
//	dst     b c g
//
// It is what is left to do for rows that pass, once values are decoded, or
// where they stand in a page as they are in memory. It costs the same whatever
// share of the values is wanted, but where it is small: then the places of these are
// found, and they are fetched.
//
// What never comes here: what values mean, encodings, bitmaps that are packed
// themselves (bits.Compress).
package pack
