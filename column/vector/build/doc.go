// Package build makes and fills vectors, for the rooms that decode, assemble and
// copy columns. Hosts read vectors, and make constants of scalars; they have no
// need of it. It is documented, but may change at any time.
//
// A vector is filled by Reset, which keeps its memory, and Extend, which adds
// slots whose values the caller sets. Where some slots are NULL, the others'
// values are packed at the front and spread:
//
//	build.Reset(v, t)
//	first := build.Extend(v, 5)
//	copy(v.Int64s[first:], values)        a b c ? ?
//	build.NeedValidity(v)
//	copy(v.Validity, valid)               1 0 0 1 1
//	build.Spread(v, first)                a 0 0 b c
//
// AppendSlots copies slots from one vector to another, and Pack drops slots.
// Functions are called once for many slots; nothing here goes value by value
// through a call.
//
// What never comes here: encodings and levels, predicates, what a value means.
package build
