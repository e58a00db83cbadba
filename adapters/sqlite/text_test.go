package sqlitescan

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// textsOf returns all texts of up to n letters.
func textsOf(letters []string, n int) []string {
	all, last := []string{""}, []string{""}
	for range n {
		var next []string
		for _, s := range last {
			for _, l := range letters {
				next = append(next, s+l)
			}
		}
		all, last = append(all, next...), next
	}
	return all
}

// openTexts returns tables p, of Parquet, and q, of SQLite, with the same texts s.
func openTexts(t *testing.T, texts []string) *sql.DB {
	t.Helper()
	var rows []any
	for _, s := range texts {
		rows = append(rows, gen.Record{"s": s})
	}
	f := gen.File{Schema: []*gen.Node{gen.Required("s", gen.ByteArray).As(gen.StringType())}, RowGroups: []gen.RowGroup{{Rows: rows}}, All: gen.Column{PageRows: []int{20}}}
	b, err := f.Write()
	name := filepath.Join(t.TempDir(), "texts.parquet")
	if err == nil {
		err = os.WriteFile(name, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, Options{}, Table{"p", name})
	if _, err := db.Exec("CREATE TEMP TABLE q AS SELECT s FROM p"); err != nil {
		t.Fatal(err)
	}
	return db
}

// TestTexts compares texts in each collation of SQLite, where the letters are those by which
// collations differ.
func TestTexts(t *testing.T) {
	texts := textsOf([]string{"a", "A", "Z", "_", " ", "\t", "\x00", "é"}, 2)
	texts = append(texts, "aaaaaaa", "AAAAaaa", "aaaaaaA ", "a\x00a", "_A_a", "z", "{", "[a", "[A")
	db := openTexts(t, texts)
	for _, op := range []string{"=", "<", "<=", ">", ">=", "IS"} {
		for _, collation := range []string{"BINARY", "NOCASE", "RTRIM"} {
			var find [2]*sql.Stmt
			for i, table := range []string{"p", "q"} {
				var err error
				if find[i], err = db.Prepare(fmt.Sprintf("SELECT count(*), group_concat(hex(s)) FROM %s WHERE s %s ? COLLATE %s", table, op, collation)); err != nil {
					t.Fatal(err)
				}
			}
			for _, s := range texts {
				var n [2]int
				var found [2]sql.NullString
				for i := range find {
					if err := find[i].QueryRow(s).Scan(&n[i], &found[i]); err != nil {
						t.Fatal(err)
					}
				}
				if n[0] != n[1] || found[0] != found[1] {
					t.Errorf("s %s %q COLLATE %s: %d, want %d", op, s, collation, n[0], n[1])
				}
			}
			find[0].Close()
			find[1].Close()
		}
	}
}

// TestTextPatterns compares what short patterns find.
func TestTextPatterns(t *testing.T) {
	texts := textsOf([]string{"a", "A", "b", "é", "%", "\x00"}, 3)
	db := openTexts(t, append(texts, "abababab", "ABABABAB", "a\\b", "\xffab", "ab\xff", "\u212a", "k"))
	rng := rand.New(rand.NewPCG(42, 8))
	letters := map[string][]string{"LIKE": {"a", "B", "%", "_", "É", "\\", "k", "\ufffd"}, "GLOB": {"a", "B", "*", "?", "[a-b]", "[", "%", "_"}}
	for word, letters := range letters {
		found := 0
		for range dtest.Rounds(t, 400) {
			pattern := ""
			for range 1 + rng.IntN(5) {
				pattern += letters[rng.IntN(len(letters))]
			}
			text := "SELECT count(*), group_concat(hex(s)) FROM %s WHERE s " + word + " ?"
			got := ask(t, db, fmt.Sprintf(text, "p"), pattern)
			if want := ask(t, db, fmt.Sprintf(text, "q"), pattern); !slices.Equal(got, want) {
				t.Errorf("%s %q: %v, want %v", word, pattern, got, want)
			} else if want[0] != "0 NULL" {
				found++
			}
		}
		if found < 50 && !testing.Short() {
			t.Errorf("%s: only %d patterns have found texts", word, found)
		}
	}
}

// TestTextLookups joins by texts in each collation, with an index.
func TestTextLookups(t *testing.T) {
	db := openTexts(t, textsOf([]string{"a", "A", "b", " ", "_"}, 3))
	for _, collation := range []string{"BINARY", "NOCASE", "RTRIM"} {
		text := "SELECT count(*) FROM q AS a CROSS JOIN %s AS b ON b.s = a.s COLLATE " + collation
		got := ask(t, db, fmt.Sprintf(text, "p"))
		if want := ask(t, db, fmt.Sprintf(text, "q")); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", collation, got, want)
		}
	}
}

// TestRoughDecimals looks for decimals by numbers a hair's breadth away: SQLite has decimals of many digits
// as texts, and writes a number with 15 digits before it compares it with a text.
func TestRoughDecimals(t *testing.T) {
	db := open(t, Options{}, Table{"p", samples + "writers/duckdb_v2.parquet"})
	table, err := newModule(Options{}).newTable(t.Context(), []string{samples + "writers/duckdb_v2.parquet"})
	if err != nil {
		t.Fatal(err)
	}
	table.Disconnect()
	copyTable(t, db, table)
	var found int
	for _, hair := range []string{"1.0000000000000002", "0.9999999999999999", "1"} {
		for _, op := range []string{"=", "<=", ">=", "<", ">"} {
			value := "(+a.v * " + hair + ")"
			if op == "=" {
				value = "CAST" + strings.Replace(value, ")", " AS TEXT)", 1)
			}
			text := "SELECT count(*) FROM (SELECT DISTINCT amount AS v FROM q LIMIT 25) AS a CROSS JOIN %s AS b WHERE b.amount " + op + " " + value
			got, want := ask(t, db, fmt.Sprintf(text, "p")), ask(t, db, fmt.Sprintf(text, "q"))
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: %v, want %v", op, hair, got, want)
			}
			found += len(want)
		}
	}
	expect(t, db, "SELECT count(*), count(DISTINCT amount), min(amount), max(amount) FROM p", ask(t, db, "SELECT count(*), count(DISTINCT amount), min(amount), max(amount) FROM q")...)
	if found != 15 {
		t.Error(found)
	}
}

// TestNULInValue: a text with a NUL differs from what is in front of the NUL, and is no number.
func TestNULInValue(t *testing.T) {
	file := writeRows(t, "nul.parquet", []*gen.Node{gen.Optional("s", gen.ByteArray).As(gen.StringType()), gen.Optional("k", gen.Int64)}, []any{
		gen.Record{"s": "a", "k": 10}, gen.Record{"s": "a\x00b", "k": 11}, gen.Record{"s": "", "k": 10}, gen.Record{"s": "\x00"},
	})
	db := open(t, Options{}, Table{"p", file})
	table, err := newModule(Options{}).newTable(context.Background(), []string{file})
	if err != nil {
		t.Fatal(err)
	}
	table.Disconnect()
	copyTable(t, db, table)
	for _, value := range []string{"610062", "6100", "00", "31300078", "313000"} {
		for sign := range signs {
			for _, column := range []string{"s", "k"} {
				where := column + " " + sign + " CAST(X'" + value + "' AS TEXT)"
				if strings.HasSuffix(sign, "NULL") {
					where = column + " " + sign
				}
				got, want := ask(t, db, "SELECT rowid FROM p WHERE "+where), ask(t, db, "SELECT \"#\" FROM q WHERE "+where)
				if !slices.Equal(got, want) {
					t.Errorf("%s: rows %v, want %v", where, got, want)
				}
			}
		}
	}
}
