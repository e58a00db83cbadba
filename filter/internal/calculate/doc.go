// Package calculate evaluates arithmetic between columns, and compares its results, in typed loops
// over vectors. Integers, decimals, moments and spans of time are int64s in units of a power of ten.
// Rows whose number no int64 holds are apart, and calculated one by one as fractions: nothing overflows.
//
// What never comes here: names, schemas, three-valued logic.
package calculate
