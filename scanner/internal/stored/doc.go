// Package stored reads the Arrow schema that Arrow's writers leave in a Parquet file's metadata, under the key
// ARROW:schema, and gives its fields to the columns of the file that they agree with: vector.Stored.
//
// The value is base64 of a message of Arrow's IPC format, which is a flatbuffer. All numbers are little-endian:
//
//	ff ff ff ff              continuation; files of before 2020 lack it
//	78 02 00 00              bytes that follow
//	10 00 00 00              where the root table is, from here: Message
//	…                        tables, vtables, vectors, strings in any order
//
// A table begins with the distance back to its vtable, which says where in the table each field is. 0, or a vtable
// that ends before, stands for the default. This is Timestamp{unit: MICROSECOND, timezone: "UTC"}:
//
//	vtable   08 00 0c 00  06 00 08 00               8 bytes long, of a table of 12: unit at 6, timezone at 8
//	table    08 00 00 00  00 00 02 00  04 00 00 00  vtable is 8 bytes before; 2; the string is 4 bytes further
//	string   03 00 00 00  55 54 43 00               length, bytes, 0
//
// Vectors are a length and that many places of tables. Places are relative to where they stand, and several may be
// of one table: a buffer can describe more fields than it has bytes. So the reader follows the file's own tree,
// whose size and depth are bounded, and asks for one field for each node. Keys and values are counted.
//
// A field that disagrees with its column is left out with all below it, and a note says so. What is broken costs the
// types, never the scan.
//
// What never comes here: Arrow's types for batches, record batches, any flatbuffer but this.
package stored
