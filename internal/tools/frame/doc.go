// Package frame writes what every kernel begins and ends with: its parameters in registers, its tables
// beside it, and its results; and instructions that avo has not.
//
// What never comes here: what one kernel does.
package frame
