package filter

import (
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/keys"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Keys is a large set of values to filter a column by, such as the millions of join keys
// of a host, or of tuples for a join on several columns. It is a Bloom filter with the
// least and the greatest value: all keys that were added pass, and about one of 200
// others. For few values, Column.In is exact.
//
// Values are compared across types: the integer 5 equals the number 5 in any column
// of integers, decimals or floats, and a date equals its midnight. So one Keys
// serves files with different types. A Go float is exactly that number here. Decimals
// equal the FLOATs nearest to them, and are told from these by their bounds at most. Fractions that round to one double collide, as
// does a number from 2^63 on with the one that is 2^64 less. NULL and NaN equal
// nothing: a key that contains one adds nothing, and no row with one passes.
//
// The zero Keys is an empty set that grows. While keys are added, it takes 8 bytes for
// each, and one from NewKeys 2. Keys of several columns take as much once more, and for
// each column.
//
// All keys of a set have the same number of values. Other ones, and values of Go types
// that are none of a filter's, are an error when the condition is bound.
//
// One goroutine at a time may use a Keys until it is part of a condition. From then on
// nothing may be added, and it is safe for concurrent use. It must not be copied.
type Keys struct{ set keys.Set }

// NewKeys returns an empty set for n keys. With more keys than n, the rate of false
// positives rises.
func NewKeys(n int) *Keys {
	k := new(Keys)
	k.set.Reserve(n)
	return k
}

// Len returns the number of keys that were added, duplicates included.
func (k *Keys) Len() int { return k.set.Len() }

// AddInt64 adds a number.
func (k *Keys) AddInt64(v int64) { k.set.AddInt64(v) }

// AddString adds a string.
func (k *Keys) AddString(s string) { k.set.AddBytes([]byte(s), true) }

// AddBytes adds a binary, which may also be a string's bytes, or a UUID's.
func (k *Keys) AddBytes(b []byte) { k.set.AddBytes(b, false) }

// Add adds a key: one value for each column, of any type that Column.Eq takes.
func (k *Keys) Add(key ...any) {
	literals := make([]*value.Literal, len(key))
	for i, v := range key {
		switch f := v.(type) {
		case float64: // as it is: to valueOnly, it is the decimal that it is printed as
			literals[i] = &value.Literal{Kind: value.LitFloat, Double: f}
		case float32:
			literals[i] = &value.Literal{Kind: value.LitFloat, Double: float64(f)}
		default:
			literals[i] = valueOnly(v)
		}
	}
	k.set.Add(literals)
}

// AddColumns adds the values of a leaf column, or the rows of several, which have equal
// lengths. It neither changes nor keeps the vectors.
func (k *Keys) AddColumns(columns ...*vector.Vector) { k.set.AddColumns(columns) }

// Merge adds the keys of another set, which it does not change. So several goroutines
// can each fill a set of their own. Between sets that grow, and between sets that NewKeys
// made for the same n, which is then the number of all keys, no false positives are added.
func (k *Keys) Merge(other *Keys) { k.set.Merge(&other.set) }

// MarshalBinary returns the set for another process, which UnmarshalBinary reads. It
// takes as much memory as the set.
func (k *Keys) MarshalBinary() ([]byte, error) { return k.set.AppendTo(nil) }

// UnmarshalBinary replaces the keys by those of a set that MarshalBinary encoded, in this
// or an earlier version. The bytes are not trusted: damaged ones are an error, and what
// is allocated they contain. After an error the set is empty. It does not keep b.
func (k *Keys) UnmarshalBinary(b []byte) error { return k.set.Decode(b) }

// InKeys is the condition that c may be one of the keys. It can be combined by And
// and Or, but not negated: NOT would drop false positives, which are not keys.
func (c Column) InKeys(keys *Keys) *Expr { return InKeys(keys, c) }

// InKeys is the condition that a row's values in columns may be one of the keys, which
// have as many values: the join on a = x AND b = y keeps InKeys(keys, a, b). Columns of
// lists and structs are an error when the condition is bound. As Column.InKeys, it cannot
// be negated.
func InKeys(keys *Keys, columns ...Column) *Expr {
	if len(columns) == 0 {
		columns = []Column{faulty("InKeys without a column")}
	}
	keys.set.Finish()
	e := &tree.Condition{Op: tree.Keys, Left: columns[0].o, Keys: &keys.set, At: -1}
	for _, c := range columns[1:] {
		e.Right = append(e.Right, c.o)
	}
	return exprOf(e)
}

// Runtime is a condition that becomes known, or stricter, while a scan runs: the
// keys of a hash join's build side, the threshold of a top-k. A host creates one,
// passes it to scans and publishes conditions to it. Scans check it from time to
// time and never wait for it.
//
// All methods are safe for concurrent use. All rows pass the zero Runtime. A Runtime
// must not be copied after first use.
type Runtime struct{ state atomic.Pointer[published] }

type published struct {
	e       *Expr
	version uint64
}

// Publish replaces the published condition by e; all rows pass nil. Scans apply e to
// rows that they have not filtered yet. Rows that passed an earlier condition stay
// in the result, and rows that an earlier one dropped stay dropped.
func (r *Runtime) Publish(e *Expr) {
	for {
		old := r.state.Load()
		next := &published{e: e, version: 1}
		if old != nil {
			next.version = old.version + 1
		}
		if r.state.CompareAndSwap(old, next) {
			return
		}
	}
}

// Snapshot returns the published condition, nil if there is none, and its version:
// the number of calls of Publish so far. Equal versions are the same condition. On a
// nil Runtime it returns nil and 0.
func (r *Runtime) Snapshot() (e *Expr, version uint64) {
	if r == nil {
		return nil, 0
	}
	if p := r.state.Load(); p != nil {
		return p.e, p.version
	}
	return nil, 0
}

// Newer reports whether Publish was called since Snapshot returned a version. It
// costs one atomic load.
func (r *Runtime) Newer(version uint64) bool {
	_, newest := r.Snapshot()
	return newest > version
}
