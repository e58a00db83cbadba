package dataset

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// unitedShelf has files of which each has something that the others lack, or narrower.
func unitedShelf(t *testing.T) *shelf {
	write := func(schema []*gen.Node, rows ...any) []byte {
		return scannertest.Write(t, gen.File{Schema: schema, RowGroups: []gen.RowGroup{{Rows: rows}}})
	}
	items := func(fields ...*gen.Node) *gen.Node {
		return gen.List("l", gen.Required("element", gen.Group, fields...))
	}
	return &shelf{files: map[string][]byte{
		"y=1/a": write([]*gen.Node{gen.Required("id", gen.Int32), gen.Required("p", gen.Group, gen.Required("x", gen.Int32)), items(gen.Required("v", gen.Int32)), gen.Required("bad", gen.Int64)},
			gen.Record{"id": int32(1), "p": gen.Record{"x": int32(7)}, "l": []any{gen.Record{"v": int32(3)}}, "bad": int64(1)}, gen.Record{"id": int32(2), "p": gen.Record{"x": int32(-1)}, "bad": int64(2)}),
		"y=2/b": write([]*gen.Node{items(gen.Required("w", gen.Float), gen.Required("v", gen.Int64)), gen.Required("p", gen.Group, gen.Required("z", gen.Int64), gen.Required("x", gen.Double)), gen.Required("id", gen.Int64), gen.Required("bad", gen.Double)},
			gen.Record{"id": int64(1) << 40, "p": gen.Record{"x": 7.5, "z": int64(9)}, "l": []any{gen.Record{"w": float32(0.5), "v": int64(1) << 33}}, "bad": 0.5}),
		"y=2/c": write([]*gen.Node{gen.Required("more", gen.ByteArray).As(gen.StringType()), gen.Optional("l", gen.Int32).As(gen.UnknownType())},
			gen.Record{"more": "m"}),
	}}
}

// unitedColumns are all but bad, which has no common type.
var unitedColumns = []string{"id", "p", "l", "more", "y"}

// linesOf returns the rows of batches as JSON.
func linesOf(t *testing.T, all iter.Seq2[*vector.Batch, error]) (lines []string) {
	t.Helper()
	for b, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, scannertest.Lines(t, b)...)
	}
	return lines
}

