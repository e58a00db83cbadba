// Package invariants switches on checks of our own assumptions.
//
// With the build tag "invariants", On is true: state is asserted where it
// changes, and buffers are mangled when they are released, so that whoever
// still looks at them sees rubbish at once. Without the tag, On is a constant
// false and the checks compile to nothing.
//
// What never comes here: checks of bytes from a file. Those are never
// optional, and they return errors.
package invariants
