package naive

import (
	"math"
	"math/big"
	"testing"
)

func lit(v any) Operand { return Operand{IsLiteral: true, Literal: v} }

func rat(s string) *big.Rat {
	r, _ := new(big.Rat).SetString(s)
	return r
}

// TestTruthTables holds the three values against the tables of the SQL standard.
func TestTruthTables(t *testing.T) {
	constants := map[byte]*Cond{'T': {Op: Constant, Left: lit(true)}, 'F': {Op: Constant, Left: lit(false)}, 'N': {Op: Constant, Left: lit(nil)}}
	letter := map[Truth]byte{True: 'T', False: 'F', Unknown: 'N'}
	for _, table := range []string{"T and T T", "T and F F", "T and N N", "F and F F", "F and N F", "N and N N",
		"T or T T", "T or F T", "T or N T", "F or F F", "F or N N", "N or N N", "T not _ F", "F not _ T", "N not _ N",
		"T true _ T", "F true _ F", "N true _ F", "T false _ F", "F false _ T", "N false _ F"} {
		var a, b, want byte = table[0], table[len(table)-3], table[len(table)-1]
		op := map[string]Op{"and": And, "or": Or, "not": Not, "true": IsTrue, "false": IsFalse}[table[2:len(table)-4]]
		c := &Cond{Op: op, Args: []*Cond{constants[a]}}
		if b != '_' {
			c.Args = append(c.Args, constants[b])
		}
		if got := letter[c.Eval(nil)]; got != want {
			t.Errorf("%s: got %c", table, got)
		}
	}
}

func TestCompare(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		a    any
		op   Op
		b    any
		want Truth
	}{
		{nil, Eq, nil, Unknown}, {int64(1), Ne, nil, Unknown},
		{int64(2), Lt, int64(3), True}, {int64(2), Ge, rat("5/2"), False}, {int64(2), Le, Decimal{rat("2.0")}, True},
		{nan, Eq, nan, False}, {nan, Ne, nan, True}, {nan, Lt, 1.0, False}, {int64(1), Ne, nan, True}, {1.0, Gt, nan, False},
		{0.1, Eq, Decimal{rat("0.1")}, True}, {float64(float32(0.1)), Eq, Decimal{rat("0.1")}, False}, {Single(0.1), Eq, Decimal{rat("0.1")}, True}, {Single(0.1), Eq, 0.1, False},
		{Half(0.0999755859375), Eq, Decimal{rat("0.1")}, True}, {Half(65504), Eq, Decimal{rat("65519.9")}, True}, {Half(65504), Lt, Decimal{rat("65520")}, True}, {0.1, Eq, rat("0.1"), False},
		{math.Copysign(0, -1), Eq, 0.0, True}, {math.Copysign(0, -1), Lt, int64(0), False},
		{float64(1 << 53), Lt, int64(1<<53 + 1), True}, {float64(1 << 53), Eq, Decimal{rat("9007199254740993")}, True},
		{math.Inf(1), Gt, rat("1e400"), True}, {math.Inf(-1), Lt, int64(math.MinInt64), True}, {Decimal{rat("1e400")}, Lt, math.Inf(1), True},
		{"a", Lt, "a\x00", True}, {"\xff", Gt, "é", True}, {"", Le, "", True}, {true, Eq, true, True}, {true, Ne, false, True},
	} {
		if got := compare(c.op, c.a, c.b); got != c.want {
			t.Errorf("%v %v %v: %v", c.a, c.op, c.b, got)
		}
	}
}

