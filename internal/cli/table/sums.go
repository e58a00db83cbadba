package table

import (
	"encoding/binary"
	"math"
	"math/big"
	stdbits "math/bits"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// sum is the sum of a column's numbers, without NULLs. Integers and decimals are
// added exactly, and no sum is too large. FLOAT and FLOAT16 are added as DOUBLE;
// these are added exactly, too, and their sum is rounded once.
type sum struct {
	addend addend
	t      vector.Type
	any    bool // there are values

	high, low uint64   // of integers, 128 bits in two's complement
	large     *big.Int // of decimals in bytes
	scratch   *big.Int
	doubles   doubleSum
}

// addend is what a column's values are to a sum.
type addend uint8

const (
	noAddend addend = iota // not numbers
	signed32
	unsigned32
	signed64
	unsigned64
	bigEndian // decimals in two's complement
	halves
	floats
	doubles
)

// addendOf returns what the values of a column are to its sum: the numbers that a
// table shows.
func addendOf(f *vector.Field) addend {
	t := f.Type
	if f.Layout != vector.Leaf || !IsNumber(t) {
		return noAddend
	}
	unsigned := t.Logical == vector.Integer && !t.Signed
	switch t.Physical {
	case vector.Int32:
		if unsigned {
			return unsigned32
		}
		return signed32
	case vector.Int64:
		if unsigned {
			return unsigned64
		}
		return signed64
	case vector.Float:
		return floats
	case vector.Double:
		return doubles
	case vector.ByteArray, vector.FixedLenByteArray:
		if t.Logical == vector.Decimal {
			return bigEndian
		}
		if t.Logical == vector.Float16 && t.Physical == vector.FixedLenByteArray && t.Length == 2 {
			return halves
		}
	}
	return noAddend
}

// isDouble reports whether the sum is a DOUBLE.
func (a addend) isDouble() bool { return a >= halves }

// newSum returns the sum of a column, nil for one that has no numbers.
func newSum(f *vector.Field) *sum {
	a := addendOf(f)
	if a == noAddend {
		return nil
	}
	s := &sum{addend: a, t: f.Type}
	if a == bigEndian {
		s.large, s.scratch = new(big.Int), new(big.Int)
	}
	return s
}

// addsTo reports whether the numbers of two columns have one sum.
func addsTo(a, b *vector.Field) bool {
	x, y := addendOf(a), addendOf(b)
	if x == noAddend || y == noAddend || x.isDouble() || y.isDouble() {
		return x == y || x.isDouble() && y.isDouble()
	}
	return (x == bigEndian) == (y == bigEndian) && scaleOf(a.Type) == scaleOf(b.Type)
}

// scaleOf returns how many digits of a number stand behind its point.
func scaleOf(t vector.Type) int32 {
	if t.Logical == vector.Decimal {
		return t.Scale
	}
	return 0
}

// use takes the type of the columns whose slots add adds.
func (s *sum) use(f *vector.Field) { s.addend, s.t = addendOf(f), f.Type }

// add adds the value in slot i of a vector, unless it is NULL.
func (s *sum) add(v *vector.Vector, i int) {
	if v.IsNull(i) {
		return
	}
	s.any = true
	switch v.Form {
	case vector.Constant:
		i = 0
	case vector.Dictionary:
		v, i = v.Dict, int(v.Codes[i])
	}
	unused := 0 // bits, which mean nothing: see column/vector's text
	if s.t.Logical == vector.Integer && 0 < s.t.Bits && s.t.Bits < 32 {
		unused = 32 - int(s.t.Bits)
	}
	switch s.addend {
	case signed32:
		s.addWhole(int64(v.Int32s[i] << unused >> unused))
	case unsigned32:
		s.addWhole(int64(uint32(v.Int32s[i]) << unused >> unused))
	case signed64:
		s.addWhole(v.Int64s[i])
	case unsigned64:
		var carry uint64
		s.low, carry = stdbits.Add64(s.low, uint64(v.Int64s[i]), 0)
		s.high += carry
	case bigEndian:
		s.large.Add(s.large, bits.SetSigned(s.scratch, v.Bytes(i)))
	case halves:
		s.doubles.add(float64(vector.HalfToFloat(binary.LittleEndian.Uint16(v.Bytes(i)))))
	case floats:
		s.doubles.add(float64(v.Floats[i]))
	case doubles:
		s.doubles.add(v.Doubles[i])
	}
}

func (s *sum) addWhole(x int64) {
	var carry uint64
	s.low, carry = stdbits.Add64(s.low, uint64(x), 0)
	s.high += uint64(x>>63) + carry
}

// cell returns the sum as the cells above it are written, NULL if there are no
// values, as in SQL.
func (s *sum) cell() (Cell, error) {
	if !s.any {
		return Dim.Cell("NULL"), nil
	}
	text, plain := vector.Type{Physical: vector.Double}, []byte(nil)
	if s.addend.isDouble() {
		plain = binary.LittleEndian.AppendUint64(nil, math.Float64bits(s.doubles.rounded()))
	} else {
		// Precision is what a reader of a column must know, and a text does not need.
		text = vector.Type{Physical: vector.ByteArray, Logical: vector.Decimal, Scale: scaleOf(s.t)}
		if s.large != nil {
			plain = bits.Signed(s.large)
		} else {
			plain = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, s.high), s.low)
		}
	}
	format := text.Text()
	shown, err := format.Append(nil, plain)
	c := Bold.Cell(string(shown))
	c.Cut = NeverCut
	return c, err
}

