package cli

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// sizesOf returns the number of data pages of each column, and the bytes of all its
// pages, as scan pages shows them.
func sizesOf(t *testing.T, file string) (pages, bytes map[string]int64) {
	t.Helper()
	pages, bytes = map[string]int64{}, map[string]int64{}
	text, _, _ := runScan(t, t.Context(), "pages", file)
	for line := range strings.Lines(text) {
		var p struct {
			Path           string
			Page           *int
			HeaderSize     int64 `json:"header_size"`
			CompressedSize int64 `json:"compressed_size"`
		}
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		if p.Page != nil {
			pages[p.Path]++
		}
		bytes[p.Path] += p.HeaderSize + p.CompressedSize
	}
	return pages, bytes
}

// What --analyze counts adds up: rows to those that pass, pages and bytes of each
// column to those that the file has.
func TestAnalyzeAddsUp(t *testing.T) {
	const file = "../../testdata/lineitems.parquet"
	const where = "ship_date < '1993-01-01' AND comment LIKE '%ledger%'"
	pages, bytes := sizesOf(t, file)
	var want struct{ Rows int64 }
	text, _, _ := runScan(t, t.Context(), "count", "-w", where, file)
	if err := json.Unmarshal([]byte(text), &want); err != nil || want.Rows == 0 {
		t.Fatal(text, err)
	}
	text, stderr, code := runScan(t, t.Context(), "explain", "--analyze", "-c", "comment,order_key", "-w", where, file)
	if code != 0 {
		t.Fatal(stderr)
	}
	uses, conditions := "", 0
	for text := range strings.Lines(text) {
		line := []byte(text)
		var kind struct{ Kind string }
		var run struct {
			Rows int64
			Plan float64 `json:"plan_seconds"`
			Scan float64 `json:"scan_seconds"`
		}
		type fates struct{ Unread, Undecompressed, Undecoded, Decoded int64 }
		var c struct {
			Column, For  string
			Pages, Bytes fates
			Dictionary   int64
			Untouched    []struct{ Pages, Bytes int64 }
		}
		if err := json.Unmarshal(line, &kind); err != nil {
			t.Fatal(err)
		}
		switch kind.Kind {
		case "run":
			if err := json.Unmarshal(line, &run); err != nil || run.Rows != want.Rows || run.Scan <= 0 || run.Plan <= 0 {
				t.Errorf("run %s, %v; want %d rows", line, err, want.Rows)
			}
		case "column":
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			uses += c.Column + " " + c.For + ", "
			sum := func(b fates) int64 { return b.Unread + b.Undecompressed + b.Undecoded + b.Decoded }
			if n := sum(c.Pages); n != pages[c.Column] {
				t.Errorf("%s: %d pages, the file has %d", c.Column, n, pages[c.Column])
			}
			if n := sum(c.Bytes) + c.Dictionary; n != bytes[c.Column] {
				t.Errorf("%s: %d bytes, the file has %d", c.Column, n, bytes[c.Column])
			}
			for _, why := range c.Untouched {
				c.Pages.Unread -= why.Pages
				c.Bytes.Unread -= why.Bytes
			}
			if c.Pages.Unread != 0 || c.Bytes.Unread != 0 {
				t.Errorf("unread without a reason: %s", line)
			}
		case "condition":
			var cond struct{ In, Out int64 }
			if err := json.Unmarshal(line, &cond); err != nil || cond.In == 0 || cond.In > 3072 || cond.Out > cond.In {
				t.Errorf("%s, %v", line, err)
			}
			conditions++
		}
	}
	if conditions != 2 {
		t.Errorf("%d conditions", conditions)
	}
	if want := "comment both, order_key result, ship_date filter, "; uses != want {
		t.Errorf("columns %s, want %s", uses, want)
	}
	table, _, _ := runScan(t, t.Context(), "explain", "--analyze", "--format", "table", "-c", "comment", "-w", where, file)
	if !regexp.MustCompile(`(?m)^Run  278 rows in 1 batch, \S+ \S+; planned in \d+\.\d ms, scanned in \d+\.\d ms\n +column +for +unread +`).MatchString(table) {
		t.Errorf("table:\n%s", table)
	}
}

// Neighbouring row groups share a line if the same holds of them, and their sums are right.
func TestExplainJoinsRowGroups(t *testing.T) {
	stdout, stderr, code := runScan(t, t.Context(), "explain", "--format", "table", "-w", "ship_date >= '1996-05-01' AND extended_price > 40000", "../../testdata/lineitems.parquet")
	if code != 0 {
		t.Fatal(stderr)
	}
	for _, want := range []string{
		"        0–1  12,000         0      12,000\n",
		"        2–3   8,000     8,000              all\n",
		"ship_date >= 1996-05-01           0–1  none     12,000\n",
		"extended_price >= 40000.01        2–3  some                    8,000  values 900.10 to 49975.00; 11 of 11 pages overlap\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no line %q in\n%s", want, stdout)
		}
	}
}
