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
	switch c.kind {
	case kindBool:
		if n, ok := v.(int64); ok && (n == 0 || n == 1) {
			return col.Eq(n == 1), false
		}
	case kindInteger, kindDecimalInteger:
		return integer(col, op, v)
	case kindReal:
		return number(col, op, v), false
	case kindUint64:
		if n, ok := v.(int64); ok {
			return compare(col, op, n), false
		}
		if s, ok := v.(string); ok && op == vtab.OpEQ && isDigits(s) {
			return col.Eq(filter.Decimal(s)), false
		}
	case kindDecimalReal:
		return decimal(col, op, v), false
	case kindDecimalText:
		return roughDecimal(col, op, v), false
	case kindDate, kindTimestamp:
		if s, ok := v.(string); ok {
			return c.moment(col, op, s), false
		}
	case kindUUID:
		if s, ok := v.(string); ok && isUUID.MatchString(s) {
			return col.Eq(lower(s)), false
		}
	case kindText:
		if s, ok := v.(string); ok {
			return textual(col, op, s), false
		}
	case kindBlob:
		if b, ok := v.([]byte); ok {
			return compare(col, op, b), false
		}
	}
	return nil, false
}

var isUUID = regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// compare returns a comparison with a value.
func compare(col filter.Column, op vtab.ConstraintOp, v any) *filter.Expr {
	switch op {
	case vtab.OpEQ:
		return col.Eq(v)
	case vtab.OpLT:
		return col.Lt(v)
	case vtab.OpLE:
		return col.Le(v)
	case vtab.OpGT:
		return col.Gt(v)
	case vtab.OpGE:
		return col.Ge(v)
	}
	return nil
}

// integer compares integers with a number. A real bound becomes the next integer
// within it.
func integer(col filter.Column, op vtab.ConstraintOp, v any) (e *filter.Expr, none bool) {
	switch v := v.(type) {
	case int64:
		return compare(col, op, v), false
	case float64:
		low, high := math.Floor(v), math.Ceil(v)
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
	}
	return nil, false
}

// number compares floats with a number, exactly, as SQLite does.
func number(col filter.Column, op vtab.ConstraintOp, v any) *filter.Expr {
	switch v := v.(type) {
	case int64:
		return compare(col, op, v)
	case float64:
		double, err := vector.FloatOf(vector.Type{Physical: vector.Double}, v)
		if err != nil {
			return nil
		}
		return compare(col, op, double) // a float64 would stand for the FLOAT next to it
	}
	return nil
}

// decimal compares decimals that SQLite has as reals with a number. Of decimals of at
// most 15 digits each is another double, in the same order, and a double compares
// with them as the shortest decimal that reads as it.
func decimal(col filter.Column, op vtab.ConstraintOp, v any) *filter.Expr {
	switch v := v.(type) {
	case int64:
		return compare(col, op, v)
	case float64:
		if math.Abs(v) < 1e20 && (v == 0 || math.Abs(v) > 1e-20) {
			return compare(col, op, filter.Decimal(strconv.FormatFloat(v, 'f', -1, 64)))
		}
	}
	return nil
}

// roughDecimal compares decimals that SQLite has as texts. What SQLite does with them
// before it compares, as texts of 15 to 17 digits or as reals, depends on the other
// side, so that bounds are moved by more than that changes.
func roughDecimal(col filter.Column, op vtab.ConstraintOp, v any) *filter.Expr {
	var x float64
	switch v := v.(type) {
	case int64:
		x = float64(v)
	case float64:
		x = v
	case string:
		// Between texts the collation may be another column's: under each of them,
		// equal texts are equal numbers if they are numbers.
		if op == vtab.OpEQ && isDecimal.MatchString(v) {
			return col.Eq(filter.Decimal(v))
		}
		return nil
	default:
		return nil
	}
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
