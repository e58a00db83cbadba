package scanner

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// fileOf opens a file of one row group with these rows.
func fileOf(t *testing.T, f gen.File, rows ...any) *File {
	t.Helper()
	if rows != nil {
		f.RowGroups = []gen.RowGroup{{Rows: rows}}
	}
	file, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(scannertest.Write(t, f)))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func leafWant(name string, t vector.Type) Want { return Want{Name: name, Type: t} }

func kind(p vector.Physical, l vector.Logical) vector.Type {
	return vector.Type{Physical: p, Logical: l}
}

func decimal(p vector.Physical, length, precision, scale int32) vector.Type {
	return vector.Type{Physical: p, Logical: vector.Decimal, Length: length, Precision: precision, Scale: scale}
}

func integer(p vector.Physical, bits uint8, signed bool) vector.Type {
	return vector.Type{Physical: p, Logical: vector.Integer, Bits: bits, Signed: signed}
}

func timestamp(u vector.Unit, utc bool) vector.Type {
	return vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: u, UTC: utc}
}

func timeOfDay(u vector.Unit, utc bool) vector.Type {
	t := vector.Type{Physical: vector.Int64, Logical: vector.Time, Unit: u, UTC: utc}
	if u == vector.Millis {
		t.Physical = vector.Int32
	}
	return t
}

