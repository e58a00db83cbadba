package scanner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
)

// ownError is an error of a host's own type.
type ownError struct{ calls int }

func (ownError) Error() string { return "the host's" }

// TestErrorsOfFunctions: an error of a host's function ends the scan, wherever the
// function is asked. The scan's error has the file and the row group, and is the host's.
func TestErrorsOfFunctions(t *testing.T) {
	f, err := Open(t.Context(), "../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const failsIn, groupRows = 2, 6000
	rows := lines(t, f, Options{Select: []string{"order_key"}})
	inside := map[string]bool{} // the middle of the row group that fails
	for _, row := range rows[failsIn*groupRows+1000 : (failsIn+1)*groupRows-1000] {
		inside[row] = true
	}
	fails := func(err error) *filter.Expr {
		return filter.Func("lookup", func(columns []*vector.Vector, sel []uint64) error {
			for i := range columns[0].Len {
				if inside[fmt.Sprintf(`{"order_key":%d}`, columns[0].Int64s[i])] {
					return err
				}
			}
			return nil
		}, filter.Col("order_key"))
	}
	elsewhere := &Error{File: "elsewhere", RowGroup: 7, Page: 3, Offset: 5, Err: ErrCorrupt}
	for _, cause := range []error{ownError{1}, context.DeadlineExceeded, elsewhere} {
		var runtime filter.Runtime
		runtime.Publish(fails(cause))
		for name, o := range map[string]Options{
			"alone":      {Filter: fails(cause)},
			"in threads": {Filter: fails(cause), Threads: 3},
			"NOT":        {Filter: filter.Not(filter.And(fails(cause), filter.Col("quantity").Lt(25)))},
			"OR":         {Filter: filter.Or(filter.Col("quantity").Lt(0), fails(cause))},
			"IS FALSE":   {Filter: fails(cause).IsFalse()},
			"runtime":    {Runtime: []*filter.Runtime{&runtime}, knobs: knobs.Knobs{NoBackoff: true}}, // it drops nothing
		} {
			_, counted := f.Count(t.Context(), Options{Filter: o.Filter, Threads: o.Threads})
			o.Select = []string{"order_key"}
			got, scanned := tryLines(t, f, o)
			if name == "alone" && (len(got) < failsIn*groupRows/2 || !slices.Equal(got, rows[:len(got)])) {
				t.Errorf("%d rows before the error, or other ones", len(got))
			}
			if o.Filter == nil {
				counted = scanned // runtime filters change no count
			}
			for _, err := range []error{counted, scanned} {
				var at *Error
				if !errors.Is(err, cause) || !errors.As(err, &at) || at.RowGroup != failsIn || at.File != f.Name() {
					t.Errorf("%s: %v (%v), want %v", name, err, at, cause)
				}
				if err != nil && !strings.Contains(err.Error(), "function lookup: "+cause.Error()) {
					t.Errorf("%s: %v does not name the function", name, err)
				}
			}
			if own := (ownError{}); cause == (ownError{1}) && (!errors.As(scanned, &own) || own.calls != 1) {
				t.Errorf("%s: %v is not of the host's type", name, scanned)
			}
		}
	}
}
