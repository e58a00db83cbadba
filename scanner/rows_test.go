package scanner

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift"
)

// Any rows of any file, however they are asked for, are those of a full scan.
func TestRowsOfEveryShape(t *testing.T) {
	for _, path := range shapes(t) {
		all := wantLines(t, path)
		f := open(t, path)
		sizes := make([]int64, len(f.Footer().RowGroups))
		for i := range sizes {
			sizes[i] = f.Footer().RowGroups[i].NumRows
		}
		for seed := range uint64(12) {
			r := rand.New(rand.NewPCG(seed, 1))
			var o Options
			want := all
			if seed%3 != 0 {
				var rows vector.Ranges
				for at := int64(0); at < int64(len(all)); {
					end := at + 1 + r.Int64N(8)
					rows = rows.Append(at, min(end, int64(len(all))))
					at = end + 1 + r.Int64N(1+int64(len(all))/3)
				}
				o.Rows = vector.RowsOfFile(rows, sizes)
				want = nil
				for _, x := range rows {
					want = append(want, all[x.From:x.To]...)
				}
			}
			if seed%2 == 0 {
				o.Offset = r.Int64N(int64(len(want)) + 2)
				want = want[min(int(o.Offset), len(want)):]
			}
			if seed%4 < 2 {
				o.Limit = 1 + r.Int64N(int64(len(want))+2)
				want = want[:min(int(o.Limit), len(want))]
			}
			o.BatchRows = []int{0, 1, 7, 64}[r.IntN(4)]
			o.Dictionaries = allLeaves(vector.DictionaryUse(seed % 3))
			got, err := tryLines(t, f, o)
			if err == nil {
				err = scannertest.Same(got, want)
			}
			if err != nil {
				t.Errorf("%s, seed %d, offset %d, limit %d, rows %v: %v", filepath.Base(path), seed, o.Offset, o.Limit, o.Rows, err)
				break
			}
		}
	}
}

func TestRowNumbers(t *testing.T) {
	f := open(t, "../testdata/shapes/schema_wide.parquet")
	if len(f.Footer().RowGroups) < 2 {
		t.Fatal("one row group tells nothing")
	}
	all := lines(t, f, Options{Select: []string{}, RowNumber: "n"})
	for i, line := range all {
		var row struct{ N int }
		if json.Unmarshal([]byte(line), &row) != nil || row.N != i {
			t.Fatalf("row %d: %s", i, line)
		}
	}
	rows := Options{Select: []string{}, RowNumber: "n", Rows: vector.RowSet{nil, {{From: 1, To: 2}}}}
	if got := lines(t, f, rows); len(got) != 1 || got[0] != all[f.Footer().RowGroups[0].NumRows+1] {
		t.Error(got)
	}
}

// Row groups are mostly asked in order, but need not be.
func TestFirstRow(t *testing.T) {
	f := &File{footer: &thrift.Footer{RowGroups: []thrift.RowGroup{{NumRows: 5}, {NumRows: 0}, {NumRows: 7}, {NumRows: 1}}}}
	var inFront rowsInFront
	for group, want := range map[int]int64{0: 0, 1: 5, 2: 5, 3: 12} {
		for range 2 {
			if got := inFront.before(f, group); got != want {
				t.Errorf("row group %d begins with row %d, want %d", group, got, want)
			}
		}
	}
}

func TestUnnest(t *testing.T) {
	// The sample of the text on nesting: 9 pairs of levels, 5 innermost items.
	f := sampleOfNesting(t)
	for _, tc := range []struct {
		o    Options
		rows string
	}{
		{Options{Unnest: "array_col.item"}, `{"item":null} {"item":1} {"item":null} {"item":2} {"item":3}`},
		{Options{Unnest: "array_col.list.item.list.item"}, `{"item":null} {"item":1} {"item":null} {"item":2} {"item":3}`},
		{Options{Unnest: "array_col.item", Select: []string{"id"}}, `{"id":4,"item":null} {"id":5,"item":1} {"id":5,"item":null} {"id":5,"item":2} {"id":6,"item":3}`},
		{Options{Unnest: "array_col.item", RowNumber: "n"}, `{"item":null,"n":4} {"item":1,"n":5} {"item":null,"n":5} {"item":2,"n":5} {"item":3,"n":6}`},
		{Options{Unnest: "array_col"}, `{"item":null} {"item":[]} {"item":[null]} {"item":[1,null]} {"item":[2]} {"item":[3]}`},
		{Options{Unnest: "array_col.item", Select: []string{"array_col"}, Offset: 6}, `{"array_col":[[3]],"item":3}`},
		{Options{Unnest: "id"}, `f.parquet: column "id": nothing to unnest: it is no list, and in none`},
		{Options{Unnest: "z"}, `f.parquet: no column z`},
	} {
		for _, size := range []int{1, 2, 100} {
			tc.o.BatchRows = size
			got, err := tryLines(t, f, tc.o)
			text := strings.Join(got, " ")
			if err != nil {
				text = err.Error()
			}
			if text != tc.rows {
				t.Errorf("%s of %q: %s, want %s", tc.o.Unnest, tc.o.Select, text, tc.rows)
			}
		}
	}
	host := hostFile(t)
	for unnest, want := range map[string]string{
		"l":       `{"id":1,"item":{"p":0.5,"q":7}} {"id":1,"item":null}`,
		"l.q":     `{"id":1,"q":7} {"id":1,"q":null}`,
		"m":       `{"id":1,"item":{"key":"k","value":3}}`,
		"m.value": `{"id":1,"value":3}`,
		"r":       `{"id":1,"item":1} {"id":1,"item":2}`,
	} {
		got, err := tryLines(t, host, Options{Unnest: unnest, Select: []string{"id"}})
		if text := strings.Join(got, " "); err != nil || text != want {
			t.Errorf("%s: %s, %v, want %s", unnest, text, err, want)
		}
	}
}
