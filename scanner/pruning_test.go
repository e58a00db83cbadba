package scanner

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Columns of the file that conditions prune. The rows of naive have the same order.
const (
	rowColumn   = iota // the number of the row, which no condition tests
	tsColumn           // local, one row every six hours from 2023 on
	idColumn           // from -1000 on; every 97th is NULL
	priceColumn        // from 0.00 on, a cent more each row
	nameColumn         // fifty rows each begin with aaa, aab, …
	stateColumn        // has a dictionary and a Bloom filter; TX is in row groups 1 and 3
	aColumn            // one more every 250 rows
	bColumn            // 0 to 4
	msColumn           // 40 days before usColumn, then an hour behind it, then 40 days
	usColumn
	attrsColumn // two items of key and value, with keys k0, k1, … for 100 rows each
)

const (
	groupRowsOfPruned = 1000
	pageRowsOfPruned  = 100
)

// prunedRows returns the rows as naive has them, and as records of the file.
func prunedRows() (rows []naive.Struct, records []any) {
	states := [][]string{{"AL", "CA", "WY"}, {"AL", "TX", "WY"}, {"AL", "NY", "WY"}, {"AL", "WY"}}
	start := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range int64(4 * groupRowsOfPruned) {
		ts := start.Add(time.Duration(i) * 6 * time.Hour)
		ms := ts.Add(-40 * 24 * time.Hour)
		switch {
		case i >= 3500:
			ms = ts.Add(40 * 24 * time.Hour)
		case i >= 2500:
			ms = ts.Add(time.Hour)
		}
		var id any
		if i%97 != 0 {
			id = i - 1000
		}
		word := i / 50
		name := string([]byte{'a' + byte(word/676), 'a' + byte(word/26%26), 'a' + byte(word%26)}) + fmt.Sprint(i%50+100)
		group := states[i/groupRowsOfPruned]
		state := group[i%int64(len(group))]
		if i/pageRowsOfPruned == 33 { // a page of one value
			state = "TX"
		}
		keys, values := []string{fmt.Sprint("k", i/100), fmt.Sprint("k", i/100+1)}, []string{fmt.Sprint("v", i%5), "w"}
		a, b := i/250, i%5
		rows = append(rows, naive.Struct{
			i, ts.UnixNano(), id, naive.Decimal{Exact: big.NewRat(i, 100)}, name, state, a, b, ms.UnixNano(), ts.UnixNano(),
			naive.List{naive.Struct{keys[0], values[0]}, naive.Struct{keys[1], values[1]}},
		})
		records = append(records, gen.Record{
			"row": i, "ts": ts.UnixMicro(), "id": id, "price": i, "name": name, "state": state, "a": a, "b": b, "ts_ms": ms.UnixMilli(), "ts_us": ts.UnixMicro(),
			"attrs": []any{gen.Record{"key": keys[0], "value": values[0]}, gen.Record{"key": keys[1], "value": values[1]}},
		})
	}
	return rows, records
}

// prunedFile has four row groups, in which each column has ten pages.
func prunedFile(t *testing.T, records []any) (*File, *record.Recorder) {
	text := func(name string) *gen.Node { return gen.Required(name, gen.ByteArray).As(gen.StringType()) }
	file := gen.File{
		Schema: []*gen.Node{
			gen.Required("row", gen.Int64), gen.Required("ts", gen.Int64).As(gen.TimestampType(gen.Micros, false)), gen.Optional("id", gen.Int64),
			gen.Required("price", gen.Int64).As(gen.DecimalType(9, 2)), text("name"), text("state"), gen.Required("a", gen.Int32), gen.Required("b", gen.Int32),
			gen.Required("ts_ms", gen.Int64).As(gen.TimestampType(gen.Millis, false)), gen.Required("ts_us", gen.Int64).As(gen.TimestampType(gen.Micros, false)),
			gen.List("attrs", gen.Required("element", gen.Group, text("key"), text("value"))),
		},
		All: gen.Column{PageRows: []int{pageRowsOfPruned}},
	}
	columns := make([]gen.Column, stateColumn+1)
	columns[stateColumn] = gen.Column{Shape: gen.Shape{Encoding: gen.Dictionary}, Bloom: 1024}
	for part := range slices.Chunk(records, groupRowsOfPruned) {
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Rows: part, Columns: columns})
	}
	return recorded(t, scannertest.Write(t, file))
}

