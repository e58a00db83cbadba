// Package cache keeps bytes of files in memory, so that a later reader of the same state
// of a file does not read them again.
//
// A Cache is found by Key: the identity of the file, and a range of its bytes. A file that
// is written again has another identity, so its old bytes are never found, and are dropped
// in time. LRU is the ready-made Cache; hosts may have others.
//
// A Source reads through a Cache. Package scanner uses it for footers, indexes and Bloom
// filters.
//
// What never comes here: what the bytes mean, pages of data, files on disk.
package cache
