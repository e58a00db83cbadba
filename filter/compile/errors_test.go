package compile

import (
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/thrift"
)

// TestNamesInErrors: a name with a dot is offered where a path begins like it, and an error about a
// value of a map names its key.
func TestNamesInErrors(t *testing.T) {
	leaf := func(name string) thrift.SchemaElement {
		return thrift.SchemaElement{Name: name, HasType: true, Type: thrift.TypeInt32, HasRepetition: true}
	}
	group := func(name string) thrift.SchemaElement {
		return thrift.SchemaElement{Name: name, NumChildren: 1, HasNumChildren: true, HasRepetition: true}
	}
	root := group("root")
	root.NumChildren = 5
	attrs, pair := group("attrs"), group("key_value")
	attrs.Logical.Kind, pair.NumChildren, pair.Repetition = thrift.LogicalMap, 2, thrift.Repeated
	text := kind("str")
	text.Name = "value"
	s, err := schema.New([]thrift.SchemaElement{root, leaf("a.b"), leaf("z"), group("s"), leaf("c.d.e"), group("g.h"), leaf("x"), attrs, pair, leaf("key"), text})
	if err != nil {
		t.Fatal(err)
	}
	for where, want := range map[string]string{
		"a.b = 3":     `no column a; there is "a.b", in double quotes`,
		"s.c.d.e = 3": `no column s.c; there is s."c.d.e", in double quotes`,
		"g.h.x = 3":   `no column g; there is "g.h", in double quotes`,
		`"a.b" = 3`:   "",

		"attrs[1]::HUGEINT > 3":     "attrs[1] is BYTE_ARRAY STRING: CAST of it to HUGEINT is not supported",
		"attrs[1] + 1 > 3":          "attrs[1] is BYTE_ARRAY STRING: arithmetic is for numbers, dates and timestamps",
		"attrs[1] = 3":              "attrs[1] cannot be compared with a number: it is BYTE_ARRAY STRING, written 'text'",
		"length(attrs[1]) LIKE 'x'": "length(attrs[1]) is no string: it is INT64",
	} {
		_, err := bindText(where, s)
		if e, _ := err.(*filter.Error); want == "" && err != nil || want != "" && (e == nil || e.Msg != want) {
			t.Errorf("%s: %v, want %s", where, err, want)
		}
	}
}