// compares returns the naive comparison of a column, behind a step, with a constant.
func compares(column int, step *naive.Step, op naive.Op, by any) *naive.Cond {
	left := naive.Operand{Path: []int{column}}
	if step != nil {
		left.Steps = []naive.Step{*step}
	}
	return &naive.Cond{Op: op, Left: left, Right: []naive.Operand{{IsLiteral: true, Literal: by}}}
}

func calls(name string, constants ...any) *naive.Step {
	return &naive.Step{Op: naive.Call, Name: name, Constants: constants}
}

// naiveConditions are what the texts of testdata/pruning mean, row by row and without any pruning. Where naive has no
// such operation, the row is judged in Go.
func naiveConditions() map[string]*naive.Cond {
	moment := func(y int, m time.Month, d, hour int) any {
		return time.Date(y, m, d, hour, 0, 0, 0, time.UTC).UnixNano()
	}
	rows := func(f func(row naive.Struct) bool) *naive.Cond { return &naive.Cond{Op: naive.Func, Func: f} }
	both := func(a, b *naive.Cond) *naive.Cond { return &naive.Cond{Op: naive.And, Args: []*naive.Cond{a, b}} }
	item := func(field int, text string) *naive.Cond {
		return &naive.Cond{Op: naive.Eq, Left: naive.Operand{Path: []int{0, field}}, Right: []naive.Operand{{IsLiteral: true, Literal: text}}}
	}
	name := naive.Operand{Path: []int{nameColumn}}
	return map[string]*naive.Cond{
		"year(ts) = 2024": compares(tsColumn, calls("year"), naive.Eq, int64(2024)),
		"date_trunc('month', ts) = DATE '2024-05-01'": compares(tsColumn, calls("date_trunc", "month"), naive.Eq, moment(2024, 5, 1, 0)),
		"ts::DATE = DATE '2024-05-20'":                compares(tsColumn, &naive.Step{Op: naive.CastDate}, naive.Eq, moment(2024, 5, 20, 0)),
		"ts AT TIME ZONE 'Europe/Berlin' >= TIMESTAMPTZ '2025-06-01 00:00:00+02'": compares(
			tsColumn, calls("timezone", "Europe/Berlin"), naive.Ge, moment(2025, 5, 31, 22)),
		"id % 10 = 3":      compares(idColumn, calls("mod", int64(10)), naive.Eq, int64(3)),
		"id + 1 > 2500":    compares(idColumn, &naive.Step{Op: naive.Add, By: int64(1)}, naive.Gt, int64(2500)),
		"abs(id) < 5":      compares(idColumn, calls("abs"), naive.Lt, int64(5)),
		"floor(price) = 7": compares(priceColumn, calls("floor"), naive.Eq, int64(7)),
		"round(price) = 7": compares(priceColumn, calls("round"), naive.Eq, int64(7)),
		"coalesce(id, 0) > 2500": rows(func(r naive.Struct) bool {
			id, isSet := r[idColumn].(int64)
			return isSet && id > 2500
		}),
		"CASE WHEN id < 0 THEN a ELSE 0 END = 2": rows(func(r naive.Struct) bool {
			id, isSet := r[idColumn].(int64)
			return isSet && id < 0 && r[aColumn] == int64(2)
		}),
		"nullif(state, 'AL') = 'TX'": rows(func(r naive.Struct) bool { return r[stateColumn] != "AL" && r[stateColumn] == "TX" }),
		"lower(state) = 'tx'":        compares(stateColumn, calls("lower"), naive.Eq, "tx"),
		"substr(name, 1, 3) = 'abc'": compares(nameColumn, calls("substr", int64(1), int64(3)), naive.Eq, "abc"),
		"left(name, 3) = 'abc'":      compares(nameColumn, calls("left", int64(3)), naive.Eq, "abc"),
		"name LIKE 'abc%'":           {Op: naive.Like, Left: name, Text: "abc%"},
		"starts_with(name, 'abc')":   {Op: naive.Prefix, Left: name, Text: "abc"},
		"name ~ '^abc'":              {Op: naive.Match, Left: name, Regexp: regexp.MustCompile("^abc")},
		"id IS DISTINCT FROM 5":      rows(func(r naive.Struct) bool { return r[idColumn] != int64(5) }),
		"id IS NOT DISTINCT FROM 5":  rows(func(r naive.Struct) bool { return r[idColumn] == int64(5) }),
		"a - b > 10":                 rows(func(r naive.Struct) bool { return r[aColumn].(int64)-r[bColumn].(int64) > 10 }),
		"(a, b) = (1, 2)":            both(compares(aColumn, nil, naive.Eq, int64(1)), compares(bColumn, nil, naive.Eq, int64(2))),
		"ts_ms > ts_us":              {Op: naive.Gt, Left: naive.Operand{Path: []int{msColumn}}, Right: []naive.Operand{{Path: []int{usColumn}}}},
		"ANY(attrs AS a: a.key = 'k7' AND a.value = 'v3')": {Op: naive.Bool, Left: naive.Operand{
			Path: []int{attrsColumn}, Quant: naive.Any, Items: both(item(0, "k7"), item(1, "v3")),
		}},
	}
}

