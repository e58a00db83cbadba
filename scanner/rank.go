package scanner

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// ranked is a row by the place that it has in the order.
type ranked struct {
	class rank
	key   int64  // of a number: ascends with the order
	plain []byte // else: its PLAIN encoding, without length prefix
	file  int    // of several
	group int
	row   int64
}

type rank uint8

const (
	isValue rank = iota
	isNotANumber
	isNull
)

// compare is negative if a's value is in front of b's.
func (x *ranking) compare(a, b *ranked) int {
	if c := cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.key, b.key)); c != 0 || a.class != isValue || x.isNumber() {
		return c
	}
	return x.search.compare(a.plain, b.plain)
}

// compare is negative if r stands in front of o in the files.
func (r *ranked) compare(o *ranked) int {
	return cmp.Or(cmp.Compare(r.file, o.file), cmp.Compare(r.group, o.group), cmp.Compare(r.row, o.row))
}

// take ranks values, which are those of rows.
func (x *ranking) take(group int, rows []int64) error {
	v := &x.values
	x.keys = appendKeys(x.keys[:0], v, x.side)
	isNumber := x.isNumber()
	for i, row := range rows {
		r := ranked{file: x.file, group: group, row: row}
		switch {
		case v.IsNull(i):
			r.class = isNull
		case isNumber:
			if r.key = x.keys[i]; r.key == keyOfNaN && isFloat(v.Type) {
				r.class, r.key = isNotANumber, 0
			}
		default:
			r.plain = v.Bytes(i)
			if v.Type.Logical == vector.Decimal && len(r.plain) == 0 {
				return corrupt.At(-1, "decimal of no bytes")
			}
			if v.Type.Logical == vector.Float16 && isNaN(vector.HalfToFloat(binary.LittleEndian.Uint16(r.plain))) {
				r.class = isNotANumber
			}
		}
		if x.full && x.compare(&r, &x.last) >= 0 {
			continue
		}
		r.plain = slices.Clone(r.plain)
		if x.rows = append(x.rows, r); len(x.rows)/2 > max(x.most, 512) {
			x.cut()
		}
	}
	return nil
}

// cut leaves the rows that count, in order.
func (x *ranking) cut() {
	slices.SortFunc(x.rows, func(a, b ranked) int {
		return cmp.Or(x.compare(&a, &b), a.compare(&b))
	})
	if len(x.rows) >= x.most {
		clear(x.rows[x.most:])
		x.rows = x.rows[:x.most]
		x.full, x.last = true, x.rows[x.most-1]
	}
}

// publish tells the scan what the value of a row that counts must be.
func (x *ranking) publish() {
	if !x.full || x.last.class != isValue || x.told && x.compare(&x.last, &x.said) == 0 {
		return
	}
	x.told, x.said = true, x.last
	e := x.inFront()
	if _, err := x.scan.bindExpr(e); err != nil {
		return // a value that no literal stands for: rows are ranked all the same
	}
	x.runtime.Publish(e)
}

// inFront is the condition that a value is in front of the last that counts.
func (x *ranking) inFront() *filter.Expr {
	t := x.leaf.node.Type
	plain := x.last.plain
	if x.isNumber() {
		plain = valueOf(t, x.last.key, x.side).PlainValue(0)
	}
	c, value := filter.Col(x.leaf.node.String()), literalOf(t, plain)
	if last, ok := value.(bool); ok { // filters have no order of these
		if last == (x.side == greatest) {
			return filter.Or()
		}
		return c.Eq(!last)
	}
	if x.side == greatest {
		return c.Gt(value)
	}
	return c.Lt(value)
}

// isNumber reports whether the column's values have keys.
func (x *ranking) isNumber() bool {
	s := x.leaf.node.Type.Store()
	return s != vector.InViews && s != vector.InFixed
}

func isFloat(t vector.Type) bool { return t.Physical == vector.Float || t.Physical == vector.Double }

// isUnsigned reports whether integers of type t are.
func isUnsigned(t vector.Type) bool { return t.Logical == vector.Integer && !t.Signed }

