package sqlitescan

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
)

// TestValues compares all values of the sample files with the JSON that their generator wrote.
func TestValues(t *testing.T) {
	rows, err := filepath.Glob(samples + "shapes/*.jsonl")
	if err != nil || len(rows) < 50 {
		t.Fatal(len(rows), err)
	}
	values := 0
	for _, name := range rows {
		file := strings.TrimSuffix(name, ".jsonl") + ".parquet"
		m := newModule(Options{})
		table, err := m.newTable(context.Background(), []string{file})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		table.Disconnect()
		db := open(t, Options{}, Table{"t", file})
		if len(table.columns) == 0 {
			expect(t, db, "SELECT count(*) FROM t", "2")
			continue
		}
		got, err := db.Query("SELECT * FROM t")
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		// The lines have a VARIANT as it is stored.
		text = bytes.ReplaceAll(text, []byte(`{"metadata":"AQA=","value":"DAc="}`), []byte("7"))
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 64<<20)
		n := 0
		for ; lines.Scan(); n++ {
			if !got.Next() {
				t.Errorf("%s: ends after %d rows: %v", file, n, got.Err())
				break
			}
			values += compareRow(t, file, n, table.columns, lines.Bytes(), got)
		}
		if got.Next() || got.Err() != nil {
			t.Errorf("%s: more than %d rows, or %v", file, n, got.Err())
		}
		got.Close()
	}
	if values < 10000 {
		t.Error("only", values, "values were compared")
	}
}

func compareRow(t *testing.T, file string, n int, columns []column, line []byte, rows interface{ Scan(...any) error }) int {
	t.Helper()
	var want map[string]json.RawMessage
	if err := json.Unmarshal(line, &want); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	got, to := make([]any, len(columns)), make([]any, len(columns))
	for i := range got {
		to[i] = &got[i]
	}
	if err := rows.Scan(to...); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for i := range columns {
		c := &columns[i]
		g := got[i]
		if c.kind == kindNested && g != nil {
			g = compact(t, g.(string))
		}
		if w := wanted(t, c, want[c.field.Name]); show(g) != show(w) {
			t.Errorf("%s: row %d, column %s: %s, want %s", file, n, c.name, show(g), show(w))
		}
	}
	return len(columns)
}

func compact(t *testing.T, text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wanted returns what SQLite is to have for a value in JSON.
func wanted(t *testing.T, c *column, raw json.RawMessage) any {
	t.Helper()
	if string(raw) == "null" || raw == nil {
		return nil
	}
	text := string(raw)
	if raw[0] == '"' {
		if err := json.Unmarshal(raw, &text); err != nil {
			t.Fatal(err)
		}
	}
	number := func() any {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		return n
	}
	switch c.kind {
	case kindNested:
		return compact(t, string(raw))
	case kindBool:
		if text == "true" {
			return int64(1)
		}
		return int64(0)
	case kindInteger, kindDecimalInteger:
		return number()
	case kindUint64:
		return text
	case kindReal, kindDecimalReal:
		bits := 64
		if c.field.Type.Physical == vector.Float {
			bits = 32
		}
		x, err := strconv.ParseFloat(text, bits)
		if err != nil {
			t.Fatal(err)
		}
		if x != x {
			return nil
		}
		return x
	case kindDate, kindTimestamp:
		text = strings.TrimSuffix(strings.Replace(text, "T", " ", 1), "Z")
		for _, form := range []string{time.DateOnly, time.DateTime} {
			if at, err := time.Parse(form, text); err == nil && !strings.HasPrefix(text, "-") {
				return at
			}
		}
		return text // years that the driver does not read
	case kindBlob, kindOther:
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return text
}
