package scanner

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// textNode is a column of strings.
func textNode(required bool, name string) *gen.Node {
	if required {
		return gen.Required(name, gen.ByteArray).As(gen.StringType())
	}
	return gen.Optional(name, gen.ByteArray).As(gen.StringType())
}

// listsNodes are lists in lists, with structs between that may be NULL, a map and a bare
// repeated group. Names ascend, as json.Marshal writes them.
func listsNodes() []*gen.Node {
	return []*gen.Node{
		gen.Required("id", gen.Int32),
		gen.List("items", gen.Optional("element", gen.Group,
			gen.Optional("dim", gen.Group, gen.Required("h", gen.Int32)),
			textNode(true, "sku"),
			gen.List("subs", gen.Required("element", gen.Group, gen.Optional("x", gen.Int32), gen.Optional("y", gen.Int32))),
			gen.List("tags", textNode(false, "element")),
		)),
		gen.Map("map", textNode(true, "key"), gen.Optional("value", gen.Group, gen.Required("v", gen.Int32))),
		gen.Repeated("rep", gen.Group, gen.Required("a", gen.Int32), gen.Optional("b", gen.Int32)),
	}
}

// randomLists returns a row of listsNodes.
func randomLists(r *rand.Rand, id int) gen.Record {
	maybe := func(v any) any {
		if r.IntN(4) == 0 {
			return nil
		}
		return v
	}
	many := func(one func() any) any {
		all := []any{}
		for range r.IntN(4) {
			all = append(all, one())
		}
		return all
	}
	word := func() string { return string(rune('a' + r.IntN(5))) }
	number := func() any { return r.IntN(9) }
	return gen.Record{
		"id": id,
		"items": maybe(many(func() any {
			return maybe(gen.Record{
				"dim": maybe(gen.Record{"h": number()}), "sku": word(),
				"subs": maybe(many(func() any { return gen.Record{"x": maybe(number()), "y": maybe(number())} })),
				"tags": maybe(many(func() any { return maybe(word()) })),
			})
		})),
		"map": maybe(func() any {
			all := []gen.KV{}
			for range r.IntN(3) {
				all = append(all, gen.KV{Key: word(), Value: maybe(gen.Record{"v": number()})})
			}
			return all
		}()),
		"rep": many(func() any { return gen.Record{"a": number(), "b": maybe(number())} }),
	}
}

// plainJSON returns a value as json.Marshal takes it.
func plainJSON(v any) any {
	switch v := v.(type) {
	case gen.Record:
		out := map[string]any{}
		for name, field := range v {
			out[name] = plainJSON(field)
		}
		return out
	case []gen.KV:
		out := []any{}
		for _, pair := range v {
			out = append(out, map[string]any{"key": pair.Key, "value": plainJSON(pair.Value)})
		}
		return out
	case []any:
		out := []any{}
		for _, item := range v {
			out = append(out, plainJSON(item))
		}
		return out
	}
	return v
}

// opened is what paths mean once lists are open: the row, and its item in each of these.
type opened map[string]any

// open returns the rows that a list's items become. Each name of the path is a field or, as *,
// an item.
func (o opened) open(path []string) (all []opened) {
	var walk func(v any, done int, o opened)
	walk = func(v any, done int, o opened) {
		switch {
		case done == len(path):
			all = append(all, o)
		case v == nil:
			if !slices.Contains(path[done:], "*") {
				all = append(all, o)
			}
		case path[done] != "*":
			walk(v.(map[string]any)[path[done]], done+1, o)
		default:
			for _, item := range v.([]any) {
				more := opened{strings.Join(path[:done+1], "."): item}
				for name, v := range o {
					more[name] = v
				}
				walk(item, done+1, more)
			}
		}
	}
	walk(o[""], 0, o)
	return all
}

// value returns what stands at a path, from the last open list of it on.
func (o opened) value(path []string) any {
	at := 0
	for i := range path {
		if _, ok := o[strings.Join(path[:i+1], ".")]; ok {
			at = i + 1
		}
	}
	return partOf(o[strings.Join(path[:at], ".")], path[at:])
}

// partOf returns the part of a value at a path, which leads to fields. Lists on the way stay.
func partOf(v any, path []string) any {
	switch {
	case v == nil || len(path) == 0:
		return v
	case path[0] != "*":
		return partOf(v.(map[string]any)[path[0]], path[1:])
	}
	items := []any{}
	for _, item := range v.([]any) {
		if len(path) > 1 && item != nil {
			item = map[string]any{path[1]: partOf(item.(map[string]any)[path[1]], path[2:])}
		}
		items = append(items, item)
	}
	return items
}

// TestUnnestedColumns: the columns of Select that lead into lists that Unnest opens are those
// of the item, whichever list is opened, beside those of the row.
func TestUnnestedColumns(t *testing.T) {
	unnest := []string{"items.*", "items.*.tags.*", "items.*.subs.*", "items.*.subs.*.x", "items.*.sku", "items.*.dim", "items.*.dim.h", "map.*", "map.*.value", "map.*.value.v", "rep.*", "rep.*.b"}
	columns := append([]string{"id", "items.*.tags", "items.*.subs", "map.*.key", "rep.*.a"}, unnest...)
	named := strings.NewReplacer(".*", "")
	r := rand.New(rand.NewPCG(42, 5))
	opens := 0
	rounds := dtest.Rounds(t, 300)
	for range rounds {
		var rows []any
		for id := range 1 + r.IntN(12) {
			rows = append(rows, randomLists(r, id))
		}
		f := fileOf(t, gen.File{Schema: listsNodes()}, rows...)
		path := unnest[r.IntN(len(unnest))]
		o := Options{Unnest: named.Replace(path), BatchRows: 1 + r.IntN(9)}
		var chosen []string
		whole := true // no column is the item, or a part of it
		for range 1 + r.IntN(3) {
			c := columns[r.IntN(len(columns))]
			outside := !strings.HasPrefix(c, strings.Split(path, "*")[0]+"*")
			if outside && c != "id" || strings.HasPrefix(path, c+".") && strings.HasSuffix(c, "*") {
				continue // a column of rows: those have a test of their own
			}
			if named.Replace(c) == o.Unnest {
				c = path // the list itself means its items
			}
			if !slices.Contains(o.Select, named.Replace(c)) {
				chosen, o.Select = append(chosen, c), append(o.Select, named.Replace(c))
				whole = whole && c != path && !strings.HasPrefix(c, path+".")
			}
		}
		if len(chosen) == 0 {
			continue
		}
		var want []string
		for _, row := range rows {
			for _, item := range (opened{"": plainJSON(row)}).open(strings.Split(path, ".")) {
				line := "{"
				add := func(name string, v any) {
					text, err := json.Marshal(v)
					if err != nil {
						t.Fatal(err)
					}
					if len(line) > 1 {
						line += ","
					}
					line += `"` + name + `":` + string(text)
				}
				for _, c := range chosen {
					add(named.Replace(c), item.value(strings.Split(c, ".")))
				}
				if whole {
					name := path[strings.LastIndex(path, ".")+1:]
					if name == "*" {
						name = "item"
					}
					add(name, item.value(strings.Split(path, ".")))
				}
				want = append(want, line+"}")
			}
		}
		opens += len(want)
		got, err := tryLines(t, f, o)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s beside %q: %v\n%s\nwant\n%s", o.Unnest, o.Select, err, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if opens < 2*rounds {
		t.Errorf("%d rows are too few", opens)
	}
}
