// Package scanner opens Parquet files and says what lies where in them.
//
// Open and OpenSource read a file's footer, in one read of the file's end
// unless it is very long, and make its schema. A Chunk is the footer's entry
// of one column of one row group, decoded when it is asked for. Nothing of a
// chunk is believed before it is checked: Range refuses places where no chunk
// can be, and what other readers stumble over (dictionaries that the footer
// does not mention, chunks longer than it says) is settled there once.
//
//	f, err := scanner.Open(ctx, "f.parquet")
//	c, err := f.Chunk(0, f.Schema().Find("a", "b").FirstLeaf)
//	r, slack, err := c.Range()        // where its pages are
//	x, err := c.OffsetIndex(ctx)      // nil if there is none
//
// Every error is an *Error that names the file and, as far as they are known,
// row group, column, page and offset. It matches ErrCorrupt, ErrUnsupported or
// ErrEncrypted if it concerns the file's bytes, and otherwise what the machine
// or the context reported.
//
// What never comes here: loops over values, decoding, printing.
package scanner