func TestUnited(t *testing.T) {
	s := unitedShelf(t)
	names := []string{"y=1/a", "y=2/b", "y=2/c"}
	united := New(names, s.opener).United()
	rows := []string{
		`{"id":1,"p":{"x":7,"z":null},"l":[{"v":3,"w":null}],"more":null,"y":1}`, `{"id":2,"p":{"x":-1,"z":null},"l":null,"more":null,"y":1}`,
		`{"id":1099511627776,"p":{"x":7.5,"z":9},"l":[{"v":8589934592,"w":0.5}],"more":null,"y":2}`, `{"id":null,"p":null,"l":null,"more":"m","y":2}`,
	}
	for where, want := range map[string][]int{
		"": {0, 1, 2, 3}, "id > 2147483648": {2}, "id <> 1099511627776": {0, 1}, "p.x = 7.5 OR p.z IS NULL AND y = 2": {2, 3}, "p.x < 7.25": {0, 1}, "more = 'm'": {3},
		"more IS NULL AND y = 2": {2}, "p.x + 1 = 8.5": {2}, "p.x = 7.00000000000000000001": {0}, "id + 1 > 3": {2}, "ANY(l.v) > 2": {0, 2}, "NOT p.z = 8": {2}, "id IS NULL": {3}, "l IS NULL": {1, 3}, "id = 1 AND p.x = 7": {0},
		"CAST(p.x AS VARCHAR) = '7.0'": {0}, "p.x || '!' = '7.5!'": {2}, "length(CAST(p.x AS VARCHAR)) = 4": {1}, "p.x * 10 + id < 0": {1}, "p.x > id": {0}, "id + p.x = 8": {0}, "p.x / id = 7": {0}, "id % 2 = 1": {0},
		"p.x ^ 2 = 56.25": {2}, "p.x IN (7.5, -1)": {1, 2}, "p.x - p.x <> 0": {}, "ANY(l AS i: i.v * 2 = 6)": {0}, "floor(p.x) = 7": {0, 2}, "p.x BETWEEN id AND 7.25": {0}, "CAST(id AS VARCHAR) LIKE '%6'": {2},
	} {
		o := scanner.Options{Select: unitedColumns}
		if where != "" {
			o.Filter = scannertest.Parsed(t, where)
		}
		var passing []string
		for _, i := range want {
			passing = append(passing, rows[i])
		}
		for what, got := range map[string][]string{
			"scan": linesOf(t, united.Scan(t.Context(), o)), "partition": linesOf(t, united.Partitions(t.Context(), o, 1)[0]), "with": linesOf(t, united.With(s.opener).Scan(t.Context(), o)),
			"parts": slices.Concat(linesOf(t, united.Part(0).Scan(t.Context(), o)), linesOf(t, united.Part(1).Scan(t.Context(), o)), linesOf(t, united.Part(2).Scan(t.Context(), o))),
		} {
			if !slices.Equal(got, passing) {
				t.Errorf("%s, WHERE %s: %q", what, where, got)
			}
		}
		if n, err := united.Count(t.Context(), o); n != int64(len(want)) || err != nil {
			t.Errorf("%s: %d rows, %v", where, n, err)
		}
	}
	fields, err := united.Fields(t.Context(), scanner.Options{Select: unitedColumns})
	for b, fault := range united.Scan(t.Context(), scanner.Options{Select: unitedColumns}) {
		if b.Fields = fields; err != nil || fault != nil || validate.Batch(b) != nil {
			t.Errorf("%v, %v, %v", err, fault, validate.Batch(b))
		}
	}
	for by, want := range map[string]string{"id": "0 1 2 3", "id DESC": "2 1 0 3", "p.z": "2 0 1 3", "p.x DESC": "2 0 1 3", "more": "3 0 1 2"} {
		path, direction, _ := strings.Cut(by, " ")
		got := linesOf(t, united.Top(t.Context(), scanner.Order{By: path, Descending: direction != ""}, scanner.Options{Select: unitedColumns, Limit: 4}))
		for i, at := range strings.Fields(want) {
			if got[i] != rows[at[0]-'0'] {
				t.Errorf("by %s: row %d is %s", by, i, got[i])
			}
		}
	}
	for column, want := range map[string]string{"id": "1 1099511627776", "p.x": "-1 7.5", "p.z": "9 9", "more": "m m", "y": "1 2"} {
		least, err := united.Min(t.Context(), column, scanner.Options{})
		most, err2 := united.Max(t.Context(), column, scanner.Options{})
		if got := least.String() + " " + most.String(); got != want || err != nil || err2 != nil {
			t.Errorf("%s: %s, not %s: %v, %v", column, got, want, err, err2)
		}
	}
	if n, err := united.Count(t.Context(), scanner.Options{}); n != 4 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
	want := []scanner.Want{{Name: "id", Type: vector.Type{Physical: vector.Double}}}
	if err := errorOfScan(t, united, scanner.Options{Want: want}); !errors.Is(err, scanner.ErrMismatch) || !strings.Contains(err.Error(), "y=2/b") {
		t.Errorf("INT64 as DOUBLE: %v", err)
	}
	if s.open != 0 {
		t.Errorf("%d files are open", s.open)
	}
}

// errorOfScan returns the error of a scan.
func errorOfScan(t *testing.T, fs *Files, o scanner.Options) error {
	for _, err := range fs.Scan(t.Context(), o) {
		if err != nil {
			return err
		}
	}
	return nil
}

// What has no common type is an error before rows, and before a file is opened again.
func TestUnitedErrors(t *testing.T) {
	s := unitedShelf(t)
	united := New([]string{"y=1/a", "y=2/b", "y=2/c"}, s.opener).United()
	if err := errorOfScan(t, united, scanner.Options{Select: []string{"id"}}); err != nil || s.take() != "y=1/a y=2/b y=2/c y=1/a y=2/b y=2/c" {
		t.Error("the first scan opens each file twice:", err)
	}
	const bad = `y=2/b: column "bad": DOUBLE here and INT64 in y=1/a have no common type that loses nothing: select other columns, or read the files apart`
	for want, o := range map[string]scanner.Options{
		bad: {}, bad + " ": {Select: []string{"id"}, Filter: scannertest.Parsed(t, "bad > 1")},
		"y=1/a and 2 more: no column none":                   {Select: []string{"none"}},
		`y=1/a: filter, byte 1: no column l.w; there is l.v`: {Select: []string{"id"}, Filter: scannertest.Parsed(t, "ANY(l.w) = 0.5")},
		"y=1/a and 2 more: ":                                 {Select: []string{"id"}, Filter: scannertest.Parsed(t, "none = 1")},
	} {
		if err := errorOfScan(t, united, o); err == nil || !strings.HasPrefix(err.Error(), strings.TrimSuffix(want, " ")) {
			t.Errorf("%v, not %s", err, want)
		}
	}
	if opened := s.take(); opened != "y=1/a" { // by the condition on l.w, a field of items that this file lacks
		t.Errorf("opened: %s", opened)
	}
	missing := New([]string{"y=1/a", "none"}, s.opener).United()
	if err := errorOfScan(t, missing, scanner.Options{}); err == nil || !strings.HasPrefix(err.Error(), "none: ") {
		t.Error(err)
	}
}

