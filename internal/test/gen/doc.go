// Package gen writes Parquet files for tests, with every choice of the
// physical shape open: shapes that no writer makes, and files that are wrong
// in exactly one chosen place.
//
//	f := gen.File{
//		Schema:    []*gen.Node{gen.Optional("a", gen.Int64), gen.List("tags", gen.Optional("element", gen.ByteArray))},
//		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 1, "tags": []any{"x", nil}}, gen.Record{}}}},
//		All:       gen.Column{Codec: gen.Snappy, PageRows: []int{1}, Shape: gen.Shape{Version: 2, Encoding: gen.Dictionary}},
//	}
//	b, err := f.Write()
//
// Zero fields stand for what an honest writer does: v1 pages, PLAIN, RLE
// levels, no compression, right checksums, statistics and both page indexes.
// A page takes what it leaves open from its column, a column from File.All.
//
// Data comes in one of three ways, per column: rows (Go values, shredded into
// levels and cut into pages by PageRows or, across row borders, PageSlots),
// levels and values (Data), or page by page (Pages). Functions such as
// Page.Header, Column.Meta and File.Footer have the last word on each piece of
// metadata before it is written; Page.RepBytes, ValueBytes, Body and Compressed
// replace bytes. Build tells where each page lies, for tests that cut or overwrite.
//
// The same File always gives the same bytes.
//
// What never comes here: reading, anything of the decoders that these files
// test, speed (Wide aside).
package gen
