package scanner

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// row is a row as it was written; n is NULL if it is nil.
type row struct {
	id   int64
	n    *int64
	s    string
	tags []string
}

func (r row) record() gen.Record {
	tags := make([]any, len(r.tags))
	for i, t := range r.tags {
		tags[i] = t
	}
	rec := gen.Record{"id": r.id, "n": nil, "s": r.s, "tags": tags}
	if r.n != nil {
		rec["n"] = *r.n
	}
	return rec
}

func someRows(n int) (rows []row) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		x := row{id: int64(i), s: "s" + strconv.Itoa(r.IntN(50))}
		if v := int64(r.IntN(100)); v >= 10 {
			x.n = &v
		}
		for range r.IntN(4) {
			x.tags = append(x.tags, "t"+strconv.Itoa(r.IntN(9)))
		}
		rows = append(rows, x)
	}
	return rows
}

// A file of three row groups, whose columns have pages of different sizes.
func filterable(t *testing.T, rows []row) *File {
	var groups []gen.RowGroup
	for part := range slices.Chunk(rows, 1000) {
		var records []any
		for _, r := range part {
			records = append(records, r.record())
		}
		groups = append(groups, gen.RowGroup{Rows: records, Columns: []gen.Column{
			{PageRows: []int{170}}, {PageRows: []int{64, 100}}, {PageRows: []int{333}}, {PageRows: []int{90}},
		}})
	}
	f, _ := recorded(t, scannertest.Write(t, gen.File{
		Schema: []*gen.Node{
			gen.Required("id", gen.Int64), gen.Optional("n", gen.Int64), gen.Required("s", gen.ByteArray).As(gen.StringType()),
			gen.List("tags", gen.Required("element", gen.ByteArray).As(gen.StringType())),
		},
		RowGroups: groups,
	}))
	return f
}

func TestFilters(t *testing.T) {
	rows := someRows(3000)
	f := filterable(t, rows)
	for _, tc := range []struct {
		where string
		pass  func(row) bool
	}{
		{"id = 1234", func(r row) bool { return r.id == 1234 }},
		{"n > 50", func(r row) bool { return r.n != nil && *r.n > 50 }},
		{"NOT n > 50", func(r row) bool { return r.n != nil && *r.n <= 50 }},
		{"n IS NULL", func(r row) bool { return r.n == nil }},
		{"n BETWEEN 20 AND 30 AND s = 's7'", func(r row) bool { return r.n != nil && *r.n >= 20 && *r.n <= 30 && r.s == "s7" }},
		{"n = 20 OR s = 's7' OR id < 100", func(r row) bool { return r.n != nil && *r.n == 20 || r.s == "s7" || r.id < 100 }},
		{"ANY(tags) = 't3'", func(r row) bool { return slices.Contains(r.tags, "t3") }},
		{"length(tags) = 2 AND id >= 2500", func(r row) bool { return len(r.tags) == 2 && r.id >= 2500 }},
		{"n < id", func(r row) bool { return r.n != nil && *r.n < r.id }},
		{"n < id AND n > 95", func(r row) bool { return r.n != nil && *r.n < r.id && *r.n > 95 }},
		{"(n IS NULL OR s LIKE 's1%') AND NOT (id > 200 AND id < 2800)", func(r row) bool {
			return (r.n == nil || strings.HasPrefix(r.s, "s1")) && (r.id <= 200 || r.id >= 2800)
		}},
		{"id >= 0", func(row) bool { return true }},
		{"id < 0", func(row) bool { return false }},
		{"FALSE", func(row) bool { return false }},
	} {
		var want []string
		for _, r := range rows {
			if tc.pass(r) {
				want = append(want, fmt.Sprint(r.id, " ", r.s, " ", len(r.tags)))
			}
		}
		e, err := filter.Parse(tc.where)
		if err != nil {
			t.Fatal(err)
		}
		for _, batch := range []int{1, 7, 1024, 65536} {
			o := Options{Select: []string{"tags", "id", "s"}, Filter: e, BatchRows: batch}
			if got := passed(t, f, o); !slices.Equal(got, want) {
				t.Errorf("%s, batches of %d rows: got %d rows %.10v, want %d %.10v", tc.where, batch, len(got), got, len(want), want)
			}
			for _, o.knobs = range []knobs.Knobs{{NoStatistics: true}, {NoPageIndex: true}, {NoBloom: true, NoDictionaries: true, FixedOrder: true}, {NoStatistics: true, NoPageIndex: true, NoDictionaries: true}} {
				if got := passed(t, f, o); !slices.Equal(got, want) {
					t.Errorf("%s, without %+v: got %d rows, want %d", tc.where, o.knobs, len(got), len(want))
				}
			}
			o.knobs = knobs.Knobs{}
			o.Offset, o.Limit = 3, 5
			if got := passed(t, f, o); !slices.Equal(got, cut(want, 3, 5)) {
				t.Errorf("%s, 5 rows behind 3: got %v, want %v", tc.where, got, cut(want, 3, 5))
			}
		}
		half := Options{Select: []string{"tags", "id", "s"}, Filter: e, Rows: vector.RowSet{vector.Ranges{{From: 500, To: 900}}, nil, vector.Ranges{{From: 0, To: 700}}}}
		of := slices.DeleteFunc(slices.Clone(want), func(line string) bool {
			id, _ := strconv.Atoi(line[:strings.Index(line, " ")])
			return !(id >= 500 && id < 900 || id >= 2000 && id < 2700)
		})
		if got := passed(t, f, half); !slices.Equal(got, of) {
			t.Errorf("%s, of some rows: got %.10v, want %.10v", tc.where, got, of)
		}
	}
}

