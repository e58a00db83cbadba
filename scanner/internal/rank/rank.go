package rank

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/pageindex"
)

// Side is an end of the order of values.
type Side int

const (
	Least    Side = -1
	Greatest Side = 1
)

// Ranking keeps the first rows of an order by the values of a leaf column: from its least
// value up, or from its greatest down; after those with values, rows with NaN, and last
// those with NULL.
type Ranking struct {
	Column pageindex.Column
	Path   string // of the column, as a filter names it
	Side   Side
	Most   int // the number of rows to keep

	Rows []Row // the first rows so far, and some more; in order after Cut
	Full bool  // there are Most rows: further rows count only if they sort before Last
	Last Row

	keyScratch []int64 // scratch
}

// Row is a row and its place in the order.
type Row struct {
	Class Class
	key   int64  // of a number: ascends with the order
	plain []byte // else: its PLAIN encoding, without length prefix

	File  int // of several
	Group int
	Row   int64
}

// Class divides rows into those with a value, with NaN and with NULL.
type Class uint8

const (
	Value Class = iota
	NaN
	Null
)

// Compare is negative if a's value sorts before b's.
func (x *Ranking) Compare(a, b *Row) int {
	if c := cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.key, b.key)); c != 0 || a.Class != Value || x.isNumber() {
		return c
	}
	return -int(x.Side) * x.Column.Compare(a.plain, b.plain)
}

// Compare is negative if r comes before o in the files.
func (r *Row) Compare(o *Row) int {
	return cmp.Or(cmp.Compare(r.File, o.File), cmp.Compare(r.Group, o.Group), cmp.Compare(r.Row, o.Row))
}

// Bound returns the place of a value, given in PLAIN encoding.
func (x *Ranking) Bound(plain []byte) Row {
	if !x.isNumber() {
		return Row{plain: plain}
	}
	x.keyScratch = appendKeys(x.keyScratch[:0], flatOf(x.Column.Leaf.Type, plain), x.Side)
	return Row{key: x.keyScratch[0]}
}

// Take ranks the values of rows of a row group. Until Cut, Rows may have more than Most
// rows.
func (x *Ranking) Take(file, group int, rows []int64, v *vector.Vector) error {
	x.keyScratch = appendKeys(x.keyScratch[:0], v, x.Side)
	isNumber := x.isNumber()
	for i, row := range rows {
		r := Row{File: file, Group: group, Row: row}
		switch {
		case v.IsNull(i):
			r.Class = Null
		case isNumber:
			if r.key = x.keyScratch[i]; r.key == keyOfNaN && isFloat(v.Type) {
				r.Class, r.key = NaN, 0
			}
		default:
			r.plain = v.Bytes(i)
			if v.Type.Logical == vector.Decimal && len(r.plain) == 0 {
				return corrupt.At(-1, "decimal of no bytes")
			}
			if v.Type.Logical == vector.Float16 && isNaN(vector.HalfToFloat(binary.LittleEndian.Uint16(r.plain))) {
				r.Class = NaN
			}
		}
		if x.Full && x.Compare(&r, &x.Last) >= 0 {
			continue
		}
		r.plain = slices.Clone(r.plain)
		if x.Rows = append(x.Rows, r); len(x.Rows)/2 > max(x.Most, 512) {
			x.Cut()
		}
	}
	return nil
}

// Cut sorts Rows and keeps the first Most of them.
func (x *Ranking) Cut() {
	slices.SortFunc(x.Rows, func(a, b Row) int {
		return cmp.Or(x.Compare(&a, &b), a.Compare(&b))
	})
	if len(x.Rows) >= x.Most {
		clear(x.Rows[x.Most:])
		x.Rows = x.Rows[:x.Most]
		x.Full, x.Last = true, x.Rows[x.Most-1]
	}
}

// InFront returns the condition that a value sorts before Last; nil if every value may.
func (x *Ranking) InFront() *filter.Expr {
	if !x.Full || x.Last.Class != Value {
		return nil
	}
	c, value := filter.Col(x.Path), x.Value(&x.Last)
	if x.Side == Greatest {
		return c.Gt(value)
	}
	return c.Lt(value)
}

// Value returns the value of one of Rows.
func (x *Ranking) Value(r *Row) vector.Scalar {
	t := x.Column.Leaf.Type
	if r.Class == Null {
		return vector.NullOf(t)
	}
	if r.Class == NaN && x.isNumber() {
		v, _ := vector.FloatOf(t, math.NaN())
		return v
	}
	if x.isNumber() {
		return valueOf(t, r.key, x.Side)
	}
	v, _ := vector.PlainOf(t, r.plain)
	return v
}

// isNumber reports whether the column's values have keys.
func (x *Ranking) isNumber() bool {
	s := x.Column.Leaf.Type.Store()
	return s != vector.InViews && s != vector.InFixed
}
