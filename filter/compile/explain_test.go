package compile

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// TestTextMeansTheCondition: who reads the text of a program as it is written, row by row,
// finds the rows for which the condition is TRUE.
func TestTextMeansTheCondition(t *testing.T) {
	read, signed := 0, 0
	for i := range uint64(dtest.Rounds(t, 1500)) {
		r := rand.New(rand.NewPCG(*seed, i))
		w := newWorld(t, r, pick(r, 1, 5, 30))
		g := &writer{r, w}
		text := pick(r, g.condition, g.signed)(r.IntN(3))
		e := mustParse(text)
		p, err := Bind(e, w.schema, nil)
		if err != nil && strings.Contains(err.Error(), noCastOfAll) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		printed := p.String()
		if strings.Contains(printed, "…") {
			continue // shortened for people
		}
		read++
		for row := range w.rows {
			x := record{w, row}
			reader := &textReader{t, x, printed, printed}
			got := reader.node()
			if reader.rest != "" {
				t.Fatalf("case %d: %s\nprints %s\nwhich has %s at its end", i, text, printed, reader.rest)
			}
			if want := x.eval(treeOf(e)) == naive.True; got != want {
				t.Fatalf("case %d: %s\nprints %s\nwhich is %v of row %d", i, text, printed, got, row)
			}
		}
		if strings.Contains(printed, "NOT (") || strings.Contains(printed, ") IS NOT ") {
			signed++
		}
	}
	if t.Logf("%d texts, %d with a sign before a comparison of columns", read, signed); read < 500 || signed < 50 {
		t.Error("these are too few")
	}
}

// TestTextOfFunctionsAndKeys: they have their signs, too.
func TestTextOfFunctionsAndKeys(t *testing.T) {
	w := newWorld(t, random(1), 1)
	one, two := filter.NewKeys(1), filter.NewKeys(1)
	one.Add("a")
	two.Add("a", 1)
	str, i32 := filter.Col("str"), filter.Col("i32")
	function := filter.Func("odd", nil, i32)
	escaped := mustParse("str LIKE 'a!_%c' ESCAPE '!'")
	for _, c := range []struct {
		e    *filter.Expr
		want string
	}{
		{function, `odd(i32)`},
		{filter.Not(function), `NOT (odd(i32))`},
		{function.IsFalse(), `NOT (odd(i32))`},
		{filter.Not(function.IsTrue()), `(odd(i32)) IS NOT TRUE`},
		{filter.Not(function.IsFalse()), `(odd(i32)) IS NOT FALSE`},
		{str.InKeys(one), `str is among 1 keys`},
		{filter.Not(str.InKeys(one).IsFalse()), `str is among 1 keys OR str IS NULL`},
		{filter.Not(filter.InKeys(two, str, i32).IsFalse()), `(in_keys(str, i32)) IS NOT FALSE`},
		{escaped, `str like "a!_%c" escape "!"`},
		{filter.Not(escaped), `str not like "a!_%c" escape "!"`},
	} {
		if p, err := Bind(c.e, w.schema, nil); err != nil || p.String() != c.want {
			t.Errorf("%s prints %v, %v, want %s", c.e, p, err, c.want)
		}
	}
}

// signed writes a condition with signs around it: of columns, of any values, or of strings.
func (g *writer) signed(depth int) string {
	text := g.columns()
	switch c := g.column(); {
	case familyName(c.kind) == "text" && g.r.IntN(2) == 0:
		text = g.testOf(g.folded(c))
	case familyName(c.kind) == "text":
		text = g.search(c, pick(g.r, "", "NOT "))
	case g.r.IntN(2) == 0:
		text = g.test(c)
	}
	for range 1 + depth {
		text = pick(g.r, "NOT (", "(") + text + ")" + pick(g.r, "", " IS TRUE", " IS FALSE", " IS NOT TRUE", " IS NOT FALSE")
	}
	return text
}

// textReader reads the text of a program: whether a row passes it. It knows the words alone.
type textReader struct {
	t    *testing.T
	x    record
	all  string
	rest string // not read yet
}

func (p *textReader) skip(text string) bool {
	rest, ok := strings.CutPrefix(p.rest, text)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *textReader) expect(text string) {
	if !p.skip(text) {
		p.t.Fatalf("%s is expected before %s, in %s", text, p.rest, p.all)
	}
}

