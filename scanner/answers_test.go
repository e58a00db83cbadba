package scanner

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Rows that pass, by a look at each of them.
func passingRows(rows []row, pass func(row) bool) (numbers []int64) {
	for _, r := range rows {
		if pass(r) {
			numbers = append(numbers, r.id)
		}
	}
	return numbers
}

func TestCountAndPassing(t *testing.T) {
	rows := someRows(3000)
	f := filterable(t, rows)
	sizes := []int64{1000, 1000, 1000}
	for _, tc := range []struct {
		where string
		pass  func(row) bool
	}{
		{"TRUE", func(row) bool { return true }},
		{"FALSE", func(row) bool { return false }},
		{"id >= 1700", func(r row) bool { return r.id >= 1700 }},
		{"n > 50", func(r row) bool { return r.n != nil && *r.n > 50 }},
		{"n IS NULL AND id < 2222", func(r row) bool { return r.n == nil && r.id < 2222 }},
		{"n = 20 OR s = 's7'", func(r row) bool { return r.n != nil && *r.n == 20 || r.s == "s7" }},
		{"ANY(tags) = 't3'", func(r row) bool { return slices.Contains(r.tags, "t3") }},
		{"n < id", func(r row) bool { return r.n != nil && *r.n < r.id }},
	} {
		some := vector.Ranges{{From: 500, To: 900}, {From: 1990, To: 2700}}
		for _, o := range []Options{
			{}, {Offset: 3}, {Limit: 70}, {Offset: 100, Limit: 1000},
			{Threads: 2}, {Threads: 9, Rows: vector.RowsOfFile(some, sizes)}, {Threads: 3, Offset: 7, Limit: 9},
			{Rows: vector.RowsOfFile(some, sizes)}, {Rows: vector.RowsOfFile(some, sizes), Offset: 3, Limit: 100},
		} {
			for _, filtered := range []bool{true, false} {
				want := passingRows(rows, func(r row) bool {
					return (!filtered || tc.pass(r)) && (o.Rows == nil || some.Contains(r.id))
				})
				want = want[min(int(o.Offset), len(want)):]
				if o.Limit > 0 {
					want = want[:min(int(o.Limit), len(want))]
				}
				if o.Filter = nil; filtered {
					o.Filter = scannertest.Parsed(t, tc.where)
				}
				if n, err := f.Count(t.Context(), o); err != nil || n != int64(len(want)) {
					t.Errorf("%s, %+v: %d rows, %v; want %d", tc.where, o, n, err, len(want))
				}
				set, err := f.Passing(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				var got []int64
				for _, r := range set.FileRows(sizes) {
					for row := r.From; row < r.To; row++ {
						got = append(got, row)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, %+v: rows %.10v, want %.10v", tc.where, o, got, want)
				}
			}
		}
	}
}

// Items are counted where a scan would hand out items.
// To append to the rows of one row group leaves those of others as they are.
func TestPassingRowsAreTheCallers(t *testing.T) {
	set, err := filterable(t, someRows(3000)).Passing(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if set[0] = set[0].Append(1000, 1001); set[0].Len() != 1001 || set[1].Len() != 1000 {
		t.Errorf("%v, %v", set[0], set[1])
	}
}

func TestCountOfItems(t *testing.T) {
	rows := someRows(3000)
	f := filterable(t, rows)
	items := int64(0)
	for _, r := range rows[1000:1800] {
		items += int64(len(r.tags))
	}
	n, err := f.Count(t.Context(), Options{Filter: scannertest.Parsed(t, "id >= 1000 AND id < 1800"), Unnest: "tags", Select: []string{"s"}})
	if err != nil || n != items {
		t.Errorf("%d items, %v; want %d", n, err, items)
	}
}

// A count reads the columns of its filter, and nothing without a filter. What
// indexes lie after the pages is not tested here.
func TestCountReadsOnlyWhatItsFilterNeeds(t *testing.T) {
	b := paged(t, gen.FullIndex)
	f, rec := recorded(t, b)
	if n, err := f.Count(t.Context(), Options{}); n != 100 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := f.Count(t.Context(), Options{Offset: 10, Limit: 1000}); n != 90 || err != nil {
		t.Fatal(n, err)
	}
	if got := rec.Text(); got != "" {
		t.Errorf("without a filter: %s", got)
	}
	var stats Stats
	n, err := f.Count(t.Context(), Options{Filter: scannertest.Parsed(t, "b > 'xxxxx'"), Stats: &stats})
	if n != 94 || err != nil {
		t.Fatal(n, err)
	}
	if len(stats.Columns) != 1 || stats.Columns[0].Leaf.Name != "b" {
		t.Errorf("columns looked at: %v", stats.Columns)
	}
	a := chunkRange(t, f, 0)
	for _, call := range rec.Take() {
		for _, r := range call {
			if r.Off < a.End() && r.End() > a.Off {
				t.Errorf("read %v of column a, at %v", r, a)
			}
		}
	}
}

// Where the footer has the number of NULLs, no page is read to count them, and all are accounted for.
func TestCountOfNullsReadsNothing(t *testing.T) {
	records := make([]any, 0, 300)
	for i := range int32(300) {
		r := gen.Record{"a": i, "s": gen.Record{"b": nil}}
		if i%3 == 0 {
			r["a"] = nil
		} else if i%2 == 0 {
			r["s"] = nil
		}
		records = append(records, r)
	}
	b := scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Optional("a", gen.Int32), gen.Optional("s", gen.Group, gen.Optional("b", gen.Int32))},
		RowGroups: []gen.RowGroup{{Rows: records[:100]}, {Rows: records[100:200]}, {Rows: records[200:]}},
		All:       gen.Column{PageRows: []int{10}},
	})
	for where, tc := range map[string]struct {
		rows  int64
		rule  Options
		reads bool
	}{
		"a IS NULL":                       {rows: 100},
		"a IS NOT NULL":                   {rows: 200},
		"a IS NOT NULL AND a IS NOT NULL": {rows: 200},
		"a IS NULL AND s IS NOT NULL":     {rows: 100, reads: true},
		"a IS NULL OR a > 300":            {rows: 100, reads: true},
		"a IS NULL /* rows */":            {rows: 17, rule: Options{Rows: vector.RowsOfFile(vector.Ranges{{From: 50, To: 100}}, []int64{100, 100, 100})}, reads: true},
		"a IS NULL /* limit */":           {rows: 5, rule: Options{Limit: 5}, reads: true},
		"a IS NULL /* threads */":         {rows: 100, rule: Options{Threads: 3}},
	} {
		f, rec := recorded(t, b)
		var stats Stats
		o := tc.rule
		o.Filter, o.Stats = scannertest.Parsed(t, where), &stats
		rec.Take()
		n, err := f.Count(t.Context(), o)
		if err != nil || n != tc.rows || (len(rec.Take()) > 0) != tc.reads {
			t.Errorf("%s: %d rows, %v", where, n, err)
		}
		if c := stats.Columns[0]; !tc.reads && (c.Untouched[ByStatistics].Bytes != c.Bytes[Unread] || c.Bytes[Unread] == 0 || len(stats.Columns) != 1) {
			t.Errorf("%s: %+v", where, c)
		}
	}
}

