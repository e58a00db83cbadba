// Package invariants switches on checks of our own assumptions.
//
// With the build tag "invariants", On is true: state is asserted where it
// changes, and buffers are mangled when they are released, so that whoever
// still looks at them sees rubbish at once. Without the tag, On is a constant
// false and the checks compile to nothing.
//
// Reads and Writes state how far a kernel in assembly reaches, in front of the
// call. A twin in Go takes its place where there is no such kernel, so that a
// caller's wrong bound fails on every machine.
//
// What never comes here: checks of bytes from a file. Those are never
// optional, and they return errors.
package invariants
