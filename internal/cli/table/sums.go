package table

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// sum is the sum of a column's numbers, without NULLs. All are added exactly, and no sum is too
// large. FLOAT and FLOAT16 are added as DOUBLE, whose sum is rounded once.
type sum struct {
	isDouble bool
	scale    int32 // of decimals
	any      bool  // there are values

	whole, term big.Int   // of integers and decimals, and what is added to it
	exact, next big.Float // the same of doubles
	infinite    float64   // the sum of what is not finite
}

// exactBits hold the sum of 2^64 doubles: each is a multiple of 2^-1074, and less than 2^1024.
const exactBits = 1074 + 1024 + 64

// newSum returns the sum of a column, nil for one that has no numbers.
func newSum(f *vector.Field) *sum {
	t := f.Type
	isHalf := t.Logical == vector.Float16
	if f.Layout != vector.Leaf || !IsNumber(t) || isHalf && t.Width() != 2 {
		return nil
	}
	s := &sum{isDouble: isHalf || t.Physical == vector.Float || t.Physical == vector.Double}
	if t.Logical == vector.Decimal {
		s.scale = t.Scale
	}
	s.exact.SetPrec(exactBits)
	return s
}

// addsTo reports whether the numbers of two columns have one sum.
func addsTo(a, b *vector.Field) bool {
	x, y := newSum(a), newSum(b)
	if x == nil || y == nil {
		return x == y
	}
	return x.isDouble == y.isDouble && x.scale == y.scale
}

// add adds the value in slot i of a vector, unless it is NULL.
func (s *sum) add(v *vector.Vector, i int) {
	x := v.Scalar(i)
	if x.IsNull() {
		return
	}
	s.any = true
	if f, ok := x.Float64(); ok {
		if f-f != 0 {
			s.infinite += f
			return
		}
		s.exact.Add(&s.exact, s.next.SetFloat64(f))
		return
	}
	if n, ok := x.Int64(); ok {
		s.term.SetInt64(n)
	} else if n, ok := x.Uint64(); ok {
		s.term.SetUint64(n)
	} else {
		bits.SetSigned(&s.term, x.Plain())
	}
	s.whole.Add(&s.whole, &s.term)
}

// cell returns the sum as the cells above it are written, NULL if there are no
// values, as in SQL.
func (s *sum) cell() (Cell, error) {
	if !s.any {
		return Dim.Cell("NULL"), nil
	}
	// Precision is what a reader of a column must know, and a text does not need.
	t, plain := vector.Type{Physical: vector.ByteArray, Logical: vector.Decimal, Scale: s.scale}, bits.Signed(&s.whole)
	if s.isDouble {
		rounded := s.infinite
		if rounded == 0 {
			rounded, _ = s.exact.Float64()
		}
		t, plain = vector.Type{Physical: vector.Double}, binary.LittleEndian.AppendUint64(nil, math.Float64bits(rounded))
	}
	format := t.Text()
	shown, err := format.Append(nil, plain)
	c := Bold.Cell(string(shown))
	c.Cut = NeverCut
	return c, err
}

// sumCells returns the sums as a row of cells, empty ones for columns that have none;
// nil if no column has one.
func (w *RowTable) sumCells() (row []Cell, err error) {
	for i, sum := range w.sums {
		if sum == nil {
			continue
		}
		if row == nil {
			row = make([]Cell, len(w.columns))
		}
		if row[i], err = sum.cell(); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// writeSums writes the sums below the rows.
//
//	order_id   price  note
//	    1000   99.50  fresh
//	    1001    1.25  NULL
//	────────  ──────
//	    2001  100.75
func (w *RowTable) writeSums(row []Cell) error {
	if w.vertical {
		var columns []*rowColumn
		var cells []Cell
		for i, sum := range w.sums {
			if sum != nil {
				columns, cells = append(columns, w.columns[i]), append(cells, row[i])
			}
		}
		return w.below("sums", columns, cells)
	}
	if err := w.widen(row); err != nil {
		return err
	}
	rule := make([]Cell, len(row))
	for i, sum := range w.sums {
		if sum != nil {
			rule[i] = Dim.Cell(strings.Repeat("─", w.columns[i].width))
		}
	}
	if err := w.line(rule); err != nil {
		return err
	}
	return w.line(row)
}
