// Package bitpack unpacks integers that are packed with a fixed number of bits
// each, and tests packed codes without storing them.
//
// Parquet packs from the least significant bit of each byte on. The numbers 0
// to 7, 3 bits wide, h being the highest bit of a byte:
//
//	byte      0                 1                 2
//	          10 001 000        1 100 011 0       111 110 10
//	value     2' 1   0          5' 4  3   2"      7   6   5"        2' low bits of 2, 2" its high bit
//	bytes     10001000          11000110          11111010
//
// The deprecated encoding BIT_PACKED packs from the most significant bit on:
//
//	bytes     00000101          00111001          01110111
//
// FromMSB turns the second into the first, byte for byte.
//
// # What may be read
//
// The n values of a width are in the first Size(n, width) bytes of src. If src has
// fewer, that is a fault of the caller, which knows the length of the run. Kernels
// may read, and never interpret, the bytes between len(src) and cap(src). If there
// are at least encoding.Padding of them, kernels run to the last value; else the last
// few values take a slower path. A width above the largest that a function names is
// a fault of the caller too.
//
// # Kernels
//
// There is one Go function per width, written by internal/tools/bitpack/unroll,
// and on amd64 with AVX2 one loop for all widths that is driven by tables,
// written by internal/tools/bitpack/asm, where the tables are explained. Codes
// are tested 64 at a time: by tables in registers up to 10 bits, up to 13 where
// the machine has AVX-512 VBMI, by comparison if the mask is one range, else up to
// 20 bits one by one while the next are unpacked. The tag purego
// leaves the assembly out.
//
// What never comes here: runs and their headers, deltas, errors (a packed
// value cannot be wrong by itself), allocation.
package bitpack
