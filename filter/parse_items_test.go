package filter

import (
	"runtime"
	"testing"
)

func TestParseItems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"any(attrs as a: a.key = 'k' and a.value = 'v')", "ANY(attrs AS a: a.key = 'k' AND a.value = 'v')"},
		{"not All(a.b As \"x y\": \"x y\".z or x) and None(tags AS t: t is null)", "NOT ALL(a.b AS \"x y\": \"x y\".z OR x) AND NOT ANY(tags AS t: t IS NULL)"},
		{"2 <= Count(tags AS t: t > 1) and count(tags as t: TRUE) + 1 in (1, 2)", "COUNT(tags AS t: t > 1) >= 2 AND COUNT(tags AS t: TRUE) + 1 IN (1, 2)"},
		{"ANY(s AS s: s.kind = 2 AND ANY(s.attrs AS a: a.key = 'k')) is not true", "ANY(s AS s: s.kind = 2 AND ANY(s.attrs AS a: a.key = 'k')) IS NOT TRUE"},
		{"exists (select 1 from unnest(attrs) a where a.key = 'k')", "ANY(attrs AS a: a.key = 'k') IS TRUE"},
		{"not exists(select * from unnest(attrs) as t(a))", "NOT ANY(attrs AS a: TRUE) IS TRUE"},
		{"count = 1 and exists = 2 and none is null and x::int = 3", "count = 1 AND exists = 2 AND none IS NULL AND CAST(x AS INTEGER) = 3"},
	} {
		e, err := Parse(c.text)
		if err != nil || e.String() != c.want {
			t.Errorf("%s is %v, %v; want %s", c.text, e, err, c.want)
		}
	}
	for _, c := range []struct {
		text, msg string
		offset    int
	}{
		{"EXISTS (a)", existsOf, 8},
		{"EXISTS (SELECT 1 FROM other WHERE a = 1)", existsOf, 22},
		{"EXISTS (SELECT 1 FROM unnest(a) WHERE a = 1)", existsOf, 38},
		{"EXISTS (SELECT 1 FROM unnest(a) x WHERE x = 1 LIMIT 1)", existsOf, 46},
		{"NONE(a) = 1", "a name for the items is expected, as in NONE(list AS x: x = 'a')", 6},
		{"COUNT(a) = 1", "a name for the items is expected, as in COUNT(list AS x: x = 'a')", 7},
		{"ANY(a AS 5: x)", "a name for the items is expected", 9},
		{"ANY(a AS x) = 1", ": is expected", 10},
		{"ANY(a AS x: x = 1", ") is expected", 17},
		{"ANY(a AS x: 5)", "a condition is expected, not a number", 12},
		{"ANY(a AS x: x = 1) > 2", "conditions are compared by = and <> only; a < b < c is written a < b AND b < c", 19},
		{"list_contains(ANY(a AS x: x = 1), 2)", "a value is expected, not a condition", 14},
	} {
		_, err := Parse(c.text)
		if e, ok := err.(*Error); !ok || e.Msg != c.msg || e.Offset != c.offset {
			t.Errorf("%s: %v, want byte %d: %s", c.text, err, c.offset+1, c.msg)
		}
	}
}

// TestNestedItems prints conditions within each other: none is copied once for each around it.
func TestNestedItems(t *testing.T) {
	e := Col("x").Eq(1)
	for range 2000 {
		e = Any("x", "x", e)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text := e.String()
	runtime.ReadMemStats(&after)
	if len(text) != len("x = 1")+2000*len("ANY(x AS x: )") || after.TotalAlloc-before.TotalAlloc > 4<<20 {
		t.Error(len(text), " characters, ", after.TotalAlloc-before.TotalAlloc, " bytes allocated")
	}
}