// node reads nodes that AND or OR join.
func (p *textReader) node() bool {
	pass := p.part()
	for {
		switch {
		case p.skip(" AND "):
			pass = p.part() && pass
		case p.skip(" OR "):
			pass = p.part() || pass
		default:
			return pass
		}
	}
}

func (p *textReader) part() bool {
	switch {
	case p.skip("TRUE"):
		return true
	case p.skip("FALSE"):
		return false
	case p.skip("NOT TRUE ("):
		pass := p.node()
		p.expect(")")
		return !pass
	case p.skip("NOT ("):
		truth := p.columns()
		p.expect(")")
		return truth == naive.False
	case !p.skip("("):
		return p.test()
	}
	before := p.rest
	if left := p.operand(); p.rest != before && comparesColumns.MatchString(p.rest) && left.Quantifier == tree.NoQuantifier {
		at := p.rest
		p.rest = before
		if truth := p.columns(); p.skip(") IS NOT TRUE") {
			return truth != naive.True
		} else if p.skip(") IS NOT FALSE") {
			return truth != naive.False
		}
		p.rest = at
	}
	p.rest = before
	pass := p.node()
	p.expect(")")
	return pass
}

var (
	comparesColumns = regexp.MustCompile(`^ (=|<>|<|<=|>|>=) [a-z]`)
	bareLiteral     = regexp.MustCompile(`^[0-9+\-.:TZeE]+`)
	quotedLiteral   = regexp.MustCompile(`^"(\\.|[^"\\])*"`)
	binaryLiteral   = regexp.MustCompile(`^X'[0-9a-f]*'`)
	sign            = regexp.MustCompile(`^ (=|<>|<=|<|>=|>) `)
)

// operand reads an operand: up to the first space that is in no quotes and around no ||.
func (p *textReader) operand() tree.Operand {
	end, quote := 0, byte(0)
	for ; end < len(p.rest); end++ {
		c := p.rest[end]
		if quote != 0 {
			if c == quote {
				quote = 0
			}
			continue
		}
		if c == '\'' || c == '"' {
			quote = c
		}
		if strings.HasPrefix(p.rest[end:], " || ") {
			end += len(" ||")
		} else if (c == ' ' || c == ')') && strings.Count(p.rest[:end], "(") <= strings.Count(p.rest[:end], ")") {
			break
		}
	}
	text := strings.NewReplacer(".list.element", "", ".key_value", "").Replace(p.rest[:end])
	e, err := filter.Parse(text + " IS NULL")
	if err != nil {
		return tree.Operand{}
	}
	p.rest = p.rest[end:]
	return treeOf(e).Left
}

// columns reads a comparison of columns and returns what it is of the row.
func (p *textReader) columns() naive.Truth {
	c := &tree.Condition{Op: tree.Compare, Left: p.operand()}
	c.Comparison = p.comparison()
	c.Right = []tree.Operand{p.operand()}
	return p.x.eval(c)
}

func (p *textReader) comparison() (c value.Comparison) {
	m := sign.FindStringSubmatch(p.rest)
	if m == nil {
		p.t.Fatalf("no comparison before %s, in %s", p.rest, p.all)
	}
	p.rest = p.rest[len(m[0]):]
	return treeOf(mustParse("a " + m[1] + " 1")).Comparison
}

// test reads a test of one operand, or a comparison of two.
func (p *textReader) test() bool {
	before := p.rest
	o := p.operand()
	if comparesColumns.MatchString(p.rest) {
		p.rest = before
		return p.columns() == naive.True
	}
	passes, null, nan := p.values(&o), false, false
	if passes == nil {
		null = p.skip(" IS NULL")
		if nan = !null; nan && !p.skip(" IS NOT NULL") {
			p.t.Fatalf("textReader.values knows no such words: %s, in %s", p.rest, p.all)
		}
		passes = func(*datum) bool { return nan }
	}
	nan = p.skip(" or NaN") || nan
	null = p.skip(" or NULL") || null
	item := func(d *datum) bool {
		switch {
		case d == gap:
			return false
		case d == nil:
			return null
		case d.float != nil && *d.float != *d.float:
			return nan
		}
		return passes(d)
	}
	if o.Quantifier == tree.NoQuantifier {
		return item(p.x.operand(o))
	}
	none, items := p.x.items(o)
	pass := o.Quantifier == tree.AllItems
	for _, d := range items {
		if d != nil && d != gap {
			d = d.stepped(o.Steps, p.x.leafOf(o).Type)
		}
		if item(d) != pass {
			return !pass
		}
	}
	return pass && !none
}

