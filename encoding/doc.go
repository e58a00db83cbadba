// Package encoding is the roof over the decoders of Parquet's encodings, one
// package each: bytes of a page to typed slices.
//
// All decoders have one shape. T is the physical type: int32, int64, float32,
// float64, bits.View for strings, or a fixed number of bytes a value.
//
//	Reset(body []byte, n int) error                       start on the value part of a page with at most n values
//	Next(dst []T) (int, error)                            the next len(dst) values; fewer only with an error
//	Skip(n int) error                                     step over n values, cheaper than decoding them
//	Gather(dst []T, sel []uint64, n int) (int, error)     step over n values, keep those whose bit is set in sel
//
// and, where values can be tested in their encoded form, tests that step over n
// values and clear in sel the bit of each that fails:
//
//	Range(sel []uint64, n int, lo, hi T) error
//
// and for strings:
//
//	Equal(sel []uint64, n int, want []byte) error         likewise HasPrefix, HasSuffix, Contains; Range is lo <= value < hi
//
// Strings that the body does not have as they are come into memory of the caller: Next
// and Gather take it, and return it with the strings appended (delta.Prefixed).
//
// Bitmaps are []uint64, LSB first; bit 0 is the decoder's next value. A body
// is hostile: whatever it holds, a decoder returns values or a *corrupt.Error,
// does not panic, and allocates nothing that the body does not justify. Values
// written to dst before an error are correct.
//
// What never comes here: nulls, the meaning of levels, pages, interfaces
// called per value, allocation in steady state.
package encoding

// Padding is the number of bytes after a page body that kernels may read
// (never interpret). Code that makes a buffer for a body leaves that much spare
// capacity; a decoder that gets less copies the tail or takes its slow path.
const Padding = 64