// A plan that went through JSON serves scans of the same file and filter only.
func TestPlansAreValues(t *testing.T) {
	f := filterable(t, someRows(3000))
	e, err := filter.Parse("id BETWEEN 1100 AND 1400 AND n >= 0")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Select: []string{"tags", "id", "s"}, Filter: e}
	want := passed(t, f, o)
	made, err := f.Plan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	o.Plan = new(Plan)
	if err := json.Unmarshal(text, o.Plan); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(made, o.Plan) {
		t.Errorf("the plan is %+v behind JSON, was %+v", o.Plan, made)
	}
	// Pages of id have 170 rows: the rows 100 to 400 lie on three of them.
	rows := vector.Ranges{{From: 0, To: 510}}
	if g := o.Plan.group(1); g == nil || !slices.Equal(g.Rows, rows) || g.ByPageIndex != 490 {
		t.Errorf("plan of row group 1: %+v", g)
	}
	if g := o.Plan.group(0); g == nil || len(g.Rows) != 0 || g.ByStatistics != 1000 {
		t.Errorf("plan of row group 0: %+v", g)
	}
	if got := passed(t, f, o); !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("%d rows with the plan, %d without", len(got), len(want))
	}
	o.Filter = nil
	for _, err := range f.Scan(t.Context(), o) {
		if !errors.Is(err, ErrPlan) {
			t.Errorf("another filter: error %v", err)
		}
	}
	o.Plan.File.Footer++
	o.Filter = e
	for _, err := range f.Scan(t.Context(), o) {
		if !errors.Is(err, ErrPlan) {
			t.Errorf("another file: error %v", err)
		}
	}
}

// However a file is cut, each row group is owned once.
func TestSplits(t *testing.T) {
	rows := someRows(3000)
	f := filterable(t, rows)
	want := passed(t, f, Options{Select: []string{"tags", "id", "s"}})
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		size := f.Source().Size()
		cuts := []int64{0, size}
		for range r.IntN(8) {
			cuts = append(cuts, r.Int64N(size))
		}
		slices.Sort(cuts)
		var got []string
		for i := range len(cuts) - 1 {
			if split := (fetch.Range{Off: cuts[i], Len: cuts[i+1] - cuts[i]}); split.Len > 0 {
				got = append(got, passed(t, f, Options{Select: []string{"tags", "id", "s"}, Split: split})...)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("cut at %v: %d rows, want %d", cuts, len(got), len(want))
		}
	}
}

