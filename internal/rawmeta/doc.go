// Package rawmeta reads the metadata beside a column chunk's pages as the file has
// them: column index, offset index, Bloom filter. Commands show them, and tests compare
// with them. A scan reads them by package pageindex, which believes what passes its
// checks; here nothing is checked but that it can be read.
//
//	c, err := f.Chunk(rowGroup, leaf)
//	x, err := rawmeta.OffsetIndex(ctx, f, c) // nil if the chunk has none
//
// What never comes here: decisions about rows, the meaning of bounds.
package rawmeta
