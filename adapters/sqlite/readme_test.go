package sqlitescan

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// TestReadme holds what the README shows against the examples, which run.
func TestReadme(t *testing.T) { dtest.ShownLines(t, "README.md", "sqlitescan.", "example_test.go") }

// TestReadmeTable holds the README's table of what reaches the scan against the rules.
func TestReadmeTable(t *testing.T) {
	table := "| columns | in SQL | value | for example | in the scan |\n|---|---|---|---|---|\n"
	for i := range rules {
		table += "| " + strings.Join(readmeRow(&rules[i]), " | ") + " |\n"
	}
	dtest.Table(t, "README.md", table)
}

// readmeRow returns a row of the table.
func readmeRow(r *rule) []string {
	names := []string{
		kindNested: "lists, maps, structs", kindNull: "UNKNOWN", kindBool: "BOOLEAN", kindInteger: "INT, UINT(8…32)", kindUint64: "UINT(64)",
		kindReal: "FLOAT, DOUBLE, FLOAT16", kindDecimalInteger: "DECIMAL(≤ 18, 0)", kindDecimalReal: "DECIMAL(≤ 15, s)",
		kindDecimalText: "other DECIMAL", kindDate: "DATE", kindTimestamp: "TIMESTAMP, INT96", kindText: "STRING, ENUM, JSON",
		kindUUID: "UUID", kindTime: "TIME", kindBlob: "bytes, BSON", kindOther: "other bytes",
	}
	values := map[kind]any{
		kindUint64: "18446744073709551615", kindDate: "2024-01-31", kindTime: "12:00", kindUUID: "0000000a-0000-0000-0000-00000000000a", kindText: "ab", kindBlob: []byte{10},
	}
	var of, ops []string
	var example kind
	for k, name := range names {
		if r.kinds>>k&1 != 0 {
			of = append(of, name)
			if example == 0 {
				example = kind(k)
			}
		}
	}
	columns := strings.Join(of, ", ")
	if len(of) > int(kinds)/2 {
		columns = "all"
		for k, name := range names {
			if r.kinds>>k&1 == 0 {
				columns += ", but not " + name
			}
		}
	}
	for _, sign := range []string{"=", "<>", "<", "<=", ">", ">=", "IS NULL", "IS NOT NULL", "LIKE", "GLOB"} {
		if r.ops>>signs[sign]&1 != 0 {
			ops = append(ops, sign)
		}
	}
	c, sign, v := column{path: "x", kind: example}, ops[len(ops)-1], values[example]
	typ := ""
	switch r.value.(type) {
	case int64:
		typ, v = "INTEGER", int64(len(of)) // 1 for BOOLEAN
	case float64:
		typ, v = "REAL", 2.5
	case string:
		typ = "TEXT"
	case []byte:
		typ = "BLOB"
	}
	switch sign {
	case "LIKE":
		v = "%ab_c%"
	case "GLOB":
		v = "ab*c[de]"
	}
	if slices.Contains(ops, "=") && len(ops) < 3 {
		sign = "="
	}
	literal := ""
	switch x := v.(type) {
	case string:
		literal = " '" + x + "'"
	case []byte:
		literal = fmt.Sprintf(" x'%x'", x)
	default:
		literal = fmt.Sprint(" ", x)
	}
	if r.value == nil {
		literal = ""
	}
	expr := r.expr(&c, signs[sign], v).String()
	return []string{columns, "`" + strings.Join(ops, " ") + "`", typ, "`x " + sign + literal + "`", "`" + expr + "`"}
}

// TestReadmeSQL runs the SQL that the README shows, on a log of two years.
func TestReadmeSQL(t *testing.T) {
	blocks := dtest.Blocks(t, "README.md", "sql")
	log, err := os.ReadFile(samples + "weblog.parquet")
	if err != nil || len(blocks) != 1 {
		t.Fatal(len(blocks), err)
	}
	t.Chdir(t.TempDir())
	for _, year := range []string{"2023", "2024"} {
		folder := filepath.Join("log", "year="+year)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "all.parquet"), log, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	db := open(t, Options{})
	var got []string
	for statement := range strings.SplitSeq(strings.TrimSpace(blocks[0]), "\n") {
		got = append(got, ask(t, db, statement)...)
	}
	if want := []string{"20000", "1802"}; !slices.Equal(got, want) { // by DuckDB
		t.Errorf("got %v, want %v", got, want)
	}
}
