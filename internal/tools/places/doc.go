// Package places writes how the places of bits are found, for kernels that fetch the
// values which are there; and, where bits are not rare, how those values of a register
// are stored that have one.
//
// What never comes here: what values mean.
package places
