package sqlitescan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// TestReadme holds what the README shows against the examples, which run.
func TestReadme(t *testing.T) { dtest.ShownLines(t, "README.md", "sqlitescan.", "example_test.go") }

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
