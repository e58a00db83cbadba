package scanner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// contender is a row as it was written; a column is NULL where it has no entry.
type contender struct {
	id     int64
	values map[string]any
	tags   []string
}

// Columns to sort by, and how their values compare.
var contests = []struct {
	node    *gen.Node
	random  func(r *rand.Rand) any
	compare func(a, b any) int
}{
	{gen.Optional("few", gen.Int64), func(r *rand.Rand) any { return r.Int64N(9) - 4 }, ints},
	{gen.Optional("many", gen.Int32), func(r *rand.Rand) any { return int64(int32(r.Uint32())) }, ints},
	{gen.Optional("unsigned", gen.Int64).As(gen.IntType(64, false)), func(r *rand.Rand) any { return int64(r.Uint64()) }, func(a, b any) int {
		return cmp.Compare(uint64(a.(int64)), uint64(b.(int64)))
	}},
	{gen.Optional("half", gen.Int32).As(gen.IntType(32, false)), func(r *rand.Rand) any { return int64(int32(r.Uint32())) }, func(a, b any) int {
		return cmp.Compare(uint32(a.(int64)), uint32(b.(int64)))
	}},
	{gen.Optional("double", gen.Double), func(r *rand.Rand) any {
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}[r.IntN(8)]
	}, doubles},
	{gen.Optional("float", gen.Float), func(r *rand.Rand) any { return float32(r.NormFloat64()) }, func(a, b any) int {
		return cmp.Compare(a.(float32), b.(float32))
	}},
	{gen.Optional("boolean", gen.Boolean), func(r *rand.Rand) any { return r.IntN(2) == 0 }, func(a, b any) int {
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	}},
	{gen.Optional("text", gen.ByteArray).As(gen.StringType()), func(r *rand.Rand) any {
		return strings.Repeat(string(rune('a'+r.IntN(3))), r.IntN(4)) + strings.Repeat("x", r.IntN(30))
	}, texts},
	{gen.Optional("bytes", gen.ByteArray), func(r *rand.Rand) any { return string([]byte{byte(r.IntN(256)), byte(r.IntN(256))}) }, texts},
	{gen.Optional("decimal", gen.ByteArray).As(gen.DecimalType(20, 2)), func(r *rand.Rand) any {
		return string([]byte{byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256))}[r.IntN(3):])
	}, func(a, b any) int { return signed(a.(string)).Cmp(signed(b.(string))) }},
	{gen.Optional("fixed", gen.FixedLenByteArray).Len(3), func(r *rand.Rand) any { return string([]byte{byte(r.IntN(4)), byte(r.IntN(256)), 7}) }, texts},
	{gen.Optional("stamp", gen.Int64).As(gen.TimestampType(gen.Micros, true)), func(r *rand.Rand) any { return r.Int64N(1e15) }, ints},
	{gen.Optional("day", gen.Int32).As(gen.DateType()), func(r *rand.Rand) any { return r.Int64N(90000) - 30000 }, ints},
}

func ints(a, b any) int    { return cmp.Compare(a.(int64), b.(int64)) }
func doubles(a, b any) int { return cmp.Compare(a.(float64)+0, b.(float64)+0) }
func texts(a, b any) int   { return cmp.Compare(a.(string), b.(string)) }

func signed(s string) *big.Int {
	n := new(big.Int).SetBytes([]byte(s))
	if s[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(s))))
	}
	return n
}

