package scanner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/gen"
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
	f, _ := recorded(t, write(t, gen.File{
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
		if err := b.Validate(); err != nil {
			t.Fatal(err)
		}
		tags, id, s := b.Columns[0], b.Columns[1], b.Columns[2]
		for i := range b.Len {
			lines = append(lines, fmt.Sprint(id.Int64s[i], " ", string(s.Bytes(i)), " ", tags.Offsets[i+1]-tags.Offsets[i]))
		}
		b.Release()
	}
	return lines
}