// keyOfNaN is no other value's.
const keyOfNaN = math.MaxInt64

// appendKeys adds the keys of v's slots, if they are numbers: integers that
// compare as the values do, or the other way round for the greatest.
//
//	UINT64     0 … 2⁶³-1 2⁶³ … 2⁶⁴-1         first bit swapped
//	DOUBLE     -Inf … -1 … ±0 … 1 … Inf      as bits, all but the first swapped where it is set
func appendKeys(keys []int64, v *vector.Vector, of side) []int64 {
	first := len(keys)
	switch n := v.Len; v.Type.Store() {
	case vector.InBools:
		for i := range n {
			keys = append(keys, int64(v.Bools[i/64]>>(i%64)&1))
		}
	case vector.InInt32s:
		mask := int64(-1)
		if isUnsigned(v.Type) {
			mask = math.MaxUint32
		}
		for _, value := range v.Int32s[:n] {
			keys = append(keys, int64(value)&mask)
		}
	case vector.InInt64s:
		swap := int64(0)
		if isUnsigned(v.Type) {
			swap = math.MinInt64
		}
		for _, value := range v.Int64s[:n] {
			keys = append(keys, value^swap)
		}
	case vector.InFloats:
		for _, value := range v.Floats[:n] {
			keys = append(keys, keyOfFloat(float64(value)))
		}
	case vector.InDoubles:
		for _, value := range v.Doubles[:n] {
			keys = append(keys, keyOfFloat(value))
		}
	}
	if of == greatest {
		for i, key := range keys[first:] {
			if key != keyOfNaN || !isFloat(v.Type) {
				keys[first+i] = ^key
			}
		}
	}
	return keys
}

func keyOfFloat(value float64) int64 {
	if isNaN(value) {
		return keyOfNaN
	}
	return swapped(int64(math.Float64bits(value + 0))) // -0 becomes 0
}

// swapped makes an integer of the bits of a double, and bits of the integer.
func swapped(b int64) int64 {
	if b < 0 {
		b ^= math.MaxInt64
	}
	return b
}

// valueOf returns the value of type t that has a key, as a slot.
func valueOf(t vector.Type, key int64, of side) *vector.Vector {
	if of == greatest {
		key = ^key
	}
	v := &vector.Vector{}
	v.Reset(t)
	v.Extend(1)
	switch t.Store() {
	case vector.InBools:
		v.Bools[0] = uint64(key)
	case vector.InInt32s:
		v.Int32s[0] = int32(key)
	case vector.InInt64s:
		if v.Int64s[0] = key; isUnsigned(t) {
			v.Int64s[0] ^= math.MinInt64
		}
	case vector.InFloats:
		v.Floats[0] = float32(math.Float64frombits(uint64(swapped(key))))
	case vector.InDoubles:
		v.Doubles[0] = math.Float64frombits(uint64(swapped(key)))
	}
	return v
}

// literalOf returns a value, given in PLAIN encoding, as filters take it.
func literalOf(t vector.Type, plain []byte) any {
	switch t.Logical {
	case vector.Decimal:
		text, _ := vector.AppendText(nil, t, plain)
		return filter.Decimal(string(text))
	case vector.Date, vector.Time, vector.Timestamp, vector.UUID:
		text, _ := vector.AppendText(nil, t, plain)
		return string(text)
	case vector.String, vector.Enum, vector.JSON:
		return string(plain)
	case vector.Float16:
		return float64(vector.HalfToFloat(binary.LittleEndian.Uint16(plain)))
	}
	switch t.Physical {
	case vector.Boolean:
		return plain[0] != 0
	case vector.Int32:
		n := binary.LittleEndian.Uint32(plain)
		if isUnsigned(t) {
			return n
		}
		return int32(n)
	case vector.Int64:
		n := binary.LittleEndian.Uint64(plain)
		if isUnsigned(t) {
			return n
		}
		return int64(n)
	case vector.Float:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(plain)))
	case vector.Double:
		return math.Float64frombits(binary.LittleEndian.Uint64(plain))
	}
	return plain
}
