package sqlitescan

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"modernc.org/sqlite/vtab"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
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
	met := map[*rule]int{} // by the row of the table: conditions that found some rows and not all
	files = append(files, writeKinds(t))
	for i, file := range files {
		if i == len(files)-1 {
			rounds *= 200 // on all kinds
		}
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
			where, by := randomCondition(t, db, rng, table, values)
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
			some, err := tryQuery(db, "SELECT count(*) FROM (SELECT 1 FROM p WHERE "+where+limit+")")
			if err != nil && strings.Contains(err.Error(), " is compared with ") { // as SQLite asks for other columns first
				refused++
				continue
			}
			if err != nil {
				t.Fatalf("%s: %s: %v", file, where, err)
			}
			if want := ask(t, db, "SELECT count(*) FROM (SELECT 1 FROM q WHERE "+where+limit+")"); !slices.Equal(some, want) {
				t.Errorf("%s: %s%s: %v rows, want %v", file, where, limit, some, want)
			}
			conditions++
			if 0 < len(want) {
				found++
				met[by]++
			}
		}
		db.Close()
	}
	t.Logf("%d of %d conditions found rows, %d were refused", found, conditions, refused)
	if refused > conditions/10 || found < conditions/5 || found > conditions*9/10 {
		t.Error("want more that find rows, and more that do not")
	}
	for i := range rules {
		if met[&rules[i]] == 0 && !testing.Short() {
			t.Errorf("no condition has met a row of the table: %v", readmeRow(&rules[i]))
		}
	}
}

// writeKinds writes a file with a column of each kind, whose values are few, and at the edges of what texts say.
func writeKinds(t *testing.T) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(42, 7))
	one := func(all ...any) func() any { return func() any { return all[rng.IntN(len(all))] } }
	day := int(24 * time.Hour / time.Microsecond)
	kinds := map[string]struct {
		node  *gen.Node
		value func() any
	}{
		"bool": {gen.Optional("bool", gen.Boolean), one(true, false)},
		"i":    {gen.Optional("i", gen.Int32), one(0, 1, 10, -10, 1<<31-1)},
		"u8":   {gen.Optional("u8", gen.Int32).As(gen.IntType(8, false)), one(0, 1, 10, 255)},
		"u64":  {gen.Optional("u64", gen.Int64).As(gen.IntType(64, false)), one(0, 1, 18, math.MaxInt64, -1, math.MinInt64)},
		"r":    {gen.Optional("r", gen.Double), one(0.0, math.Copysign(0, -1), 0.1, 1.0, 2.5, -1e300, math.NaN(), math.Inf(1))},
		"half": {gen.Optional("half", gen.FixedLenByteArray).Len(2).As(gen.Float16Type()), one("\x00\x3c", "\x00\xc0", "\x00\x00", "\x00\x80", "\x66\x2e", "\x00\x7e", "\x00\x7c", "\xff\x7b")},
		"di":   {gen.Optional("di", gen.Int64).As(gen.DecimalType(18, 0)), one(0, 5, -7, 100_000_000_000_000_000)},
		"dr":   {gen.Optional("dr", gen.Int64).As(gen.DecimalType(12, 2)), one(0, 1, 10, 110, -250, 999999999999)},
		"dt":   {gen.Optional("dt", gen.Int64).As(gen.DecimalType(18, 2)), one(0, 1, 10, 250, -250, 999999999999999999)},
		"day":  {gen.Optional("day", gen.Int32).As(gen.DateType()), one(0, 1, -1, 19723, 19724, 2932896, 2932897)},
		"ts":   {gen.Optional("ts", gen.Int64).As(gen.TimestampType(gen.Micros, true)), one(0, -1, 19723*day, 19723*day+500000, 19723*day+day/2)},
		"s":    {gen.Optional("s", gen.ByteArray).As(gen.StringType()), one("", "a", "A", "ab", "aB_c", "xab%C", "ä", "Äb", "a\\b", "10", "a ", "https://Example.com/a?b=C", "\u212a")},
		"uuid": {gen.Optional("uuid", gen.FixedLenByteArray).Len(16).As(gen.UUIDType()), one("0123456789abcdef", "0123456789abcdeg", strings.Repeat("\x00", 16))},
		"ms":   {gen.Optional("ms", gen.Int32).As(gen.TimeType(gen.Millis, true)), one(0, 500, 1000, day/2000, day/1000-1, day/1000, 360_000_000, -1)},
		"us":   {gen.Optional("us", gen.Int64).As(gen.TimeType(gen.Micros, true)), one(0, 1, 500_000, 43_200_000_000, day-1, 5*day)},
		"ns":   {gen.Optional("ns", gen.Int64).As(gen.TimeType(gen.Nanos, true)), one(0, 1, 43_200_000_000_000)},
		"b":    {gen.Optional("b", gen.ByteArray), one("", "a", "ab", "\x00", "\xff\xff")},
		"gap":  {gen.Optional("gap", gen.FixedLenByteArray).Len(12).As(gen.IntervalType()), one(strings.Repeat("\x00", 12), strings.Repeat("a", 12))},
	}
	var schema []*gen.Node
	rows := make([]any, 150)
	for i := range rows {
		rows[i] = gen.Record{}
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		schema = append(schema, kinds[name].node)
		for i := range rows {
			if rng.IntN(9) > 0 {
				rows[i].(gen.Record)[name] = kinds[name].value()
			}
		}
	}
	return writeRows(t, "kinds.parquet", schema, rows)
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