func TestConversions(t *testing.T) {
	int96 := func(days uint32, nanos uint64) [12]byte {
		return [12]byte(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, nanos), days))
	}
	var (
		i32, i64 = vector.Type{Physical: vector.Int32}, vector.Type{Physical: vector.Int64}
		f32, f64 = vector.Type{Physical: vector.Float}, vector.Type{Physical: vector.Double}
		text     = kind(vector.ByteArray, vector.String)
		raw      = kind(vector.ByteArray, vector.None)
	)
	a := func(p gen.Type, l gen.Logical) *gen.Node { return gen.Optional("a", p).As(l) }
	for _, tc := range []struct {
		name string
		have *gen.Node
		vals []any
		want vector.Type
		rows string // JSON of the values, or what the error has in it
	}{
		{"same", gen.Optional("a", gen.Int32), []any{1, nil}, i32, "1 null"},
		{"INT32 to INT64", gen.Optional("a", gen.Int32), []any{-1 << 31, nil, 7}, i64, "-2147483648 null 7"},
		{"INT32 to DOUBLE", gen.Optional("a", gen.Int32), []any{-1 << 31, nil, 7}, f64, "-2147483648 null 7"},
		{"FLOAT to DOUBLE", gen.Optional("a", gen.Float), []any{0.5, nil, float32(0.1)}, f64, "0.5 null 0.10000000149011612"},
		{"INT64 to INT32", gen.Optional("a", gen.Int64), []any{1}, i32, "the file has INT64, INT32 is wanted"},
		{"INT64 to DOUBLE", gen.Optional("a", gen.Int64), []any{1}, f64, "the file has INT64, DOUBLE is wanted"},
		{"DOUBLE to FLOAT", gen.Optional("a", gen.Double), []any{1.0}, f32, "the file has DOUBLE, FLOAT is wanted"},
		{"INT(8) to INT(16)", a(gen.Int32, gen.IntType(8, true)), []any{-5}, integer(vector.Int32, 16, true), "-5"},
		{"INT(8) to INT64", a(gen.Int32, gen.IntType(8, true)), []any{-5, nil}, i64, "-5 null"},
		{"INT(16) to INT(8)", a(gen.Int32, gen.IntType(16, true)), []any{-5}, integer(vector.Int32, 8, true), "the file has INT32 INT(16), INT32 INT(8) is wanted"},
		{"UINT(32) to UINT(64)", a(gen.Int32, gen.IntType(32, false)), []any{uint32(1<<32 - 1), nil}, integer(vector.Int64, 64, false), "4294967295 null"},
		{"UINT(32) to INT64", a(gen.Int32, gen.IntType(32, false)), []any{uint32(1<<32 - 1), nil}, i64, "4294967295 null"},
		{"UINT(8) to INT(16)", a(gen.Int32, gen.IntType(8, false)), []any{255, nil}, integer(vector.Int32, 16, true), "255 null"},
		{"UINT(16) to INT(16)", a(gen.Int32, gen.IntType(16, false)), []any{1}, integer(vector.Int32, 16, true), "the file has INT32 UINT(16), INT32 INT(16) is wanted"},
		{"UINT(32) to DOUBLE", a(gen.Int32, gen.IntType(32, false)), []any{uint32(1<<32 - 1), nil}, f64, "4294967295 null"},
		{"UINT(32) to DECIMAL", a(gen.Int32, gen.IntType(32, false)), []any{uint32(1<<32 - 1), nil}, decimal(vector.Int64, 0, 12, 2), `"4294967295.00" null`},
		{"INT64 to DECIMAL", gen.Optional("a", gen.Int64), []any{int64(-1 << 63), nil, 7}, decimal(vector.FixedLenByteArray, 16, 20, 1), `"-9223372036854775808.0" null "7.0"`},
		{"INT64 to DECIMAL, fewer digits", gen.Optional("a", gen.Int64), []any{7}, decimal(vector.Int64, 0, 18, 0), "DECIMAL(18,0) is wanted"},
		{"fixed to bytes", gen.Optional("a", gen.FixedLenByteArray).Len(15), []any{strings.Repeat("x", 15), nil}, raw, `"eHh4eHh4eHh4eHh4eHh4" null`},
		{"date to MICROS", a(gen.Int32, gen.DateType()), []any{-1, nil, 19000}, timestamp(vector.Micros, false), `"1969-12-31T00:00:00" null "2022-01-08T00:00:00"`},
		{"date to NANOS, too far", a(gen.Int32, gen.DateType()), []any{0, 200000}, timestamp(vector.Nanos, false), "row 1: 2517-08-01 of INT32 DATE cannot be"},
		{"date to UTC", a(gen.Int32, gen.DateType()), []any{1}, timestamp(vector.Micros, true), "TIMESTAMP(MICROS,UTC) is wanted"},
		{"INT32 to UINT(32)", gen.Optional("a", gen.Int32), []any{1}, integer(vector.Int32, 32, false), "UINT(32) is wanted"},
		{"bytes to string", gen.Optional("a", gen.ByteArray), []any{"x", nil, strings.Repeat("y", 20)}, text, `"x" null "yyyyyyyyyyyyyyyyyyyy"`},
		{"string to bytes", a(gen.ByteArray, gen.StringType()), []any{"abc"}, raw, `"YWJj"`},
		{"string to number", a(gen.ByteArray, gen.StringType()), []any{"abc"}, i32, "the file has BYTE_ARRAY STRING, INT32 is wanted"},
		{"nothing to number", a(gen.Int32, gen.UnknownType()), []any{nil, nil}, f64, "null null"},
		{"date to number", a(gen.Int32, gen.DateType()), []any{1}, i32, "the file has INT32 DATE, INT32 is wanted"},

		{"MILLIS to NANOS", a(gen.Int64, gen.TimestampType(gen.Millis, true)), []any{-1, nil, 1500}, timestamp(vector.Nanos, true), `"1969-12-31T23:59:59.999Z" null "1970-01-01T00:00:01.5Z"`},
		{"NANOS to MILLIS", a(gen.Int64, gen.TimestampType(gen.Nanos, false)), []any{nil, 5_000_000}, timestamp(vector.Millis, false), `null "1970-01-01T00:00:00.005"`},
		{"NANOS to MICROS, inexact", a(gen.Int64, gen.TimestampType(gen.Nanos, true)), []any{1000, nil, 1001}, timestamp(vector.Micros, true), "row 2: 1970-01-01T00:00:00.000001001Z of INT64 TIMESTAMP(NANOS,UTC) cannot be INT64 TIMESTAMP(MICROS,UTC)"},
		{"MILLIS to NANOS, too far", a(gen.Int64, gen.TimestampType(gen.Millis, true)), []any{0, int64(1 << 60)}, timestamp(vector.Nanos, true), "row 1: "},
		{"UTC to local", a(gen.Int64, gen.TimestampType(gen.Millis, true)), []any{0}, timestamp(vector.Millis, false), "TIMESTAMP(MILLIS,local) is wanted"},
		{"time MILLIS to NANOS", a(gen.Int32, gen.TimeType(gen.Millis, true)), []any{86399999, nil}, timeOfDay(vector.Nanos, true), `"23:59:59.999" null`},
		{"time MICROS to MILLIS", a(gen.Int64, gen.TimeType(gen.Micros, false)), []any{5000, nil}, timeOfDay(vector.Millis, false), `"00:00:00.005" null`},
		{"time MICROS to MILLIS, too far", a(gen.Int64, gen.TimeType(gen.Micros, false)), []any{int64(1 << 50 * 1000)}, timeOfDay(vector.Millis, false), "row 0: "},
		{"INT96 to MICROS", gen.Optional("a", gen.Int96), []any{int96(2440589, 1000), nil, int96(2440587, 0)}, timestamp(vector.Micros, false), `"1970-01-02T00:00:00.000001" null "1969-12-31T00:00:00"`},
		{"INT96 to MICROS, inexact", gen.Optional("a", gen.Int96), []any{int96(2440589, 1)}, timestamp(vector.Micros, false), "row 0: 1970-01-02T00:00:00.000000001 of INT96"},
		{"INT96 to NANOS, too far", gen.Optional("a", gen.Int96), []any{int96(1<<31-1, 1)}, timestamp(vector.Nanos, false), "row 0: "},

		{"DECIMAL, more digits", a(gen.Int32, gen.DecimalType(4, 2)), []any{-1234, nil}, decimal(vector.Int32, 0, 9, 2), `"-12.34" null`},
		{"DECIMAL, more scale", a(gen.Int32, gen.DecimalType(4, 2)), []any{-1234, nil}, decimal(vector.Int64, 0, 18, 5), `"-12.34000" null`},
		{"DECIMAL, fewer digits in front", a(gen.Int32, gen.DecimalType(4, 2)), []any{1}, decimal(vector.Int64, 0, 5, 4), "DECIMAL(5,4) is wanted"},
		{"DECIMAL, fewer digits of the same width", a(gen.Int32, gen.DecimalType(4, 2)), []any{1}, decimal(vector.Int32, 0, 5, 4), "DECIMAL(5,4) is wanted"},
		{"DECIMAL, less scale", a(gen.Int32, gen.DecimalType(4, 2)), []any{100}, decimal(vector.Int64, 0, 9, 1), "DECIMAL(9,1) is wanted"},
		{"DECIMAL, more digits than claimed", a(gen.Int32, gen.DecimalType(2, 0)), []any{99, 100000}, decimal(vector.Int32, 0, 4, 1), "row 1: 100000 of"},
		{"DECIMAL to fixed", a(gen.Int64, gen.DecimalType(18, 2)), []any{-1, nil, int64(1 << 59)}, decimal(vector.FixedLenByteArray, 16, 38, 4), `"-0.0100" null "5764607523034234.8800"`},
		{"DECIMAL to bytes", a(gen.Int64, gen.DecimalType(18, 2)), []any{-128, nil, 0, 127, 128}, decimal(vector.ByteArray, 0, 40, 20), `"-1.28000000000000000000" null "0.00000000000000000000" "1.27000000000000000000" "1.28000000000000000000"`},
		{"DECIMAL of bytes to fixed", a(gen.ByteArray, gen.DecimalType(30, 2)), []any{"\xff\x00", nil, "\x7f" + strings.Repeat("\xff", 11)}, decimal(vector.FixedLenByteArray, 14, 31, 3), `"-2.560" null "396140812571321687967719751.670"`},
		{"DECIMAL of bytes, too long", a(gen.ByteArray, gen.DecimalType(3, 0)), []any{"\x01", "\x7f" + strings.Repeat("\xff", 15)}, decimal(vector.FixedLenByteArray, 4, 9, 0), "row 1: "},
	} {
		for _, encoding := range []gen.Encoding{gen.Plain, gen.Dictionary} {
			var rows []any
			for _, v := range tc.vals {
				rows = append(rows, gen.Record{"a": v})
			}
			f := fileOf(t, gen.File{Schema: []*gen.Node{tc.have}, All: gen.Column{Stats: gen.NoStats, Index: gen.NoIndex, Shape: gen.Shape{Encoding: encoding}}}, rows...)
			got, err := tryLines(t, f, Options{Want: []Want{leafWant("a", tc.want)}, Dictionaries: allLeaves(vector.DictionaryWherePossible)})
			if err != nil {
				var e *Error
				if !strings.Contains(err.Error(), tc.rows) || !errors.Is(err, ErrMismatch) || !errors.As(err, &e) || e.Column != "a" {
					t.Errorf("%s: %v, want %q", tc.name, err, tc.rows)
				}
				continue
			}
			for i, line := range got {
				got[i] = strings.TrimSuffix(strings.TrimPrefix(line, `{"a":`), "}")
			}
			if text := strings.Join(got, " "); text != tc.rows {
				t.Errorf("%s: %s, want %s", tc.name, text, tc.rows)
			}
		}
	}
}

