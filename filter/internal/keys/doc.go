// Package keys has the set of values of filter.Keys: a Bloom filter, and bounds.
//
// What never comes here: expressions, schemas.
package keys
