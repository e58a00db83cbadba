// Package naive decodes every encoding bit by bit, straight from the format's
// text: the slow oracle that the real decoders are tested against.
//
// It imports nothing of the project, so that it can share no mistake. Every
// function takes the value part of a page, without length prefixes, and the
// number of values wanted. It returns the values up to the first fault, and
// the fault. It never panics, and its memory is bounded by the number of
// values asked for (DELTA_BYTE_ARRAY: by a limit in bytes).
//
// Records goes the rest of the way: levels and values to rows, one record after
// the other, which is how Dremel's paper puts them together.
//
// Cond is a condition of a WHERE, judged on one row at a time.
//
// Where the format's text leaves a choice, this is what the project holds:
//
//   - an RLE run of no values, a run header beyond 2^31-1 values and a repeated
//     value that has bits above the width are faults; a run that goes on behind
//     the last wanted value is none;
//   - the last bit-packed group of a page may lack the bytes that hold no wanted value;
//   - a bit-packed or delta header is ULEB128 of no more bits than its number may have;
//   - DELTA_BINARY_PACKED of INT32 may use widths up to 64, for writers exist
//     that subtract in 64 bits; what counts is the sum modulo 2^32;
//   - a delta header that claims more values than wanted at most is a fault, and
//     so is a last miniblock without its padding; an empty body holds no value.
//
// What never comes here: speed, sharing with the decoders, vectors.
package naive
