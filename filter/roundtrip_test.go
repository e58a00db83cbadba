package filter

import (
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// randomExpr makes an expression by the builders, of anything that they take.
func randomExpr(r *rand.Rand, depth int) *Expr {
	if depth > 0 {
		switch r.IntN(7) {
		case 0:
			return And(randomExpr(r, depth-1), randomExpr(r, depth-1), randomExpr(r, depth-2))
		case 1:
			return Or(randomExpr(r, depth-1), randomExpr(r, depth-1))
		case 2:
			return Not(randomExpr(r, depth-1))
		case 3:
			return randomExpr(r, depth-1).IsTrue()
		case 4:
			return randomExpr(r, depth-1).IsFalse()
		}
	}
	c := randomColumn(r)
	value := func() any { return randomValue(r) }
	switch r.IntN(22) {
	case 0:
		return nil
	case 1, 2:
		return c.Eq(value())
	case 3:
		return c.Ne(value())
	case 4:
		return c.Lt(value())
	case 5:
		return c.Le(value())
	case 6:
		return c.Gt(randomColumn(r))
	case 7:
		return c.Ge(value())
	case 8:
		return c.Between(value(), value())
	case 9:
		return c.Between(randomColumn(r), value())
	case 10:
		return c.In(value(), value(), value())
	case 11:
		return c.NotIn(value())
	case 12:
		return In(c, []float64{r.NormFloat64(), 1})
	case 13:
		return c.IsNull()
	case 14:
		return c.IsNotNull()
	case 15:
		return c.True()
	case 16:
		return c.Like(randomText(r))
	case 17:
		return c.LikeEscape(randomText(r), pick(r, '!', '\\', '\'', '%', '_', 'é', '\n'))
	case 18:
		return c.NotLike(randomText(r))
	case 19:
		return pick(r, c.Prefix, c.Suffix, c.Contains)(randomText(r))
	case 20:
		return c.Match(regexp.MustCompile(regexp.QuoteMeta(strings.ToValidUTF8(randomText(r), "?")) + pick(r, "", ".*", "$")))
	}
	return In(c, []string{})
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(pick(r, "a", "'", "''", `"`, "\\", "%", "_", "\n", "\x00", "\xff", "é", "日本", " ", "AND", "--", "]", "("))
	}
	return b.String()
}

func randomColumn(r *rand.Rand) Column {
	var path []string
	for range 1 + r.IntN(3) {
		path = append(path, pick(r, "a", "b1", "größe", "and", "NULL", "any", "x", "date", "length", "odd name", `say "hi"`, "dot.ted", "5", "\xff", "it's", "\n", "prefix"))
	}
	c := Column{operand{path: path, at: -1}}
	switch r.IntN(8) {
	case 0:
		return c.Any()
	case 1:
		return c.All()
	case 2:
		return c.Length()
	case 3:
		return c.Key(randomValue(r))
	case 4:
		return c.Key("k").Field(pick(r, "a", "a.b", `"and".or`))
	}
	return c
}

func randomValue(r *rand.Rand) any {
	digits := func() string {
		b := []byte{byte('1' + r.IntN(9))}
		for range r.IntN(30) {
			b = append(b, byte('0'+r.IntN(10)))
		}
		return string(b)
	}
	switch r.IntN(18) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return int64(r.Uint64())
	case 3:
		return r.Uint64()
	case 4:
		return int8(r.IntN(256) - 128)
	case 5:
		v, _ := new(big.Int).SetString(pick(r, "", "-")+digits(), 10)
		return v
	case 6:
		return math.Float64frombits(r.Uint64())
	case 7:
		return math.Float32frombits(r.Uint32())
	case 8:
		return pick(r, 0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1e300, 5e-324, 0.1, 1e20, 1e21, 1e-7)
	case 9, 10:
		return randomText(r)
	case 11:
		return []byte(randomText(r))
	case 12:
		return time.Unix(r.Int64N(1<<38)-1<<37, r.Int64N(1e9))
	case 13:
		return Date(r.IntN(12000)-2000, time.Month(1+r.IntN(12)), 1+r.IntN(28))
	case 14:
		return TimeOfDay(time.Duration(r.Int64N(86400e9)))
	case 15:
		return Decimal(pick(r, "", "-") + "0." + strings.Repeat("0", r.IntN(50)) + digits())
	case 16:
		return Decimal(digits() + pick(r, "", ".5", ".", "e5", "e-60", "E+100", "00000000000000000000000"))
	}
	return r.IntN(100)
}

// TestRoundTrip: an expression's text is parsed to the same expression, to the
// last bit of its literals.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	for i := range 20_000 {
		e := randomExpr(r, r.IntN(5))
		text := e.String()
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("case %d: %s: %v", i, text, err)
		}
		if e == nil {
			e = And()
		}
		if !identical(e, again) || again.String() != text {
			t.Fatalf("case %d: %s\nis parsed as\n%s", i, text, again)
		}
	}
}

// identical is sameExpr with all that literals are made of.
func identical(a, b *Expr) bool {
	return a.op == b.op && a.cmp == b.cmp && a.text == b.text && a.escape == b.escape && a.truth == b.truth && a.innerNot == b.innerNot &&
		(a.regexp == nil) == (b.regexp == nil) && (a.regexp == nil || a.regexp.String() == b.regexp.String()) &&
		slices.EqualFunc(a.args, b.args, identical) && slices.EqualFunc(a.right, b.right, identicalOperands) && identicalOperands(a.left, b.left)
}

func identicalOperands(a, b operand) bool {
	return slices.Equal(a.path, b.path) && slices.Equal(a.field, b.field) && a.quant == b.quant && a.length == b.length &&
		identicalLiterals(a.lit, b.lit) && identicalLiterals(a.key, b.key)
}

func identicalLiterals(a, b *literal) bool {
	if a == nil || b == nil {
		return a == b
	}
	sameNumber := a.num.coef == b.num.coef
	if a.num.coef != nil && b.num.coef != nil {
		sameNumber = a.num.coef.Cmp(b.num.coef) == 0 && a.num.exp == b.num.exp && a.num.approx == b.num.approx
	}
	return a.kind == b.kind && a.b == b.b && a.s == b.s && sameNumber &&
		(a.f == b.f || a.f != a.f && b.f != b.f) && a.days == b.days && a.nanos == b.nanos && a.zone == b.zone
}