// What is published while a scan runs holds for the windows after.
func TestRuntimeFilters(t *testing.T) {
	f := filterable(t, someRows(3000))
	var r filter.Runtime
	o := Options{Select: []string{"tags", "id", "s"}, Runtime: []*filter.Runtime{&r}, BatchRows: 100}
	parse := func(text string) *filter.Expr {
		e, err := filter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	r.Publish(parse("id >= 950"))
	if got := passed(t, f, o); len(got) != 2050 || !strings.HasPrefix(got[0], "950 ") {
		t.Errorf("published before: %d rows", len(got))
	}
	o.Filter = parse("id < 2000")
	if got := passed(t, f, o); len(got) != 1050 {
		t.Errorf("published before, with a filter: %d rows", len(got))
	}
	var ids []int64
	var stats Stats
	o.Filter, o.Stats = nil, &stats
	r.Publish(nil)
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, b.Columns[1].Int64s[:b.Len]...)
		if len(ids) == 100 {
			r.Publish(parse("id >= 2900"))
		}
	}
	if n := len(ids); n > 1100 || ids[n-1] != 2999 || ids[n-100] != 2900 {
		t.Errorf("published while it ran: %d rows", n)
	}
}

func cut(lines []string, skip, n int) []string {
	lines = lines[min(skip, len(lines)):]
	return lines[:min(n, len(lines))]
}

// passed returns id, s and the number of tags of each row of a scan.
func passed(t *testing.T, f *File, o Options) (lines []string) {
	t.Helper()
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		if err := validate.Batch(b); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, linesOf(b)...)
		b.Release()
	}
	return lines
}

func linesOf(b *vector.Batch) (lines []string) {
	tags, id, s := b.Columns[0], b.Columns[1], b.Columns[2]
	for i := range b.Len {
		lines = append(lines, fmt.Sprint(id.Int64s[i], " ", string(s.Bytes(i)), " ", tags.Offsets[i+1]-tags.Offsets[i]))
	}
	return lines
}

// Conditions of thousands of terms take time by their number, not its square: each
// term is looked at once for each page, planned, counted and published late.
func TestLongConditions(t *testing.T) {
	var rows []any
	for i := range 400 {
		rows = append(rows, gen.Record{"a": i, "b": i, "s": fmt.Sprint(i)})
	}
	f, _ := recorded(t, scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int64), gen.Required("b", gen.Int64), gen.Required("s", gen.ByteArray).As(gen.StringType())},
		RowGroups: []gen.RowGroup{{Rows: rows}},
		All:       gen.Column{Index: gen.NoIndex, PageRows: []int{100}, Shape: gen.Shape{PageStats: gen.MinMax | gen.NullCount}},
	}))
	took := func(terms int) time.Duration {
		var where []*filter.Expr
		for i := range terms {
			where = append(where, scannertest.Parsed(t, fmt.Sprintf("(a <> %d and b > %d) or s like '%%%d%%'", i, i%300, i%10)))
		}
		all := filter.And(where...)
		least := time.Duration(math.MaxInt64)
		for range 2 {
			start := processorTime()
			plan, err := f.Plan(t.Context(), Options{Filter: all})
			if err != nil {
				t.Fatal(err)
			}
			var late filter.Runtime
			late.Publish(all)
			counted(t, f, "", Options{Filter: all, Plan: plan})
			counted(t, f, "", Options{Runtime: []*filter.Runtime{&late}})
			least = min(least, processorTime()-start)
		}
		return least
	}
	few, many := took(1500), took(6000)
	if many > 11*few+time.Second {
		t.Errorf("1,500 terms took %v, 6,000 %v", few, many)
	}
}
