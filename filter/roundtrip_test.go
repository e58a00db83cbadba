package filter

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// randomExpr makes an expression by the builders, of anything that they take.
func randomExpr(r *rand.Rand, depth int) *Expr {
	if depth > 0 {
		switch r.IntN(8) {
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
		case 5:
			list, name, of := oneOf(r, "a", `b."c d"`), oneOf(r, "x", "odd name", "and"), randomExpr(r, depth-1)
			return oneOf(r, Any(list, name, of), All(list, name, of), Count(list, name, of).Ge(r.IntN(9)))
		}
	}
	c := randomColumn(r)
	operand := func() any { return randomValue(r) }
	switch r.IntN(22) {
	case 0:
		return nil
	case 1, 2:
		return c.Eq(operand())
	case 3:
		return c.Ne(operand())
	case 4:
		return c.Lt(operand())
	case 5:
		return c.Le(operand())
	case 6:
		return c.Gt(randomColumn(r))
	case 7:
		return c.Ge(operand())
	case 8:
		return c.Between(operand(), operand())
	case 9:
		return c.Between(randomColumn(r), operand())
	case 10:
		return c.In(operand(), operand(), operand())
	case 11:
		return c.NotIn(operand())
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
		return c.LikeEscape(randomText(r), oneOf(r, '!', '\\', '\'', '%', '_', 'é', '\n'))
	case 18:
		return c.NotLike(randomText(r))
	case 19:
		return oneOf(r, c.Prefix, c.Suffix, c.Contains)(randomText(r))
	case 20:
		return c.Match(regexp.MustCompile(regexp.QuoteMeta(strings.ToValidUTF8(randomText(r), "?")) + oneOf(r, "", ".*", "$")))
	}
	return In(c, []string{})
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(oneOf(r, "a", "'", "''", `"`, "\\", "%", "_", "\n", "\x00", "\xff", "é", "日本", " ", "AND", "--", "]", "("))
	}
	return b.String()
}

func randomColumn(r *rand.Rand) Column {
	var path []string
	for range 1 + r.IntN(3) {
		path = append(path, oneOf(r, "a", "b1", "größe", "and", "NULL", "any", "x", "date", "length", "odd name", `say "hi"`, "dot.ted", "5", "\xff", "it's", "\n", "prefix"))
	}
	c := Column{tree.Operand{Path: path, At: -1}}
	switch r.IntN(12) {
	case 10:
		return Calculate(oneOf(r, "+", "-", "*", "/", "&", "^"), randomColumn(r), oneOf[any](r, randomColumn(r), 7, Decimal("-0.5")))
	case 11:
		return Calculate("-", 2, Calculate(oneOf(r, "&", "**"), Calculate(oneOf(r, "/", "^", "-"), 3, c), c))
	case 8:
		return c.Lower()
	case 9:
		return c.Any().Upper().Lower()
	case 7:
		return c.Call("substring", r.IntN(5)-2, r.IntN(3)).Call("date_trunc", oneOf(r, "month", "HOUR")).Call("mod", 7)
	case 0:
		return c.Any()
	case 1:
		return c.All()
	case 2:
		return c.Length()
	case 3:
		return c.Key(randomValue(r))
	case 4:
		return c.Key("k").Field(oneOf(r, "a", "a.b", `"and".or`))
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
		v, _ := new(big.Int).SetString(oneOf(r, "", "-")+digits(), 10)
		return v
	case 6:
		return math.Float64frombits(r.Uint64())
	case 7:
		return math.Float32frombits(r.Uint32())
	case 8:
		return oneOf(r, 0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1e300, 5e-324, 0.1, 1e20, 1e21, 1e-7)
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
		return Decimal(oneOf(r, "", "-") + "0." + strings.Repeat("0", r.IntN(50)) + digits())
	case 16:
		return Decimal(digits() + oneOf(r, "", ".5", ".", "e5", "e-60", "E+100", "00000000000000000000000"))
	}
	return r.IntN(100)
}

// TestRoundTrip: an expression's text is parsed to the same expression, to the
// last bit of its literals. Each Op that has a text is among them.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	counts := map[tree.Op]int{}
	for i := range 20_000 {
		e := randomExpr(r, r.IntN(5))
		text := e.String()
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("case %d: %s: %v", i, text, err)
		}
		if !identical(e.condition(), again.condition()) || again.String() != text {
			t.Fatalf("case %d: %s\nis parsed as\n%s", i, text, again)
		}
		countOps(e.condition(), counts)
	}
	wantOps(t, counts, 100, "randomExpr should make it")
}

// wantOps wants each Op that a text can say, so many times.
func wantOps(t *testing.T, counts map[tree.Op]int, least int, advice string) {
	t.Helper()
	for i, name := range dtest.Constants(t, "internal/tree/condition.go", "Op") {
		op := tree.Op(i)
		if hasText := op != tree.Func && op != tree.Keys; hasText && counts[op] < least {
			t.Errorf("%s: %d times only; %s", name, counts[op], advice)
		}
	}
}

// countOps counts the conditions in a tree by what they say.
func countOps(e *tree.Condition, counts map[tree.Op]int) {
	counts[e.Op]++
	for _, a := range e.Args {
		countOps(a, counts)
	}
}

// identical reports whether two trees are the same in every field but At, their place in a text,
// and Quoted and Beside, which a text alone has.
func identical(a, b *tree.Condition) bool {
	return identicalValues(reflect.ValueOf(a), reflect.ValueOf(b))
}

func identicalValues(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		switch x := a.Interface().(type) {
		case *big.Int, *regexp.Regexp:
			return fmt.Sprint(x) == fmt.Sprint(b)
		case *function.Function:
			return a.Pointer() == b.Pointer()
		}
		return identicalValues(a.Elem(), b.Elem())
	case reflect.Slice, reflect.Array:
		same := a.Len() == b.Len()
		for i := 0; same && i < a.Len(); i++ {
			same = identicalValues(a.Index(i), b.Index(i))
		}
		return same
	case reflect.Struct:
		for field := range a.Type().NumField() {
			if name := a.Type().Field(field).Name; name != "At" && name != "Quoted" && name != "Beside" && !identicalValues(a.Field(field), b.Field(field)) {
				return false
			}
		}
		return true
	case reflect.Float64:
		return a.Float() == b.Float() || a.Float() != a.Float() && b.Float() != b.Float()
	case reflect.Func:
		return a.IsNil() && b.IsNil()
	}
	return a.Equal(b)
}

func oneOf[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }
