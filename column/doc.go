// Package column reads one leaf column chunk through a windowed cursor.
//
// On a window of row ordinals [at, to) of the row group, filters narrow a
// selection and reads fetch the selected values, any number of times and in any
// order; then the window moves on and there is no way back. Everything that one
// chunk needs for that lives here: transitions from page to page, dictionary
// pages and the fall-back to PLAIN, spreading values over NULLs, rows that span
// pages, and handing leaf tests to the decoders' kernels.
//
//	var chunk column.Chunk          // shared by cursors: the dictionary is decoded once
//	err := chunk.Reset(source)
//	var cur column.Cursor           // reused: the next chunk of the shape allocates nothing
//	cur.Open(&chunk, feed, column.Options{})
//	for cur.At() < rows {
//		cur.Window(min(cur.At()+8192, rows))
//		sel.Fill(n)
//		err = cur.Filter(&sel, test)
//		build.Reset(&dst, leaf.Type)
//		err = cur.Read(&sel, &dst)  // ReadLevels below lists
//		cur.Advance(cur.At() + int64(n))
//	}
//	cur.Close()
//
// # What a page costs
//
// Advance only moves the window. When something is read, pages in front of it
// are skipped as cheaply as the file allows:
//
//	offset index             not touched
//	rows known by header     header read: flat columns, v2 pages
//	v1 page of a list        decompressed, repetition levels counted
//
// and so are pages within the window on which no row is selected. A page whose
// rows are to be tested is not decompressed if its header decides the test: by
// statistics that a HeaderJudge reads, or because it has codes and all entries of the
// dictionary pass, or none. Other pages are decompressed, PLAIN ones up to the last
// wanted value, as far as that is known: from the selection of the call, or from
// Expect, if a window is read in pieces.
//
//	cur.Filter(&sel, test)       // of a window, sel.N rows from at on
//	other.Expect(&sel, at)       // and then, as often as there are pieces:
//	other.Advance(from)
//	other.Window(to)
//	other.Read(&piece, &dst)
//
// How many values of a block are wanted decides what happens to it: it is stepped over,
// gathered from, decoded whole and then packed, or decoded whole. With the option
// Returned, values that a filter has to decode are kept for the survivors.
//
// Without an offset index a row may continue on the next page, which then starts in
// the middle of it:
//
//	page       0            |  1            |  2
//	levels     0 1 1 0 1    |  1 1 0        |  1 1 0 1
//	row        0     1      |  1   2        |  2   3
//	starts at  0               1, since its first slots are of row 1; 2, since row 2 goes on
//
// So a read of rows up to the end of a page looks at the first level of the next one. An
// offset index promises that each page starts with a row, which is checked.
//
// # Slots and values
//
// Decoders know values, windows know rows. In between are bitmaps: validity
// says which slots are values, and the row starts of a repeated column say where
// each row begins. A selection of rows becomes one of values:
//
//	rows           1       0   1        selected
//	slots          x NULL  y   NULL z
//	  of rows      1 1     0   1    1
//	  valid        1 0     1   0    1
//	values         x y z
//	  selected     1 0 1                compress by valid
//
// and the values that pass become slots by deposit. Tests run on
//
//	dictionary entries     once each, as soon as a window has as many rows, strings in their page earlier; codes are looked up in a mask
//	encoded values         if the decoder has a kernel for the test
//	blocks of values       otherwise
//	definition levels      IS NULL
//
// # What is handed out
//
// Numbers are decoded straight into the vector. Strings stay where they are: in
// the body of the page or of the dictionary; if few of a page are wanted, they are
// copied. A body that a vector points into is not written to again until all such
// vectors were given to Release. Nothing points into the feed's memory.
//
// The packages below are its vocabulary:
//
//	vector     types, the one memory shape, the one textual form of a value
//	schema     what a column is: tree, levels, lists and maps, logical types
//	pred       leaf tests that decoders understand
//	values     decoders of a page's values, dictionaries, memory for bodies
//	assemble   levels to nested vectors
//
// What never comes here: other columns, expressions, thresholds that weigh one
// plan against another, files; decoders of values (they are in column/values).
package column
