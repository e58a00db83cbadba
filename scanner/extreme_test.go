package scanner

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// The ends of columns, of all rows and of those that pass, against a look at
// each row.
func TestMinMax(t *testing.T) {
	rows := someRows(3000)
	r := rand.New(rand.NewPCG(5, 6))
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	f := filterable(t, rows)
	values := map[string]func(row) []string{ // in an order that is that of the text
		"id": func(r row) []string { return []string{fmt.Sprintf("%04d", r.id)} },
		"n": func(r row) []string {
			if r.n == nil {
				return nil
			}
			return []string{fmt.Sprintf("%04d", *r.n)}
		},
		"tags":      func(r row) []string { return r.tags },
		"s":         func(r row) []string { return []string{r.s} },
		"tags.item": func(r row) []string { return r.tags },
	}
	for _, tc := range []struct {
		where string
		pass  func(row) bool
	}{
		{"", func(row) bool { return true }},
		{"n > 50 AND id < 2900", func(r row) bool { return r.n != nil && *r.n > 50 && r.id < 2900 }},
		{"s = 's7'", func(r row) bool { return r.s == "s7" }},
		{"n IS NULL", func(r row) bool { return r.n == nil }},
		{"id = 17", func(r row) bool { return r.id == 17 }},
		{"id < 0", func(row) bool { return false }},
	} {
		some := vector.Ranges{{From: 500, To: 900}, {From: 1990, To: 2700}}
		for _, o := range []Options{
			{}, {Limit: 70}, {Offset: 100, Limit: 1000}, {Offset: 2999},
			{Rows: vector.RowsOfFile(some, []int64{1000, 1000, 1000})}, {knobs: knobs.Knobs{NoStatistics: true}},
			{ReadAhead: 1 << 20, Threads: 2}, {ReadAhead: 1 << 20, knobs: knobs.Knobs{NoStatistics: true}}, {ReadAhead: 1 << 20, Offset: 100, Limit: 1000},
		} {
			if tc.where != "" {
				o.Filter = scannertest.Parsed(t, tc.where)
			}
			var passing []row
			for i, r := range rows {
				if tc.pass(r) && (o.Rows == nil || some.Contains(int64(i))) {
					passing = append(passing, r)
				}
			}
			passing = passing[min(int(o.Offset), len(passing)):]
			if o.Limit > 0 {
				passing = passing[:min(int(o.Limit), len(passing))]
			}
			for column, of := range values {
				var all []string
				for _, r := range passing {
					all = append(all, of(r)...)
				}
				low, high := "null", "null"
				if len(all) > 0 {
					low, high = slices.Min(all), slices.Max(all)
					if column == "id" || column == "n" {
						low, high = cmp.Or(strings.TrimLeft(low, "0"), "0"), cmp.Or(strings.TrimLeft(high, "0"), "0")
					} else {
						low, high = `"`+low+`"`, `"`+high+`"`
					}
				}
				v, err := f.Min(t.Context(), column, o)
				if got := scannertest.Shown(t, v, err); got != low {
					t.Errorf("min of %s, %s %+v: %s, want %s", column, tc.where, o, got, low)
				}
				v, err = f.Max(t.Context(), column, o)
				if got := scannertest.Shown(t, v, err); got != high {
					t.Errorf("max of %s, %s %+v: %s, want %s", column, tc.where, o, got, high)
				}
			}
		}
	}
}

// Every type has its own order, whether statistics answer or the values do.
func TestMinMaxOfTypes(t *testing.T) {
	nan := math.NaN()
	for _, tc := range []struct {
		node      *gen.Node
		values    []any
		low, high string
	}{
		{gen.Optional("c", gen.Boolean), []any{true, nil, true}, "true", "true"},
		{gen.Optional("c", gen.Boolean), []any{true, false}, "false", "true"},
		{gen.Optional("c", gen.Int32), []any{nil, -5, 7, 0}, "-5", "7"},
		{gen.Optional("c", gen.Int32).As(gen.IntType(32, false)), []any{1, -1, 7}, "1", "4294967295"},
		{gen.Optional("c", gen.Int64).As(gen.IntType(64, false)), []any{1, -1, 7}, "1", "18446744073709551615"},
		{gen.Optional("c", gen.Int64).As(gen.DecimalType(5, 2)), []any{150, -1, 7}, `"-0.01"`, `"1.50"`},
		{gen.Optional("c", gen.Double), []any{nan, 1.5, -2.5, nan}, "-2.5", "1.5"},
		{gen.Optional("c", gen.Double), []any{math.Inf(1), math.Inf(-1)}, `"-Infinity"`, `"Infinity"`},
		{gen.Optional("c", gen.Double), []any{nan, nil}, "null", "null"},
		{gen.Optional("c", gen.Float), []any{float32(nan), float32(3)}, "3", "3"},
		{gen.Optional("c", gen.ByteArray).As(gen.StringType()), []any{"", "b", "ä", nil, strings.Repeat("a", 50)}, `""`, `"ä"`},
		{gen.Optional("c", gen.ByteArray).As(gen.DecimalType(30, 1)), []any{"\x00\x05", "\xff", "\x01\x00"}, `"-0.1"`, `"25.6"`},
		{gen.Optional("c", gen.Int32), []any{nil, nil}, "null", "null"},
		{gen.Optional("c", gen.Int32), nil, "null", "null"},
	} {
		for _, stats := range []gen.Column{{}, {Stats: gen.NoStats, Index: gen.NoIndex}} {
			var records []any
			for _, v := range tc.values {
				records = append(records, gen.Record{"c": v})
			}
			f, _ := recorded(t, scannertest.Write(t, gen.File{Schema: []*gen.Node{tc.node}, RowGroups: []gen.RowGroup{{Rows: records}}, All: stats}))
			low, err := f.Min(t.Context(), "c", Options{})
			if got := scannertest.Shown(t, low, err); got != tc.low {
				t.Errorf("min of %v: %s, want %s", tc.values, got, tc.low)
			}
			high, err := f.Max(t.Context(), "c", Options{})
			if got := scannertest.Shown(t, high, err); got != tc.high {
				t.Errorf("max of %v: %s, want %s", tc.values, got, tc.high)
			}
		}
	}
}

