package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// claims are files of a few hundred bytes that claim rows, or values, without end.
func claims(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	add := func(name string, f gen.File) {
		b, err := f.Write()
		if err != nil {
			t.Fatal(name, err)
		}
		files[name] = b
	}
	for _, rows := range []int64{math.MaxInt64, math.MaxInt64 - 3, 1 << 62, 1 << 41} {
		footer := func(m *wire.FileMetaData) {
			for _, g := range m.RowGroups {
				g.NumRows, m.NumRows = rows, rows
			}
		}
		for _, values := range []int64{2, rows} {
			of := func(n *gen.Node, what string, column gen.Column, rows ...any) {
				column.Meta = func(c *wire.ColumnChunk) { c.MetaData.NumValues = values }
				f := gen.File{Schema: []*gen.Node{n}, RowGroups: []gen.RowGroup{{Rows: rows}, {Rows: rows}}, All: column, Footer: footer}
				add(fmt.Sprintf("%s, %d rows, %d values", what, rows, values), f)
			}
			of(gen.Required("a", gen.Int64), "required", gen.Column{}, gen.Record{"a": 1}, gen.Record{"a": 2})
			of(gen.Optional("a", gen.Int64), "optional", gen.Column{Index: gen.NoIndex}, gen.Record{"a": 1}, gen.Record{})
			of(gen.Required("a", gen.ByteArray), "dictionary", gen.Column{Shape: gen.Shape{Encoding: gen.Dictionary}, DictionaryHeader: func(h *wire.PageHeader) {
				h.DictionaryPageHeader.NumValues = math.MaxInt32
			}}, gen.Record{"a": "x"}, gen.Record{"a": "y"})
			of(gen.List("a", gen.Optional("element", gen.Int64)), "list", gen.Column{}, gen.Record{"a": []any{1, nil}})
		}
		add(fmt.Sprintf("no columns, %d rows", rows), gen.File{RowGroups: []gen.RowGroup{{Rows: []any{}}, {Rows: []any{}}}, Footer: footer})
	}
	many := gen.File{Footer: func(m *wire.FileMetaData) {
		for _, g := range m.RowGroups {
			g.NumRows = math.MaxInt32
		}
	}}
	for range 1000 {
		many.RowGroups = append(many.RowGroups, gen.RowGroup{Rows: []any{}})
	}
	add("no columns, many row groups", many)
	long := gen.Required("a", gen.FixedLenByteArray)
	long.Length = 4
	add("long values", gen.File{Schema: []*gen.Node{long}, All: gen.Column{Shape: gen.Shape{Encoding: gen.DeltaByteArray}},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": "abcd"}, gen.Record{"a": "abce"}}}}, Footer: func(m *wire.FileMetaData) {
			*m.Schema[1].TypeLength = math.MaxInt32
		}})
	return files
}

// readingCommands return rows, or what is in them; lookingCommands show what a file says, or what follows.
const (
	readingCommands = `
cat f
cat --csv -n 5 f
cat --format table -n 5 f
cat --union -n 5 f
head -n 5 f
tail -n 3 f
sample 3 f
describe f
explain --analyze f
explain --picture p.svg f
advise f
verify f
count -w a=1 f`
	lookingCommands = `
count f
count -w a[IS]NULL f
count -w a[IS]NOT[NULL f
describe -w a[IS]NOT[NULL f
explain --analyze -w a[IS]NOT[NULL f
explain -w a[IS]NULL f
advise -w a[IS]NULL f
cat --order-by a -n 3 f
cat --unnest a -n 5 f
cat --offset 5 -n 5 f
explain f
min a f
max a f
schema f
size f
meta f
pages f
index f
bloom f
dump -c a f`
)

// TestClaims runs each command on files that claim far more than they have. Each ends, without the
// memory that a claim would take, and those that read rows, or judge them, say what is wrong.
func TestClaims(t *testing.T) {
	const most = 96 << 20 // bytes that a command may allocate
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute) // of a command that does not end
	defer cancel()
	for _, c := range scan().commands().Rows {
		if c.Run != nil && !strings.Contains(readingCommands+lookingCommands, "\n"+c.Name+" ") {
			t.Errorf("neither readingCommands nor lookingCommands has a line of %s", c.Name)
		}
	}
	for name, b := range claims(t) {
		if err := os.WriteFile("f", b, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(readingCommands+lookingCommands), "\n") {
			args := strings.Fields(line)
			for i := range args {
				args[i] = strings.NewReplacer("[", " ", "]", " ").Replace(args[i])
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			stdout, stderr, code := runScan(t, ctx, args...)
			runtime.ReadMemStats(&after)
			if bytes := after.TotalAlloc - before.TotalAlloc; bytes > most {
				t.Errorf("%s, %s: %d bytes were allocated", name, line, bytes)
			}
			if strings.Contains(readingCommands+"\n", "\n"+line+"\n") && (code == 0 || stderr == "") {
				t.Errorf("%s, %s: exit code %d, %.200s%s", name, line, code, stdout, stderr)
			}
			if ctx.Err() != nil {
				t.Fatalf("%s, %s: did not end", name, line)
			}
		}
	}
}

// What is wrong with a row group is one fault, however many columns cannot be read for it.
func TestVerifyNamesAFaultOnce(t *testing.T) {
	b, err := (&gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int64), gen.Required("b", gen.Int64), gen.Required("c", gen.Int64)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 1, "b": 2, "c": 3}}}},
		Footer:    func(m *wire.FileMetaData) { m.RowGroups[0].Columns = m.RowGroups[0].Columns[:2] },
	}).Write()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "fewer.parquet")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, _, _ := runScan(t, t.Context(), "verify", name)
	if n := strings.Count(stdout, "2 column chunks, the schema has 3 columns"); n != 1 || !strings.Contains(stdout, `"faults":1`) {
		t.Errorf("the fault is named %d times:\n%s", n, stdout)
	}
}