// A file of row groups of 200 rows, whose columns have pages of different sizes.
// Some are sorted in parts, so that bounds of pages differ.
func contenders(t *testing.T, r *rand.Rand, n int) (*File, []contender) {
	rows := make([]contender, n)
	for i := range rows {
		rows[i] = contender{id: int64(i), values: map[string]any{}}
		for k := range contests {
			if c := &contests[k]; r.IntN(8) > 0 {
				rows[i].values[c.node.Name] = c.random(r)
			}
		}
		for range r.IntN(3) {
			rows[i].tags = append(rows[i].tags, string(rune('a'+r.IntN(9))))
		}
	}
	for k := range contests {
		c := &contests[k]
		if r.IntN(2) == 0 {
			continue
		}
		from := r.IntN(n)
		part := rows[from : from+r.IntN(n-from)]
		slices.SortStableFunc(part, func(a, b contender) int { return place(c.compare, a.values[c.node.Name], b.values[c.node.Name]) })
	}
	nodes := []*gen.Node{gen.Required("id", gen.Int64), gen.List("tags", gen.Required("element", gen.ByteArray).As(gen.StringType()))}
	columns := []gen.Column{{PageRows: []int{33}}, {PageRows: []int{50, 7}}}
	for k := range contests {
		nodes = append(nodes, contests[k].node)
		columns = append(columns, gen.Column{PageRows: []int{5 + r.IntN(30), 5 + r.IntN(90)}})
		if r.IntN(4) == 0 {
			columns[k+2].Index = gen.NoIndex
		}
		if r.IntN(4) == 0 {
			columns[k+2].Stats = gen.NoStats
		}
	}
	var groups []gen.RowGroup
	for i := range rows {
		rows[i].id = int64(i)
		tags := []any{}
		for _, tag := range rows[i].tags {
			tags = append(tags, tag)
		}
		record := gen.Record{"id": rows[i].id, "tags": tags}
		for _, c := range contests {
			record[c.node.Name] = rows[i].values[c.node.Name]
		}
		if i%200 == 0 {
			groups = append(groups, gen.RowGroup{Columns: columns})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, record)
	}
	return fileOf(t, gen.File{Schema: nodes, RowGroups: groups}), rows
}

// place compares values, with NaN after them and NULL last.
func place(compare func(a, b any) int, a, b any) int {
	class := func(v any) int {
		if d, ok := v.(float64); v == nil || ok && math.IsNaN(d) {
			return map[bool]int{true: 2, false: 1}[v == nil]
		}
		return 0
	}
	if c := cmp.Compare(class(a), class(b)); c != 0 || class(a) > 0 {
		return c
	}
	return compare(a, b)
}

// The first rows of an order, against sorting them all.
func TestTop(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 19))
		f, rows := contenders(t, r, 900)
		for _, c := range contests {
			name := c.node.Name
			for range 4 {
				by := Order{name, r.IntN(2) == 0}
				compare := func(a, b contender) int {
					if by.Descending && a.values[name] != nil && b.values[name] != nil {
						return place(func(a, b any) int { return c.compare(b, a) }, a.values[name], b.values[name])
					}
					return place(c.compare, a.values[name], b.values[name])
				}
				o := Options{
					Select: []string{"tags", "id"}, Limit: []int64{0, 1, 10, 100, 899, 2000}[r.IntN(6)], Offset: []int64{0, 0, 5, 1000}[r.IntN(4)],
					BatchRows: []int{0, 1, 7, 300}[r.IntN(4)], Threads: r.IntN(3), ReadAhead: []int64{0, 1 << 20, 1}[r.IntN(3)], Dictionaries: allLeaves(vector.DictionaryUse(r.IntN(3))),
					knobs: knobs.Knobs{NoPageIndex: r.IntN(4) == 0, NoStatistics: r.IntN(4) == 0},
				}
				want := slices.Clone(rows)
				if r.IntN(2) == 0 {
					o.Filter = scannertest.Parsed(t, "ANY(tags) = 'c' OR id >= 600")
					want = slices.DeleteFunc(want, func(r contender) bool { return !slices.Contains(r.tags, "c") && r.id < 600 })
				}
				if r.IntN(3) == 0 {
					o.Rows = vector.RowSet{vector.All(150), {{From: 30, To: 40}, {From: 60, To: 200}}, nil, vector.All(200)}
					want = slices.DeleteFunc(want, func(r contender) bool { return !o.Rows.Of(int(r.id / 200)).Contains(r.id % 200) })
				}
				slices.SortStableFunc(want, compare)
				want = want[min(len(want), int(o.Offset)):]
				if o.Limit > 0 {
					want = want[:min(len(want), int(o.Limit))]
				}
				got := topRows(t, f, by, o, rows)
				seen := map[int64]bool{}
				same := slices.EqualFunc(got, want, func(a, b contender) bool { return compare(a, b) == 0 })
				for i, x := range got {
					same = same && !seen[x.id] && (i == 0 || compare(got[i-1], x) < 0 || got[i-1].id < x.id)
					seen[x.id] = true
				}
				if !same {
					t.Fatalf("seed %d, %+v, %+v: got %d rows %.20v, want %d %.20v", seed, by, o, len(got), columnOf(got, name), len(want), columnOf(want, name))
				}
			}
		}
	}
}

