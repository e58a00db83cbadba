package scanner_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// docs/how-a-scan-works.md follows one query, and shows what becomes of its rows and pages.
func TestWalkthroughShowsWhatHappens(t *testing.T) {
	text, err := os.ReadFile("../docs/how-a-scan-works.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(text)
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	where, err := filter.Parse("ship_date >= '1996-05-01' AND extended_price > 40000")
	if err != nil {
		t.Fatal(err)
	}
	o := scanner.Options{Select: []string{"order_key", "comment"}, Filter: where, Stats: new(scanner.Stats)}
	if o.Plan, err = f.Plan(ctx, o); err != nil { // as scan explain does
		t.Fatal(err)
	}
	rows, batches := 0, []string{}
	for b, err := range f.Scan(ctx, o) {
		if err != nil {
			t.Fatal(err)
		}
		rows += b.Len
		batches = append(batches, fmt.Sprintf("%d rows ", b.Len))
		b.Release()
	}
	want := []string{fmt.Sprintf("%d,%03d rows pass", rows/1000, rows%1000)}
	for i, b := range batches {
		want = append(want, b)
		if !strings.Contains(doc, fmt.Sprintf("batch %d", i+1)) {
			t.Errorf("the page has no batch %d", i+1)
		}
	}
	for _, c := range o.Stats.Columns {
		role := "filter"
		if c.Leaf.Name == "order_key" || c.Leaf.Name == "comment" {
			role = "result"
		}
		want = append(want, fmt.Sprintf("| %s | %s | %d | %d |", c.Leaf.Name, role, c.Pages[scanner.Decoded], c.Pages[scanner.Unread]))
	}
	if len(batches) != 2 || len(want) != 7 {
		t.Errorf("%d batches, %d columns", len(batches), len(o.Stats.Columns))
	}
	for _, w := range want {
		if !strings.Contains(doc, w) {
			t.Errorf("the page does not say %q", w)
		}
	}
}
