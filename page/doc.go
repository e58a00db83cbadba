// Package page splits the bytes of a column chunk into pages, and a page into
// repetition levels, definition levels and values. It does no I/O and decodes
// nothing.
//
//	Walker    steps from header to header, without reading bodies
//	Unpacker  checks a body's checksum and decompresses it, all or its first bytes
//	Split     cuts a decompressed body into its parts, without their length prefixes
//	Open      is the one place for decryption: every module's bytes pass through it
//
// # The bytes of a page
//
// A column chunk is pages back to back; the first may be a dictionary page.
//
//	header              thrift: type, sizes, checksum, counts, encodings
//	compressed_size     bytes of body, over which the checksum is taken
//
// v1: the body is compressed as one piece. v2: levels are in front of the
// compressed values, and the header has their lengths.
//
//	v1 data page                            v2 data page
//	┌ compressed ────────────────────┐      ┌────────────────────────────────┐
//	│ length  4 bytes  if max rep > 0│      │ repetition levels              │ header: length
//	│ repetition levels              │      │ definition levels              │ header: length
//	│ length  4 bytes  if max def > 0│      ├ compressed, if is_compressed ──┤
//	│ definition levels              │      │ values                         │
//	│ values                         │      └────────────────────────────────┘
//	└────────────────────────────────┘
//
// Whether RLE data begin with their length depends on the page and the data:
//
//	page  definition levels  repetition levels  dictionary indices  RLE booleans
//	v1    length             length             –                   length
//	v2    –                  –                  –                   length
//
// BIT_PACKED levels, which only v1 pages have, never have a length: they take
// ⌈n × width / 8⌉ bytes, where width is the number of bits of the maximum level.
// Other encodings of values have no length prefix, and a dictionary page is values alone.
//
// # Example
//
// Column a is OPTIONAL BOOLEAN (max def 1, max rep 0). A v1 page with the four
// slots true, NULL, true, true, values in RLE:
//
//	02 00 00 00   definition levels take two bytes
//	03 0d           one group of eight: bits 1 0 1 1, and padding
//	02 00 00 00   values take two bytes
//	06 01           a run of three: true
//
//	Split  → Definition 03 0d, Values 06 01
//
// As v2, with definition_levels_byte_length 2, the body is
//
//	03 0d   02 00 00 00   06 01
//
// and Split returns the same.
//
// # Missing bytes
//
// A step that lacks bytes returns a Need with their range. The caller reads
// them, calls Supply, and repeats the step. With an offset index, JumpTo goes to
// a page directly.
//
//	w.Reset(chunk)
//	for {
//		p, need, err := w.Next()
//		if need.Some() {
//			w.Supply(need.From, read(need.From, need.To))
//			continue
//		}
//		if err != nil {
//			break // io.EOF after the last page
//		}
//		…
//	}
//
// What never comes here: decoding a level or a value, schema, files, goroutines.
package page
