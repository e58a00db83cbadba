package scanner

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
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

// A plan is for one set of keys, in whatever order they were added and wherever they come from.
func TestPlansOfKeys(t *testing.T) {
	f := filterable(t, someRows(3000))
	keysOf := func(ids ...int64) *filter.Keys {
		k := filter.NewKeys(len(ids))
		for _, id := range ids {
			k.AddInt64(id)
		}
		return k
	}
	query := func(k *filter.Keys) Options {
		return Options{Select: []string{"tags", "id", "s"}, Filter: filter.Col("id").InKeys(k)}
	}
	plan, err := f.Plan(t.Context(), query(keysOf(7, 2000)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := keysOf(7, 2000).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	sent := new(filter.Keys)
	if err := sent.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	for _, k := range []*filter.Keys{keysOf(2000, 7), sent} {
		o := query(k)
		o.Plan = plan
		if got := passed(t, f, o); len(got) < 2 {
			t.Errorf("%d rows pass", len(got))
		}
	}
	o := query(keysOf(8, 1000))
	o.Plan = plan
	for _, err := range f.Scan(t.Context(), o) {
		if !errors.Is(err, ErrPlan) {
			t.Errorf("other keys: error %v", err)
		}
	}
}

// Beside a plan, filters that come at run time prune pages too, before the scan
// and while it runs; metadata that the plan has looked at are not read again.
func TestPlanWithRuntimeFilters(t *testing.T) {
	f := filterable(t, someRows(3000)) // id ascends, in pages of 170
	o := Options{Select: []string{"tags", "id", "s"}, Filter: scannertest.Parsed(t, "n >= 0"), BatchRows: 50}
	var early filter.Runtime
	early.Publish(scannertest.Parsed(t, "id < 10"))
	o.Runtime = []*filter.Runtime{&early}
	plan, err := f.Plan(t.Context(), o)
	if err != nil || len(plan.Groups) != 3 || plan.Groups[1].Rows.Len() != 1000 {
		t.Fatalf("%+v, %v: what comes at run time is no part of a plan", plan, err)
	}
	o.Plan = plan
	decoded := func(o Options) (rows []string, pages int64) {
		var stats Stats
		o.Stats = &stats
		rows = passed(t, f, o)
		for _, c := range stats.Columns {
			pages += c.Pages[Decoded]
		}
		return rows, pages
	}
	want := passed(t, f, Options{Select: o.Select, Filter: scannertest.Parsed(t, "n >= 0 and id < 10")})
	got, pages := decoded(o)
	if !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	if pages > 7 { // one of each column, but n has three within the page of id
		t.Errorf("%d pages decoded", pages)
	}

	// Published when the first batch is there.
	var late filter.Runtime
	o.Runtime = []*filter.Runtime{&late}
	o.BatchRows = 20
	var stats Stats
	o.Stats = &stats
	rows := 0
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		if rows += b.Len; rows == b.Len {
			late.Publish(scannertest.Parsed(t, "id >= 2990"))
		}
	}
	all, before := int64(0), int64(0)
	for _, c := range stats.Columns {
		before += c.Pages[Decoded]
		for _, n := range c.Pages {
			all += n
		}
	}
	if rows >= 1200 || before > all/2 {
		t.Errorf("%d rows, %d pages of %d decoded", rows, before, all)
	}

	// Nothing passes any more.
	var none filter.Runtime
	none.Publish(filter.Or())
	o.Runtime, o.Stats = []*filter.Runtime{&none}, nil
	if rows := passed(t, f, o); len(rows) != 0 {
		t.Errorf("%d rows", len(rows))
	}
}

// Where a plan leaves no row, filters that come at run time look at no chunk.
func TestPlanOfNoRows(t *testing.T) {
	f := filterable(t, someRows(3000)) // three row groups
	var late filter.Runtime
	late.Publish(scannertest.Parsed(t, "id >= 0"))
	o := Options{Select: []string{"s"}, Runtime: []*filter.Runtime{&late}}
	plan, err := f.Plan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	plan.Groups = slices.DeleteFunc(plan.Groups, func(g GroupPlan) bool { return g.RowGroup == 0 })
	o.Plan = plan
	s, err := f.newScan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.run.start(unit{group: 0}, s.rows[0]); err != nil {
		t.Fatal(err)
	}
	for _, l := range s.leaves {
		if l.chunk != nil {
			t.Errorf("the chunk of %s is looked at", l.node)
		}
	}
	s.run.finish()
	if err := s.run.start(unit{group: 1}, s.rows[1]); err != nil || len(s.run.wanted) == 0 || s.leaves[0].chunk == nil {
		t.Errorf("%v: %v are wanted of the next row group", err, s.run.wanted)
	}
	s.run.finish()
}

// The parts of a plan have each row once, and are about as large as each other.
func TestPartsOfPlans(t *testing.T) {
	f := filterable(t, someRows(2500))
	o := Options{Filter: scannertest.Parsed(t, "n >= 30"), Select: []string{"id"}}
	want := lines(t, f, o)
	plan, err := f.Plan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{-1, 1, 2, 3, 7, 1000} {
		parts := plan.Parts(n)
		if len(parts) == 0 || len(parts) > max(n, 1) {
			t.Fatalf("%d parts of %d", len(parts), n)
		}
		var got []string
		for _, part := range parts {
			stored, err := json.Marshal(part)
			if err != nil {
				t.Fatal(err)
			}
			one := o
			one.Plan = new(Plan)
			if err := json.Unmarshal(stored, one.Plan); err != nil {
				t.Fatal(err)
			}
			got = append(got, lines(t, f, one)...)
		}
		if err := scannertest.Same(got, want); err != nil {
			t.Errorf("%d parts: %v", n, err)
		}
	}
	if parts := (&Plan{}).Parts(3); len(parts) != 0 {
		t.Errorf("nothing in %d parts", len(parts))
	}
}
