package filter

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/keys"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Keys is a set of values for Column.InKeys, such as the millions of join keys of a
// host. It is a Bloom filter with the least and the greatest value: all values that
// were added pass, and about one of 200 others. For few values, Column.In is exact.
//
// Values are compared across types: the integer 5 equals the number 5 in any column
// of integers, decimals or floats, and a date equals its midnight. So one Keys
// serves files with different types. Fractions that round to one double collide, as
// does a number from 2^63 on with the one that is 2^64 less.
//
// The zero Keys is an empty set that grows. While values are added, it takes 8
// bytes for each, and NewKeys 2.
//
// One goroutine at a time may add values, and none once the Keys are part of a
// condition. From then on they are safe for concurrent use.
type Keys struct{ set keys.Set }

// NewKeys returns an empty set for n values, which takes 2 n bytes. With more
// values than n, the rate of false positives rises.
func NewKeys(n int) *Keys {
	k := new(Keys)
	k.set.Reserve(n)
	return k
}

// Len returns the number of values that were added, duplicates included.
func (k *Keys) Len() int { return k.set.Len() }

// AddInt64 adds a number.
func (k *Keys) AddInt64(v int64) { k.set.AddInt64(v) }

// AddString adds a string.
func (k *Keys) AddString(s string) { k.set.AddString(s) }

// AddBytes adds a binary, which may also be a string's bytes, or a UUID's.
func (k *Keys) AddBytes(b []byte) { k.set.AddBytes(b) }

// Add adds a value of any type that Column.Eq takes; NULL adds nothing. A value of
// another type is an error when the condition is bound.
func (k *Keys) Add(v any) {
	switch f := v.(type) {
	case float64: // as it is: to literalOf, it is the decimal that is printed
		k.set.Add(&value.Literal{Kind: value.LitFloat, Double: f})
	case float32:
		k.set.Add(&value.Literal{Kind: value.LitFloat, Double: float64(f)})
	default:
		k.set.Add(valueOnly(v))
	}
}

// AddVector adds the values of a leaf column; NULLs add nothing. It neither changes
// nor keeps the vector.
func (k *Keys) AddVector(v *vector.Vector) { k.set.AddVector(v) }
