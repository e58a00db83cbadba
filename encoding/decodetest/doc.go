// Package decodetest drives a decoder the way a scan does, and holds each step
// to a list of values: calls of Next, Skip, Gather and the clearing tests in
// random order and length, over and over the borders of runs, blocks and words.
//
// What never comes here: knowledge of an encoding, anything that code outside
// of tests imports.
package decodetest
