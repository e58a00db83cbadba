// Package values decodes the values of one page, and keeps what was decoded.
//
// A Decoder is the one indirect call for a batch: behind it stand the decoders
// of package encoding, for each type and encoding that belong together. It knows
// values, numbered from 0 within their page and without NULLs:
//
//	d, err := values.NewDecoder(typ, encoding)
//	err = d.Reset(&values.Input{Body: part, N: n, Type: typ})
//	err = d.Begin(0, n)
//	err = d.Next(&vec, 0, n)
//
// What else values need is here, too:
//
//	Dictionary   what the codes of a chunk stand for; CodeMask, which of it passes a test
//	Kept         values that a filter had to decode, for who reads the survivors
//	Bodies       memory for page bodies, that strings in vectors point into
//	DirectRead   values that are read from the file right to where they are to stand
//
// What never comes here: levels and NULLs, rows and windows, finding and loading
// pages, and choosing between ways that hand out the same.
package values
