// Package frame writes what every kernel begins and ends with: its parameters in registers, addresses of
// its tables, and its results; and instructions that avo has not.
//
// What never comes here: what one kernel does.
package frame
