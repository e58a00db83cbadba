package sqlitescan

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite/vtab"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
)

// takes reports whether conditions with an operator on a column reach the scan.
func (c *column) takes(op vtab.ConstraintOp) bool {
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
	case kindNested, kindNull, kindOtherText:
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
		return anyPrefix(col, likePrefix(s))
	case vtab.OpGLOB:
		if p := globPrefix(s); p != "" {
			return col.Prefix(p)
		}
	}
	return nil
}

// lastDay is the last date whose text has its place in the order of texts: "+10000-01-01" is
// before all years without a sign.
const lastDay = "9999-12-31"

// moment compares dates and timestamps, which SQLite has as texts, with a text. A text that
// is a moment, or the start of one that stands for its first, is after all texts of
// earlier moments and before all of later ones. Nothing is known of other texts.
func (c *column) moment(col filter.Column, op vtab.ConstraintOp, s string) *filter.Expr {
	at, ok := parseMoment(s)
	if !ok {
		return nil
	}
	if c.kind == kindDate {
		// A text that goes on after the day is after the day's.
		s = at.Format(time.DateOnly)
	} else {
		s = at.Format("2006-01-02 15:04:05.999999999")
	}
	switch op {
	case vtab.OpEQ:
		return col.Eq(s)
	case vtab.OpLT, vtab.OpLE:
		return filter.Or(col.Le(s), col.Gt(lastDay))
	case vtab.OpGT, vtab.OpGE:
		return col.Ge(s)
	}
	return nil
}

// parseMoment reads a text in the form of a column's values, or the start of one that ends with the day,
// the minute or the second.
func parseMoment(s string) (time.Time, bool) {
	for _, form := range []string{time.DateOnly, "2006-01-02 15:04", "2006-01-02 15:04:05"} {
		if at, err := time.Parse(form, s); err == nil && at.Year() >= 0 {
			return at, isMoment.MatchString(s)
		}
	}
	return time.Time{}, false
}

// isMoment is stricter than time.Parse, which takes a comma and one digit of an hour.
var isMoment = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?)?$`)