func TestErrorOfConversionNamesTheRow(t *testing.T) {
	list := gen.List("l", gen.Optional("element", gen.Int64).As(gen.TimestampType(gen.Nanos, true)))
	f := fileOf(t, gen.File{Schema: []*gen.Node{list}},
		gen.Record{"l": []any{1000, 2000}}, gen.Record{}, gen.Record{"l": []any{}}, gen.Record{"l": []any{nil, 3000, 7}})
	item := leafWant("", timestamp(vector.Micros, true))
	want := Options{Want: []Want{{Name: "l", Layout: vector.List, Children: []Want{item}}}, Rows: vector.RowSet{{{From: 1, To: 4}}}}
	if _, err := tryLines(t, f, want); err == nil || !strings.HasPrefix(err.Error(), `f.parquet: row group 0, column "l": row 3: `) {
		t.Error(err)
	}
	want.Rows = vector.RowSet{{{From: 0, To: 3}}}
	if got := lines(t, f, want); scannertest.Same(got, []string{`{"l":["1970-01-01T00:00:00.000001Z","1970-01-01T00:00:00.000002Z"]}`, `{"l":null}`, `{"l":[]}`}) != nil {
		t.Error(got)
	}
}

// hostFile has columns of each layout, with field ids.
func hostFile(t *testing.T) *File {
	return fileOf(t, gen.File{Schema: []*gen.Node{
		gen.Required("id", gen.Int32).ID(1),
		gen.Optional("s", gen.Group, gen.Optional("x", gen.Int32).ID(21), gen.Required("y", gen.ByteArray).As(gen.StringType()).ID(22)).ID(2),
		gen.List("l", gen.Optional("element", gen.Group, gen.Required("p", gen.Float).ID(31), gen.Optional("q", gen.Int32).ID(32))).ID(3),
		gen.Map("m", gen.Required("key", gen.ByteArray).As(gen.StringType()), gen.Optional("value", gen.Int32)).ID(4),
		gen.Repeated("r", gen.Int32).ID(5),
	}},
		gen.Record{"id": 1, "s": gen.Record{"x": 10, "y": "a"}, "l": []any{gen.Record{"p": 0.5, "q": 7}, nil}, "m": []gen.KV{{Key: "k", Value: 3}}, "r": []any{1, 2}},
		gen.Record{"id": 2})
}

