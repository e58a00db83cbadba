package compile

import (
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/filter"
)

// TestBuilderErrors: a builder has no error of its own: Bind returns it.
func TestBuilderErrors(t *testing.T) {
	w := newWorld(t, random(1), 1)
	for _, c := range []struct {
		e    *filter.Expr
		want string
	}{
		{filter.Col("a..b").Eq(1), `filter: path "a..b", byte 2: name is missing`},
		{filter.Col("str").LikeEscape("a", -1), "filter: the ESCAPE of a LIKE is no character"},
		{filter.Col("parts").Key("k").Field("a..b").Eq(1), `filter: path "a..b", byte 2: name is missing`},
		{filter.Col("s").Field("b").Eq(1), "filter: Field is for values of maps: name other fields in the column's path"},
		{filter.Col("a..b").Key("k").Field("b").Eq(1), `filter: path "a..b", byte 2: name is missing`},
		{filter.Col("tags").Length().Any().Eq(1), "filter: Length of tags stands in front of Any, All or Key: it comes behind them"},
		{filter.Col("parts").Length().Key("k").Eq(1), "filter: Length of parts stands in front of Any, All or Key: it comes behind them"},
		{filter.Col("deep").Any().Length().Eq(1), "filter: deep is no string: it is BOOLEAN"},
		{filter.Col("i32").Eq(struct{}{}), "filter: a value has a Go type that is none of those a filter takes"},
		{filter.Col("i32").In(filter.Col("i64")), "filter: a value is expected, not a column"},
		{filter.Col("str").Call("folded").Like("a"), "filter: no function folded"},
		{filter.Col("str").Call("folded").In(), "filter: no function folded"},
		{filter.Col("i32").Eq(filter.Decimal("x")), `filter: decimal "x": not a number`},
		{filter.Col("i32").Eq(filter.Decimal("1--2")), `filter: decimal "1--2": not a number`},
		{filter.Col("date").Eq(filter.Date(6_000_000, 1, 1)), "filter: year 6000000 is out of range"},
		{filter.Col("oms").Eq(filter.TimeOfDay(24 * time.Hour)), "filter: time 24h0m0s is not within a day"},
	} {
		if _, err := Bind(c.e, w.schema, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.e, err, c.want)
		}
	}
	deep := filter.Col("i32").Eq(1)
	for range 2000 {
		deep = filter.Not(deep)
	}
	if _, err := Bind(deep, w.schema, nil); err == nil {
		t.Error("conditions nest without end")
	}
}

// FuzzBind: what parses is bound and runs, or is an error within its text.
func FuzzBind(f *testing.F) {
	for _, s := range []string{"a = 1", "NOT (a IN (1, 2.5e3, X'00') OR ANY(b.c) LIKE '%x_' ESCAPE '!')", `m['k'] <> DATE '2024-01-31' AND "q""" IS NOT TRUE`,
		"length(a) BETWEEN -1 AND TIMESTAMP '2024-01-31 10:00:00.5Z'", "prefix(ALL(t), 'é') IS FALSE", "a !~ 'x*' OR DOUBLE 'NaN' < b"} {
		f.Add(s)
	}
	w := newWorld(f, random(1), 1)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := filter.Parse(text)
		if err != nil {
			return
		}
		s := e.String()
		for _, c := range []string{"a", "b", "c"} { // so that something binds
			s = strings.ReplaceAll(s, c, "i32")
		}
		for _, text := range []string{text, s} {
			if e, err := filter.Parse(text); err == nil {
				if p, err := Bind(e, w.schema, nil); err == nil {
					_ = p.String()
					w.run(p)
				} else if err.(*filter.Error).Offset > len(text) {
					t.Fatal(err)
				}
			}
		}
	})
}
