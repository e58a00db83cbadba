// Package frame writes what every kernel begins with: its parameters in registers, and its tables
// beside it.
//
// What never comes here: what one kernel does.
package frame