// values reads which values of an operand pass. It returns nil if these are no such words.
func (p *textReader) values(o *tree.Operand) func(*datum) bool {
	holds := func(text string) func(*datum) bool { // of a value, x
		e := treeOf(mustParse(text))
		return func(d *datum) bool { return p.x.item(e, d).Eval(nil) == naive.True }
	}
	if sign.MatchString(p.rest) {
		c := p.comparison()
		return holds("x " + c.String() + " " + p.literal(o))
	}
	not := p.skip(" not")
	one := func(*datum) bool { return false }
	switch {
	case p.skip(" contains "):
		one = holds("contains(x, " + p.text() + ")")
	case p.skip(" ends with "):
		one = holds("suffix(x, " + p.text() + ")")
	case p.skip(" matches "):
		one = holds("x ~ " + p.text())
	case p.skip(" like "):
		text := "x LIKE " + p.text()
		if p.skip(" escape ") {
			text += " ESCAPE " + p.text()
		}
		one = holds(text)
	case p.skip(" in {}"):
	case p.skip(" in "):
		for again := true; again; again = p.skip(", ") {
			before, interval := one, p.interval(o, holds)
			one = func(d *datum) bool { return before(d) || interval(d) }
		}
	default:
		return nil
	}
	return func(d *datum) bool { return one(d) != not }
}

// interval reads {1, 2, 3}, [1, 2) or (-∞, 2].
func (p *textReader) interval(o *tree.Operand, holds func(string) func(*datum) bool) func(*datum) bool {
	if p.skip("{") {
		text := "x IN (" + p.literal(o)
		for p.skip(", ") {
			text += ", " + p.literal(o)
		}
		p.expect("}")
		return holds(text + ")")
	}
	text := "x IS NOT NULL"
	switch {
	case p.skip("(-∞, "):
	case p.skip("["):
		text += " AND x >= " + p.literal(o)
		p.expect(", ")
	default:
		p.expect("(")
		text += " AND x > " + p.literal(o)
		p.expect(", ")
	}
	if !p.skip("∞)") {
		end := p.literal(o)
		if p.skip("]") {
			text += " AND x <= " + end
		} else {
			p.expect(")")
			text += " AND x < " + end
		}
	}
	var all []func(*datum) bool
	for _, part := range strings.Split(text, " AND ") {
		all = append(all, holds(part))
	}
	return func(d *datum) bool {
		for _, one := range all {
			if !one(d) {
				return false
			}
		}
		return true
	}
}

// word reads a literal as it is printed, without its quotes.
func (p *textReader) word() string {
	if m := bareLiteral.FindString(p.rest); m != "" {
		p.expect(m)
		return m
	}
	m := quotedLiteral.FindString(p.rest)
	word, err := strconv.Unquote(m)
	if err != nil {
		p.t.Fatalf("no literal before %s, in %s", p.rest, p.all)
	}
	p.expect(m)
	return word
}

// text reads a string, and returns it as conditions have it.
func (p *textReader) text() string { return quoted(p.word()) }

// literal reads a value of an operand's type, and returns it as conditions have it.
func (p *textReader) literal(o *tree.Operand) string {
	if m := binaryLiteral.FindString(p.rest); m != "" {
		p.expect(m)
		return m
	}
	word := p.word()
	kind := p.x.w.kinds[p.x.leafOf(*o)]
	if o.Length {
		kind = "i64"
	}
	for _, s := range o.Steps {
		if kind = "str"; s.Op == tree.Call && s.Function.Type(vector.Type{}).Physical == vector.Int64 {
			kind = "i64"
		}
	}
	switch familyName(kind) {
	case "bool":
		return word
	case "moment":
		if strings.Contains(word, "T") {
			return "TIMESTAMP '" + word + "'"
		}
		return "DATE '" + word + "'"
	case "time":
		if word == "24:00:00" { // the end of the day, which no literal is
			word = "23:59:59.999999999"
		}
		return "TIME '" + word + "'"
	case "text":
		if kind == "str" {
			return quoted(word)
		}
		p.t.Fatalf("%s is no binary, in %s", word, p.all)
	case "uuid":
		return "X'" + strings.ReplaceAll(word, "-", "") + "'"
	}
	switch kind {
	case "f16", "f32", "f64":
		if strings.HasSuffix(word, "Infinity") {
			return "DOUBLE '" + word + "'"
		}
		if !strings.ContainsAny(word, "eE") {
			word += "e0" // the nearest float
		}
	}
	return word
}