// What ruled out one row group says nothing of the next, of which some rows are wanted.
func TestRowsAfterRuledOutRowGroup(t *testing.T) {
	records := make([]any, 300)
	for i := range records {
		records[i] = gen.Record{"a": int32(i)}
	}
	f := fileOf(t, gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int32)},
		RowGroups: []gen.RowGroup{{Rows: records[:100]}, {Rows: records[100:200]}, {Rows: records[200:]}},
		All:       gen.Column{PageRows: []int{10}, Index: gen.FullIndex},
	})
	var stats Stats
	o := Options{Filter: scannertest.Parsed(t, "a >= 120"), Stats: &stats, Rows: vector.RowsOfFile(vector.Ranges{{From: 0, To: 130}, {From: 200, To: 300}}, []int64{100, 100, 100})}
	n, err := f.Count(t.Context(), o)
	if untouched := stats.Columns[0].Untouched[ByStatistics].Pages; n != 110 || err != nil || untouched != 10 {
		t.Errorf("%d rows, %v, %d pages that statistics rule out", n, err, untouched)
	}
}

func TestAnswersOfBadRowGroups(t *testing.T) {
	f := chunkOf(t, gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int32)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 1}}}, {Rows: []any{gen.Record{"a": 2}}}},
	}).file
	f.footer.RowGroups[1].NumColumns = 2
	for _, o := range []Options{{}, {Filter: scannertest.Parsed(t, "a > 0")}, {Filter: scannertest.Parsed(t, "a > 0"), Threads: 2}} {
		if _, err := f.Count(t.Context(), o); err == nil || !strings.Contains(err.Error(), "row group 1: footer: 2 column chunks") {
			t.Errorf("count: %v", err)
		}
		if _, err := f.Passing(t.Context(), o); err == nil || !strings.Contains(err.Error(), "row group 1: footer: 2 column chunks") {
			t.Errorf("passing: %v", err)
		}
	}
	f.footer.RowGroups[1].NumColumns = 1
	f.footer.RowGroups[0].NumRows, f.footer.RowGroups[1].NumRows = 1<<62, 1<<62
	if n, err := f.Count(t.Context(), Options{}); err == nil {
		t.Errorf("%d rows of 2^63", n)
	}
}
