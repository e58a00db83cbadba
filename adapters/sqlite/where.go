//every:condition sqlite but And Not Constant Is In Match Prefix Suffix Func Keys (SQLite evaluates them itself, or asks by comparisons)
package sqlitescan

import (
	"math"
	"reflect"
	"regexp"
	"slices"
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

// rule is a row of the table of what reaches the scan: conditions with one of these operators, on a column of one of
// these kinds and with a value of this type. The rest is SQLite's. Their tests compare each row with a table of SQLite.
type rule struct {
	ops   uint // bits by vtab.ConstraintOp
	kinds uint // bits by kind
	value any  // one of the type, nil: none
	// expr returns a condition that all rows pass for which SQLite finds this one TRUE, nil if that is every row.
	// IS comes as =, and IS NOT as <>.
	expr func(c *column, op vtab.ConstraintOp, v any) *filter.Expr
}

const (
	equal    = 1<<vtab.OpEQ | 1<<vtab.OpIS
	unequal  = 1<<vtab.OpNE | 1<<vtab.OpISNOT
	ordered  = equal | 1<<vtab.OpLT | 1<<vtab.OpLE | 1<<vtab.OpGT | 1<<vtab.OpGE
	compares = ordered | unequal
)

var rules = []rule{
	{1 << vtab.OpISNULL, 1<<kinds - 1 - 1<<kindReal, nil, isNull}, // a NaN is NULL in SQLite
	{1 << vtab.OpISNOTNULL, 1<<kinds - 1, nil, isNotNull},
	{compares, 1<<kindInteger | 1<<kindDecimalInteger | 1<<kindUint64 | 1<<kindReal | 1<<kindDecimalReal, int64(0), same},
	{equal | unequal, 1 << kindBool, int64(0), truth},
	{compares, 1<<kindInteger | 1<<kindDecimalInteger, 0.0, integer},
	{compares, 1 << kindReal, 0.0, double},
	{compares, 1 << kindDecimalReal, 0.0, shortDecimal},
	{ordered, 1 << kindDecimalText, int64(0), roughDecimal},
	{ordered, 1 << kindDecimalText, 0.0, roughDecimal},
	{equal, 1<<kindUint64 | 1<<kindDecimalText, "", digits},
	{ordered, 1<<kindDate | 1<<kindTimestamp, "", instant},
	{ordered, 1 << kindTime, "", timeOfDay},
	{equal, 1 << kindUUID, "", uuid},
	{compares, 1 << kindText, "", textual},
	{1 << vtab.OpLIKE, 1 << kindText, "", like},
	{1 << vtab.OpGLOB, 1 << kindText, "", glob},
	{compares, 1 << kindBlob, []byte{}, same},
}

// filters reports whether conditions with an operator on a column reach the scan, if their value has a fitting type.
func (c *column) filters(op vtab.ConstraintOp) bool {
	return slices.ContainsFunc(rules, func(r rule) bool { return r.has(c, op) })
}

func (r *rule) has(c *column, op vtab.ConstraintOp) bool {
	return r.ops>>op&1 != 0 && r.kinds>>c.kind&1 != 0
}

// rule returns the row of the table for a condition, nil if there is none.
func (c *column) rule(op vtab.ConstraintOp, v any) *rule {
	kind := reflect.TypeOf(c.affine(v))
	for i := range rules {
		if r := &rules[i]; r.has(c, op) && (r.value == nil || reflect.TypeOf(r.value) == kind) {
			return r
		}
	}
	return nil
}

// affine returns a value as the affinity of a column of numbers makes it: a text of digits is a number. Others
// are left as they are, such as those with more digits than each reader reads alike.
func (c *column) affine(v any) any {
	switch c.kind {
	case kindBool, kindInteger, kindDecimalInteger, kindReal, kindDecimalReal:
		s, isText := v.(string)
		if !isText || !isDecimal.MatchString(s) {
			return v
		}
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
		if x, err := strconv.ParseFloat(s, 64); err == nil && len(s) <= realDigits {
			return x
		}
	}
	return v
}

// condition returns a condition that all rows pass for which SQLite finds "column op v" TRUE, nil if that is every row.
func (c *column) condition(op vtab.ConstraintOp, v any) *filter.Expr {
	switch {
	case op == vtab.OpISNULL, op == vtab.OpISNOTNULL:
	case op == vtab.OpIS && v == nil:
		op = vtab.OpISNULL
	case op == vtab.OpISNOT && v == nil:
		op = vtab.OpISNOTNULL
	case v == nil:
		return filter.Or() // nothing compares with NULL
	case op == vtab.OpIS:
		op = vtab.OpEQ
	case op == vtab.OpISNOT:
		if e := c.condition(vtab.OpNE, v); e != nil {
			return filter.Or(e, c.col().IsNull())
		}
		return nil
	}
	if r := c.rule(op, v); r != nil {
		return r.expr(c, op, c.affine(v))
	}
	return nil
}

func (c *column) col() filter.Column { return filter.Col(c.path) }

func isNull(c *column, _ vtab.ConstraintOp, _ any) *filter.Expr    { return c.col().IsNull() }
func isNotNull(c *column, _ vtab.ConstraintOp, _ any) *filter.Expr { return c.col().IsNotNull() }

// same compares values that mean the same to the scan.
func same(c *column, op vtab.ConstraintOp, v any) *filter.Expr { return comparisons[op](c.col(), v) }

// comparisons are the operators by which a scan compares values as SQLite does.
var comparisons = map[vtab.ConstraintOp]func(filter.Column, any) *filter.Expr{
	vtab.OpEQ: filter.Column.Eq, vtab.OpNE: filter.Column.Ne,
	vtab.OpLT: filter.Column.Lt, vtab.OpLE: filter.Column.Le,
	vtab.OpGT: filter.Column.Gt, vtab.OpGE: filter.Column.Ge,
}

func truth(c *column, op vtab.ConstraintOp, v any) *filter.Expr {
	if n := v.(int64); n == 0 || n == 1 {
		return comparisons[op](c.col(), n == 1)
	}
	return nil
}

// integer compares integers with a real, which becomes the next integer within the bound.
func integer(c *column, op vtab.ConstraintOp, v any) *filter.Expr {
	low, high := math.Floor(v.(float64)), math.Ceil(v.(float64))
	switch {
	case low < -1<<63 || high >= 1<<63:
		return nil
	case op == vtab.OpLT || op == vtab.OpLE:
		return c.col().Le(int64(low))
	case op == vtab.OpGT || op == vtab.OpGE:
		return c.col().Ge(int64(high))
	case low == high:
		return comparisons[op](c.col(), int64(low))
	case op == vtab.OpEQ:
		return filter.Or() // no integer has a fraction
	}
	return nil
}

// double compares floats with a real: a float64 would stand for the FLOAT next to it.
func double(c *column, op vtab.ConstraintOp, v any) *filter.Expr {
	x, err := vector.FloatOf(vector.Type{Physical: vector.Double}, v.(float64))
	if err != nil {
		return nil
	}
	return comparisons[op](c.col(), x)
}

// shortDecimal compares decimals of at most 15 digits. Of these each is another double, in the same order, and a double
// compares with them as the shortest decimal that reads as it.
func shortDecimal(c *column, op vtab.ConstraintOp, v any) *filter.Expr {
	x := v.(float64)
	if size := math.Abs(x); size != 0 && (size < 1e-20 || size > 1e20) {
		return nil
	}
	return comparisons[op](c.col(), filter.Decimal(strconv.FormatFloat(x, 'f', -1, 64)))
}

// roughDecimal compares decimals that SQLite has as texts. What SQLite does with them
// before it compares, as texts of 15 to 17 digits or as reals, depends on the other
// side, so that bounds are moved by more than that changes.
func roughDecimal(c *column, op vtab.ConstraintOp, v any) *filter.Expr {
	x, isReal := v.(float64)
	if !isReal {
		x = float64(v.(int64))
	}
	if math.Abs(x) > 1e80 {
		return nil
	}
	slack := math.Abs(x)*1e-13 + 1e-80
	low := filter.Decimal(strconv.FormatFloat(x-slack, 'f', -1, 64))
	high := filter.Decimal(strconv.FormatFloat(x+slack, 'f', -1, 64))
	switch op {
	case vtab.OpEQ:
		return c.col().Between(low, high)
	case vtab.OpLT, vtab.OpLE:
		return c.col().Le(high)
	}
	return c.col().Ge(low)
}

var isDecimal = regexp.MustCompile(`^-?[0-9]{1,76}(\.[0-9]{1,76})?$`)

// digits looks for a number that SQLite has as a text. Between texts the collation may be another column's: under
// each of them, equal texts are equal numbers if they are numbers.
func digits(c *column, _ vtab.ConstraintOp, v any) *filter.Expr {
	s := v.(string)
	if !isDecimal.MatchString(s) || c.kind == kindUint64 && strings.Contains(s, ".") {
		return nil
	}
	return c.col().Eq(filter.Decimal(s))
}

var isUUID = regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func uuid(c *column, _ vtab.ConstraintOp, v any) *filter.Expr {
	if s := v.(string); isUUID.MatchString(s) {
		return c.col().Eq(lower(s))
	}
	return nil
}
