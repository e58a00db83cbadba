package sqlitescan

import (
	"database/sql"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// writeRows writes a file with small pages, so that conditions skip some.
func writeRows(t *testing.T, name string, schema []*gen.Node, rows []any) string {
	t.Helper()
	f := gen.File{Schema: schema, RowGroups: []gen.RowGroup{{Rows: rows[:len(rows)/2]}, {Rows: rows[len(rows)/2:]}}, All: gen.Column{PageRows: []int{7}}}
	b, err := f.Write()
	if !filepath.IsAbs(name) {
		name = filepath.Join(t.TempDir(), name)
	}
	if err == nil {
		err = os.WriteFile(name, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// timeTexts returns texts that stand for a moment, and a time.Time.
func timeTexts(rng *rand.Rand, at time.Time) []any {
	zone := time.FixedZone("XYZ", 3600*(rng.IntN(27)-12)+1800*rng.IntN(2))
	all := []any{
		at, at.In(zone), at.Format("2006-01-02 15:04:05.999999999"), at.Format("2006-01-02T15:04:05.999999999"),
		at.Format("2006-01-02 15:04:05.000000000"), at.Format("2006-01-02 15:04:05.999999999Z07:00"),
		at.Format(time.RFC3339Nano), at.In(zone).Format(time.RFC3339Nano), at.In(zone).Format("2006-01-02 15:04:05.999999999-0700"),
		at.Format("2006-01-02T15:04:05.000000000+00:00"), at.Format("2006-01-02t15:04:05.999999999z"),
	}
	if at.Truncate(time.Minute).Equal(at) {
		all = append(all, at.Format("2006-01-02T15:04"), at.Format("2006-01-02 15:04Z07:00"))
	}
	if at.Truncate(24 * time.Hour).Equal(at) {
		all = append(all, at.Format(time.DateOnly))
	}
	return all
}

// TestTimes compares columns of dates and timestamps with moments in all forms. What rows have is compared by Go.
func TestTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	begin := time.Date(2023, 12, 30, 0, 0, 0, 0, time.UTC)
	steps := []time.Duration{24 * time.Hour, 12 * time.Hour, time.Hour, time.Minute, time.Second, 500 * time.Millisecond, time.Microsecond, time.Nanosecond}
	random := func() time.Time {
		at := begin.AddDate(0, 0, rng.IntN(6))
		for _, step := range steps[:rng.IntN(len(steps)+1)] {
			at = at.Add(time.Duration(rng.IntN(2)) * step)
		}
		return at
	}
	units := map[string]time.Duration{"d": 24 * time.Hour, "ms": time.Millisecond, "us": time.Microsecond, "ns": time.Nanosecond, "local": time.Microsecond}
	schema := []*gen.Node{
		gen.Optional("d", gen.Int32).As(gen.DateType()), gen.Optional("ms", gen.Int64).As(gen.TimestampType(gen.Millis, true)),
		gen.Optional("us", gen.Int64).As(gen.TimestampType(gen.Micros, true)), gen.Optional("ns", gen.Int64).As(gen.TimestampType(gen.Nanos, true)),
		gen.Optional("local", gen.Int64).As(gen.TimestampType(gen.Micros, false)),
	}
	var rows []any
	values := map[string][]time.Time{}
	for range 300 {
		row := gen.Record{}
		for name, unit := range units {
			at := random().Truncate(unit)
			values[name] = append(values[name], at)
			if row[name] = int(at.UnixNano() / int64(unit)); name == "d" {
				row[name] = int(at.Unix() / 86400)
			}
		}
		rows = append(rows, row)
	}
	db := open(t, Options{}, Table{"p", writeRows(t, "times.parquet", schema, rows)})
	operators := map[string]func(order int) bool{
		"=": func(o int) bool { return o == 0 }, "<>": func(o int) bool { return o != 0 }, "IS": func(o int) bool { return o == 0 },
		"<": func(o int) bool { return o < 0 }, "<=": func(o int) bool { return o <= 0 },
		">": func(o int) bool { return o > 0 }, ">=": func(o int) bool { return o >= 0 },
	}
	found, refused := 0, 0
	for range dtest.Rounds(t, 20) {
		for name, unit := range units {
			at := random()
			if rng.IntN(2) == 0 {
				at = at.Truncate(unit)
			}
			texts := timeTexts(rng, at)
			value := texts[rng.IntN(len(texts))]
			for op, passes := range operators {
				want := 0
				for _, v := range values[name] {
					if passes(v.Compare(at)) {
						want++
					}
				}
				for _, where := range []string{name + " " + op + " ?", "NOT (NOT " + name + " " + op + " ?)", name + " " + op + " ? AND rowid >= 0"} {
					var got int
					err := db.QueryRow("SELECT count(*) FROM p WHERE "+where, value).Scan(&got)
					if err != nil && strings.Contains(err.Error(), "has an offset from UTC, but the column has no zone") && (name == "d" || name == "local") {
						refused++
						continue
					}
					if err != nil || got != want {
						t.Errorf("%s with %v: %d rows, want %d: %v", where, value, got, want, err)
					}
					found += got
				}
			}
			low, high := values[name][0], values[name][1]
			want := [2]int{}
			for _, v := range values[name] {
				if v.Equal(low) || v.Equal(high) {
					want[0]++
				}
				if v.Compare(low) >= 0 && v.Compare(high) <= 0 {
					want[1]++
				}
			}
			var got [2]int
			err := db.QueryRow("SELECT (SELECT count(*) FROM p WHERE "+name+" IN (?1, ?2)), (SELECT count(*) FROM p WHERE "+name+" BETWEEN ?1 AND ?2)", low, high.Format(time.RFC3339Nano)).Scan(&got[0], &got[1])
			if err != nil || got != want {
				t.Errorf("%s, %v and %v: %v rows, want %v: %v", name, low, high, got, want, err)
			}
		}
	}
	if found == 0 || refused == 0 {
		t.Error(found, refused)
	}
	all, err := db.Query("SELECT d, ms, us, ns, local FROM p ORDER BY rowid")
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	for i := 0; all.Next(); i++ {
		var got [5]time.Time
		if err := all.Scan(&got[0], &got[1], &got[2], &got[3], &got[4]); err != nil {
			t.Fatal(err)
		}
		for k, name := range []string{"d", "ms", "us", "ns", "local"} {
			if !got[k].Equal(values[name][i]) {
				t.Errorf("row %d, column %s: %v, want %v", i, name, got[k], values[name][i])
			}
		}
	}
}

// TestTimeFormats binds a time.Time in each form that the driver can be told to write it in.
func TestTimeFormats(t *testing.T) {
	at := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC)
	name := writeRows(t, "t.parquet", []*gen.Node{gen.Required("ts", gen.Int64).As(gen.TimestampType(gen.Millis, true))}, []any{gen.Record{"ts": int(at.UnixMilli())}, gen.Record{"ts": 0}})
	for _, dsn := range []string{":memory:", ":memory:?_time_format=sqlite", ":memory:?_time_format=datetime", ":memory:?_time_format=string_no_monotonic", ":memory:?_time_integer_format=unix"} {
		c, err := NewConnector(dsn, Options{}, Table{"p", name})
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(c)
		var same, past int
		err = db.QueryRow("SELECT (SELECT count(*) FROM p WHERE ts = ?), (SELECT count(*) FROM p WHERE ts < ?)", at, time.Now()).Scan(&same, &past)
		if numbers := strings.Contains(dsn, "integer"); numbers && (err == nil || !strings.Contains(err.Error(), "which is a number")) || !numbers && (err != nil || same != 1 || past != 2) {
			t.Errorf("%s: %d and %d rows, want 1 and 2: %v", dsn, same, past, err)
		}
		db.Close()
	}
}

// TestTimesOfDay compares TIME columns with texts, and refuses what is no time of day.
func TestTimesOfDay(t *testing.T) {
	schema := []*gen.Node{gen.Required("t", gen.Int64).As(gen.TimeType(gen.Micros, true)), gen.Required("d", gen.Int32).As(gen.DateType())}
	db := open(t, Options{}, Table{"p", writeRows(t, "t.parquet", schema, []any{gen.Record{"t": 43200_000000, "d": 19723}, gen.Record{"t": 43200_500000, "d": 19724}})})
	for _, value := range []any{"12:00", "12:00:00", "12:00:00.000", "T12:00:00Z"} {
		for op, want := range map[string]int{"=": 1, "<=": 1, "<": 0, ">": 1, ">=": 2} {
			var got int
			if err := db.QueryRow("SELECT count(*) FROM p WHERE t "+op+" ?", value).Scan(&got); err != nil || got != want {
				t.Errorf("t %s %v: %d rows, want %d: %v", op, value, got, want, err)
			}
		}
	}
	for _, c := range []struct {
		where, want string
		value       any
	}{
		{"t = ?", "column t is compared with \"2024-01-01", time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC)},
		{"t > ?", "is no time of day", "2024-01-01"},
		{"t < ?", "is a number", 43200},
		{"d >= ?", "column d is compared with 2024, which is a number", 2024},
		{"d >= ?", "is a number", "2024"},
		{"d IN (?, '2024-01-01')", "is a number", 1704067200},
		{"d <> ?", "is no text", []byte("2024-01-01")},
		{"d = ?", "has another form", "2024-1-5"},
		{"d > ?", "has another form", "05.01.2024"},
		{"d < ?", "has another form", "20240105T000000Z"},
	} {
		if _, err := tryQuery(db, "SELECT * FROM p WHERE "+c.where, c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %v: %v", c.where, c.value, err)
		}
	}
	// What SQLite makes of patterns, and starts of dates, are no mistakes.
	for where, want := range map[string]string{
		"d LIKE '2024-%'": "2", "d LIKE '2024-01-0%'": "2", "d GLOB '2024-01-01*'": "1", "d >= '2024-01-02'": "1", "d < '2024-01'": "0",
		"d > '2024-02-31'": "0", "d LIKE 'A%'": "0", "d = ''": "0", "d = 'n/a'": "0", "d > ''": "2", "t LIKE '12:%'": "2",
	} {
		expect(t, db, "SELECT count(*) FROM p WHERE "+where, want)
	}
}

// TestParameters compares what random values find in a Parquet file and in a table of SQLite with the same rows.
func TestParameters(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 2))
	integers := []int{0, 1, -1, 5, 1 << 53, 1<<53 + 1, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1}
	floats := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 0.5, 5, 1 << 53, 1 << 63, -1 << 63, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64}
	texts := []string{"", "0", "5", "5.0", " 5", "abc", "ABC", "abc ", "abd", "é", "ab\x00c", "1e3", "9223372036854775808", "-1"}
	schema := []*gen.Node{
		gen.Optional("i", gen.Int64), gen.Optional("f", gen.Double), gen.Optional("r", gen.Float), gen.Optional("s", gen.ByteArray).As(gen.StringType()),
		gen.Optional("b", gen.ByteArray), gen.Optional("o", gen.Boolean), gen.Optional("e", gen.Int64).As(gen.DecimalType(12, 2)), gen.Optional("g", gen.Int64).As(gen.DecimalType(18, 0)),
	}
	names := []string{"i", "f", "r", "s", "b", "o", "e", "g"}
	var rows []any
	for range 400 {
		row := gen.Record{
			"i": integers[rng.IntN(len(integers))], "f": floats[rng.IntN(len(floats))], "r": float32(floats[rng.IntN(len(floats))]), "s": texts[rng.IntN(len(texts))],
			"b": texts[rng.IntN(len(texts))], "o": rng.IntN(2) == 0, "e": rng.IntN(1000) - 500, "g": integers[rng.IntN(5)],
		}
		delete(row, names[rng.IntN(len(names))])
		rows = append(rows, row)
	}
	db := open(t, Options{}, Table{"p", writeRows(t, "p.parquet", schema, rows)})
	copyOf(t, db)
	value := func() any {
		switch rng.IntN(7) {
		case 0:
			return int64(integers[rng.IntN(len(integers))])
		case 1:
			return floats[rng.IntN(len(floats))]
		case 2:
			return texts[rng.IntN(len(texts))]
		case 3:
			return []byte(texts[rng.IntN(len(texts))])
		case 4:
			return rng.IntN(2) == 0
		case 5:
			return float64(rng.IntN(1000)-500) / 100
		}
		return nil
	}
	operators := []string{"=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT", "LIKE", "GLOB", "= ?1 COLLATE NOCASE OR c = ", "BETWEEN ?2 AND", "IN (?2, ?1) OR c ="}
	found := 0
	for range dtest.Rounds(t, 1500) {
		name := names[rng.IntN(len(names))]
		where := strings.ReplaceAll("c "+operators[rng.IntN(len(operators))]+" ?1 AND ?2 IS ?2", "c ", name+" ")
		if rng.IntN(4) == 0 {
			where = "?1 " + operators[rng.IntN(6)] + " " + name + " AND ?2 IS ?2"
		}
		args := []any{value(), value()}
		got := ask(t, db, "SELECT rowid FROM p WHERE "+where+" ORDER BY 1", args...)
		want := ask(t, db, "SELECT \"#\" FROM q WHERE "+where+" ORDER BY 1", args...)
		if !slices.Equal(got, want) {
			t.Errorf("%s with %v: %d rows, want %d", where, args, len(got), len(want))
		}
		found += len(want)
	}
	if found < 1000 {
		t.Error(found)
	}
}