func TestWantedSchema(t *testing.T) {
	var (
		i64  = vector.Type{Physical: vector.Int64}
		f64  = vector.Type{Physical: vector.Double}
		text = kind(vector.ByteArray, vector.String)
	)
	seven, err := vector.IntOf(i64, 7)
	if err != nil {
		t.Fatal(err)
	}
	group := func(name string, id int32, l vector.Layout, children ...Want) Want {
		return Want{Name: name, FieldID: id, Layout: l, Children: children}
	}
	leaf := func(name string, id int32, t vector.Type) Want { return Want{Name: name, FieldID: id, Type: t} }
	for _, tc := range []struct {
		name string
		by   Match
		want []Want
		rows string // or the error
	}{
		{"by name", ByName, []Want{leaf("id", 0, i64)}, `{"id":1} {"id":2}`},
		{"by name, another order, twice", ByName, []Want{
			group("s", 0, vector.Struct, leaf("y", 0, text), leaf("x", 0, i64)), leaf("id", 0, i64), leaf("id", 0, i64),
		}, `{"s":{"y":"a","x":10},"id":1,"id":1} {"s":null,"id":2,"id":2}`},
		{"absent", ByName, []Want{leaf("z", 0, i64), leaf("id", 0, i64), group("zz", 0, vector.List, leaf("", 0, i64))},
			`{"z":null,"id":1,"zz":null} {"z":null,"id":2,"zz":null}`},
		{"all absent", ByName, []Want{leaf("z", 0, i64)}, `{"z":null} {"z":null}`},
		{"default", ByName, []Want{{Name: "z", Type: i64, Default: seven}}, `{"z":7} {"z":7}`},
		{"absent field", ByName, []Want{group("s", 0, vector.Struct, leaf("new", 0, text), leaf("x", 0, i64), Want{Name: "d", Type: i64, Default: seven})},
			`{"s":{"new":null,"x":10,"d":7}} {"s":null}`},
		{"absent fields only", ByName, []Want{group("s", 0, vector.Struct, leaf("new", 0, text))}, `{"s":{"new":null}} {"s":null}`},
		{"in lists", ByName, []Want{group("l", 0, vector.List, group("", 0, vector.Struct, leaf("q", 0, i64), leaf("no", 0, text), leaf("p", 0, f64)))},
			`{"l":[{"q":7,"no":null,"p":0.5},null]} {"l":null}`},
		{"in maps", ByName, []Want{group("m", 0, vector.Map, leaf("", 0, text), leaf("", 0, i64))}, `{"m":[{"key":"k","value":3}]} {"m":null}`},
		{"bare", ByName, []Want{group("r", 0, vector.List, leaf("", 0, i64))}, `{"r":[1,2]} {"r":[]}`},
		{"by position", ByPosition, []Want{leaf("a", 0, i64), group("b", 0, vector.Struct, leaf("c", 0, i64))},
			`{"a":1,"b":{"c":10}} {"a":2,"b":null}`},
		{"by position, too many", ByPosition, []Want{leaf("a", 0, i64), group("b", 0, vector.Struct, leaf("c", 0, i64)),
			group("c", 0, vector.List, group("", 0, vector.Struct)), group("d", 0, vector.Map, leaf("", 0, text), leaf("", 0, i64)),
			group("e", 0, vector.List, leaf("", 0, i64)), leaf("f", 0, text)},
			`{"a":1,"b":{"c":10},"c":[{},null],"d":[{"key":"k","value":3}],"e":[1,2],"f":null} {"a":2,"b":null,"c":null,"d":null,"e":[],"f":null}`},
		{"by field id", ByFieldID, []Want{group("renamed", 2, vector.Struct, leaf("why", 22, text), leaf("none", 99, i64)), leaf("key", 1, i64)},
			`{"renamed":{"why":"a","none":null},"key":1} {"renamed":null,"key":2}`},
		{"by field id, in a list", ByFieldID, []Want{group("n", 3, vector.List, group("", 0, vector.Struct, leaf("w", 32, i64)))},
			`{"n":[{"w":7},null]} {"n":null}`},

		{"leaf for struct", ByName, []Want{leaf("s", 0, i64)}, `f.parquet: column "s": the file has a struct, INT64 is wanted`},
		{"list for leaf", ByName, []Want{group("id", 0, vector.List, leaf("", 0, i64))}, `column "id": the file has INT32, a list is wanted`},
		{"leaf for bare", ByName, []Want{leaf("r", 0, i64)}, `column "r": the file has a list, INT64 is wanted`},
		{"in struct", ByName, []Want{group("s", 0, vector.Struct, leaf("y", 0, i64))}, `column "s.y": the file has BYTE_ARRAY STRING, INT64 is wanted`},
		{"in list", ByName, []Want{group("l", 0, vector.List, group("", 0, vector.Struct, leaf("p", 0, text)))}, `column "l.item.p": the file has FLOAT, BYTE_ARRAY STRING is wanted`},
		{"in bare", ByName, []Want{group("r", 0, vector.List, leaf("", 0, text))}, `column "r.item": the file has INT32, BYTE_ARRAY STRING is wanted`},
		{"list without item", ByName, []Want{group("l", 0, vector.List)}, `column "l": a list is wanted with 0 children`},
		{"default of another type", ByName, []Want{{Name: "z", Type: text, Default: seven}}, `column "z": the default is no slot of BYTE_ARRAY STRING`},
	} {
		f := hostFile(t)
		got, err := tryLines(t, f, Options{Want: tc.want, By: tc.by})
		if err != nil {
			if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), tc.rows) {
				t.Errorf("%s: %v, want %s", tc.name, err, tc.rows)
			}
			continue
		}
		if text := strings.Join(got, " "); text != tc.rows {
			t.Errorf("%s: %s, want %s", tc.name, text, tc.rows)
		}
	}
}

