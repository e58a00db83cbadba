// Package record has a source that records what is read.
//
// What never comes here: what the bytes mean.
package record
