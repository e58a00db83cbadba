// Package thrift reads the metadata of Parquet files: page headers, page
// indexes, Bloom filter headers and the footer, all in Thrift's compact
// protocol.
//
// There are two ways to read. Decode runs the code that the Thrift compiler
// generated from parquet.thrift (package wire), and the library's own protocol: it reads
// every field, and is the reference for the meaning of bytes. Scans use the lean readers,
// which fill flat structs with views:
//
//	ReadPageHeader, ReadColumnIndex, ReadOffsetIndex, ReadBloomFilterHeader
//	    allocate nothing once their lists have grown
//	ParseFooter
//	    reads the footer once, decodes schema and row groups, and stores where
//	    each column chunk starts (4 bytes a chunk); skips chunks of known shapes by words
//	Footer.Chunk
//	    decodes one chunk that a scan reads
//	Confirm, ConfirmFooter
//	    hold what these readers have read against what generated code reads
//	ParseFileCrypto, ParseColumnMetaData
//	    read what stands in front of an encrypted footer, and encrypted entries of chunks
//
// Their structs have the enumerations of enums.go: Type, Encoding, Codec, PageType …
//
// Both read the same values. Of bytes that no writer writes, Decode misreads some which the
// lean readers refuse: values of another type than they should have. The tests
// compare the two with each other, and with generated code over a protocol that refuses
// the same. There are two differences. ReadPageHeader is stricter: it refuses negative sizes
// and counts (as ReadBloomFilterHeader does), and a header without the part that its type needs.
// ParseFooter skips the fields that Chunk and KeyValues.Append decode: it does
// not find their faults, and of a skipped field that is there twice the first is
// never decoded.
//
// # The compact protocol
//
// A varint has 7 bits a byte, the lowest first; the top bit says that another
// byte follows. Signed integers are zigzag: 0, -1, 1, -2 … are 0, 1, 2, 3 …
//
//	300 = 1 0010 1100 → 600 as zigzag = 100 1011000
//
//	 1 1011000   0 0000100
//	   └─ low 7    └─ next 7      bytes d8 04
//
// A struct is fields, then a byte 00. A field is a header and its value:
//
//	 7 6 5 4 3 2 1 0
//	├───────┼───────┤
//	│ delta │ type  │  value…      id = id of the field before + delta
//	├───────┼───────┤
//	│ 0 0 0 0 type  │  id…  value…     id as a zigzag varint, any order
//	└───────┴───────┘
//
//	type  1 true  2 false   no bytes: the type is the value
//	      3 i8              1 byte
//	      4 i16 5 i32 6 i64 zigzag varint
//	      7 double          8 bytes, little endian
//	      8 binary          length as a varint, bytes
//	      9 list 10 set     below
//	      11 map            length as a varint; unless 0, a byte of two types; pairs
//	      12 struct         fields, 00
//	      13 UUID           16 bytes
//
// A list is a header and its elements; a bool among them takes a byte, 1 or 2:
//
//	 7 6 5 4 3 2 1 0
//	├───────┼───────┤
//	│ size  │ type  │  elements…       size 0 to 14
//	├───────┼───────┤
//	│ 1 1 1 1 type  │  size…  elements…    size as a varint
//	└───────┴───────┘
//
// A page header of 19 bytes, then, is read like this:
//
//	15 00           field 1, i32    type 0: data page, v1
//	15 d8 04        field 2, i32    uncompressed_page_size 300
//	15 c8 01        field 3, i32    compressed_page_size 100
//	2c              field 5, struct data_page_header
//	   15 04        field 1, i32    num_values 2
//	   15 10        field 2, i32    encoding 8: RLE_DICTIONARY
//	   15 06        …               definition levels: RLE
//	   15 06        …               repetition levels: RLE
//	   00
//	00
//
// # What is tolerated
//
// Fields with an unknown id or an unexpected type are skipped, as if they were
// absent. Unknown arms of unions are an Arm with their number, unknown enum
// values stay numbers. Of a field that is there twice, the last one counts.
// Lists with elements of another type, integers beyond their width and values that
// nest more than 64 levels deep are errors.
//
// Errors are *corrupt.Error, with the offset in the given bytes, and match
// ErrShort if more bytes might help. All functions are safe for concurrent use
// with different destinations, and keep views of the given bytes, which must not
// change while the results are used.
//
// What never comes here: schema trees, the meaning of statistics, I/O, repairs
// of writers' bugs.
package thrift
