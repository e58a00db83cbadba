package rle

import "github.com/winnow-scan/winnow/encoding/bitpack"

// Peek tells how many of the next values have one representation, and whether
// that is packed, without stepping over any.
func (d *Codes) Peek() (n int, packed bool, err error) {
	if d.left == 0 {
		err = d.load()
	}
	return d.left, d.packed, err
}

// Translate replaces codes by their dictionary entries. It does nothing and
// reports false if one is not below len(dictionary).
func Translate[T any](dst []T, codes []uint32, dictionary []T) bool {
	if len(codes) > 0 && uint64(bitpack.Largest(codes)) >= uint64(len(dictionary)) {
		return false
	}
	translate(dst, codes, dictionary)
	return true
}
