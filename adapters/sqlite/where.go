//every:condition sqlite but And Or Not Constant Is In Like Match Suffix Func Keys (SQLite evaluates them itself, or asks by comparisons)
package sqlitescan

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"modernc.org/sqlite/vtab"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
)

// checks reports whether a value may be refused that an operator compares with the column.
func (c *column) checks(op vtab.ConstraintOp) bool {
	switch op {
	case vtab.OpEQ, vtab.OpNE, vtab.OpIS, vtab.OpISNOT, vtab.OpLT, vtab.OpLE, vtab.OpGT, vtab.OpGE:
		switch c.kind {
		case kindDate, kindTimestamp, kindTime, kindUint64, kindDecimalText:
			return true
		}
	}
	return false
}

// check returns an error where SQLite does not compare a value with the column's as it was meant.
func (c *column) check(op vtab.ConstraintOp, v any) error {
	if v == nil || !c.checks(op) {
		return nil
	}
	switch c.kind {
	case kindUint64, kindDecimalText:
		x, ok := v.(float64)
		if s, isText := v.(string); isText && (strings.ContainsAny(s, "eE") || strings.HasSuffix(s, ".0")) {
			var err error // in lists of IN, a REAL has become a text
			x, err = strconv.ParseFloat(s, 64)
			ok = err == nil
		}
		if ok && c.isRounded(op, x) {
			return c.refuse(v, "SQLite holds as a REAL that may stand for other numbers as well")
		}
		return nil
	}
	return c.checkTime(op, v)
}

// isRounded reports whether a REAL may stand for a number of the column that is not the one that was
// written. SQLite makes a REAL of integers of 2^63 and more, and of all that have a fraction.
func (c *column) isRounded(op vtab.ConstraintOp, x float64) bool {
	size := math.Abs(x)
	if c.kind == kindUint64 {
		return 1<<63 <= x && x <= 1<<64
	}
	t := &c.field.Type
	if size > math.Pow10(int(t.Precision-t.Scale)) {
		return false // beyond all numbers of the column
	}
	digits, _, _ := strings.Cut(strconv.FormatFloat(size, 'e', -1, 64), "e")
	return size >= 1<<53 || isEquality(op) && len(digits) > realDigits+len(".")
}

// filters reports whether conditions with an operator on a column reach the scan.
func (c *column) filters(op vtab.ConstraintOp) bool {
	switch op {
	case vtab.OpISNULL:
		return c.kind != kindReal // a NaN is NULL in SQLite
	case vtab.OpISNOTNULL:
		return true
	case vtab.OpLIKE, vtab.OpGLOB:
		return c.kind == kindText
	case vtab.OpEQ, vtab.OpIS:
		return c.compares()
	case vtab.OpLT, vtab.OpLE, vtab.OpGT, vtab.OpGE:
		return c.compares() && c.kind != kindBool && c.kind != kindUUID
	}
	return false
}

// compares reports whether scans compare values of the column as SQLite does.
func (c *column) compares() bool {
	switch c.kind {
	case kindNested, kindNull, kindTime:
		return false
	case kindReal:
		return c.field.Type.Logical != vector.Float16
	case kindBlob:
		return c.field.Type.Logical == vector.None || c.field.Type.Logical == vector.BSON
	}
	return true
}