// signs are the operators that rules are about, and how they are written.
var signs = map[string]vtab.ConstraintOp{
	"=": vtab.OpEQ, "<>": vtab.OpNE, "<": vtab.OpLT, "<=": vtab.OpLE, ">": vtab.OpGT, ">=": vtab.OpGE, "IS": vtab.OpIS, "IS NOT": vtab.OpISNOT,
	"IS NULL": vtab.OpISNULL, "IS NOT NULL": vtab.OpISNOTNULL, "LIKE": vtab.OpLIKE, "GLOB": vtab.OpGLOB,
}

// randomCondition returns one condition, or two, and the row of the table that pushes it alone, if there is one.
func randomCondition(t *testing.T, db *sql.DB, rng *rand.Rand, table *table, values map[int][]string) (text string, by *rule) {
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
	sign, value := []string{"=", "<", "<=", ">", ">=", "IS", "<>", "IS NOT"}[rng.IntN(8)], literal()
	switch rng.IntN(10) {
	case 0:
		one = name + " IN (" + value + ", " + literal() + ", " + literal() + ")"
	case 1:
		sign, value = "LIKE", randomPattern(rng, value, "%", "_")
	case 2:
		sign, value = "GLOB", randomPattern(rng, value, "*", "?")
	case 3:
		sign, value = []string{"IS NULL", "IS NOT NULL"}[rng.IntN(2)], ""
	case 4:
		one = name + " BETWEEN " + value + " AND " + literal()
	case 5:
		one = value + []string{" < ", " >= ", " = "}[rng.IntN(3)] + name + collate
	}
	if one == "" {
		one, by = name+" "+sign+" "+value, c.rule(signs[sign], valueOf(t, db, value))
		if value != "" {
			one += collate
		}
	}
	if rng.IntN(4) == 0 {
		two, _ := randomCondition(t, db, rng, table, values)
		return "(" + one + []string{" AND ", " OR "}[rng.IntN(2)] + two + ")", nil
	}
	return one, by
}

// valueOf returns what SQLite makes of a literal, nil if there is none.
func valueOf(t *testing.T, db *sql.DB, literal string) (v any) {
	t.Helper()
	if literal == "" {
		return nil
	}
	if err := db.QueryRow("SELECT " + literal).Scan(&v); err != nil {
		t.Fatalf("%s: %v", literal, err)
	}
	return v
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
		if c.kind == kindDecimalText && rng.IntN(2) == 0 {
			return []string{"(" + v + " + 0.25)", "2"}[rng.IntN(2)]
		}
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
			return []string{"'_'", "''", "5", "-1e300", "'2000-01-01'", "'1970-01-01 00:00'", "'12:00'", "'12:00:00.50'", "'00:00:00.0010000001'", "'T12:00Z'"}[rng.IntN(10)]
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

// randomPattern returns a pattern that has a part of a literal, if this is a text, often in the other case.
func randomPattern(rng *rand.Rand, literal, many, one string) string {
	if !strings.HasPrefix(literal, "'") || len(literal) < 4 || strings.Contains(literal[1:len(literal)-1], "'") {
		return literal + " || '" + many + "'"
	}
	cut := literal[1 : 2+rng.IntN(len(literal)-2)]
	begin := 0
	if rng.IntN(2) == 0 {
		begin = rng.IntN(len(cut))
	}
	front := []string{many, one, many + one, ""}[rng.IntN(4)]
	if begin == 0 && rng.IntN(2) == 0 {
		front = ""
	}
	cut = strings.TrimSuffix(strings.ToValidUTF8(cut[begin:], ""), "'")
	if rng.IntN(2) == 0 {
		cut = strings.ToUpper(cut)
	}
	if n := len(cut); n > 2 && rng.IntN(3) == 0 {
		cut = strings.ToValidUTF8(cut[:n/2], "") + []string{many, one}[rng.IntN(2)] + strings.ToValidUTF8(cut[n/2+rng.IntN(2):], "")
	}
	return "'" + front + cut + []string{many, one + many, many + one, ""}[rng.IntN(4)] + "'"
}
