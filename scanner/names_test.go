package scanner

import (
	"errors"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// With columns found by field id, conditions, orders and answers name them as the host
// does, though the file has other columns of these names.
func TestNamesOfWantedColumns(t *testing.T) {
	id := func(n *gen.Node, id int32) *gen.Node { return n.ID(id) }
	var rows []any
	for i := range 40 {
		rows = append(rows, gen.Record{"a": i, "b": 100 - i, "s": gen.Record{"x": i % 7, "y": i % 5}})
	}
	f := fileOf(t, gen.File{
		Schema: []*gen.Node{
			id(gen.Required("a", gen.Int64), 1), id(gen.Required("b", gen.Int64), 2),
			id(gen.Required("s", gen.Group, id(gen.Required("x", gen.Int64), 4), id(gen.Required("y", gen.Int64), 5)), 3),
		},
		RowGroups: []gen.RowGroup{{Rows: rows[:20]}, {Rows: rows[20:]}},
	})
	number := vector.Type{Physical: vector.Int64}
	wanted := Options{By: ByFieldID, Want: []Want{
		{Name: "b", FieldID: 1, Type: number}, // a in the file
		{Name: "a", FieldID: 2, Type: number}, // b
		{Name: "t", FieldID: 3, Layout: vector.Struct, Children: []Want{{Name: "y", FieldID: 4, Type: number}, {Name: "x", FieldID: 5, Type: number}}},
		{Name: "gone", FieldID: 9, Type: number},
	}}
	for where, want := range map[string]int64{
		"b < 10": 10, "a <= 70": 10, "b = 3 AND a = 97": 1, "t.y = 6": 5, "t.x = 4": 8, "gone IS NULL": 40, "gone = 1": 0, "t.y = 6 AND t.x = 4": 1,
		"s.x = 4": 8, // s is what the file calls t; its fields have the host's names
	} {
		o := wanted
		o.Filter = scannertest.Parsed(t, where)
		n, err := f.Count(t.Context(), o)
		if err != nil || n != want {
			t.Errorf("%s: %d rows, %v, want %d", where, n, err, want)
		}
	}
	for column, want := range map[string][2]string{"b": {"0", "39"}, "a": {"61", "100"}, "t.y": {"0", "6"}, "t.x": {"0", "4"}} {
		least, err := f.Min(t.Context(), column, wanted)
		if got := scannertest.Shown(t, least, err); got != want[0] {
			t.Errorf("least %s: %s, want %s", column, got, want[0])
		}
		most, err := f.Max(t.Context(), column, wanted)
		if got := scannertest.Shown(t, most, err); got != want[1] {
			t.Errorf("greatest %s: %s, want %s", column, got, want[1])
		}
	}
	o := wanted
	o.Limit = 2
	var top []string
	for b, err := range f.Top(t.Context(), Order{By: "a"}, o) {
		if err != nil {
			t.Fatal(err)
		}
		top = append(top, scannertest.Lines(t, b)...)
	}
	if err := scannertest.Same(top, []string{`{"b":39,"a":61,"t":{"y":4,"x":4},"gone":null}`, `{"b":38,"a":62,"t":{"y":3,"x":3},"gone":null}`}); err != nil {
		t.Error(err)
	}
	if _, err := f.Min(t.Context(), "nothing", wanted); !errors.Is(err, ErrNoColumn) {
		t.Errorf("a column of nobody: %v", err)
	}
}
