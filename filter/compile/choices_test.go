package compile

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// chooser writes values that depend on the row, with what they are of it: nil for NULL.
type chooser struct{ *writer }

type chosen func(row int) *big.Rat

// condition is a random condition, and what it is of a row.
func (c *chooser) condition() (string, func(row int) naive.Truth) {
	text := c.writer.condition(c.r.IntN(2))
	e := treeOf(mustParse(text))
	return "(" + text + ")", func(row int) naive.Truth { return record{c.w, row}.eval(e) }
}

func (c *chooser) value(depth int) (string, chosen) {
	if depth == 0 || c.r.IntN(4) == 0 {
		switch c.r.IntN(5) {
		case 0:
			n := c.r.Int64N(7) - 2
			return strconv.FormatInt(n, 10), func(int) *big.Rat { return ratOf(n) }
		case 1:
			return "NULL", func(int) *big.Rat { return nil }
		}
		name := pick(c.r, "i32", "i8", "i64", "u32")
		o := treeOf(mustParse(name)).Left
		return name, func(row int) *big.Rat {
			d := record{c.w, row}.operand(o)
			if d == nil {
				return nil
			}
			return d.rat
		}
	}
	a, x := c.value(depth - 1)
	b, y := c.value(depth - 1)
	extreme := func(sign int) chosen {
		return func(row int) *big.Rat {
			p, q := x(row), y(row)
			if p == nil || q != nil && q.Cmp(p) == sign {
				return q
			}
			return p
		}
	}
	switch c.r.IntN(6) {
	case 0:
		third, z := c.value(depth - 1)
		return "coalesce(" + a + ", " + b + ", " + third + ")", func(row int) *big.Rat {
			for _, f := range [...]chosen{x, y, z} {
				if v := f(row); v != nil {
					return v
				}
			}
			return nil
		}
	case 1:
		return "nullif(" + a + ", " + b + ")", func(row int) *big.Rat {
			p, q := x(row), y(row)
			if p != nil && q != nil && p.Cmp(q) == 0 {
				return nil
			}
			return p
		}
	case 2:
		return "least(" + a + ", " + b + ")", extreme(-1)
	case 3:
		return "greatest(" + a + ", " + b + ")", extreme(1)
	case 4:
		of, z := c.value(depth - 1)
		return "CASE (" + of + ") WHEN " + a + " THEN " + b + " END", func(row int) *big.Rat {
			if p, q := z(row), x(row); p != nil && q != nil && p.Cmp(q) == 0 {
				return y(row)
			}
			return nil
		}
	}
	one, p := c.condition()
	two, q := c.condition()
	return "CASE WHEN " + one + " THEN " + a + " WHEN " + two + " THEN " + b + " ELSE 3 END", func(row int) *big.Rat {
		switch naive.True {
		case p(row):
			return x(row)
		case q(row):
			return y(row)
		}
		return ratOf(3)
	}
}

// test is a condition on a value.
func (c *chooser) test() (string, func(row int) naive.Truth) {
	a, x := c.value(1 + c.r.IntN(2))
	known := func(b bool) naive.Truth {
		if b {
			return naive.True
		}
		return naive.False
	}
	switch c.r.IntN(4) {
	case 0:
		return a + " IS NULL", func(row int) naive.Truth { return known(x(row) == nil) }
	case 1:
		return a + " BETWEEN 0 AND 2", func(row int) naive.Truth {
			p := x(row)
			if p == nil {
				return naive.Unknown
			}
			return known(p.Sign() >= 0 && p.Cmp(ratOf(2)) <= 0)
		}
	}
	b, y := c.value(c.r.IntN(2))
	op := pick(c.r, "=", "<>", "<", ">=", "IS DISTINCT FROM")
	return a + " " + op + " " + b, func(row int) naive.Truth {
		p, q := x(row), y(row)
		switch {
		case op == "IS DISTINCT FROM" && (p == nil || q == nil):
			return known(p != q)
		case p == nil || q == nil:
			return naive.Unknown
		}
		cmp := p.Cmp(q)
		return known(map[string]bool{"=": cmp == 0, "<>": cmp != 0, "<": cmp < 0, ">=": cmp >= 0, "IS DISTINCT FROM": cmp != 0}[op])
	}
}

// TestChoices holds CASE, coalesce, nullif, least and greatest, which the parser says by other
// conditions, against what they mean.
func TestChoices(t *testing.T) {
	for i := range dtest.Rounds(t, 800) {
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		w := newWorld(t, r, 20)
		c := &chooser{writer: &writer{r, w}}
		text, eval := c.test()
		if r.IntN(3) == 0 { // of conditions
			other, f := c.test()
			when, g := c.condition()
			of := eval
			text = "CASE WHEN " + when + " THEN (" + text + ") ELSE coalesce(" + other + ", i8 > 0) END"
			positive := treeOf(mustParse("i8 > 0"))
			eval = func(row int) naive.Truth {
				switch other := f(row); {
				case g(row) == naive.True:
					return of(row)
				case other != naive.Unknown:
					return other
				}
				return record{w, row}.eval(positive)
			}
		}
		want := naive.True
		if r.IntN(2) == 0 {
			text, want = "NOT ("+text+")", naive.False
		}
		p, err := Bind(mustParse(text), w.schema, nil)
		if err != nil {
			t.Fatalf("-seed %d case %d: %s: %v", *seed, i, text, err)
		}
		sel := w.run(p)
		for row := range w.rows {
			if got := eval(row); bits.Get(sel, row) != (got == want) {
				t.Fatalf("-seed %d case %d: %s\nprogram %s\nrow %d is %d", *seed, i, text, p, row, got)
			}
		}
	}
}

// TestManyChoices: the first WHEN of a thousand decides, and so it does of what is printed.
func TestManyChoices(t *testing.T) {
	text := "CASE x"
	for i := range 1000 {
		text += " WHEN " + strconv.Itoa(i%500) + " THEN " + strconv.Itoa(i)
	}
	e := mustParse(text + " END >= 499")
	for _, e := range []*filter.Expr{e, mustParse(e.String())} {
		p, err := Bind(e, oneColumn(t, kind("i32")), nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.String() != "x = 499" {
			t.Error(p)
		}
	}
}
