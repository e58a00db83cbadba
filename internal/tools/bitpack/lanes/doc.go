// Package lanes holds what programs share that write kernels which unpack: a
// table by width, and the values of a group of 8 in lanes of 32 bits, as drawn in
// ../asm.
//
// What never comes here: kernels.
package lanes