// condition returns a condition that all rows pass for which SQLite finds "column op v"
// TRUE, nil if that is every row. none reports that it is no row.
func (c *column) condition(op vtab.ConstraintOp, v any) (e *filter.Expr, none bool) {
	col := filter.Col(c.path)
	switch {
	case op == vtab.OpISNULL:
		return col.IsNull(), false
	case op == vtab.OpISNOTNULL:
		return col.IsNotNull(), false
	case v == nil && op == vtab.OpIS:
		if c.kind == kindReal {
			return nil, false
		}
		return col.IsNull(), false
	case v == nil:
		return nil, true // nothing compares with NULL
	case op == vtab.OpIS:
		op = vtab.OpEQ
	}
	n, isInteger := v.(int64)
	x, isReal := v.(float64)
	s, isText := v.(string)
	switch c.kind {
	case kindInteger, kindDecimalInteger, kindUint64, kindReal, kindDecimalReal:
		if isInteger {
			return comparisons[op](col, n), false
		}
	}
	switch {
	case c.kind == kindBool && isInteger && (n == 0 || n == 1):
		return col.Eq(n == 1), false
	case c.kind == kindUint64 && isText && op == vtab.OpEQ && isDigits(s):
		return col.Eq(filter.Decimal(s)), false
	case (c.kind == kindInteger || c.kind == kindDecimalInteger) && isReal:
		return integer(col, op, x)
	case c.kind == kindReal && isReal:
		if double, err := vector.FloatOf(vector.Type{Physical: vector.Double}, x); err == nil {
			return comparisons[op](col, double), false // a float64 would stand for the FLOAT next to it
		}
	case c.kind == kindDecimalReal && isReal && math.Abs(x) < 1e20 && (x == 0 || math.Abs(x) > 1e-20):
		// Of decimals of at most 15 digits each is another double, in the same order, and a double
		// compares with them as the shortest decimal that reads as it.
		return comparisons[op](col, filter.Decimal(strconv.FormatFloat(x, 'f', -1, 64))), false
	case c.kind == kindDecimalText && isInteger:
		return roughDecimal(col, op, float64(n)), false
	case c.kind == kindDecimalText && isReal:
		return roughDecimal(col, op, x), false
	case c.kind == kindDecimalText && op == vtab.OpEQ && isDecimal.MatchString(s):
		// Between texts the collation may be another column's: under each of them,
		// equal texts are equal numbers if they are numbers.
		return col.Eq(filter.Decimal(s)), false
	case (c.kind == kindDate || c.kind == kindTimestamp) && isText:
		return c.moment(col, op, s), false
	case c.kind == kindUUID && isText && isUUID.MatchString(s):
		return col.Eq(lower(s)), false
	case c.kind == kindText && isText:
		return textual(col, op, s), false
	case c.kind == kindBlob:
		if b, ok := v.([]byte); ok {
			return comparisons[op](col, b), false
		}
	}
	return nil, false
}

var isUUID = regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// comparisons are the operators by which a scan compares values as SQLite does.
var comparisons = map[vtab.ConstraintOp]func(filter.Column, any) *filter.Expr{
	vtab.OpEQ: filter.Column.Eq,
	vtab.OpLT: filter.Column.Lt, vtab.OpLE: filter.Column.Le,
	vtab.OpGT: filter.Column.Gt, vtab.OpGE: filter.Column.Ge,
}

// integer compares integers with a real, which becomes the next integer within the bound.
func integer(col filter.Column, op vtab.ConstraintOp, x float64) (e *filter.Expr, none bool) {
	low, high := math.Floor(x), math.Ceil(x)
	if low < -1<<63 || high >= 1<<63 {
		return nil, false
	}
	switch op {
	case vtab.OpEQ:
		return col.Eq(int64(low)), low != high
	case vtab.OpLT, vtab.OpLE:
		return col.Le(int64(low)), false
	case vtab.OpGT, vtab.OpGE:
		return col.Ge(int64(high)), false
	}
	return nil, false
}

// roughDecimal compares decimals that SQLite has as texts. What SQLite does with them
// before it compares, as texts of 15 to 17 digits or as reals, depends on the other
// side, so that bounds are moved by more than that changes.
func roughDecimal(col filter.Column, op vtab.ConstraintOp, x float64) *filter.Expr {
	if math.Abs(x) > 1e80 {
		return nil
	}
	slack := math.Abs(x)*1e-13 + 1e-80
	low := filter.Decimal(strconv.FormatFloat(x-slack, 'f', -1, 64))
	high := filter.Decimal(strconv.FormatFloat(x+slack, 'f', -1, 64))
	switch op {
	case vtab.OpEQ:
		return col.Between(low, high)
	case vtab.OpLT, vtab.OpLE:
		return col.Le(high)
	case vtab.OpGT, vtab.OpGE:
		return col.Ge(low)
	}
	return nil
}

var isDecimal = regexp.MustCompile(`^-?[0-9]{1,76}(\.[0-9]{1,76})?$`)

func isDigits(s string) bool { return isDecimal.MatchString(s) && !strings.Contains(s, ".") }

// textual compares texts.
func textual(col filter.Column, op vtab.ConstraintOp, s string) *filter.Expr {
	switch op {
	case vtab.OpEQ:
		return equalText(col, s)
	case vtab.OpLT, vtab.OpLE:
		return atMostText(col, s)
	case vtab.OpGT, vtab.OpGE:
		return atLeastText(col, s)
	case vtab.OpLIKE:
		return anyPrefix(col, patternPrefix(s, "%_"))
	case vtab.OpGLOB:
		if p := patternPrefix(s, "*?["); p != "" {
			return col.Prefix(p)
		}
	}
	return nil
}