// copyOf makes the table q of the rows of the table p, with the same declared columns.
func copyOf(t *testing.T, db *sql.DB) {
	t.Helper()
	var file string
	if err := db.QueryRow("SELECT _file FROM p LIMIT 1").Scan(&file); err != nil {
		t.Fatal(err)
	}
	table, err := newModule(Options{}).newTable(t.Context(), []string{file})
	if err != nil {
		t.Fatal(err)
	}
	table.Disconnect()
	copyTable(t, db, table)
}

// TestLargeNumbers compares UINT64 and DECIMAL(20,2) with numbers in digits. In quotes they are exact; without, SQLite
// makes a REAL of them: then the answer is right, or the value is refused.
func TestLargeNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 3))
	schema := []*gen.Node{gen.Required("u", gen.Int64).As(gen.IntType(64, false)), gen.Required("d", gen.FixedLenByteArray).Len(9).As(gen.DecimalType(20, 2))}
	near := []uint64{0, 1, 1 << 53, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<63 + 1024, 1e19, 1e19 + 1, math.MaxUint64 - 1, math.MaxUint64}
	cents := []*big.Int{}
	for _, s := range []string{"0", "1", "-1", "12345678901234567", "1234567890123456789", "-1234567890123456789", "99999999999999999999", "-99999999999999999999", "25", "1000000000000000001"} {
		n, _ := new(big.Int).SetString(s, 10)
		cents = append(cents, n)
	}
	decimal := func(n *big.Int) string { return new(big.Rat).SetFrac(n, big.NewInt(100)).FloatString(2) }
	values := map[string][]*big.Rat{}
	sum := new(big.Rat)
	var rows []any
	for range 200 {
		u, n := near[rng.IntN(len(near))], cents[rng.IntN(len(cents))]
		wide := new(big.Int).Set(n)
		if n.Sign() < 0 {
			wide.Add(wide, new(big.Int).Lsh(big.NewInt(1), 72))
		}
		rows = append(rows, gen.Record{"u": int64(u), "d": string(wide.FillBytes(make([]byte, 9)))})
		d := new(big.Rat).SetFrac(n, big.NewInt(100))
		sum.Add(sum, d)
		values["u"] = append(values["u"], new(big.Rat).SetInt(new(big.Int).SetUint64(u)))
		values["d"] = append(values["d"], d)
	}
	db := open(t, Options{}, Table{"p", writeRows(t, "large.parquet", schema, rows)})
	refused, answered := 0, 0
	for range dtest.Rounds(t, 500) {
		name, text := "u", strconv.FormatUint(near[rng.IntN(len(near))], 10)
		switch rng.IntN(4) {
		case 0:
			text = new(big.Int).Add(big.NewInt(int64(rng.IntN(3)-1)), new(big.Int).Lsh(big.NewInt(1), 64)).String()
		case 1, 2:
			name, text = "d", decimal(cents[rng.IntN(len(cents))])
		}
		at, _ := new(big.Rat).SetString(text)
		op := []string{"=", "<>", "<", "<=", ">", ">=", "IN", "BETWEEN", "= ? OR", "IN OR", "NOT IN", "NOT IN SELECT"}[rng.IntN(12)]
		want := 0
		for _, v := range values[name] {
			order := v.Cmp(at)
			pass := map[string]bool{"=": order == 0, "<>": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0, "IN": order == 0, "BETWEEN": order == 0, "= ? OR": order == 0, "IN OR": order == 0}[op]
			if pass || strings.HasPrefix(op, "NOT") && order != 0 {
				want++
			}
		}
		for _, literal := range []string{text, "'" + text + "'"} {
			where := name + " " + op + " " + literal
			// Lists of three values SQLite looks up by itself, beside OR and NOT, and shows the scan nothing to refuse.
			list := " IN (" + literal + ", -1234, '-1235')"
			if _, err := strconv.ParseInt(literal, 10, 64); err != nil && literal == text && (op == "IN OR" || strings.HasPrefix(op, "NOT")) {
				continue
			}
			switch op {
			case "IN OR":
				where = name + list + " OR abs(" + name + ") = -1"
			case "NOT IN":
				where = name + " NOT" + list
			case "NOT IN SELECT":
				where = name + " NOT IN (SELECT " + literal + ")"
			case "IN":
				where = name + " IN (" + literal + ", -1234)"
			case "BETWEEN":
				where = name + " BETWEEN " + literal + " AND " + literal
			case "= ? OR":
				where = name + " = " + literal + " OR " + name + " = -1234"
			}
			var got int
			err := db.QueryRow("SELECT count(*) FROM p WHERE " + where).Scan(&got)
			if err != nil && literal == text && strings.Contains(err.Error(), "column "+name+" is compared with ") && strings.Contains(err.Error(), "REAL") {
				refused++
				continue
			}
			if answered++; err != nil || got != want {
				t.Errorf("%s: %d rows, want %d: %v", where, got, want, err)
			}
		}
	}
	if refused == 0 || answered < refused {
		t.Error(refused, answered)
	}
	expect(t, db, "SELECT decimal_sum(d) FROM p", fmt.Sprintf("%q", sum.FloatString(2)))
	expect(t, db, "SELECT decimal_sum(d) OVER (ORDER BY rowid ROWS 1 PRECEDING) FROM p LIMIT 1 OFFSET 1", fmt.Sprintf("%q", new(big.Rat).Add(values["d"][0], values["d"][1]).FloatString(2)))
	expect(t, db, "SELECT decimal_sum(x) FROM (SELECT 0.1 AS x UNION ALL SELECT 2 UNION ALL SELECT '-0.05' UNION ALL SELECT NULL)", `"2.05"`)
	expect(t, db, "SELECT decimal_sum(d) FROM p WHERE d = '7'", "NULL")
	if _, err := tryQuery(db, "SELECT decimal_sum('1e5')"); err == nil || !strings.Contains(err.Error(), `"1e5" is no decimal`) {
		t.Error(err)
	}
}
