package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/gen"
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

// table runs a command that prints one, and returns its lines.
func table(t *testing.T, args ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), args, &out, &errs)
	if errs.Len() > 0 || code == exitUsage {
		t.Fatalf("code %d, %s", code, errs.String())
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if over := strings.HasPrefix(lines[len(lines)-1], "0 "); over != (code == exitOK) {
		t.Errorf("code %d behind %q", code, lines[len(lines)-1])
	}
	return lines
}

// A grid has a line for each cell, with the rows that pass.
func TestGrid(t *testing.T) {
	lines := table(t, "grid", "--pairs", "1", "--columns", "1,2", "--shares", "1,50,100", gridFile(t))
	for i, want := range []string{
		"clustered 1 1 12", "clustered 1 50 504", "clustered 1 100 1000", "clustered 2 1 12", "clustered 2 50 504", "clustered 2 100 1000",
		"scattered 1 1 11", "scattered 1 50 501", "scattered 1 100 1000", "scattered 2 1 11", "scattered 2 50 501", "scattered 2 100 1000",
	} {
		if f := strings.Fields(lines[i+1]); len(f) < 10 || f[9] != "1" || f[0] != "li" || fmt.Sprint(f[1], " ", f[2], " ", f[3], " ", f[4]) != want {
			t.Errorf("line %d is %q, want li %s", i, lines[i+1], want)
		}
	}
}

// With --force a cell has the time of its best rival, and which that is.
func TestGridForce(t *testing.T) {
	for list, names := range map[string]string{"all": strategyNames(), "gather,eager": "gather,eager"} {
		lines := table(t, "grid", "--force", list, "--pairs", "2", "--columns", "2", "--shares", "50", gridFile(t))
		if len(lines) != 4 {
			t.Fatalf("%d lines", len(lines))
		}
		for i, want := range []string{"clustered 2 50 504", "scattered 2 50 501"} {
			f := strings.Fields(lines[i+1])
			if len(f) != 10 || fmt.Sprint(f[1], " ", f[2], " ", f[3], " ", f[4]) != want || !slices.Contains(strings.Split(names, ","), f[9]) {
				t.Errorf("line %d is %q, want li %s and one of %s", i, lines[i+1], want, names)
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
func TestCompete(t *testing.T) {
	f, err := scanner.Open(t.Context(), gridFile(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	own := scanOptions{Options: scanner.Options{Select: []string{"l_orderkey"}, Filter: filter.Col("l_orderkey").Ge(0)}}
	slow := own
	slow.BatchRows = 1
	d, err := compete(t.Context(), f, own, []rival{{"slow", slow}, {"same", own}}, 8)
	if err != nil || d.rows != 2000 || d.name != "same" || len(d.times) != 2 || d.times[0] < d.times[1] {
		t.Errorf("%+v, %v", d, err)
	}
	if d.ratio = 1.11; !d.over(mostOfBest) {
		t.Error("1.11 is not over 1.10")
	}
	other := own
	other.Filter = filter.Col("l_orderkey").Gt(0)
	if _, err := compete(t.Context(), f, own, []rival{{"other", other}}, 1); err == nil || !strings.Contains(err.Error(), "2000 rows, and 1992 in another way") {
		t.Errorf("other rows: %v", err)
	}
}

// Orders has a line for each order of a condition's parts.
func TestOrders(t *testing.T) {
	path := gridFile(t)
	list := filepath.Join(t.TempDir(), "list.json")
	text := `{"workloads": [{"name": "three", "file": "li.parquet", "project": ["l_orderkey"], "where": {"and": [
		{"op": "ge", "col": "l_orderkey", "value": 10}, {"op": "lt", "col": "l_partkey", "value": 900}, {"op": "ge", "col": "l_extendedprice", "value": 1.5}]}},
		{"name": "one", "file": "li.parquet", "where": {"op": "ge", "col": "l_orderkey", "value": 10}}]}`
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	lines := table(t, "orders", "--workloads", list, "--data", filepath.Dir(path), "--only", "three", "--pairs", "1")
	var seen []string
	for _, line := range lines[2:8] {
		seen = append(seen, strings.Join(strings.Fields(line)[:4], " "))
	}
	slices.Sort(seen)
	want := []string{"order [0 1 2]", "order [0 2 1]", "order [1 0 2]", "order [1 2 0]", "order [2 0 1]", "order [2 1 0]"}
	if len(lines) != 9 || !slices.Equal(seen, want) {
		t.Errorf("%q", lines)
	}
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"orders", "--workloads", list, "--data", filepath.Dir(path), "--only", "one"}, &out, &errs); code != exitUsage || !strings.Contains(errs.String(), "one: no And") {
		t.Errorf("one: code %d, %s", code, &errs)
	}
}

// Runtime has a line for each kind of filter, and all rows.
func TestRuntime(t *testing.T) {
	lines := table(t, "runtime", "--pairs", "1", "--columns", "1,2", gridFile(t))
	var seen []string
	for _, line := range lines[1 : len(lines)-1] {
		f := strings.Fields(line)
		seen = append(seen, strings.Join(f[1:5], " "))
	}
	var want []string
	for _, n := range []string{"1", "2"} {
		for _, kind := range []string{"none", "nothing", "range", "keys", "in"} {
			want = append(want, "scattered "+n+" "+kind+" 2000")
		}
	}
	if !slices.Equal(seen, want) {
		t.Errorf("%q", seen)
	}
}
