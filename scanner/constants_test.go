package scanner

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// constantsFile has a column, id, that a constant hides.
func constantsFile(t *testing.T) (*File, filter.Constants) {
	t.Helper()
	f := fileOf(t, gen.File{Schema: []*gen.Node{
		gen.Required("id", gen.Int32).ID(1),
		gen.Required("x", gen.Int32).ID(2),
		gen.List("l", gen.Required("element", gen.Int32)),
	}}, gen.Record{"id": 1, "x": 10, "l": []any{1, 2}}, gen.Record{"id": 2, "x": 20, "l": []any{3}})
	year := scannertest.Plain(kind(vector.Int32, vector.None), binary.LittleEndian.AppendUint32(nil, 2024))
	return f, filter.Constants{
		"year": year, "id": year,
		"city": scannertest.Plain(kind(vector.ByteArray, vector.String), []byte("Lima, a city with a long name")),
		"none": scannertest.Plain(kind(vector.Int64, vector.None), nil),
	}
}

// TestConstantColumns: constants as columns, and which column a name means.
func TestConstantColumns(t *testing.T) {
	f, constants := constantsFile(t)
	i32, i64 := kind(vector.Int32, vector.None), kind(vector.Int64, vector.None)
	text := kind(vector.ByteArray, vector.String)
	const lima = `"city":"Lima, a city with a long name"`
	for _, tc := range []struct {
		o    Options
		rows string // or the error
	}{
		{Options{Select: []string{"x"}}, `{"x":10} {"x":20}`},
		{Options{Select: []string{"year", "x", "city"}}, `{"year":2024,"x":10,` + lima + `} {"year":2024,"x":20,` + lima + `}`},
		{Options{Select: []string{"none", "none"}, RowNumber: "n", FileName: "f"}, `{"none":null,"none":null,"n":0,"f":"f.parquet"} {"none":null,"none":null,"n":1,"f":"f.parquet"}`},
		{Options{}, `{"id":2024,"x":10,"l":[1,2]} {"id":2024,"x":20,"l":[3]}`},
		{Options{Select: []string{"id", "x"}, Filter: scannertest.Parsed(t, "id = 2024 AND x > 10")}, `{"id":2024,"x":20}`},
		{Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "id = 1")}, ``},
		{Options{Want: []Want{leafWant("year", i64), leafWant("x", i32), leafWant("none", text)}}, `{"year":2024,"x":10,"none":null} {"year":2024,"x":20,"none":null}`},
		{Options{Want: []Want{{Name: "year", Type: i32, Default: scannertest.Plain(i32, []byte{1, 0, 0, 0})}}}, `{"year":2024} {"year":2024}`},
		{Options{By: ByPosition, Want: []Want{leafWant("year", i32), leafWant("first", i32), leafWant("second", i32)}, Filter: scannertest.Parsed(t, "first = 2 AND year = 2024")}, `{"year":2024,"first":2,"second":20}`},
		{Options{By: ByFieldID, Want: []Want{{Name: "y", FieldID: 2, Type: i32}, {Name: "id", FieldID: 1, Type: i32}}}, `{"y":10,"id":2024} {"y":20,"id":2024}`},
		{Options{Select: []string{"year"}, Unnest: "l"}, `{"year":2024,"item":1} {"year":2024,"item":2} {"year":2024,"item":3}`},
		{Options{Select: []string{"year", "x"}, Threads: 2}, `{"year":2024,"x":10} {"year":2024,"x":20}`},

		{Options{Want: []Want{leafWant("city", i32)}}, `column "city": the constant is BYTE_ARRAY STRING, INT32 is wanted`},
		{Options{Want: []Want{{Name: "year", Layout: vector.List, Children: []Want{leafWant("", i32)}}}}, `column "year": the constant is INT32, a list is wanted`},
		{Options{Select: []string{"year.x"}}, "no column year.x in the file: it is a constant, the same in all rows"},
		{Options{Unnest: "year"}, "no column year in the file: it is a constant, the same in all rows"},
		{Options{Select: []string{"year"}, RowNumber: "year"}, `RowNumber "year" is the name of a column`},
	} {
		for use := range vector.DictionaryAlways + 1 {
			o := tc.o
			o.Constants, o.Dictionaries = constants, allLeaves(use)
			got, err := tryLines(t, f, o)
			if err != nil {
				if !strings.HasSuffix(err.Error(), tc.rows) || tc.rows == "" {
					t.Errorf("%v %v: %v, want %s", o.Select, o.Want, err, tc.rows)
				}
				continue
			}
			if text := strings.Join(got, " "); text != tc.rows {
				t.Errorf("%v %v: got %s, want %s", o.Select, o.Want, text, tc.rows)
			}
		}
	}
}

// Constants come in the form Constant, and what the host does to a batch stays there.
func TestConstantForm(t *testing.T) {
	f, constants := constantsFile(t)
	for b, err := range f.Scan(t.Context(), Options{Select: []string{"year", "none"}, Constants: constants, BatchRows: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		year, none := b.Columns[0], b.Columns[1]
		if year.Form != vector.Constant || year.Int32s[0] != 2024 || none.Form != vector.Constant || !none.IsNull(0) {
			t.Errorf("form %d of %v, form %d", year.Form, year.Int32s, none.Form)
		}
		year.Int32s[0] = 0
	}
}

// TestAnswersOfConstants: Count, Min, Max and Top.
func TestAnswersOfConstants(t *testing.T) {
	f, constants := constantsFile(t)
	for _, tc := range []struct{ column, where, want string }{
		{"year", "", "2024"}, {"id", "", "2024"}, {"none", "", "null"}, {"x", "year = 2024", "10"},
		{"year", "x > 10", "2024"}, {"year", "x > 20", "null"}, {"year", "year > 2024", "null"},
		{"city", "city LIKE 'Lima%'", `"Lima, a city with a long name"`},
	} {
		o := Options{Constants: constants}
		if tc.where != "" {
			o.Filter = scannertest.Parsed(t, tc.where)
		}
		v, err := f.Min(t.Context(), tc.column, o)
		if got := scannertest.Shown(t, v, err); got != tc.want {
			t.Errorf("least %s where %s: %s, want %s", tc.column, tc.where, got, tc.want)
		}
		o.Limit = 1
		v, err = f.Max(t.Context(), tc.column, o)
		if got := scannertest.Shown(t, v, err); got != tc.want {
			t.Errorf("greatest %s where %s: %s, want %s", tc.column, tc.where, got, tc.want)
		}
	}
	v, err := f.Min(t.Context(), "year", Options{Constants: constants, Limited: true})
	if got := scannertest.Shown(t, v, err); got != "null" {
		t.Error("least of no rows:", got)
	}
	for _, err := range f.Top(t.Context(), Order{By: "year"}, Options{Constants: constants, Limit: 1}) {
		if !errors.Is(err, ErrNoColumn) || !strings.Contains(err.Error(), "it is a constant") {
			t.Error(err)
		}
	}
	for b, err := range f.Top(t.Context(), Order{By: "x", Descending: true}, Options{Select: []string{"x", "year"}, Constants: constants, Limit: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(scannertest.Lines(t, b), " "); got != `{"x":20,"year":2024}` {
			t.Error(got)
		}
	}
}