func TestSelection(t *testing.T) {
	for _, tc := range []struct {
		paths []string
		row   string // the first, or the error
	}{
		{[]string{}, `{}`},
		{[]string{"id"}, `{"id":1}`},
		{[]string{"r", "id", "r"}, `{"r":[1,2],"id":1,"r":[1,2]}`},
		{[]string{"s.y"}, `{"s":{"y":"a"}}`},
		{[]string{"s.y", "id", "s.x"}, `{"s":{"y":"a","x":10},"id":1}`},
		{[]string{"s.y", "s"}, `{"s":{"y":"a"},"s":{"x":10,"y":"a"}}`},
		{[]string{"s.y", "s.y"}, `{"s":{"y":"a"},"s":{"y":"a"}}`},
		{[]string{"l.p"}, `{"l":[{"p":0.5},null]}`},
		{[]string{"l.item.p"}, `{"l":[{"p":0.5},null]}`},
		{[]string{"l.element.q"}, `{"l":[{"q":7},null]}`},
		{[]string{"l.list.element.q", "l.p"}, `{"l":[{"q":7,"p":0.5},null]}`},
		{[]string{"l.item"}, `{"l":[{"p":0.5,"q":7},null]}`},
		{[]string{"m.key"}, `{"m":[{"key":"k","value":null}]}`},
		{[]string{"m.value"}, `{"m":[{"key":"k","value":3}]}`},
		{[]string{"m.key_value.value", "m.key"}, `{"m":[{"key":"k","value":3}]}`},
		{[]string{"r.item"}, `{"r":[1,2]}`},
		{[]string{`"s".x`}, `{"s":{"x":10}}`},
		{[]string{"z"}, `f.parquet: no column z; there is s`},
		{[]string{"ID"}, `f.parquet: no column ID; there is id, and case matters`},
		{[]string{"nothing"}, `f.parquet: no column nothing`},
		{[]string{"s.z"}, `f.parquet: no column s.z: s has the fields x, y`},
		{[]string{"l.z"}, `f.parquet: no column l.z: l has items with the fields p, q`},
		{[]string{"m.z"}, `f.parquet: no column m.z: m has the parts key and value`},
		{[]string{"id.z"}, `f.parquet: no column id.z: id has no parts`},
		{[]string{"s."}, `f.parquet: path "s.", byte 2: name is missing`},
	} {
		got, err := tryLines(t, hostFile(t), Options{Select: tc.paths})
		switch {
		case err != nil && err.Error() != tc.row:
			t.Errorf("%q: %v, want %s", tc.paths, err, tc.row)
		case err == nil && (len(got) != 2 || got[0] != tc.row):
			t.Errorf("%q: %s, want %s", tc.paths, got, tc.row)
		}
	}
}

