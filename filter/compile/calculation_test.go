package compile

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// forwards returns what a value beside a column is, whose steps are not inverted, and whether it is
// a number, a date, a moment or a span.
func (x record) forwards(o tree.Operand) (v any, kind string) {
	of := vector.Type{}
	if l := o.Literal; l != nil {
		kind = map[value.LitKind]string{value.LitDate: "date", value.LitStamp: "moment", value.LitInterval: "span"}[l.Kind]
		return literalDatum(l).literal().Literal, kind
	}
	plain := o
	plain.Steps = nil
	v = x.valueOf(plain).literal().Literal
	if !o.Length {
		of = x.leafOf(o).Type
	}
	calculated := false
	kindOf := func() string {
		switch {
		case of.Logical == vector.Date:
			return "date"
		case isMoment(of):
			return "moment"
		}
		return ""
	}
	kind = kindOf()
	for i := range o.Steps {
		step := &o.Steps[i]
		if step.Op != tree.Calculate || isMoment(of) && step.By.Literal != nil && !step.By.Literal.IsMoment() {
			v, of = stepOn(v, step, of, calculated)
			kind = kindOf()
		} else {
			by, its := x.forwards(*step.By)
			if step.Sign == value.Join {
				its = ""
				v, by = spelledTwin(v, of), spelledTwin(by, x.typeOf(*step.By))
			}
			values, kinds := [2]any{v, by}, [2]string{kind, its}
			if step.Front {
				values, kinds = [2]any{by, v}, [2]string{its, kind}
			}
			v, kind = operated(step.Sign, values, kinds)
			of = vector.Type{}
		}
		calculated = calculated || !isRun(step)
	}
	return v, kind
}

// typeOf returns the type of a column that is plain or an integer that a function returns.
func (x record) typeOf(o tree.Operand) vector.Type {
	if len(o.Steps) > 0 || o.Length {
		return vector.Type{}
	}
	return x.leafOf(o).Type
}

// spelledTwin returns the text of a value.
func spelledTwin(v any, of vector.Type) any {
	if _, isText := v.(string); isText || v == nil {
		return v
	}
	return naiveStep(&tree.Step{Op: tree.Cast, To: value.Target{Name: value.ToText}}, of).Apply(v)
}

// operated returns the result of an operation on values of some kinds, and its kind.
func operated(op value.Arithmetic, of [2]any, kinds [2]string) (v any, kind string) {
	days := kinds[0] == "date" && kinds[1] == "date"
	if kinds[0] != "" && !days {
		kind = "span"
	}
	if of[0] == nil || of[1] == nil {
		return nil, kind
	}
	if op == value.Join {
		return (&naive.Step{Op: naive.Join, By: of[1]}).Apply(of[0]), ""
	}
	var doubles [2]float64
	floats := false
	for i, v := range of {
		d := datumOf(v)
		if d.rat == nil {
			doubles[i], floats = *d.float, true
		} else {
			doubles[i], _ = d.rat.Float64()
		}
	}
	steps := map[value.Arithmetic]naive.StepOp{value.Add: naive.Add, value.Subtract: naive.Subtract, value.Multiply: naive.Multiply, value.Divide: naive.Divide}
	switch {
	case op == value.Power:
		return math.Pow(doubles[0], doubles[1]), kind
	case op == value.BitOr:
		return new(big.Rat).SetInt(new(big.Int).Or(datumOf(of[0]).rat.Num(), datumOf(of[1]).rat.Num())), kind
	case op == value.BitAnd:
		return new(big.Rat).SetInt(new(big.Int).And(datumOf(of[0]).rat.Num(), datumOf(of[1]).rat.Num())), kind
	case floats:
		return (&naive.Step{Op: steps[op], By: doubles[1]}).Apply(doubles[0]), kind
	case op == value.Divide && datumOf(of[1]).rat.Sign() == 0:
		return nil, kind
	case op == value.Divide:
		return doubles[0] / doubles[1], kind
	}
	v = (&naive.Step{Op: steps[op], By: of[1]}).Apply(of[0])
	if days {
		v = new(big.Rat).Quo(v.(*big.Rat), ratOf(value.NanosPerDay))
	}
	return v, kind
}

// term writes a column, or a value that is calculated from one or more, of a family.
func (g *writer) term(family string, depth int) string {
	r := g.r
	if depth > 0 && r.IntN(3) == 0 { // a function or a cast
		zone := pick(r, "UTC", "Europe/Berlin", "America/New_York")
		switch family {
		case "text":
			return pick(r, "lower", "upper", "trim") + "(" + g.term(family, depth-1) + ")"
		case "moment":
			x := g.term(family, depth-1)
			return pick(r, "date_trunc('"+pick(r, "hour", "day", "week", "month", "second")+"', "+x+")", "("+x+") AT TIME ZONE '"+zone+"'", "CAST("+x+" AS DATE)",
				"CAST("+x+" AS TIMESTAMP)", "CAST("+x+" AS TIMESTAMPTZ)", "("+x+" + INTERVAL '"+pick(r, "1 day", "-3 months", "1 month 02:00:00.5", "400 years")+"')", "(date_r - 30)")
		default:
			x, m := g.term(family, depth-1), g.term("moment", depth-1)
			return pick(r, pick(r, "floor", "ceil", "abs", "sign", "round")+"("+x+")", "round("+x+", "+pick(r, "1", "-1", "2")+")", "CAST("+x+" AS "+pick(r, "TINYINT", "INT", "BIGINT", "DECIMAL(9, 2)", "DOUBLE")+")",
				pick(r, "year", "month", "epoch", "hour", "dayofweek")+"("+m+")", "CAST(CAST(f64 AS BIGINT) AS DOUBLE)", "octet_length("+g.term("text", depth-1)+")", "(CAST("+g.whole(0)+" AS INT) % 7)")
		}
	}
	if depth > 0 && family == "text" && r.IntN(3) > 0 {
		return "(" + g.term(family, depth-1) + " || " + pick(r, g.term(family, depth-1), "i32_r", "date", "'é'") + ")"
	}
	if depth > 0 && family == "number" && r.IntN(3) > 0 {
		x, y := g.term(family, depth-1), g.term(family, depth-1)
		number := func() string {
			return pick(r, "1", "2", "-3", "0.5", "7", "9223372036854775807", "0.001", "DOUBLE '0.1'", "16777216")
		}
		switch n := r.IntN(12); {
		case n == 0:
			return "(" + x + " ^ " + pick(r, "2", "0.5", y) + ")"
		case n == 1:
			return "sqrt(" + x + ")"
		case n == 2:
			return "(" + x + " ^ " + y + ")"
		case n < 5:
			return "(" + number() + pick(r, " + ", " - ", " * ", " / ") + x + ")"
		case n < 7:
			return "(" + x + pick(r, " + ", " - ", " * ", " / ") + number() + ")"
		}
		return "(" + x + pick(r, " + ", " - ", " * ", " / ") + y + ")"
	}
	for {
		c := g.column()
		if c.kind != "nil" && familyName(c.kind) == family && !strings.Contains(c.text, "A") {
			return c.text
		}
	}
}

