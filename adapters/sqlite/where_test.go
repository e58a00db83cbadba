package sqlitescan

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// TestWhere compares what conditions find in Parquet files with what they find in tables of
// SQLite with the same rows and the same declared columns, where they are evaluated by SQLite
// alone.
func TestWhere(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.parquet", "writers/*.parquet", "shapes/*.parquet"} {
		found, err := filepath.Glob(samples + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	conditions, found, refused, rounds := 0, 0, 0, dtest.Rounds(t, 40)
	for i, file := range files {
		rng := rand.New(rand.NewPCG(uint64(i), 6))
		db := open(t, Options{}, Table{"p", file})
		table, err := newModule(Options{}).newTable(context.Background(), []string{file})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		table.Disconnect()
		if len(table.columns) == 0 {
			continue
		}
		copyTable(t, db, table)
		values := map[int][]string{}
		for range rounds {
			where := randomCondition(t, db, rng, table, values)
			got, err := tryQuery(db, "SELECT rowid FROM p WHERE "+where+" ORDER BY rowid")
			if err != nil && strings.Contains(err.Error(), " is compared with ") {
				refused++
				continue
			}
			if err != nil {
				t.Fatalf("%s: %s: %v", file, where, err)
			}
			want := ask(t, db, "SELECT \"#\" FROM q WHERE "+where+" ORDER BY 1")
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s: %d rows, want %d", file, where, len(got), len(want))
			}
			limit := fmt.Sprintf(" LIMIT %d OFFSET %d", rng.IntN(20), rng.IntN(5))
			some := ask(t, db, "SELECT count(*) FROM (SELECT 1 FROM p WHERE "+where+limit+")")
			if want := ask(t, db, "SELECT count(*) FROM (SELECT 1 FROM q WHERE "+where+limit+")"); !slices.Equal(some, want) {
				t.Errorf("%s: %s%s: %v rows, want %v", file, where, limit, some, want)
			}
			conditions++
			if 0 < len(want) {
				found++
			}
		}
		db.Close()
	}
	t.Logf("%d of %d conditions found rows, %d were refused", found, conditions, refused)
	if refused > conditions/10 || found < conditions/5 || found > conditions*9/10 {
		t.Error("want more that find rows, and more that do not")
	}
}

// copyTable makes the table q of SQLite, with the rows of p and their rowids, #.
func copyTable(t *testing.T, db *sql.DB, table *table) {
	t.Helper()
	var lines []string
	for i := range table.columns {
		lines = append(lines, table.columns[i].declaration())
	}
	for _, text := range []string{"CREATE TEMP TABLE q(\"#\" INTEGER, " + strings.Join(lines, ", ") + ")", "INSERT INTO q SELECT rowid, * FROM p"} {
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// randomCondition returns one condition, or two.
func randomCondition(t *testing.T, db *sql.DB, rng *rand.Rand, table *table, values map[int][]string) string {
	t.Helper()
	i := rng.IntN(len(table.columns))
	c := &table.columns[i]
	if values[i] == nil {
		values[i] = append(ask(t, db, "SELECT quote("+quoteName(c.name)+") FROM q ORDER BY random() LIMIT 20"), `"NULL"`)
	}
	literal := func() string { return randomLiteral(rng, c, values[i][rng.IntN(len(values[i]))]) }
	name := quoteName(c.name)
	collate := ""
	if c.kind != kindUint64 && c.kind != kindDecimalText {
		collate = []string{"", "", "", " COLLATE NOCASE", " COLLATE RTRIM"}[rng.IntN(5)]
	}
	var one string
	switch rng.IntN(10) {
	case 0:
		one = name + " IN (" + literal() + ", " + literal() + ", " + literal() + ")"
	case 1:
		one = name + " LIKE " + randomPattern(rng, literal(), "%", "_")
	case 2:
		one = name + " GLOB " + randomPattern(rng, literal(), "*", "?")
	case 3:
		one = name + []string{" IS NULL", " IS NOT NULL"}[rng.IntN(2)]
	case 4:
		one = name + " BETWEEN " + literal() + " AND " + literal()
	case 5:
		one = literal() + []string{" < ", " >= ", " = "}[rng.IntN(3)] + name + collate
	default:
		one = name + []string{" = ", " < ", " <= ", " > ", " >= ", " IS ", " <> "}[rng.IntN(7)] + literal() + collate
	}
	if rng.IntN(4) == 0 {
		return "(" + one + []string{" AND ", " OR "}[rng.IntN(2)] + randomCondition(t, db, rng, table, values) + ")"
	}
	return one
}

// randomLiteral returns a value of the column, or something near it or of another type. quoted is
// as ask shows a value of quote.
func randomLiteral(rng *rand.Rand, c *column, quoted string) string {
	var v string
	if _, err := fmt.Sscanf(quoted, "%q", &v); err != nil {
		return "NULL"
	}
	if strings.HasPrefix(v, "'") {
		inner := v[1 : len(v)-1]
		switch rng.IntN(9) {
		case 0:
			return "'" + strings.ToUpper(inner) + "'"
		case 1:
			return "'" + strings.ToLower(inner) + "  '"
		case 2:
			return "'" + inner + "!'"
		case 3:
			cut := inner[:rng.IntN(len(inner)+1)]
			if strings.Count(cut, "'")%2 == 0 {
				return "'" + strings.ToValidUTF8(cut, "") + "'"
			}
		case 4:
			return "CAST(" + v + " AS BLOB)"
		case 5:
			return []string{"'_'", "''", "5", "-1e300", "'2000-01-01'", "'1970-01-01 00:00'"}[rng.IntN(6)]
		}
		return v
	}
	if strings.HasPrefix(v, "X") || v == "NULL" {
		return v
	}
	switch rng.IntN(8) {
	case 0:
		return "(" + v + " + 1)"
	case 1:
		return "(" + v + " - 0.5)"
	case 2:
		return "'" + v + "'"
	case 3:
		return "CAST(" + v + " AS REAL)"
	case 4:
		return []string{"9e999", "-9e999", "1e18", "9223372036854775807", "-9223372036854775808", "9.3e18", "1e-300", "0.1", "1", "0", "NULL", "'x'"}[rng.IntN(12)]
	case 5:
		return "round(" + v + ", 1)"
	}
	return v
}

// randomPattern returns a pattern that begins like a literal, if this is a text.
func randomPattern(rng *rand.Rand, literal, many, one string) string {
	if !strings.HasPrefix(literal, "'") || len(literal) < 4 || strings.Contains(literal[1:len(literal)-1], "'") {
		return literal + " || '" + many + "'"
	}
	cut := strings.ToValidUTF8(literal[1:2+rng.IntN(len(literal)-2)], "")
	cut = strings.TrimSuffix(cut, "'")
	if rng.IntN(2) == 0 {
		cut = strings.ToUpper(cut)
	}
	return "'" + cut + []string{many, one + many, many + one, ""}[rng.IntN(4)] + "'"
}
