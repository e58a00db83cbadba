// Package values decodes the values of one page, and keeps what was decoded.
//
// A Decoder is the one indirect call for a batch. It wraps a decoder of package encoding,
// for each valid pair of type and encoding. It knows values, numbered from 0 within their
// page and without NULLs:
//
//	d, err := values.NewDecoder(typ, encoding)
//	err = d.Reset(&values.Input{Body: part, N: n, Type: typ})
//	err = d.Begin(0, n)
//	err = d.Next(&vec, 0, n)
//
// The package also has:
//
//	Dictionary   the values that the codes of a chunk stand for
//	CodeMask     which entries of a dictionary pass a test
//	Kept         values that a filter had to decode, for the read of the survivors
//	Bodies       memory for page bodies, which strings in vectors point into
//	DirectRead   values that are read from the file directly into a vector
//
// What never comes here: levels and NULLs, rows and windows, finding and loading
// pages, choosing between ways with the same result.
package values
