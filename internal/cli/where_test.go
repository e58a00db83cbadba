package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// What --where lets pass are those lines of all of them that a look at their
// JSON lets pass.
func TestWhereAgainstAllRows(t *testing.T) {
	type object = map[string]any
	for _, tc := range []struct {
		file, where string
		pass        func(object) bool
	}{
		{"lineitems", "comment IS NULL", func(o object) bool { return o["comment"] == nil }},
		{"lineitems", "quantity > 45 AND ship_mode IN ('AIR', 'RAIL')", func(o object) bool {
			return o["quantity"].(float64) > 45 && (o["ship_mode"] == "AIR" || o["ship_mode"] == "RAIL")
		}},
		{"lineitems", "ship_date BETWEEN '1994-01-01' AND '1994-12-31' AND discount = 0.06", func(o object) bool {
			return strings.HasPrefix(o["ship_date"].(string), "1994-") && o["discount"] == 0.06
		}},
		{"lineitems", "comment LIKE '%ledger%' OR order_key = line_number", func(o object) bool {
			text, _ := o["comment"].(string)
			return strings.Contains(text, "ledger") || o["order_key"] == o["line_number"]
		}},
		{"weblog", "status >= 500 OR referer IS NULL AND latency_ms < 20", func(o object) bool {
			return o["status"].(float64) >= 500 || o["referer"] == nil && o["latency_ms"].(float64) < 20
		}},
		{"weblog", "NOT bytes > 1000", func(o object) bool { n, ok := o["bytes"].(float64); return ok && n <= 1000 }},
		{"orders", "length(items) = 1", func(o object) bool { items, _ := o["items"].([]any); return len(items) == 1 }},
		{"orders", "ANY(items.quantity) = 7", func(o object) bool {
			items, _ := o["items"].([]any)
			for _, i := range items {
				if i.(object)["quantity"] == 7.0 {
					return true
				}
			}
			return false
		}},
	} {
		file := "../../testdata/" + tc.file + ".parquet"
		all, _, code := runScan(t, t.Context(), "cat", file)
		if code != 0 {
			t.Fatal(file, code)
		}
		var want strings.Builder
		n := 0
		for line := range strings.Lines(all) {
			var o object
			if err := json.Unmarshal([]byte(line), &o); err != nil {
				t.Fatal(err)
			}
			if tc.pass(o) {
				want.WriteString(line)
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s: no row passes, which tests nothing", tc.where)
		}
		if got, stderr, code := runScan(t, t.Context(), "cat", file, "-w", tc.where); got != want.String() || code != 0 {
			t.Errorf("cat %s: %d rows, want %d; %s", tc.where, strings.Count(got, "\n"), n, stderr)
		}
		got, _, _ := runScan(t, t.Context(), "count", "--where", tc.where, file)
		var record struct{ Rows int64 }
		if err := json.Unmarshal([]byte(got), &record); err != nil || record.Rows != int64(n) {
			t.Errorf("count %s: %s, want %d rows", tc.where, got, n)
		}
	}
}
