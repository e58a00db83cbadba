package scanner

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Rows takes the column of RowNumber, whatever else it reads, of a file.
func TestTypedRowsWithNumbers(t *testing.T) {
	type numbered struct {
		Row int64 // row: in any case
		ID  int64 `parquet:"id"`
	}
	one := func(table Table, o Options) (got []string, err error) {
		o.RowNumber = "row"
		for r, err := range Rows[numbered](t.Context(), table, o) {
			if err != nil {
				return nil, err
			}
			got = append(got, fmt.Sprint(r.ID, " is row ", r.Row))
		}
		return got, nil
	}
	f := filterable(t, someRows(30))
	for name, c := range map[string]struct {
		table Table
		o     Options
		want  []string
	}{
		"file":      {f, Options{Offset: 3, Limit: 2}, []string{"3 is row 3", "4 is row 4"}},
		"filter":    {f, Options{Filter: scannertest.Parsed(t, "id = 17 OR id = 2")}, []string{"2 is row 2", "17 is row 17"}},
		"selection": {f, Options{Filter: scannertest.Parsed(t, "id = 17"), Select: []string{"s", "id"}}, []string{"17 is row 17"}},
	} {
		got, err := one(c.table, c.o)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}

	var alone []int32
	var stats Stats
	for r, err := range Rows[struct {
		N int32 `parquet:"row"`
	}](t.Context(), f, Options{RowNumber: "row", Limit: 2, Stats: &stats}) {
		if err == nil {
			t.Fatalf("an INT64 went into an int32: %v", r)
		}
	}
	for r, err := range Rows[struct {
		N *int `parquet:"row"`
	}](t.Context(), f, Options{RowNumber: "row", Limit: 2, Stats: &stats}) {
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, int32(*r.N))
	}
	if !reflect.DeepEqual(alone, []int32{0, 1}) || len(stats.Columns) > 0 {
		t.Errorf("numbers alone: %v, of columns %v", alone, stats.Columns)
	}
	// A struct that does not name it leaves it out; one that does needs it.
	for r, err := range Rows[struct{ ID int64 }](t.Context(), f, Options{RowNumber: "row", Limit: 1}) {
		if err != nil || r.ID != 0 {
			t.Errorf("without numbers: %v, %v", r, err)
		}
	}
	for _, err := range Rows[numbered](t.Context(), f, Options{}) {
		if err == nil || !errors.Is(err, ErrNoColumn) {
			t.Errorf("without RowNumber: %v", err)
		}
	}
}
