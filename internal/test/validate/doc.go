// Package validate holds vectors and batches against the rules of package vector, slot by slot, for tests.
//
// What never comes here: what a file says, decoding.
package validate
