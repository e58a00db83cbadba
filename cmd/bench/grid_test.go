package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/gen"
)

// A grid has a line for each cell, with the rows that pass.
func TestGrid(t *testing.T) {
	var rows []any
	for i := range 1000 {
		rows = append(rows, gen.Record{"l_orderkey": i / 4, "l_partkey": i * 7919 % 1000, "l_extendedprice": float64(i)})
	}
	file := gen.File{
		Schema:    []*gen.Node{gen.Required("l_orderkey", gen.Int64), gen.Required("l_partkey", gen.Int64), gen.Required("l_extendedprice", gen.Double)},
		RowGroups: []gen.RowGroup{{Rows: rows}, {Rows: rows}},
	}
	b, err := file.Write()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "li.parquet")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"grid", "--pairs", "1", "--columns", "1,2", "--shares", "1,50,100", path}, &out, &errs)
	if errs.Len() > 0 || code == exitUsage {
		t.Fatalf("code %d, %s", code, errs.String())
	}
	lines := strings.Split(out.String(), "\n")
	for i, want := range []string{
		"clustered 1 1 12", "clustered 1 50 504", "clustered 1 100 1000", "clustered 2 1 12", "clustered 2 50 504", "clustered 2 100 1000",
		"scattered 1 1 11", "scattered 1 50 501", "scattered 1 100 1000", "scattered 2 1 11", "scattered 2 50 501", "scattered 2 100 1000",
	} {
		if f := strings.Fields(lines[i+1]); len(f) < 9 || f[0] != "li" || fmt.Sprint(f[1], " ", f[2], " ", f[3], " ", f[4]) != want {
			t.Errorf("line %d is %q, want li %s", i, lines[i+1], want)
		}
	}
}