// touched says whether recorded calls read some of a range.
func touched(calls [][]fetch.Range, at fetch.Range) bool {
	return slices.ContainsFunc(calls, func(call []fetch.Range) bool {
		return slices.ContainsFunc(call, func(r fetch.Range) bool { return r.Off < at.End() && at.Off < r.End() })
	})
}

// pagesRead returns a line for each row group of which recorded calls read data pages: name[a:b] are the pages from a
// up to b, exclusive, of a column.
func pagesRead(t *testing.T, f *File, calls [][]fetch.Range) string {
	var out strings.Builder
	for g := range f.footer.RowGroups {
		line := fmt.Sprintf("row group %d:", g)
		for leaf, node := range f.schema.Leaves() {
			c, err := f.Chunk(g, leaf)
			if err != nil {
				t.Fatal(err)
			}
			from := -1
			pages := offsetIndex(t, c).Pages
			for i := range len(pages) + 1 {
				isRead := i < len(pages) && touched(calls, fetch.Range{Off: pages[i].Offset, Len: int64(pages[i].CompressedSize)})
				switch {
				case isRead && from < 0:
					from = i
				case !isRead && from >= 0:
					line += fmt.Sprintf(" %s[%d:%d]", node.Path()[len(node.Path())-1], from, i)
					from = -1
				}
			}
		}
		if !strings.HasSuffix(line, ":") {
			fmt.Fprintln(&out, line)
		}
	}
	return out.String()
}

// TestPruning: which row groups and pages a condition reads, and that its rows are those of
// a scan that prunes nothing and of the naive evaluator. In the bubble nothing takes long, for
// which windows would be halved.
func TestPruning(t *testing.T) { synctest.Test(t, testPruning) }

func testPruning(t *testing.T) {
	rows, records := prunedRows()
	f, rec := prunedFile(t, records)
	conditions := naiveConditions()
	dtest.Run(t, "testdata/pruning", func(t *testing.T, c *dtest.Case) string {
		text := strings.TrimSpace(c.Input)
		cond := conditions[text]
		if cond == nil {
			t.Fatalf("%s: naiveConditions has no %s", c.Place, text)
		}
		delete(conditions, text)
		var want []int64
		for _, row := range rows {
			if cond.Eval(row) == naive.True {
				want = append(want, row[rowColumn].(int64))
			}
		}
		scan := func(k knobs.Knobs) (got []int64, read string) {
			rec.Take()
			for b, err := range f.Scan(t.Context(), Options{Select: []string{"row"}, Filter: scannertest.Parsed(t, text), knobs: k}) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, b.Columns[0].Int64s[:b.Len]...)
				b.Release()
			}
			return got, pagesRead(t, f, rec.Take())
		}
		unpruned, _ := scan(knobs.Knobs{NoStatistics: true, NoPageIndex: true, NoBloom: true, NoDictionaries: true})
		pruned, read := scan(knobs.Knobs{})
		if !slices.Equal(pruned, want) || !slices.Equal(unpruned, want) {
			t.Errorf("%s: %d rows, without pruning %d, want %d", text, len(pruned), len(unpruned), len(want))
		}
		return fmt.Sprintf("%d rows\n%s", len(pruned), read)
	})
	for text := range conditions {
		t.Errorf("testdata/pruning has no %s", text)
	}
}
