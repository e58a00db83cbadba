// Package variant decodes and encodes the binary form of VARIANT: a value of any type, of
// which each row may have another.
//
// A variant is two strings of bytes: the metadata, which has the names of all fields, and the
// value, which has their numbers. Numbers are little-endian and unsigned.
//
//	metadata  header        bits 0–3 version, 1; bit 4 names are sorted; bits 6–7 width of n and offsets, minus 1
//	          n             names
//	          offset × n+1  where each name begins, and where the last one ends
//	          names
//
//	value     header        bits 0–1 kind; bits 2–7 as the kind says
//
//	          kind 0        primitive: bits 2–7 are its number, see Kind; then its bytes
//	          kind 1        short string: bits 2–7 are its length; then its bytes
//	          kind 2        object: bits 2–3 width of offsets, bits 4–5 width of ids, minus 1; bit 6 n has 4 bytes, not 1
//	                        n | id × n | offset × n+1 | values
//	          kind 3        array: bits 2–3 width of offsets, minus 1; bit 4 n has 4 bytes
//	                        n | offset × n+1 | values
//
// Ids number the names of the metadata, and come in the order of these names. Offsets count
// from the first value; the last one is where the values end. Values of an object may lie
// in any order.
//
// {"a":1,"b":["x",null]}, whose 1 is an int8:
//
//	metadata  01       02    00 01 02      61 62
//	          version  n     offsets       "a" "b"
//
//	value     02       02    00 01   00 02 0a   0c 01   03      02   00 02 03   05 78   00
//	          object   n     ids     offsets    int8 1  array   n    offsets    "x"     null
//
// Bytes are hostile. Names do not overlap: metadata is refused where they do. A value is checked
// where it is looked at: Each, and so what walks over all of a value, visits no more bytes than
// the value has, although offsets may say that several fields share theirs. Values nest at
// most MaxDepth deep.
//
// What never comes here: columns, shredded fields, text.
package variant
