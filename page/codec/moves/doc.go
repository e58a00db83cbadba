// Package moves has what decoders move bytes by: loads, stores and moves of fixed sizes without a check, which their
// loops have bounds for, and matches that repeat bytes just written.
//
// What never comes here: what one codec's input looks like.
package moves
