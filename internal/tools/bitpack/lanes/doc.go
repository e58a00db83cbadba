// Package lanes holds what programs share that write kernels which unpack: tables
// by width, the values of a group of 8 in lanes of 32 bits, as drawn in ../asm, and
// the largest lane of a register.
//
// What never comes here: kernels.
package lanes