func columnOf(rows []contender, name string) (values []any) {
	for _, r := range rows {
		values = append(values, fmt.Sprint(r.id, "=", r.values[name]))
	}
	return values
}

// topRows returns what Top does, and checks the columns that it hands out.
func topRows(t *testing.T, f *File, by Order, o Options, rows []contender) (got []contender) {
	t.Helper()
	for b, err := range f.Top(t.Context(), by, o) {
		if err != nil {
			t.Fatal(err)
		}
		if err := validate.Batch(b); err != nil || b.Len == 0 || o.BatchRows > 0 && b.Len > o.BatchRows {
			t.Fatalf("a batch of %d rows: %v", b.Len, err)
		}
		for _, line := range scannertest.Lines(t, b) {
			var shown struct {
				Tags []string
				ID   int64
			}
			if err := json.Unmarshal([]byte(line), &shown); err != nil {
				t.Fatal(err)
			}
			row := rows[shown.ID]
			if !slices.Equal(shown.Tags, row.tags) {
				t.Fatalf("got %s, want tags %v", line, row.tags)
			}
			got = append(got, row)
		}
	}
	return got
}

// Only pages that can hold one of the first rows are decoded: here of 8 row
// groups of 50 pages, in either direction, with a filter and without.
func TestTopDecodes(t *testing.T) {
	const groups, size, pages = 8, 5000, 50
	r := rand.New(rand.NewPCG(8, 9))
	file := gen.File{
		Schema: []*gen.Node{
			gen.Required("at", gen.Int64).As(gen.TimestampType(gen.Micros, true)), gen.Required("name", gen.ByteArray).As(gen.StringType()),
			gen.Required("x", gen.Int64),
		},
		All: gen.Column{PageRows: []int{size / pages}},
	}
	var stamps []int64
	for g := range groups {
		var rows []any
		for i := range size {
			at := int64(g*size+i)*1000 + r.Int64N(50_000) // late by up to 50 rows
			stamps = append(stamps, at)
			rows = append(rows, gen.Record{"at": at, "name": fmt.Sprint(at), "x": int64(i % 10)})
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Rows: rows})
	}
	f := fileOf(t, file)
	for _, tc := range []struct {
		where      string
		descending bool
		most       int64 // pages
	}{
		{"", false, 3 * 3}, {"", true, 3 * 3}, {"x = 3", false, 3 * 6}, {"x = 3", true, 3 * 6},
	} {
		want := slices.Clone(stamps)
		o := Options{Select: []string{"name"}, Limit: 10, Stats: new(Stats)}
		if tc.where != "" {
			o.Filter = scannertest.Parsed(t, tc.where)
			want = want[:0]
			for i, at := range stamps {
				if i%10 == 3 {
					want = append(want, at)
				}
			}
		}
		slices.Sort(want)
		if tc.descending {
			slices.Reverse(want)
		}
		var got []string
		for b, err := range f.Top(t.Context(), Order{"at", tc.descending}, o) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, scannertest.Lines(t, b)...)
		}
		for i, line := range got {
			if line != fmt.Sprintf(`{"name":"%d"}`, want[i]) {
				t.Fatalf("%+v: row %d is %s, want %d", tc, i, line, want[i])
			}
		}
		decoded := int64(0)
		for _, c := range o.Stats.Columns {
			decoded += c.Pages[Decoded]
		}
		if len(got) != 10 || decoded == 0 || decoded > tc.most {
			t.Errorf("%+v: %d rows, %d of %d pages decoded", tc, len(got), decoded, 3*groups*pages)
		}
	}
}