func TestBindErrors(t *testing.T) {
	w := newWorld(t, random(3), 1)
	for _, c := range []struct {
		where, msg string
		offset     int
	}{
		{"TRUE AND i23 = 1", "no column i23; there is i32", 9},
		{"Date_R = 1", "no column Date_R; there is date_r, and case matters", 0},
		{"CAST(str AS DECIMAL(19, 2)) > 3", "str is BYTE_ARRAY STRING: CAST of it to DECIMAL(19, 2) is not supported", 0},
		{"length(tags) = 'x'", "length(tags) cannot be compared with the string \"x\": it is INT64", 15},
		{"s.c = 1", "no column s.c; there is s.b", 0},
		{"nothing_like_it = 1", "no column nothing_like_it", 0},
		{"str = \"some words\"", "no column \"some words\"; a string stands in single quotes", 6},
		{"i32 = 'x'", `i32 cannot be compared with the string "x": it is INT32`, 6},
		{"i32 = DATE '2024-01-01'", "i32 cannot be compared with a date: it is INT32", 6},
		{"u8 IN (1, TRUE)", "u8 cannot be compared with a boolean: it is INT32 UINT(8)", 10},
		{"str = 5", "str cannot be compared with a number: it is BYTE_ARRAY STRING, written 'text'", 6},
		{"bool = 2", "bool cannot be compared with a number: it is BOOLEAN", 7},
		{"bool = 1.0", "bool cannot be compared with a number: it is BOOLEAN", 7},
		{"s['z'] = 1", "no column s.z; there is s.b", 0},
		{"date = 5", "date cannot be compared with a number: it is INT32 DATE, written '2024-01-31'", 7},
		{"date = 'x'", "date is INT32 DATE: not a moment, which is written '2024-01-31', '2024-01-31 10:00:00.5' or '2024-01-31 10:00:00.5+02:00'", 7},
		{"tms = '2024-03-31 03:30:00+17:00'", "tms is INT64 TIMESTAMP(MILLIS,UTC): not a moment, which is written '2024-01-31', '2024-01-31 10:00:00.5' or '2024-01-31 10:00:00.5+02:00'", 6},
		{"date >= '2024-03-31 00:00:00+02:00'", "date is INT32 DATE, which has no zone: leave out the offset", 8},
		{"i96 IN ('2024-03-31', TIMESTAMP '2024-03-31 00:00:00-05:30')", "i96 is INT96, which has no zone: leave out the offset", 22},
		{"oms = DATE '2024-01-01'", "oms cannot be compared with a date: it is INT32 TIME(MILLIS,local), written '10:00:00.5'", 6},
		{"uuid = 'x'", "uuid is FIXED_LEN_BYTE_ARRAY(16) UUID: a UUID is written '01234567-89ab-cdef-0123-456789abcdef'", 7},
		{"i32 LIKE 'x'", "i32 is no string: it is INT32", 0},
		{"i32", "i32 is no condition: it is INT32", 0},
		{"i32 = str", "cannot compare i32 (INT32) with str (BYTE_ARRAY STRING)", 0},
		{"tags = 1", "tags is a list: say ANY(tags) or ALL(tags)", 0},
		{"items.price = 1", "items.price is within a list: say ANY(items.price) or ALL(items.price)", 0},
		{"ANY(items) = 1", "the items of items are no single values: name one of their fields", 0},
		{"ANY(i32) = 1", "i32 is not in a list: ANY, ALL and list_contains are for the items of lists", 0},
		{"list_contains(i32, 1)", "i32 is not in a list: ANY, ALL and list_contains are for the items of lists", 14},
		{"ANY(bare) = bare", "the items of a list can be compared with values only", 0},
		{"attrs = 1", "attrs is a map: say attrs['key']", 0},
		{"attrs[5] IS NULL", "the keys of attrs cannot be compared with a number: it is BYTE_ARRAY STRING, written 'text'", 0},
		{"tags['x'] IS NULL", "tags is no map and has no keys", 0},
		{"parts['x'] = 1", "parts['x'] is no single value: name one of its fields", 0},
		{"parts['x'].in = 1", "parts['x'].\"in\" is no single value: name one of its fields", 0},
		{"parts['x'].z.q = 1", "parts has values without z; there is x", 0},
		{"i32 = 1 AND parts['x'].in.z IS NULL", "parts has values without in.z", 12},
		{"parts['x'].in.\"y y\".z IS NULL", "parts has values without in.\"y y\".z", 0},
		{"attrs['x'].y = 1", "attrs has values without y", 0},
		{"s = 1", "s is a struct: name one of its fields", 0},
		{"length(i32) = 1", "i32 is no string, list or map and has no length", 0},
		{"length(items.list.element.price) = 1", "items.list.element.price is within a list: say ANY(items.list.element.price) or ALL(items.list.element.price)", 0},
		{"coalesce(i32, '10') > '9'", "the strings 10 and 9 compare otherwise as INT32, which i32 is: write numbers, or DATE or the like in front of them", 14},
		{"least(i32, '10', '9') = 9", "the strings 9 and 10 compare otherwise as INT32, which i32 is: write numbers, or DATE or the like in front of them", 17},
		{"1 = 'x'", "cannot compare a number with a string; the name of a column stands in double quotes", 4},
		{"5 IN (1, 'x')", "cannot compare a number with a string; the name of a column stands in double quotes", 9},
		{"ANY(items AS i: price = 1)", "price is no field of i: of an item of a list, only fields of it are tested, as in i.key", 16},
		{"ANY(items AS i: i.price = i32)", "i32 is no field of i: of an item of a list, only fields of it are tested, as in i.key", 26},
		{"ANY(items AS i: i.price = i.price)", "of an item, each condition tests one field, and compares it with constants: i.price = i.price does not", 0},
		{"ANY(items AS i: i.z = 1)", "no column i.z", 16},
		{"ANY(items AS i: i = 1)", "i is a struct: name one of its fields", 16},
		{"ANY(i32 AS i: i = 1)", "i32 is no list or map: ANY, ALL, NONE, COUNT and EXISTS are for the items of one", 0},
		{"ANY(items.price AS p: p = 1)", "items.price is no list or map: ANY, ALL, NONE, COUNT and EXISTS are for the items of one", 0},
		{"ANY(nope AS p: p = 1)", "no column nope", 0},
		{"ANY(tags AS t: ANY(t) = 1)", "the items of t are within a list, and need a name: ANY(t AS x: …)", 15},
		{"ANY(tags AS t: t = 1 AND ANY(tags AS u: u = 1))", "tags is no field of t: of an item of a list, only fields of it are tested, as in t.key", 25},
		{"ANY(attrs AS a: a['k'] = 1)", "no column a.k", 16},
		{"COUNT(tags AS t: t = 1) = i32", "COUNT is compared with constants only", 0},
		{"COUNT(tags AS t: t = 1) = 'x'", "COUNT(tags AS t: t = 1) cannot be compared with the string \"x\": it is INT64", 26},
		{"COUNT(tags AS t: t = 1)", "COUNT(tags AS t: t = 1) is no condition: it is INT64", 0},
		{"5 LIKE 'a'", "a string is expected, not a number", 0},
	} {
		_, err := bindText(c.where, w.schema)
		e, ok := err.(*filter.Error)
		if !ok || e.Msg != c.msg || e.Offset != c.offset {
			t.Errorf("%s: %v, want byte %d: %s", c.where, err, c.offset+1, c.msg)
		}
	}
	count := filter.Count("tags", "t", filter.Col("t").Eq(1))
	for _, c := range []filter.Column{count.Key("x"), count.Length(), count.Call("abs")} { // a text cannot say it
		if p, err := Bind(c.Any().True(), w.schema, nil); err == nil {
			t.Errorf("%s is bound as %s", c.Any().True(), p)
		}
	}
	interval := thrift.SchemaElement{HasType: true, Type: thrift.TypeFixedLenByteArray, TypeLength: 12, HasConverted: true, Converted: thrift.ConvertedInterval}
	if _, err := bindText("x < X'00'", oneColumn(t, interval)); err == nil {
		t.Error("intervals have an order")
	}
	if _, err := bindText("x = X'000000000000000000000000'", oneColumn(t, interval)); err != nil {
		t.Error(err)
	}
}

// TestNestedCounts binds counts within each other: each is bound once, not twice as often as the one
// around it.
func TestNestedCounts(t *testing.T) {
	const depth = 40
	elements := []thrift.SchemaElement{{Name: "root", NumChildren: 1, HasNumChildren: true}}
	for range depth {
		elements = append(elements, thrift.SchemaElement{Name: "x", NumChildren: 1, HasNumChildren: true, HasRepetition: true, Repetition: thrift.Repeated})
	}
	leaf := kind("i32")
	leaf.Name, leaf.HasRepetition = "x", true
	s, err := schema.New(append(elements, leaf))
	if err != nil {
		t.Fatal(err)
	}
	e := filter.Col("x.x").Eq(1)
	for i := range depth {
		list := "x.x"
		if i == depth-1 {
			list = "x"
		}
		e = filter.Count(list, "x", e).IsNull()
	}
	if p, err := Bind(e, s, nil); err != nil || len(p.Leaves()) != 1 {
		t.Error(p, err)
	}
}
