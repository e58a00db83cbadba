package scanner

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/winnow-scan/winnow/filter"
)

// JSON has no bytes that are not UTF-8; plans for filters that have some go
// through it all the same, and are not taken for one another.
func TestPlansOfOddBytes(t *testing.T) {
	f := filterable(t, someRows(3000))
	o := Options{Select: []string{"tags", "id", "s"}, Filter: filter.Col("s").Ne("\xff")}
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
	if got := passed(t, f, o); len(got) == 0 {
		t.Error("no row passes")
	}
	o.Filter = filter.Col("s").Ne("\xfe")
	for _, err := range f.Scan(t.Context(), o) {
		if !errors.Is(err, ErrPlan) {
			t.Errorf("another filter: error %v", err)
		}
	}
}