// A batch of columns that the file lacks belongs to the host, and may be changed.
func TestMissingColumnsAreOwned(t *testing.T) {
	f := fileOf(t, gen.File{Schema: []*gen.Node{gen.Required("id", gen.Int32)}}, gen.Record{"id": 1}, gen.Record{"id": 2}, gen.Record{"id": 3}, gen.Record{"id": 4})
	i32 := kind(vector.Int32, vector.None)
	pair := vector.Field{Type: kind(vector.Group, 0), Layout: vector.Struct, Children: []vector.Field{{Name: "x", Type: i32}}}
	one := build.New(&pair)
	build.AppendSlots(one.Children[0], scannertest.Plain(i32, []byte{5, 0, 0, 0}).Vector(1), 0, 1)
	one.Len = 1
	want := []Want{
		{Name: "s", Layout: vector.Struct, Children: []Want{leafWant("x", i32)}, Default: one.Scalar(0)},
		{Name: "n", Type: i32, Default: scannertest.Plain(i32, []byte{6, 0, 0, 0})},
	}
	for b, err := range f.Scan(t.Context(), Options{Want: want, BatchRows: 2}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range b.Columns {
			v.Flatten()
		}
		if err := scannertest.Same(scannertest.Lines(t, b), []string{`{"s":{"x":5},"n":6}`, `{"s":{"x":5},"n":6}`}); err != nil {
			t.Error(err)
		}
		b.Columns[0].Children[0].Int32s[0], b.Columns[1].Int32s[0] = 100, 100
	}
}
