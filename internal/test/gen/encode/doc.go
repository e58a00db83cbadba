// Package encode writes the value part of pages in every encoding of the
// format, for tests.
//
// It serves two masters: round trips want the plain form of each encoding
// (Int64s, Hybrid, Delta{}.Int64s, …), and tests of readers want what no
// writer emits: chosen runs, wider widths than needed, padding bits that are
// set, groups cut short. Clear goes before fast; bits are placed one by one.
//
// Every function appends to dst and returns the longer slice. Values are
// encoded and nothing else: no length prefix before RLE data (the page
// decides on it), no width byte before dictionary indices, no levels. What the
// caller asks for must make sense; nonsense panics.
//
// What never comes here: pages, levels' meaning, compression, anything of the
// decoders that these bytes test.
package encode
