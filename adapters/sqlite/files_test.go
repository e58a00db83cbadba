package sqlitescan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// replace puts another file in the place of a file, as programs do that write files anew.
func replace(t *testing.T, name, with string) {
	t.Helper()
	// Neither size nor time need to tell them apart.
	if err := os.Chtimes(with, time.Unix(1e9, 0), time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(with, name); err != nil {
		t.Fatal(err)
	}
}

// TestReplacedFiles puts other files in the place of those of a table.
func TestReplacedFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.parquet")
	ids, notes := gen.Optional("id", gen.Int64), gen.Optional("note", gen.ByteArray).As(gen.StringType())
	write := func(schema []*gen.Node, rows ...any) string {
		return writeRows(t, filepath.Join(dir, "new"), schema, rows)
	}
	row := func(id int) any { return gen.Record{"id": id, "note": "x"} }
	replace(t, name, write([]*gen.Node{ids, notes}, row(1), row(2)))
	db := open(t, Options{}, Table{"p", filepath.Join(dir, "*.parquet")})
	expect(t, db, "SELECT id, note FROM p", `1 "x"`, `2 "x"`)

	replace(t, name, write([]*gen.Node{ids, notes}, row(3), row(4))) // of the same size and time
	expect(t, db, "SELECT id, note FROM p", `3 "x"`, `4 "x"`)

	for what, schema := range map[string][]*gen.Node{"without the column note": {ids}, "without the column id": {gen.Optional("other", gen.Int64), notes}} {
		replace(t, name, write(schema, gen.Record{}, gen.Record{}))
		for _, text := range []string{"SELECT id FROM p", "SELECT note FROM p", "SELECT count(*) FROM p", "SELECT * FROM p WHERE id = 5"} {
			if _, err := tryQuery(db, text); err == nil || !strings.Contains(err.Error(), "a.parquet was replaced by a file "+what) {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	replace(t, name, write([]*gen.Node{gen.Optional("id", gen.ByteArray).As(gen.StringType()), notes}, gen.Record{"id": "six"}, gen.Record{}))
	if _, err := tryQuery(db, "SELECT id FROM p"); err == nil || !strings.Contains(err.Error(), "a.parquet: ") || !strings.Contains(err.Error(), "id") {
		t.Error("a column of another type:", err)
	}
	replace(t, name, write([]*gen.Node{notes, gen.Optional("more", gen.Double), ids}, row(7), row(8))) // in another order, and one more
	expect(t, db, "SELECT id, note FROM p", `7 "x"`, `8 "x"`)

	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"SELECT id FROM p", "SELECT count(*) FROM p", "SELECT * FROM p WHERE id = 7"} {
		if _, err := tryQuery(db, text); err == nil || !strings.Contains(err.Error(), "a.parquet: no such file") {
			t.Errorf("%s: %v", text, err)
		}
	}
	replace(t, name, write([]*gen.Node{ids, notes}, row(9), row(10)))
	expect(t, db, "SELECT max(id) FROM p", "10")
}

// TestReplacedOrder puts a file that is not sorted in the place of one that is.
func TestReplacedOrder(t *testing.T) {
	pair := func(a int) any { return gen.Record{"a": a, "b": a} }
	name := sortedFile(t, []any{pair(1), pair(2)}, []any{pair(3)})
	db := open(t, Options{}, Table{"p", name})
	prepared, err := db.Prepare("SELECT group_concat(a) FROM (SELECT a FROM p ORDER BY a)")
	if err != nil {
		t.Fatal(err)
	}
	defer prepared.Close()
	var got string
	if err := prepared.QueryRow().Scan(&got); err != nil || got != "1,2,3" {
		t.Error(got, err)
	}
	schema := []*gen.Node{gen.Optional("a", gen.Int64), gen.Optional("b", gen.Int64)}
	replace(t, name, writeRows(t, name+".new", schema, []any{pair(6), pair(4), pair(5)}))
	if err := prepared.QueryRow().Scan(&got); err == nil || !strings.Contains(err.Error(), "prepare it again") {
		t.Error("a plan that relies on the order of another file:", got, err)
	}
	expect(t, db, "SELECT a FROM p ORDER BY a", "4", "5", "6")
}

// TestOverwrittenFile writes into a file while a query reads it.
func TestOverwrittenFile(t *testing.T) {
	var rows []any
	for i := range 50_000 {
		rows = append(rows, gen.Record{"id": i})
	}
	name := writeRows(t, "p.parquet", []*gen.Node{gen.Required("id", gen.Int64)}, rows)
	db := open(t, Options{}, Table{"p", name})
	all, err := db.Query("SELECT id FROM p")
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	all.Next()
	data, err := os.ReadFile(name)
	if err == nil {
		for i := 4; i < len(data)/2; i++ {
			data[i] ^= 0x55
		}
		err = os.WriteFile(name, data, 0o644)
	}
	if err == nil {
		err = os.Chtimes(name, time.Now(), time.Now().Add(time.Hour))
	}
	if err != nil {
		t.Fatal(err)
	}
	for all.Next() {
	}
	if all.Err() == nil || !strings.Contains(all.Err().Error(), "p.parquet") {
		t.Error(all.Err())
	}
}

// TestPatterns compares what LIKE and GLOB find where SQLite reads a pattern or a text in its own way.
func TestPatterns(t *testing.T) {
	texts := []string{"abc", "ABC", "aBx", "a", "ab\x00c", "a\x00b", "a\xffb", "a\ufffdb", "é1", "É1", "\u212a", "k", "K", "a_b", "a%b", "A\xf0", "[a]"}
	db := openTexts(t, texts)
	for _, pattern := range append(texts, "a%", "A%", "ab\x00%", "a\x00%", "a\xff%", "a\ufffd%", "é%", "\u212a%", "k%", "a_%", "a*", "A*", "a\ufffd*", "a\x00*", "[a]*", "[[]*", "%", "") {
		for _, op := range []string{"LIKE", "GLOB"} {
			got := ask(t, db, "SELECT hex(s) FROM p WHERE s "+op+" ?", pattern)
			want := ask(t, db, "SELECT hex(s) FROM q WHERE s "+op+" ?", pattern)
			if strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s %q: %v, want %v", op, pattern, got, want)
			}
		}
	}
}

// TestUnion has the columns of all files, of the types that hold all values.
func TestUnion(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, schema []*gen.Node, rows ...any) {
		writeRows(t, filepath.Join(dir, name), schema, rows)
	}
	file("a.parquet", []*gen.Node{gen.Required("id", gen.Int32), gen.Required("f", gen.Float)}, gen.Record{"id": 1, "f": float32(0.5)}, gen.Record{"id": 2, "f": float32(0.1)})
	file("b.parquet", []*gen.Node{gen.Required("more", gen.ByteArray).As(gen.StringType()), gen.Required("f", gen.Double), gen.Required("id", gen.Int64)}, gen.Record{"id": int64(1) << 40, "f": 0.1, "more": "m"})
	db := open(t, Options{Union: true}, Table{"p", filepath.Join(dir, "*.parquet")})
	expect(t, db, "SELECT id, more FROM p", `1 NULL`, `2 NULL`, `1099511627776 "m"`)
	expect(t, db, "SELECT id FROM p WHERE f = 0.1", "1099511627776")
	expect(t, db, "SELECT id FROM p WHERE more IS NULL AND id > 1", "2")
	expect(t, db, "SELECT max(id), count(more) FROM p WHERE more = 'm' OR id = 1", "1099511627776 1")
	if _, err := tryQuery(open(t, Options{}, Table{"p", filepath.Join(dir, "*.parquet")}), "SELECT id FROM p"); err == nil || !strings.Contains(err.Error(), "b.parquet") {
		t.Error("INT64 behind INT32 without Union:", err)
	}
}
