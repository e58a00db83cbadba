package bench

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
)

// gridFile writes a file with some columns of a grid's.
func gridFile(t *testing.T) (path string) {
	t.Helper()
	var rows []any
	for i := range 1000 {
		rows = append(rows, gen.Record{"l_orderkey": i / 4, "l_partkey": i * 7919 % 1000, "l_extendedprice": float64(i), "l_linenumber": i%7 + 1})
	}
	file := gen.File{
		Schema:    []*gen.Node{gen.Required("l_orderkey", gen.Int64), gen.Required("l_partkey", gen.Int64), gen.Required("l_extendedprice", gen.Double), gen.Required("l_linenumber", gen.Int32)},
		RowGroups: []gen.RowGroup{{Rows: rows}, {Rows: rows}},
	}
	b, err := file.Write()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "li.parquet")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// table runs a command that prints one, and returns its lines below the heading, but for the last.
func table(t *testing.T, args ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	code := Run(t.Context(), args, &out, &errs)
	if errs.Len() > 0 || code == exitUsage {
		t.Fatalf("code %d, %s", code, errs.String())
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if over := strings.HasPrefix(lines[len(lines)-1], "0 "); over != (code == exitOK) {
		t.Errorf("code %d behind %q", code, lines[len(lines)-1])
	}
	return lines[1 : len(lines)-1]
}

// A grid has a line for each cell, with the rows that pass.
func TestGrid(t *testing.T) {
	lines := table(t, "grid", "--pairs", "1", "--columns", "1,2", "--shares", "1,50,100", gridFile(t))
	for i, want := range []string{
		"clustered 1 1 12", "clustered 1 50 504", "clustered 1 100 1000", "clustered 2 1 12", "clustered 2 50 504", "clustered 2 100 1000",
		"scattered 1 1 11", "scattered 1 50 501", "scattered 1 100 1000", "scattered 2 1 11", "scattered 2 50 501", "scattered 2 100 1000",
	} {
		if f := strings.Fields(lines[i]); len(f) < 12 || f[10] == "0" || f[0] != "li" || fmt.Sprint(f[1], " ", f[2], " ", f[3], " ", f[4]) != want {
			t.Errorf("line %d is %q, want li %s", i, lines[i], want)
		}
	}
}

// With --force a cell has the time of its best rival, and which that is.
func TestGridForce(t *testing.T) {
	for list, names := range map[string]string{"all": strategyNames(), "gather,eager": "gather,eager"} {
		lines := table(t, "grid", "--force", list, "--pairs", "2", "--columns", "2", "--shares", "50", gridFile(t))
		if len(lines) != 2 {
			t.Fatalf("%d lines", len(lines))
		}
		for i, want := range []string{"clustered 2 50 504", "scattered 2 50 501"} {
			f := strings.Fields(lines[i])
			if len(f) != 15 || fmt.Sprint(f[1], " ", f[2], " ", f[3], " ", f[4]) != want || !slices.Contains(strings.Split(names, ","), strings.TrimSuffix(f[11], ",")) {
				t.Errorf("line %d is %q, want li %s and one of %s", i, lines[i], want, names)
			}
		}
	}
}

// A strategy changes what a scan is told, each in another way.
func TestStrategies(t *testing.T) {
	told := map[string]string{fmt.Sprintf("%+v", scanOptions{}): "none"}
	for _, r := range forced(scanOptions{}, strategies()) {
		text := fmt.Sprintf("%+v", r.options)
		if told[text] != "" {
			t.Errorf("%s is the same as %s", r.name, told[text])
		}
		told[text] = r.name
	}
}

// The best rival is the one that takes least; one with other rows is no rival.
func TestContest(t *testing.T) {
	f, err := scanner.Open(t.Context(), gridFile(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := &contest{file: f, own: scanOptions{Options: scanner.Options{Select: []string{"l_orderkey"}, Filter: filter.Col("l_orderkey").Ge(0)}}, limit: limit{ratio: mostOfBest}}
	slow := c.own
	slow.BatchRows = 1
	c.rivals = []rival{{"slow", slow, 0}, {"same", c.own, 0}}
	o, err := c.run(t.Context(), 8)
	if err != nil || o.rows != 2000 || o.name != "same" || !strings.HasPrefix(o.worst, ", worst slow: ") || o.limit != mostOfBest {
		t.Errorf("%+v, %v", o, err)
	}
	if o.over != o.ratio-mostOfBest && math.Abs(o.over-o.ratio+mostOfBest) > 1e-9 {
		t.Errorf("a ratio of %v is %v over %v", o.ratio, o.over, mostOfBest)
	}
	other := c.own
	other.Filter = filter.Col("l_orderkey").Gt(0)
	c.rivals = []rival{{"other", other, 0}}
	if _, err := c.run(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "2000 rows, and 1992 in another way") {
		t.Errorf("other rows: %v", err)
	}
	c.rivals[0].rows = 1992
	if _, err := c.run(t.Context(), 1); err != nil {
		t.Error(err)
	}
}

// A limit is a ratio, or milliseconds more where these are more.
func TestLimit(t *testing.T) {
	l := limit{ratio: 1.03, more: 0.5}
	if got := l.of(100); got != 1.03 {
		t.Errorf("of 100 ms: %v", got)
	}
	if got := l.of(2); got != 1.25 {
		t.Errorf("of 2 ms: %v", got)
	}
}

// Orders has a line for each workload, with the best and the worst order of its condition's parts.
func TestOrders(t *testing.T) {
	path := gridFile(t)
	list := filepath.Join(t.TempDir(), "list.json")
	text := `{"workloads": [{"name": "three", "file": "li.parquet", "project": ["l_orderkey"], "where": {"and": [
		{"op": "ge", "col": "l_orderkey", "value": 10}, {"op": "lt", "col": "l_partkey", "value": 900}, {"op": "ge", "col": "l_extendedprice", "value": 1.5}]}}]}`
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	lines := table(t, "orders", "--workloads", list, "--data", filepath.Dir(path), "--pairs", "1")
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "three ") || strings.Count(lines[0], "order [") != 2 {
		t.Errorf("%q", lines)
	}
	seen := map[string]bool{}
	for _, order := range permutations(3) {
		if seen[fmt.Sprint(order)] = true; !slices.Equal(slices.Sorted(slices.Values(order)), []int{0, 1, 2}) {
			t.Errorf("order %v", order)
		}
	}
	if len(seen) != 6 {
		t.Errorf("orders %v", seen)
	}
}

// Runtime filters have a line for each kind of them, and all rows.
func TestRuntime(t *testing.T) {
	lines := table(t, "grid", "--runtime", "--groups", "0", "--pairs", "1", "--columns", "1,2", "--orders", "scattered", gridFile(t))
	var seen, want []string
	for _, line := range lines {
		seen = append(seen, strings.Join(strings.Fields(line)[1:5], " "))
	}
	for _, n := range []string{"1", "2"} {
		for _, kind := range []string{"none", "nothing", "range", "keys", "in"} {
			want = append(want, "scattered "+n+" "+kind+" 2000")
		}
	}
	if !slices.Equal(seen, want) {
		t.Errorf("%q", seen)
	}
}
