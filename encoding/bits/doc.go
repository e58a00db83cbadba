// Package bits holds the kernels on bitmaps, and the 16-byte view of a string.
//
// A bitmap is a []uint64, least significant bit first: position p is bit p%64
// of word p/64, so on a little-endian machine its bytes are an Arrow bitmap.
//
//	position   0 1 2 3 4 5 6 7 … 63 | 64 65 …
//	word       b[0] bit 0, 1, 2, …  | b[1] bit 0, 1, …
//
// Ranges are half-open. A function that is told a range, or a number of bits,
// neither reads meaning from nor changes any bit outside of it: bitmaps of a
// window may stand in a larger bitmap. A bitmap that is too short for the
// range is a fault of the caller and panics.
//
// What never comes here: bytes that need checking, allocation, anything but
// the standard library.
package bits
