// Package zstd decodes frames of Zstandard (RFC 8878) that are whole in memory.
//
// What never comes here: compression, dictionaries, streams.
package zstd
