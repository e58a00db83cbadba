package compile

import (
	"encoding/hex"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

var (
	seed = flag.Uint64("seed", 1, "of random cases")
)

// writer writes random conditions on the columns of a world.
type writer struct {
	r *rand.Rand
	w *world
}

func (g *writer) condition(depth int) string {
	if depth > 0 {
		switch g.r.IntN(9) {
		case 0, 1:
			return "(" + g.condition(depth-1) + " AND " + g.condition(depth-1) + ")"
		case 2, 3:
			return "(" + g.condition(depth-1) + " OR " + g.condition(depth-1) + ")"
		case 4, 5:
			return "NOT (" + g.condition(depth-1) + ")"
		case 6:
			return "(" + g.condition(depth-1) + ") IS " + pick(g.r, "", "NOT ") + pick(g.r, "TRUE", "FALSE")
		case 7: // several tests of one column
			c := g.column()
			return "(" + g.test(c) + pick(g.r, " AND ", " OR ") + g.test(c) + pick(g.r, " AND ", " OR ") + g.test(c) + ")"
		}
	}
	switch g.r.IntN(24) {
	case 0:
		return pick(g.r, "TRUE", "FALSE", "NULL", "1 = 1", "2.5 < 2", "NULL = 3", "'a' <> 'b'", "DATE '2024-01-31' < DATE '2024-01-30'", "X'00' < X'01'")
	case 1:
		return pick(g.r, "s", "tags", "deep", "items", "attrs", "bare", "parts", "nest", "parts['a']", "parts['b'].in", "items[1]", "tags[-1]") + " IS " + pick(g.r, "", "NOT ") + "NULL"
	case 2, 3:
		return g.columns()
	case 4, 5, 6:
		for {
			if c := g.column(); familyName(c.kind) == "text" {
				return g.search(c, pick(g.r, "", "NOT "))
			}
		}
	}
	return g.test(g.column())
}

// place is something that compares, and the leaf that its values are of.
type place struct {
	text string
	leaf *schema.Node
	kind string
}

func (g *writer) column() place {
	find := func(text string, path ...string) place {
		n := g.w.schema.Find(path...)
		for n.Kind == schema.List {
			n = n.Item()
		}
		return place{text, n, g.w.kinds[n]}
	}
	quant := pick(g.r, "ANY", "ALL")
	switch g.r.IntN(18) {
	case 11:
		return find(quant+"(nest.b)", "nest", "list", "element", "b")
	case 12:
		return find(quant+"(nest.c)", "nest", "list", "element", "c")
	case 9:
		return find("parts["+pick(g.r, "'a'", "'ab'", "'none'", "''")+"].x", "parts", "value", "x")
	case 10:
		return find("parts["+pick(g.r, "'a'", "'abc'", "''")+`].in."y y"`, "parts", "value", "in", "y y")
	case 13:
		return find("tags["+pick(g.r, "0", "1", "2", "-1", "-2", "9", "99999999999999999999")+"]", "tags")
	case 14:
		return find("items["+pick(g.r, "1", "-1", "2")+"].price", "items", "list", "element", "price")
	case 0:
		return find(`s."odd name"`, "s", "odd name")
	case 1:
		return find("s.b", "s", "b")
	case 2:
		return find(quant+"(tags)", "tags")
	case 3:
		return find(quant+"(deep)", "deep")
	case 4:
		return find(quant+"(items.price)", "items", "list", "element", "price")
	case 5:
		return find(quant+"(bare)", "bare")
	case 6:
		return find(quant+"(attrs.value)", "attrs", "value")
	case 7:
		return find("attrs["+pick(g.r, "'a'", "'ab'", "'b'", "'none'", "''", "X'ff'")+"]", "attrs", "value")
	case 8:
		return place{"length(" + pick(g.r, "tags", "deep", "items", "attrs", "bare", "parts", "nest") + ")", nil, "i64"}
	}
	n := g.w.schema.Leaves()[g.r.IntN(2*len(leafKinds()))]
	return place{n.Name, n, g.w.kinds[n]}
}

// columns compares two columns.
func (g *writer) columns() string {
	for {
		a, b := g.column(), g.column()
		if strings.Contains(a.text+b.text, "A") || a.kind == "nil" || b.kind == "nil" || familyName(a.kind) != familyName(b.kind) {
			continue
		}
		op := g.comparison()
		if g.r.IntN(8) == 0 {
			return a.text + pick(g.r, "", " NOT") + " BETWEEN " + b.text + " AND " + g.literal(a)
		}
		if familyName(a.kind) == "text" && g.r.IntN(2) == 0 {
			f := pick(g.r, "lower", "upper", "")
			return f + "(" + a.text + ")" + op + pick(g.r, "upper", "lower") + "(" + b.text + ")"
		}
		return a.text + op + b.text
	}
}

func familyName(kind string) string {
	switch kind {
	case "str", "bin", "fix":
		return "text"
	case "date", "tms", "tus", "tns", "i96":
		return "moment"
	case "oms", "ons":
		return "time"
	case "bool", "uuid":
		return kind
	}
	return "number"
}

func (g *writer) comparison() string {
	return pick(g.r, " = ", " <> ", " < ", " <= ", " > ", " >= ", " != ")
}

func (g *writer) test(c place) string {
	not := pick(g.r, "", "", "NOT ")
	if g.r.IntN(4) == 0 {
		if text, literal := g.calculated(c); text != "" {
			test := g.testOf(text, literal)
			if g.r.IntN(2) == 0 { // what is neither TRUE nor FALSE shows
				test = "(" + test + ") IS " + pick(g.r, "", "NOT ") + pick(g.r, "TRUE", "FALSE")
			}
			return test
		}
	}
	switch g.r.IntN(10) {
	case 0:
		return c.text + " IS " + not + "NULL"
	case 1:
		return c.text + " " + not + "BETWEEN " + g.literal(c) + " AND " + g.literal(c)
	case 2, 3:
		var all []string
		for range g.r.IntN(6) {
			all = append(all, g.literal(c))
		}
		return c.text + " " + not + "IN (" + strings.Join(all, ", ") + ")"
	case 4, 5, 6:
		if familyName(c.kind) == "text" {
			return g.search(c, not)
		}
		if c.kind == "bool" {
			return c.text
		}
	case 7:
		op := g.comparison()
		return g.literal(c) + op + c.text
	}
	return c.text + g.comparison() + g.literal(c)
}

// testOf writes a test of a value that compares with a literal.
func (g *writer) testOf(text, literal string) string {
	switch g.r.IntN(6) {
	case 0:
		return text + pick(g.r, " BETWEEN ", " NOT BETWEEN ") + literal + " AND " + literal
	case 1:
		return text + pick(g.r, " IN (", " NOT IN (") + literal + pick(g.r, "", ", NULL", ", "+literal) + ")"
	case 2:
		return literal + g.comparison() + text
	case 3:
		return text + " IS " + pick(g.r, "", "NOT ") + "NULL"
	}
	return text + g.comparison() + literal
}

func mustParse(text string) *filter.Expr {
	e, err := filter.Parse(text)
	if err != nil {
		panic(text + ": " + err.Error())
	}
	return e
}

func (g *writer) search(c place, not string) string {
	some := func() string {
		return quoted(pick(g.r, "", "a", "ab", "b", "c", "\xff", "é", "y", "本"))
	}
	switch g.r.IntN(8) {
	case 0, 1, 2:
		return pick(g.r, "prefix", "suffix", "contains") + "(" + c.text + ", " + some() + ")"
	case 3:
		return c.text + pick(g.r, " ~ ", " !~ ") + quoted(pick(g.r, "^a", "b$", "^$", "a.c", "[^a]", "é"))
	case 4:
		return c.text + " " + not + "LIKE " + quoted(pick(g.r, "a!_c", "a!%%", "!!%", "%!_%", "a!%c", "_!_%c")) + " ESCAPE '!'"
	}
	var p strings.Builder
	for range g.r.IntN(5) {
		p.WriteString(pick(g.r, "%", "%", "_", "a", "b", "c", "é", "\xff", "ab"))
	}
	return c.text + " " + not + "LIKE " + quoted(p.String())
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// literal writes a literal that may compare with a column: mostly near to what
// the column has.
func (g *writer) literal(c place) string {
	if g.r.IntN(16) == 0 {
		return "NULL"
	}
	var d *datum
	switch {
	case c.leaf == nil:
		return strconv.Itoa(g.r.IntN(5) - 1)
	case g.w.pools[c.leaf] != nil:
		d = g.w.pools[c.leaf](g.r)
	default:
		return "1"
	}
	switch familyName(c.kind) {
	case "bool":
		return pick(g.r, "TRUE", "FALSE")
	case "text":
		s := pick(g.r, *d.text, *d.text, pickString(g.r))
		if g.r.IntN(2) == 0 {
			return "x'" + hex.EncodeToString([]byte(s)) + "'"
		}
		return quoted(s)
	case "uuid":
		if s := hex.EncodeToString([]byte(*d.text)); g.r.IntN(2) == 0 {
			return "X'" + s + pick(g.r, "", "00") + "'"
		}
		return "X'" + hex.EncodeToString([]byte(pickString(g.r))) + "'"
	case "moment", "time":
		n := new(big.Int).Set(d.rat.Num())
		n.Add(n, big.NewInt(pick[int64](g.r, 0, 0, 0, 1, -1, 1000, -500000, 12345678)))
		days, nanos := new(big.Int).DivMod(n, big.NewInt(value.NanosPerDay), new(big.Int))
		if familyName(c.kind) == "time" {
			return "TIME '" + string(value.AppendTime(nil, nanos.Int64())) + "'"
		}
		date := string(value.AppendDate(nil, days.Int64()))
		if g.r.IntN(3) == 0 {
			return "DATE '" + date + "'"
		}
		if t := time.Unix(days.Int64()*86400, nanos.Int64()); strings.HasPrefix(c.kind, "t") && t.Year() > 1000 && g.r.IntN(3) == 0 { // in UTC
			t = t.In(time.FixedZone("", 60*(g.r.IntN(2*16*60-1)-16*60+1)))
			return "TIMESTAMP '" + t.Format(pick(g.r, "2006-01-02 15:04:05.999999999-07:00", "2006-01-02T15:04:05.999999999-0700")) + "'"
		}
		return "TIMESTAMP '" + date + pick(g.r, " ", "T") + string(value.AppendTime(nil, nanos.Int64())) + pick(g.r, "", "Z") + "'"
	}
	if g.r.IntN(4) == 0 {
		return pick(g.r, "0", "-0.0", "1", "2.5", "0.1", "-0.1", "1e400", "-1e400", "1e-400", "9007199254740993", "9007199254740993.0", "18446744073709551615", "18446744073709551616",
			"-9223372036854775808", "-9223372036854775809", "340282346638528859811704183484516925440", "3.5e38", "65504", "65505.5", "4294967295", "4294967296", "2147483647.5",
			"1"+strings.Repeat("0", 400), "DOUBLE 'NaN'", "DOUBLE 'Infinity'", "DOUBLE '-Infinity'")
	}
	if d.float != nil && d.rat == nil {
		f := *d.float
		if g.r.IntN(3) == 0 {
			f = math.Nextafter(f, pick(g.r, math.Inf(1), math.Inf(-1)))
		}
		switch s := strconv.FormatFloat(f, 'g', -1, 64); {
		case f-f == 0 && g.r.IntN(5) == 0:
			return "DOUBLE '" + s + "'"
		case f-f == 0 && g.r.IntN(5) == 0:
			return "'" + s + "'"
		case math.Abs(f) < math.MaxFloat32 && g.r.IntN(4) == 0:
			return strconv.FormatFloat(f, 'e', -1, 32)
		}
		return value.FloatLiteral(f).String()
	}
	if g.r.IntN(8) == 0 {
		f, _ := d.rat.Float64()
		return "DOUBLE '" + strconv.FormatFloat(f, 'g', -1, 64) + "'"
	}
	text := d.rat.FloatString(pick(g.r, 3, 3, 5))
	if g.r.IntN(2) == 0 && d.rat.IsInt() {
		text = d.rat.Num().String()
	}
	if g.r.IntN(6) == 0 {
		return "'" + text + "'"
	}
	return text + pick(g.r, "", "", map[bool]string{true: "5", false: ""}[strings.Contains(text, ".")])
}

// TestDifferential holds programs against the naive evaluator, and verdicts and
// keys against what the rows show.
func TestDifferential(t *testing.T) {
	counts, ops := map[string]int{}, map[tree.Op]int{}
	cases := dtest.Rounds(t, 1200)
	for i := range cases {
		oneCase(t, *seed, uint64(i), counts, ops)
		if t.Failed() {
			return
		}
	}
	t.Log(counts)
	for _, want := range []string{"none", "all", "some", "keys", "passed", "dropped"} {
		if cases >= 1000 && counts[want] < 50 {
			t.Errorf("%s: %d times only", want, counts[want])
		}
	}
	for i, name := range dtest.Constants(t, "../internal/tree/condition.go", "Op") {
		op := tree.Op(i)
		hasText := op != tree.Func && op != tree.Keys // those have tests of their own
		if n := ops[op]; hasText && cases >= 1000 && n < 10 {
			t.Errorf("%s: %d times only; writer.test should write it, or writer.search", name, n)
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

func oneCase(t *testing.T, seed, i uint64, counts map[string]int, ops map[tree.Op]int) {
	r := rand.New(rand.NewPCG(seed, i))
	w := newWorld(t, r, pick(r, 1, 1, 2, 5, 30, 70))
	g := &writer{r, w}
	text := g.condition(r.IntN(4))
	replay := fmt.Sprintf("-seed %d case %d: %s", seed, i, text)
	e, err := filter.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", replay, err)
	}
	countOps(treeOf(e), ops)
	again, err := filter.Parse(e.String())
	if err != nil || again.String() != e.String() {
		t.Fatalf("%s\nprints as %s, %v", replay, e, err)
	}
	p, err := Bind(e, w.schema, nil)
	if err != nil && strings.Contains(err.Error(), noCastOfAll) {
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", replay, err)
	}
	sel := w.run(p)
	for row := range w.rows {
		want := record{w, row}.eval(treeOf(e)) == naive.True
		got := bits.Get(sel, row)
		if got != want {
			t.Fatalf("%s\nprogram %s\nrow %d: %v", replay, p, row, got)
		}
		if got {
			counts["passed"]++
		} else {
			counts["dropped"]++
		}
	}
	checkVerdicts(t, r, w, p, sel, replay, counts)
}
