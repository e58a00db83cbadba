// Package places writes how the places of bits are found, for kernels that fetch the
// values which are there.
//
// What never comes here: what values mean.
package places