// doubleSum is a sum of doubles that has not been rounded: a fixed-point number whose
// unit is the least double. Each double adds 53 bits to three of its digits.
//
//	digit   66 … 2         1         0        32 bits each, carries left in them
//	             00000000  000fffff  ffe00000
type doubleSum struct {
	digits   [67]int64
	adds     int     // since carries were last taken on
	infinite float64 // the sum of what is not finite
}

const (
	digitBits      = 32
	addsUntilCarry = 1 << 30 // a digit grows by less than 2³² with each
	leastExponent  = -1074   // of the least double, a power of two
)

func (s *doubleSum) add(x float64) {
	if math.IsInf(x, 0) || x != x {
		s.infinite += x
		return
	}
	pattern := math.Float64bits(x)
	exponent, mantissa := uint(pattern>>52&0x7ff), pattern&(1<<52-1)
	if exponent > 0 {
		mantissa |= 1 << 52
		exponent--
	}
	first, shift := exponent/digitBits, exponent%digitBits
	low, high := mantissa<<shift, mantissa>>(64-shift) // a shift by 64 leaves nothing
	parts := [3]int64{int64(low & (1<<digitBits - 1)), int64(low >> digitBits), int64(high)}
	for i, part := range parts {
		if x < 0 {
			part = -part
		}
		s.digits[first+uint(i)] += part
	}
	if s.adds++; s.adds == addsUntilCarry {
		s.carry()
	}
}

// carry takes on what the digits, but for the last, have above their 32 bits.
func (s *doubleSum) carry() {
	s.adds = 0
	for i := range s.digits[:len(s.digits)-1] {
		s.digits[i+1] += s.digits[i] >> digitBits
		s.digits[i] &= 1<<digitBits - 1
	}
}

// rounded returns the double next to the sum.
func (s *doubleSum) rounded() float64 {
	if s.infinite != 0 { // NaN is not 0 either
		return s.infinite
	}
	whole := new(big.Int)
	for i := len(s.digits) - 1; i >= 0; i-- {
		whole.Lsh(whole, digitBits)
		whole.Add(whole, big.NewInt(s.digits[i]))
	}
	exact := new(big.Float).SetInt(whole)
	x, _ := exact.SetMantExp(exact, leastExponent).Float64()
	return x
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
