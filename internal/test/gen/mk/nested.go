package main

import (
	"fmt"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

func nestedShapes() []sample {
	list := []any{
		gen.Record{}, gen.Record{"l": []any{}}, gen.Record{"l": []any{nil}}, gen.Record{"l": []any{7}},
		gen.Record{"l": []any{1, nil, 3}}, gen.Record{"l": []any{nil, nil}},
	}
	full := []any{gen.Record{}, gen.Record{"l": []any{}}, gen.Record{"l": []any{7}}, gen.Record{"l": []any{1, 2, 3}}}
	pairs := []any{gen.Record{}, gen.Record{"l": []any{gen.Record{"a": 1, "b": "x"}, gen.Record{"a": 2}}}, gen.Record{"l": []any{}}}
	lists := []any{
		gen.Record{}, gen.Record{"l": []any{}}, gen.Record{"l": []any{nil}}, gen.Record{"l": []any{[]any{}}},
		gen.Record{"l": []any{[]any{nil}, nil, []any{1, 2}, []any{}}}, gen.Record{"l": []any{[]any{3}}},
	}
	maps := []any{
		gen.Record{}, gen.Record{"m": []gen.KV{}}, gen.Record{"m": []gen.KV{{Key: "k", Value: nil}}},
		gen.Record{"m": []gen.KV{{Key: "a", Value: 1}, {Key: "b", Value: 2}, {Key: "a", Value: 3}}},
	}
	key := func() *gen.Node { return gen.Required("key", gen.ByteArray).As(gen.StringType()) }
	intValue := func() *gen.Node { return gen.Optional("value", gen.Int32) }
	listOf := func(mid *gen.Node) []*gen.Node {
		return []*gen.Node{gen.Optional("l", gen.Group, mid).As(gen.ListType())}
	}
	pair := func() []*gen.Node { return []*gen.Node{gen.Required("a", gen.Int32), str("b")} }
	structs := []*gen.Node{gen.Optional("s", gen.Group, gen.Optional("t", gen.Group, gen.Optional("x", gen.Int32), gen.Required("y", gen.Int32)), str("z"))}
	structRows := []any{
		gen.Record{}, gen.Record{"s": gen.Record{}}, gen.Record{"s": gen.Record{"t": gen.Record{"y": 1}}},
		gen.Record{"s": gen.Record{"t": gen.Record{"x": 5, "y": 2}, "z": "end"}},
	}
	only := func(k, v any) []gen.KV { return []gen.KV{{Key: k, Value: v}} }
	f := func(name, what string, schema []*gen.Node, rows []any) sample {
		return sample{name: "nested_" + name, what: what, file: one(schema, rows, gen.Column{})}
	}
	all := []sample{
		f("list", "NULL, [], [NULL], [x]", []*gen.Node{gen.List("l", gen.Optional("element", gen.Int32))}, list),
		f("list_two_level", "a two-level list: repeated field of a primitive type", listOf(gen.Repeated("element", gen.Int32)), full),
		f("list_two_level_struct", "a two-level list: the repeated group has two fields", listOf(gen.Repeated("element", gen.Group, pair()...)), pairs),
		f("list_two_level_array", "a two-level list: the repeated group is named array", listOf(gen.Repeated("array", gen.Group, gen.Required("a", gen.Int32))),
			[]any{gen.Record{"l": []any{gen.Record{"a": 1}, gen.Record{"a": 2}}}, gen.Record{}}),
		f("list_two_level_tuple", "a two-level list: the repeated group is named l_tuple", listOf(gen.Repeated("l_tuple", gen.Group, gen.Optional("a", gen.Int32))),
			[]any{gen.Record{"l": []any{gen.Record{"a": 1}, gen.Record{}}}, gen.Record{}}),
		f("list_other_names", "a three-level list with names of its own", listOf(gen.Repeated("bag", gen.Group, gen.Optional("array_element", gen.Int32))), list),
		f("list_of_lists", "lists of lists", []*gen.Node{gen.List("l", gen.List("element", gen.Optional("element", gen.Int32)))}, lists),
		f("repeated", "a repeated field without annotation", []*gen.Node{gen.Repeated("l", gen.Int32), gen.Repeated("g", gen.Group, pair()...)},
			[]any{gen.Record{}, gen.Record{"l": []any{1, 2}, "g": []any{gen.Record{"a": 1}}}, gen.Record{"l": []any{3}}}),
		f("map", "a map with null values and a key twice", []*gen.Node{gen.Map("m", key(), intValue())}, maps),
		f("map_no_value", "a map without values", []*gen.Node{gen.Map("m", key(), nil)}, []any{gen.Record{}, gen.Record{"m": only("k", nil)}}),
		f("map_old", "a map marked MAP_KEY_VALUE", []*gen.Node{gen.Optional("m", gen.Group, gen.Repeated("map", gen.Group, key(), intValue())).As(gen.Logical{Kind: gen.KindMapKeyValue})}, maps),
		f("map_of_maps", "maps of maps of lists", []*gen.Node{gen.Map("m", key(), gen.Map("value", key(), gen.List("value", gen.Optional("element", gen.Int32))))},
			[]any{gen.Record{"m": only("a", only("b", []any{1, nil}))}, gen.Record{"m": only("a", only("b", nil))}, gen.Record{"m": only("a", nil)}, gen.Record{}}),
		f("struct", "nested structs: null at each level", structs, structRows),
		f("list_of_structs", "lists of structs that hold lists", []*gen.Node{gen.List("l", gen.Optional("element", gen.Group, gen.Optional("a", gen.Int32), gen.List("b", str("element"))))},
			[]any{gen.Record{"l": []any{gen.Record{"a": 1, "b": []any{"x", nil}}, nil, gen.Record{"b": []any{}}}}, gen.Record{}, gen.Record{"l": []any{gen.Record{}}}}),
	}
	deep, value := gen.Optional("leaf", gen.Int32), any(gen.Record{"leaf": 1})
	node := gen.Deep(100, deep, gen.Maybe)
	for i := 99; i >= 1; i-- {
		value = gen.Record{fmt.Sprint("g", i): value}
	}
	half := any(gen.Record{})
	for i := 50; i >= 1; i-- {
		half = gen.Record{fmt.Sprint("g", i): half}
	}
	all = append(all, f("deep", "a leaf 100 levels deep", []*gen.Node{node}, []any{value, half, gen.Record{}}))
	full40, empty20 := any(gen.Record{"leaf": 1}), any(gen.Record{"g20": nil})
	for i := 39; i >= 1; i-- {
		wrap := func(v any) any {
			switch {
			case i == 31 || i == 35 || i == 39:
				v = []any{v, v}
			case i%2 == 1:
				v = []any{v}
			}
			return gen.Record{fmt.Sprint("g", i): v}
		}
		full40 = wrap(full40)
		if i < 20 {
			empty20 = wrap(empty20)
		}
	}
	all = append(all, f("deep_repeated", "40 levels, every other one repeated", []*gen.Node{gen.Deep(40, gen.Optional("leaf", gen.Int32), gen.Maybe, gen.Many)},
		[]any{full40, empty20, gen.Record{}, full40}))
	for _, note := range []struct {
		name string
		a    gen.Annotation
	}{{"both", gen.BothNotes}, {"logical", gen.LogicalOnly}, {"converted", gen.ConvertedOnly}} {
		schema, rows := logical()
		for _, n := range schema {
			n.Note = note.a
		}
		what := map[string]string{"both": "LogicalType and ConvertedType", "logical": "LogicalType", "converted": "ConvertedType (those that it cannot say are left out)"}[note.name]
		if note.a == gen.ConvertedOnly {
			schema, rows = convertedOnly(schema, rows)
		}
		all = append(all, sample{name: "logical_types_" + note.name, what: "every logical type, annotated by " + what, file: one(schema, rows, gen.Column{})})
	}
	return all
}

// logical is a column of every logical type that a primitive can have.
//
//every:logical sample file but MAP LIST (of groups: made by nestedShapes)
func logical() ([]*gen.Node, []any) {
	fixed := func(name string, n int32, l gen.Logical) *gen.Node {
		return gen.Optional(name, gen.FixedLenByteArray).Len(n).As(l)
	}
	schema := []*gen.Node{
		str("string"), gen.Optional("enum", gen.ByteArray).As(gen.EnumType()),
		gen.Optional("json", gen.ByteArray).As(gen.JSONType()), gen.Optional("bson", gen.ByteArray).As(gen.BSONType()),
		fixed("uuid", 16, gen.UUIDType()), fixed("float16", 2, gen.Float16Type()), fixed("interval", 12, gen.IntervalType()),
		gen.Optional("date", gen.Int32).As(gen.DateType()),
		gen.Optional("decimal32", gen.Int32).As(gen.DecimalType(9, 2)), gen.Optional("decimal64", gen.Int64).As(gen.DecimalType(18, 4)),
		gen.Optional("decimal_binary", gen.ByteArray).As(gen.DecimalType(20, 3)), fixed("decimal_fixed", 11, gen.DecimalType(25, 0)),
	}
	for u, name := range []string{"millis", "micros", "nanos"} {
		t := gen.Int64
		if u == 0 {
			t = gen.Int32
		}
		schema = append(schema,
			gen.Optional("time_"+name, t).As(gen.TimeType(gen.Unit(u), true)),
			gen.Optional("timestamp_"+name, gen.Int64).As(gen.TimestampType(gen.Unit(u), true)),
			gen.Optional("timestamp_local_"+name, gen.Int64).As(gen.TimestampType(gen.Unit(u), false)))
	}
	for _, bits := range []int8{8, 16, 32, 64} {
		t := gen.Int32
		if bits == 64 {
			t = gen.Int64
		}
		schema = append(schema, gen.Optional(fmt.Sprint("int", bits), t).As(gen.IntType(bits, true)),
			gen.Optional(fmt.Sprint("uint", bits), t).As(gen.IntType(bits, false)))
	}
	schema = append(schema, gen.Optional("unknown", gen.Int32).As(gen.UnknownType()))
	rows := []any{
		gen.Record{
			"string": "größer", "enum": "RED", "json": `{"a":[1,null]}`, "bson": "\x05\x00\x00\x00\x00",
			"uuid": "\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89\xab\xcd\xef", "float16": "\x00\x3e", "interval": strings.Repeat("\x01\x00\x00\x00", 3),
			"date": 19_000, "decimal32": -5, "decimal64": 123_456_789, "decimal_binary": "\xff\x38", "decimal_fixed": strings.Repeat("\x00", 9) + "\x01\x00",
			"time_millis": 45_296_007, "time_micros": int64(45_296_000_007), "time_nanos": int64(45_296_000_000_070),
			"timestamp_millis": int64(1_700_000_000_123), "timestamp_micros": int64(1_700_000_000_123_456), "timestamp_nanos": int64(1_700_000_000_123_456_789),
			"timestamp_local_millis": -1, "timestamp_local_micros": -1, "timestamp_local_nanos": -1,
			"int8": -128, "int16": -32768, "int32": -1 << 31, "int64": int64(-1 << 63),
			"uint8": 255, "uint16": 65535, "uint32": uint32(1<<32 - 1), "uint64": uint64(1<<64 - 1),
		},
		gen.Record{},
		gen.Record{
			"string": "", "date": -1, "decimal32": 100, "decimal64": 0, "decimal_binary": "\x00", "decimal_fixed": strings.Repeat("\xff", 11),
			"float16": "\x00\xfc", "time_millis": 0, "time_micros": int64(86_399_999_999), "timestamp_millis": 0, "timestamp_local_micros": 0,
			"int8": 127, "uint8": 0, "uint32": 7, "uint64": uint64(1 << 63),
		},
	}
	return schema, rows
}

// convertedOnly leaves out what no ConvertedType can say: other types would
// come back than those that were meant.
func convertedOnly(schema []*gen.Node, rows []any) ([]*gen.Node, []any) {
	var kept []*gen.Node
	for _, n := range schema {
		l := n.Logical
		switch {
		case l.Kind == gen.KindUUID, l.Kind == gen.KindFloat16, l.Kind == gen.KindUnknown, l.Unit == gen.Nanos, l.Kind == gen.KindTimestamp && !l.UTC:
			for _, r := range rows {
				delete(r.(gen.Record), n.Name)
			}
		default:
			kept = append(kept, n)
		}
	}
	return kept, rows
}