// whole writes a value calculated from integers alone.
func (g *writer) whole(depth int) string {
	r := g.r
	if depth == 0 || r.IntN(3) == 0 {
		return pick(r, "i32", "i64", "u32", "u64", "length(tags)", "(i32 % 7)", "((u64 - u64) % 7)", "((i32 - i64) % 7)")
	}
	return "(" + g.whole(depth-1) + pick(r, " + ", " - ", " * ", " & ", " | ") + g.whole(depth-1) + ")"
}

// arithmetic writes a condition on a value that is calculated from columns.
func (g *writer) arithmetic() string {
	r := g.r
	family := pick(r, "number", "number", "moment", "text")
	x, y, literal := g.term(family, 2), g.term(family, 1), ""
	if family == "number" && r.IntN(2) == 0 {
		x, y = g.whole(2), g.whole(1)
	}
	switch {
	case family == "moment" && r.IntN(4) > 0:
		x, y = "("+x+" - "+y+")", "("+g.term(family, 0)+" - "+g.term(family, 1)+")"
		literal = "INTERVAL '" + pick(r, "1 day", "0 seconds", "-3 hours", "400 days") + "'"
		if strings.Count(x, "date") == 2 && !strings.Contains(x, "INTERVAL") {
			y, literal = "i32", "3"
		} else if strings.Count(y, "date") == 2 {
			y = "(tus - date)"
		}
	case family == "text" && r.IntN(3) == 0:
		return g.search(place{text: x}, pick(r, "", "NOT "))
	case family == "text":
		literal = quoted(pickString(r))
	case family == "moment":
		literal = "TIMESTAMP '2020-01-01 00:00:00'"
	default:
		literal = pick(r, "0", "1", "-1", "2.5", "0.1", "7", "9223372036854775808", "-9223372036854775809", "1e30", "DOUBLE '0.1'")
	}
	if r.IntN(2) == 0 {
		return x + g.comparison() + y
	}
	return g.testOf(x, literal)
}

// TestCalculations holds arithmetic between columns against the naive evaluator, and verdicts
// against what the rows show.
func TestCalculations(t *testing.T) {
	counts := map[string]int{}
	refused := 0
	cases := dtest.Rounds(t, 3000)
	for i := range cases {
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		w := newWorld(t, r, pick(r, 1, 2, 5, 70))
		g := &writer{r, w}
		text := g.arithmetic()
		if r.IntN(3) == 0 {
			text = "(" + text + ") IS " + pick(r, "", "NOT ") + pick(r, "TRUE", "FALSE")
		}
		replay := "-seed " + strconv.FormatUint(*seed, 10) + " case " + strconv.Itoa(i) + ": " + text
		p, err := bindText(text, w.schema)
		if err != nil {
			if refused++; !strings.Contains(err.Error(), "is for integers") && !strings.Contains(err.Error(), "is for numbers") && !strings.Contains(err.Error(), "out of range") &&
				!strings.Contains(err.Error(), "FLOAT16") && !strings.Contains(err.Error(), "interval") && !strings.Contains(err.Error(), "supported there") &&
				!strings.Contains(err.Error(), "takes") && !strings.Contains(err.Error(), "division by zero") {
				t.Fatalf("%s: %v", replay, err)
			}
			continue
		}
		e := mustParse(text)
		if again := mustParse(e.String()); again.String() != e.String() {
			t.Fatalf("%s\nprints as %s, then %s", replay, e, again)
		}
		sel := w.run(p)
		for row := range w.rows {
			want, got := record{w, row}.eval(treeOf(e)) == naive.True, bits.Get(sel, row)
			if got != want {
				t.Fatalf("%s\nprogram %s\nrow %d: %v", replay, p, row, got)
			}
			counts["row "+strconv.FormatBool(got)]++
		}
		checkVerdicts(t, r, w, p, sel, replay, counts)
	}
	t.Log(counts, refused, "refused")
	for _, want := range []string{"columns none", "columns all", "columns some", "row true", "row false"} {
		if cases >= 1000 && counts[want] < cases/250 {
			t.Errorf("%s: %d times only", want, counts[want])
		}
	}
	if refused > cases/4 {
		t.Errorf("%d of %d are refused", refused, cases)
	}
}
