package icebergscan_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	icebergscan "github.com/winnow-scan/winnow/adapters/iceberg"
	"github.com/winnow-scan/winnow/adapters/iceberg/internal/tables"
	"github.com/winnow-scan/winnow/scanner"
)

// samples makes the sample tables once for all tests.
var samples = sync.OnceValue(func() map[string]*tables.Table {
	return tables.New(context.Background(), folder).Samples()
})

// text returns the rows of a record, a line each.
func text(r arrow.RecordBatch) (rows []string) {
	if err := valid(r); err != nil {
		return []string{err.Error()}
	}
	for i := range int(r.NumRows()) {
		var row []string
		for k, c := range r.Columns() {
			row = append(row, r.ColumnName(k)+"="+c.ValueStr(i))
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return rows
}

func valid(r arrow.RecordBatch) error {
	for i, c := range r.Columns() {
		if err := array.ValidateFull(c); err != nil {
			return fmt.Errorf("column %s: %w", r.ColumnName(i), err)
		}
	}
	return nil
}

// ours returns the rows that a Reader reads of the tasks that it plans.
func ours(t *testing.T, tbl *table.Table, q icebergscan.Query, o scanner.Options) []string {
	t.Helper()
	r, err := icebergscan.NewReader(t.Context(), tbl, q)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := r.PlanFiles(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return read(t, r, tasks, o)
}

func read(t *testing.T, r *icebergscan.Reader, tasks []table.FileScanTask, o scanner.Options) (rows []string) {
	t.Helper()
	records, err := r.Records(t.Context(), tasks, o, arrowscan.Options{Strings: arrowscan.Offsets})
	if err != nil {
		t.Fatal(err)
	}
	defer records.Release()
	for records.Next() {
		rows = append(rows, text(records.RecordBatch())...)
	}
	if err := records.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// theirs returns the rows that iceberg-go's own reader reads.
func theirs(t *testing.T, tbl *table.Table, o ...table.ScanOption) (rows []string) {
	t.Helper()
	_, records, err := tbl.Scan(o...).ToArrowRecords(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range records {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, text(r)...)
		r.Release()
	}
	return rows
}

// same compares rows in any order.
func same(t *testing.T, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("got %d rows, want %d; the first that differ:\n%s\n%s", len(got), len(want), got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("got %d rows, want %d", len(got), len(want))
	}
}

func ref(name string) iceberg.Reference { return iceberg.Reference(name) }

// queries are filters and columns for each sample table; a nil filter reads all.
var queries = map[string][]icebergscan.Query{
	"types": {
		{},
		{Filter: iceberg.EqualTo(ref("b"), true)},
		{Filter: iceberg.GreaterThan(ref("i"), int32(0)), Select: []string{"id", "i"}},
		{Filter: iceberg.LessThan(ref("f"), float32(3.25)), Select: []string{"s"}},
		{Filter: iceberg.GreaterThanEqual(ref("d"), 88.0)},
		{Filter: iceberg.EqualTo(ref("small"), "4200.25")},
		{Filter: iceberg.LessThan(ref("middle"), "-90.5")},
		{Filter: iceberg.GreaterThan(ref("big"), "12345678901234567850.0")},
		{Filter: iceberg.EqualTo(ref("day"), "2024-01-05")},
		{Filter: iceberg.EqualTo(ref("ts"), "2024-01-01T00:07:00.000001")},
		{Filter: iceberg.GreaterThan(ref("tz"), "2024-06-01T00:50:00+00:00")},
		{Filter: iceberg.EqualTo(ref("u"), "00000000-0000-0000-0000-00000000000a")},
		{Filter: iceberg.IsIn(ref("s"), "name 1", "name 2", "x")},
		{Filter: iceberg.NotIn(ref("s"), "name 1", "name 2", "x")},
		{Filter: iceberg.NotEqualTo(ref("s"), "name 1")},
		{Filter: iceberg.IsNull(ref("d"))},
		{Filter: iceberg.NotNull(ref("st.x"))},
		{Filter: iceberg.IsNaN(ref("d"))},
		{Filter: iceberg.NotNaN(ref("d"))},
		{Filter: iceberg.GreaterThan(ref("st.x"), int32(90)), Select: []string{"id", "st.y"}},
		{Filter: iceberg.NewNot(iceberg.NewOr(iceberg.LessThan(ref("i"), int32(50)), iceberg.EqualTo(ref("s"), "name 4")))},
		{Filter: iceberg.NewAnd(iceberg.GreaterThan(ref("id"), int64(10)), iceberg.LessThan(ref("id"), int64(20)), iceberg.IsNull(ref("b")))},
		{Select: []string{"items", "tags", "id"}},
	},
	"positions": {{}, {Filter: iceberg.EqualTo(ref("region"), "EU")}, {Select: []string{"id"}, Filter: iceberg.GreaterThan(ref("price"), 95.0)}, {Select: []string{"region"}},
		{Filter: iceberg.NewOr(iceberg.EqualTo(ref("region"), "US"), iceberg.EqualTo(ref("id"), int64(33)))}},
	"vectors":  {{}, {Filter: iceberg.LessThan(ref("price"), 7.0)}, {Select: []string{"name"}, Filter: iceberg.IsNull(ref("name"))}},
	"equality": {{}, {Filter: iceberg.LessThan(ref("id"), int64(10))}, {Select: []string{"price"}}, {Select: []string{"id"}, Filter: iceberg.EqualTo(ref("name"), "name 3")}},
	"evolved": {{}, {Filter: iceberg.EqualTo(ref("level"), int32(7))}, {Filter: iceberg.EqualTo(ref("old"), int64(60))}, {Select: []string{"id", "word"}, Filter: iceberg.IsNull(ref("old"))},
		{Select: []string{"renamed"}, Filter: iceberg.EqualTo(ref("word"), "none")}, {Filter: iceberg.IsNull(ref("st.y"))},
		{Filter: iceberg.GreaterThan(ref("dec"), "42.25")}, {Select: []string{"old"}, Filter: iceberg.EqualTo(ref("renamed"), "o3")}},
	"mapped": {{}, {Filter: iceberg.GreaterThan(ref("price"), 90.0)}, {Select: []string{"id"}, Filter: iceberg.EqualTo(ref("name"), "name 3")}},
	"hidden": {{}, {Filter: iceberg.EqualTo(ref("v"), int32(3))}, {Filter: iceberg.GreaterThanEqual(ref("ts"), "2024-02-03T00:00:00+00:00"), Select: []string{"id"}}, {Select: []string{"v"}, Filter: iceberg.LessThan(ref("id"), int64(120))}},
}

// TestEqualsOwnReader reads each sample table as iceberg-go's own reader does.
func TestEqualsOwnReader(t *testing.T) {
	for name, all := range queries {
		tbl := samples()[name].Table
		for i, q := range all {
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				var o []table.ScanOption
				if q.Select != nil {
					o = append(o, table.WithSelectedFields(q.Select...))
				}
				if q.Filter != nil {
					o = append(o, table.WithRowFilter(q.Filter))
				}
				want := theirs(t, tbl, o...)
				same(t, ours(t, tbl, q, scanner.Options{}), want)
				same(t, ours(t, tbl, q, scanner.Options{Threads: 3, BatchRows: 17}), want)
			})
		}
	}
}

// TestBeyondOwnReader reads what iceberg-go's own reader or planner fails at, and compares with a
// reading without the filter.
func TestBeyondOwnReader(t *testing.T) {
	only := func(rows []string, keep func(string) bool) []string {
		return slices.DeleteFunc(slices.Clone(rows), func(row string) bool { return !keep(row) })
	}
	types, evolved := samples()["types"].Table, samples()["evolved"].Table
	all := theirs(t, types)
	t.Run("starts with", func(t *testing.T) {
		got := ours(t, types, icebergscan.Query{Filter: iceberg.StartsWith(ref("s"), "name 3")}, scanner.Options{})
		same(t, got, only(all, func(row string) bool { return strings.Contains(row, " s=name 3") }))
		if len(got) != 8 { // 3, 13 … 93, but 3 and 73, whose names are NULL
			t.Errorf("got %d rows", len(got))
		}
		got = ours(t, types, icebergscan.Query{Filter: iceberg.NotStartsWith(ref("s"), "name 3")}, scanner.Options{})
		same(t, got, only(all, func(row string) bool { return strings.Contains(row, " s=name") && !strings.Contains(row, " s=name 3") }))
	})
	t.Run("no selected column in a file", func(t *testing.T) {
		got := ours(t, evolved, icebergscan.Query{Select: []string{"gone"}}, scanner.Options{})
		want := theirs(t, evolved, table.WithSelectedFields("id", "gone"))
		for i, row := range want {
			want[i] = row[strings.Index(row, "gone="):]
		}
		same(t, got, want)
	})
	t.Run("filter on a promoted column", func(t *testing.T) {
		// The planner cannot read the bounds that the file has of the column as it was.
		plain, err := icebergscan.NewReader(t.Context(), evolved, icebergscan.Query{})
		if err != nil {
			t.Fatal(err)
		}
		tasks, err := plain.PlanFiles(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r, err := icebergscan.NewReader(t.Context(), evolved, icebergscan.Query{Filter: iceberg.GreaterThan(ref("id"), int64(45))})
		if err != nil {
			t.Fatal(err)
		}
		want := only(theirs(t, evolved), func(row string) bool {
			var id int
			fmt.Sscanf(row, "id=%d", &id)
			return id > 45
		})
		if len(want) != 34 {
			t.Fatalf("%d rows are wanted", len(want))
		}
		same(t, read(t, r, tasks, scanner.Options{}), want)
	})
}
