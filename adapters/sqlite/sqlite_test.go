package sqlitescan

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

const samples = "../../testdata/"

// open returns a database in memory with tables, of one connection.
func open(t testing.TB, o Options, tables ...Table) *sql.DB {
	t.Helper()
	c, err := NewConnector(":memory:", o, tables...)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// ask returns the rows of a query, each as the texts of its values with their types.
func ask(t testing.TB, db *sql.DB, text string, args ...any) []string {
	t.Helper()
	out, err := tryQuery(db, text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

func tryQuery(db *sql.DB, text string, args ...any) (out []string, err error) {
	rows, err := db.Query(text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values, to := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		to[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return out, err
		}
		var row []string
		for _, v := range values {
			row = append(row, show(v))
		}
		out = append(out, strings.Join(row, " "))
	}
	return out, rows.Err()
}

func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return fmt.Sprintf("%q", v)
	case []byte:
		return fmt.Sprintf("x'%x'", v)
	}
	return fmt.Sprint(v)
}

// expect compares the rows of a query.
func expect(t *testing.T, db *sql.DB, text string, want ...string) {
	t.Helper()
	if got := ask(t, db, text); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s:\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