func TestLikeCharacters(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		escape        rune
		want          bool
	}{
		{"", "", 0, true}, {"", "a", 0, false}, {"%", "", 0, true}, {"_", "é", 0, true}, {"_", "\xff", 0, true}, {"__", "é", 0, false},
		{"a%c", "abbc", 0, true}, {"a%c", "abbcd", 0, false}, {"%b%b%", "abab", 0, true}, {"!%", "%", '!', true}, {"!%", "x", '!', false},
		{"!!", "!", '!', true}, {"a!_", "a_", '!', true}, {"a!_", "ab", '!', false}, {"a_", "a_", '!', true},
	} {
		if got := like(c.pattern, c.text, c.escape, false); got != c.want {
			t.Errorf("%q like %q escape %q: %v", c.text, c.pattern, c.escape, got)
		}
	}
}

// TestItems has lists as the documentation of WHERE tells them: NULL, empty,
// with NULL items, with NULL lists within.
func TestItems(t *testing.T) {
	one := int64(1)
	for _, c := range []struct {
		v        any
		lists    int
		any, all Truth // = 1
		null     Truth // ANY IS NULL
	}{
		{nil, 1, False, True, False}, {List{}, 1, False, True, False}, {List{one}, 1, True, True, False},
		{List{one, nil}, 1, True, Unknown, True}, {List{nil, int64(2)}, 1, Unknown, False, True}, {List{int64(2)}, 1, False, False, False},
		{List{nil}, 2, Unknown, Unknown, Unknown}, {List{nil, List{one}}, 2, True, Unknown, Unknown}, {List{List{}}, 2, False, True, False},
	} {
		for quant, want := range map[Quantifier]Truth{Any: c.any, All: c.all} {
			o := Operand{Path: []int{0}, Lists: c.lists, Quant: quant}
			if got := (&Cond{Op: Eq, Left: o, Right: []Operand{lit(one)}}).Eval(Struct{c.v}); got != want {
				t.Errorf("%v, quantifier %d: %v", c.v, quant, got)
			}
		}
		if got := (&Cond{Op: IsNull, Left: Operand{Path: []int{0}, Lists: c.lists, Quant: Any}}).Eval(Struct{c.v}); got != c.null {
			t.Errorf("%v: ANY IS NULL is %v", c.v, got)
		}
	}
	fields := List{Struct{"k", one}, nil, Struct{"k", nil}}
	if got := (&Cond{Op: IsNull, Left: Operand{Path: []int{0, 1}, Lists: 1, Quant: All}}).Eval(Struct{fields}); got != False {
		t.Errorf("fields of structs in a list: %v", got)
	}
	isOne := &Cond{Op: Eq, Left: Operand{Path: []int{0}}, Right: []Operand{lit(one)}}
	for _, c := range []struct {
		v        any
		any, all Truth
		count    int64
	}{
		{nil, False, True, 0}, {List{}, False, True, 0}, {List{one, nil, one}, True, Unknown, 2}, {List{nil, int64(2)}, Unknown, False, 0}, {List{one, one}, True, True, 2},
	} {
		o := Operand{Path: []int{0}, Items: isOne}
		if got := o.value(Struct{c.v}); got != c.count {
			t.Errorf("%v: count %v", c.v, got)
		}
		for quant, want := range map[Quantifier]Truth{Any: c.any, All: c.all} {
			o.Quant = quant
			if got := (&Cond{Op: Bool, Left: o}).Eval(Struct{c.v}); got != want {
				t.Errorf("%v, quantifier %d of items with a name: %v", c.v, quant, got)
			}
		}
	}
	m := List{Struct{"k", one}, Struct{"k", int64(2)}}
	for key, want := range map[string]Truth{"k": True, "none": Unknown} {
		if got := (&Cond{Op: Eq, Left: Operand{Path: []int{0}, HasKey: true, Key: key}, Right: []Operand{lit(int64(2))}}).Eval(Struct{m}); got != want {
			t.Errorf("key %s: %v", key, got)
		}
	}
	if got := (&Cond{Op: Gt, Left: Operand{Path: []int{0}, Length: true}, Right: []Operand{lit(one)}}).Eval(Struct{m}); got != True {
		t.Errorf("length: %v", got)
	}
}