// The types and the columns that may have NULLs do not depend on the files' order, apart from that of the columns.
func TestUnitedFields(t *testing.T) {
	for _, names := range [][]string{{"y=1/a", "y=2/b", "y=2/c"}, {"y=2/c", "y=2/b", "y=1/a"}, {"y=2/b", "y=2/c", "y=1/a"}} {
		fields, err := New(names, unitedShelf(t).opener).United().Fields(t.Context(), scanner.Options{Select: []string{"id", "p.x", "p.z", "more", "l.v"}})
		if err != nil {
			t.Fatal(err)
		}
		item := fields[3].Children[0]
		for i, f := range []vector.Field{fields[0], fields[1].Children[0], fields[1].Children[1], fields[2], item.Children[0]} {
			want := []string{"INT64", "DOUBLE", "INT64", "BYTE_ARRAY STRING", "INT64"}[i]
			if nulls := i == 0 || i == 2 || i == 3; f.Type.String() != want || f.Nullable != nulls {
				t.Errorf("%v: %s is %v, nullable %v", names, f.Name, f.Type, f.Nullable)
			}
		}
		if !fields[1].Nullable || !fields[3].Nullable || item.Nullable {
			t.Errorf("%v: %v", names, fields)
		}
	}
}

// The footers of far files are read at the same time, and once.
func TestUnitedFarFiles(t *testing.T) {
	inStore(t, func(t *testing.T, s *farShelf) {
		united := s.files().United()
		for _, most := range []time.Duration{110 * time.Millisecond, 40 * time.Millisecond} {
			start := time.Now()
			if _, err := united.Fields(t.Context(), scanner.Options{}); err != nil || time.Since(start) > most {
				t.Errorf("in %v, %v", time.Since(start), err)
			}
		}
	})
}

// Conditions that are published while a scan runs are on the table's types, too.
func TestUnitedRuntime(t *testing.T) {
	write := func(n *gen.Node, values ...any) []byte {
		var rows []any
		for _, v := range values {
			rows = append(rows, gen.Record{"x": v})
		}
		return scannertest.Write(t, gen.File{Schema: []*gen.Node{n}, RowGroups: []gen.RowGroup{{Rows: rows}}})
	}
	s := &shelf{files: map[string][]byte{
		"a": write(gen.Required("x", gen.Double), 0.1, -1.0), "b": write(gen.Required("x", gen.Float), float32(0.1), float32(0.25)), "c": write(gen.Required("x", gen.Int32), int32(3)),
	}}
	united := New([]string{"a", "b", "c"}, s.opener).United()
	const float = `{"x":0.10000000149011612}`
	for where, want := range map[string][]string{"x = 0.1": {`{"x":0.1}`}, "x > 0.1": {float, `{"x":0.25}`, `{"x":3}`}, "x + 0.1 = 3.1": {`{"x":3}`}, "CAST(x AS VARCHAR) = '3.0'": {`{"x":3}`}} {
		var r filter.Runtime
		r.Publish(scannertest.Parsed(t, where))
		for _, o := range []scanner.Options{{Runtime: []*filter.Runtime{&r}}, {Filter: scannertest.Parsed(t, where)}} {
			if got := linesOf(t, united.Scan(knobs.With(t.Context(), knobs.Knobs{NoBackoff: true}), o)); !slices.Equal(got, want) {
				t.Errorf("%s: %s", where, got)
			}
		}
	}
}