// A batch has a row, however few bytes it may have: a list takes some of them
// for none.
func TestTopOfTinyBatches(t *testing.T) {
	f := fileOf(t, gen.File{
		Schema:    []*gen.Node{gen.Required("x", gen.Int64), gen.List("l", gen.Required("element", gen.Int32))},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"x": int64(2), "l": []any{int32(1)}}, gen.Record{"x": int64(1), "l": []any{}}}}},
	})
	var got []string
	for b, err := range f.Top(t.Context(), Order{By: "x"}, Options{BatchBytes: 1}) {
		if err != nil || b.Len == 0 {
			t.Fatal("batch of no row", err)
		}
		got = append(got, scannertest.Lines(t, b)...)
	}
	if want := []string{`{"x":1,"l":[]}`, `{"x":2,"l":[1]}`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The footer names the page index of another column: its bounds say nothing of x.
func TestTopWithPageIndexOfAnotherColumn(t *testing.T) {
	var rows []any
	for i := range 1000 {
		rows = append(rows, gen.Record{"x": int64(i), "y": int64(2000 - i)})
	}
	f := fileOf(t, gen.File{
		Schema:    []*gen.Node{gen.Required("x", gen.Int64), gen.Required("y", gen.Int64)},
		RowGroups: []gen.RowGroup{{Rows: rows}},
		All:       gen.Column{PageRows: []int{100}},
		Footer: func(m *wire.FileMetaData) {
			x, y := m.RowGroups[0].Columns[0], m.RowGroups[0].Columns[1]
			x.OffsetIndexOffset, x.OffsetIndexLength = y.OffsetIndexOffset, y.OffsetIndexLength
			x.ColumnIndexOffset, x.ColumnIndexLength = y.ColumnIndexOffset, y.ColumnIndexLength
		},
	})
	rank := int64(0)
	for b, err := range f.Top(t.Context(), Order{By: "x"}, Options{Limit: 10, Select: []string{"x"}}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range b.Columns[0].Int64s {
			if x != rank {
				t.Fatalf("x = %d at place %d", x, rank)
			}
			rank++
		}
	}
	if rank != 10 {
		t.Errorf("%d rows, want 10", rank)
	}
}

// What stands for the last value that counts in the scan's filter means the
// same there, for each type.
func TestTopFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 20))
	f, rows := contenders(t, r, 400)
	for _, c := range contests {
		name := c.node.Name
		for _, descending := range []bool{false, true} {
			x, err := f.rank(t.Context(), Order{name, descending}, Options{Limit: 50})
			if err != nil {
				t.Fatal(err)
			}
			e, last := x.InFront(), rows[x.Last.Group*200+int(x.Last.Row)].values[name]
			n, err := f.Count(t.Context(), Options{Filter: e})
			want := int64(0)
			for _, row := range rows {
				v := row.values[name]
				if d, ok := v.(float64); v == nil || ok && math.IsNaN(d) {
					continue
				}
				if c := c.compare(v, last); c < 0 && !descending || c > 0 && descending {
					want++
				}
			}
			if err != nil || n != want {
				t.Errorf("%s, descending %v: %d rows pass %s, want %d; %v", name, descending, n, e, want, err)
			}
		}
	}
}
