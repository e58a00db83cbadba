package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// TestSQL runs queries, in several formats, and compares some with other commands.
func TestSQL(t *testing.T) {
	lineitems, orders := "'"+samples+"lineitems.parquet'", "'"+samples+"orders.parquet'"
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "year=2024"), 0o755); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(samples + "weblog.parquet")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "year=2024", "log.parquet"), b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, format, want string }{
		{"SELECT count(*) AS n, sum(quantity) FROM " + lineitems, "jsonl", `{"n":20000,"sum(quantity)":507586}` + "\n"},
		{"SELECT order_id, count(*) AS n FROM " + orders + " AS o JOIN " + lineitems + " ON order_key = o.order_id WHERE order_id IN (2000, 2001, 2004) GROUP BY 1", "csv",
			"order_id,n\n2000,4\n2004,2\n"},
		{"SELECT count(*) AS n FROM " + orders + ", " + lineitems + " WHERE order_key = order_id AND order_id BETWEEN 2000 AND 2006", "tsv", "n\n6\n"},
		{"SELECT DISTINCT year FROM '" + dir + "'", "csv", "year\n2024\n"},
		{"SELECT DISTINCT year FROM '" + dir + "/*/*.parquet' -- FROM 'nowhere'\n", "csv", "year\n2024\n"},
		{"SELECT 1 AS a, 2.5 AS b, 'x,y' AS c, NULL AS d, x'00ff' AS e UNION ALL SELECT 2, 3, 4, 5, 6", "csv", "a,b,c,d,e\n1,2.5,\"x,y\",,AP8=\n2,3,4,5,Ng==\n"},
		{"SELECT 1 AS a WHERE 0", "csv", "a\n"},
		{"SELECT time, date(time) AS day FROM '" + samples + "weblog.parquet' LIMIT 1", "csv", "time,day\n2024-06-10 06:13:20.421587,2024-06-10\n"},
		{"SELECT max(ship_date) AS text, ship_date FROM " + lineitems + " WHERE ship_date >= '1995-01-01T00:00:00Z' AND ship_date <= '1995-01-01'", "csv",
			"text,ship_date\n1995-01-01,1995-01-01\n"},
		{"SELECT return_flag AS f, count(*) AS n FROM " + lineitems + " GROUP BY 1 ORDER BY 1 LIMIT 2", "table", "f      n\nA   4871\nN  10253\n"},
	} {
		code, out, errors := scan(t, "sql", "--format", c.format, c.query)
		if code != 0 || out != c.want {
			t.Errorf("%s: exit code %d\n%s%s\nwant\n%s", c.query, code, out, errors, c.want)
		}
	}
	for _, c := range []struct {
		query string
		code  int
		want  string
	}{
		{"SELECT * FROM 'no.parquet'", 1, "no.parquet: no such file"},
		{"SELECT * FROM " + lineitems + " WHERE", 1, "incomplete input"},
		{"SELECT count(*) FROM '" + samples + "bad/footer_garbage.parquet'", 1, "footer_garbage.parquet"},
		{"SELECT * FROM '" + samples + "bad/crc_v1.parquet'", 1, "crc_v1.parquet"},
		{"CREATE TABLE t(a)", 1, "no SELECT"},
		{"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT iif(i < 5000, i, 'x') AS v FROM n", 1, "row 5000 has another type"},
	} {
		code, _, errors := scan(t, "sql", c.query)
		if code != c.code || !strings.Contains(errors, c.want) || strings.Count(errors, "\n") != 1 {
			t.Errorf("%s: exit code %d, %s", c.query, code, errors)
		}
	}
	if code, _, errors := scan(t, "sql", "SELECT", "1"); code != 2 || !strings.Contains(errors, "which query?") {
		t.Errorf("two arguments: exit code %d, %s", code, errors)
	}
}

// TestSQLOfEncryptedFiles asks a file with its keys and its AAD prefix, and without.
func TestSQLOfEncryptedFiles(t *testing.T) {
	dir := t.TempDir()
	file, keys := filepath.Join(dir, "secret.parquet"), filepath.Join(dir, "keys")
	b, err := (&gen.File{
		Schema:     []*gen.Node{gen.Required("k", gen.Int64)},
		RowGroups:  []gen.RowGroup{{Rows: []any{gen.Record{"k": int64(40)}, gen.Record{"k": int64(2)}}}},
		Encryption: &gen.Encryption{Footer: gen.Key{Bytes: "0123456789abcdef"}, Prefix: "May", HidePrefix: true},
	}).Write()
	if err == nil {
		err = os.WriteFile(file, b, 0o600)
	}
	if err == nil {
		err = os.WriteFile(keys, []byte("footer 30313233343536373839616263646566"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, flags, want string
		code              int
	}{
		{file, "--aad-prefix May --keys " + keys, "{\"sum(k)\":42}\n", 0},
		{file, "--aad-prefix June --keys " + keys, "wrong key, or altered", 1},
		{file, "--keys " + keys, "AAD prefix", 1},
		{file, "", "no keys are given", 1},
		{samples + "lineitems.parquet", "--keys " + keys, "the file is not encrypted, and it must be", 1},
	} {
		args := append([]string{"sql", "--format", "jsonl"}, strings.Fields(c.flags)...)
		code, out, errors := scan(t, append(args, "SELECT sum(k) FROM '"+c.file+"'")...)
		if code != c.code || !strings.Contains(out+errors, c.want) {
			t.Errorf("%s of %s: exit code %d, %s%s", c.flags, c.file, code, out, errors)
		}
	}
}

// TestSQLFormats writes an answer as Parquet, and asks it.
func TestSQLFormats(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.parquet")
	query := "SELECT order_key, comment, discount * 2 AS twice FROM '" + samples + "lineitems.parquet'"
	if code, _, errors := scan(t, "sql", "-o", out, query); code != 0 {
		t.Fatal(errors)
	}
	_, want, _ := scan(t, "sql", "--format", "jsonl", query)
	_, got, errors := scan(t, "cat", "--format", "jsonl", out)
	if got != want || strings.Count(want, "\n") != 20000 {
		t.Errorf("%d bytes came back, want %d: %s", len(got), len(want), errors)
	}
}

func TestFileNames(t *testing.T) {
	for query, want := range map[string]string{
		`SELECT 'a' FROM 'b'`:                                 "[{b true}]",
		`select * from'b'join /* FROM 'c' */ 'it''s' on 1`:    "[{b true} {it's true}]",
		`SELECT x FROM 'b', 'c' WHERE y IN ('d', 'e')`:        "[{b true} {c false} {e false}]",
		"SELECT \"FROM\" 'b', [from], `FROM 'x'` -- FROM 'c'": "[]",
		`SELECT 'FROM ''b''' FROM (SELECT 1)`:                 "[]",
		`SELECT * FROM 'b`:                                    "[]",
		`SELECT afrom 'b'`:                                    "[]",
	} {
		names := fileNames(query)
		if names == nil {
			names = []fileName{}
		}
		if got := fmt.Sprint(names); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
