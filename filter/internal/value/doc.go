// Package value has the values that conditions are written with, and how those of a
// column's type are ordered.
//
// A Literal is a value as it is written. A Domain is the order of a type's values. It
// places a literal among them, and lowers a Subset of them to a test for decoders.
//
// What never comes here: expressions, columns, NULL's logic.
package value