// What is read for the ends of a column: nothing where bounds are values that
// are there, else the row groups that can still change the answer.
func TestMinMaxReads(t *testing.T) {
	written := func(stats gen.Stats) (*File, func() string) {
		var groups []gen.RowGroup
		for _, first := range []int{100, 0, 200} {
			var records []any
			for i := range 100 {
				records = append(records, gen.Record{"a": first + i, "b": i})
			}
			groups = append(groups, gen.RowGroup{Rows: records})
		}
		f, rec := recorded(t, scannertest.Write(t, gen.File{
			Schema:    []*gen.Node{gen.Required("a", gen.Int64), gen.Required("b", gen.Int64)},
			RowGroups: groups, All: gen.Column{Stats: stats, Index: gen.NoIndex},
		}))
		return f, func() string { // the chunks that were read of
			var read []string
			for _, call := range rec.Take() {
				for _, r := range call {
					for group := range groups {
						for leaf, name := range []string{"a", "b"} {
							c, err := f.Chunk(group, leaf)
							if err != nil {
								t.Fatal(err)
							}
							if at, _, _ := c.Range(); r.Off < at.End() && at.Off < r.End() {
								read = append(read, fmt.Sprint(name, group))
							}
						}
					}
				}
			}
			return strings.Join(slices.Compact(read), " ")
		}
	}
	for _, tc := range []struct {
		stats              gen.Stats
		o                  Options
		min, max           string
		minReads, maxReads string
	}{
		{gen.MinMax | gen.Exactness, Options{}, "0", "299", "", ""},
		{gen.MinMax, Options{}, "0", "299", "a1", "a2"},
		{gen.NoStats, Options{}, "0", "299", "a0 a1 a2", "a0 a1 a2"},
		// Rows of some row groups only, one of them whole.
		{gen.MinMax | gen.Exactness, Options{Rows: vector.RowSet{vector.All(100), {{From: 50, To: 60}}, nil}}, "50", "199", "a1", ""},
		// Not the bounds of what passes, but none that passes lies beyond.
		{gen.MinMax | gen.Exactness, Options{Filter: scannertest.Parsed(t, "b = 7")}, "7", "207", "b1 a1", "b2 a2"},
	} {
		f, read := written(tc.stats)
		v, err := f.Min(t.Context(), "a", tc.o)
		if got, reads := scannertest.Shown(t, v, err), read(); got != tc.min || reads != tc.minReads {
			t.Errorf("min, statistics %b: %s, read %s; want %s, %s", tc.stats, got, reads, tc.min, tc.minReads)
		}
		v, err = f.Max(t.Context(), "a", tc.o)
		if got, reads := scannertest.Shown(t, v, err), read(); got != tc.max || reads != tc.maxReads {
			t.Errorf("max, statistics %b: %s, read %s; want %s, %s", tc.stats, got, reads, tc.max, tc.maxReads)
		}
	}
}

func TestMinMaxRefuses(t *testing.T) {
	f := filterable(t, someRows(10))
	for column, want := range map[string]string{
		"x": `f.parquet: no column x; there is n`,
	} {
		if _, err := f.Min(t.Context(), column, Options{}); err == nil || err.Error() != want {
			t.Errorf("min of %s: %v", column, err)
		}
	}
	f = open(t, "../testdata/orders.parquet")
	if _, err := f.Min(t.Context(), "items", Options{}); err == nil || !strings.Contains(err.Error(), "it is no leaf") {
		t.Errorf("min of structs: %v", err)
	}
	f = fileOf(t, gen.File{Schema: []*gen.Node{gen.Required("i", gen.FixedLenByteArray).Len(12).As(gen.IntervalType())}})
	if _, err := f.Max(t.Context(), "i", Options{}); err == nil || !strings.Contains(err.Error(), "no order") {
		t.Errorf("max of an interval: %v", err)
	}
}
