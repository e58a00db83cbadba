package scanner_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// corpusFile is an entry of the shared corpus' manifest.
type corpusFile struct {
	File, Mode, Expected string
	Size                 int64
}

const corpus = "../../shared/corpus"

// corpusFiles returns the manifest's files; there may be no corpus.
func corpusFiles(t *testing.T) []corpusFile {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(corpus, "expected", "manifest.json"))
	if err != nil {
		if os.Getenv("WINNOW_CORPUS_REQUIRED") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	var manifest struct{ Files []corpusFile }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Files
}

// lines returns the wanted rows of a file.
func (c *corpusFile) lines(t *testing.T) (lines [][]byte) {
	t.Helper()
	f, err := os.Open(filepath.Join(corpus, c.Expected))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(c.Expected, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(bufio.NewReader(r))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		lines = append(lines, bytes.TrimRight(line, "\r\n"))
	}
	return lines
}

// printRows scans a file and hands out its rows as JSON. It ends with the scan's error.
func printRows(f *scanner.File, o scanner.Options, each func(line []byte) error) error {
	var rows *vector.Rows
	var line []byte
	for b, err := range f.Scan(context.Background(), o) {
		if err != nil {
			return err
		}
		if err := validate.Batch(b); err != nil {
			return err
		}
		if o.BatchRows > 0 && b.Len > o.BatchRows {
			return fmt.Errorf("batch of %d rows where %d were wanted", b.Len, o.BatchRows)
		}
		if rows == nil {
			rows = vector.JSONRows(b.Fields)
		}
		rows.Use(b)
		for i := range b.Len {
			if line, err = rows.Append(line[:0], i); err != nil {
				return err
			}
			if err := each(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// equal scans a file and compares its rows with the wanted ones.
func equal(f *scanner.File, o scanner.Options, want [][]byte) error {
	row := 0
	err := printRows(f, o, func(line []byte) error {
		if row == len(want) {
			return fmt.Errorf("more rows than %d: %.200s", row, line)
		}
		if d := compareLines(want[row], line); d != "" {
			return fmt.Errorf("row %d, %s", row, d)
		}
		row++
		return nil
	})
	if err == nil && row < len(want) {
		return fmt.Errorf("%d rows, want %d", row, len(want))
	}
	return err
}

// isClean reports whether an error is one that says what is wrong with the file.
func isClean(err error) bool {
	var e *scanner.Error
	return errors.As(err, &e) && (errors.Is(err, scanner.ErrCorrupt) || errors.Is(err, scanner.ErrUnsupported) || errors.Is(err, scanner.ErrEncrypted))
}

// Every file of the shared corpus is what the manifest says, in batches of any size.
func TestCorpus(t *testing.T) {
	for _, c := range corpusFiles(t) {
		if c.Mode == "heavy" {
			continue
		}
		t.Run(strings.TrimPrefix(c.File, "parquet-testing/"), func(t *testing.T) {
			t.Parallel()
			f, err := scanner.Open(context.Background(), filepath.Join(corpus, c.File))
			if err == nil {
				defer f.Close()
				var want [][]byte
				if c.Expected != "" {
					want = c.lines(t)
				}
				for _, size := range []int{0, 1024, 7, 1} {
					if c.Mode == "ok" || c.Mode == "either" {
						err = equal(f, scanner.Options{BatchRows: size}, want)
					} else {
						err = printRows(f, scanner.Options{BatchRows: size}, func([]byte) error { return nil })
					}
					if err != nil {
						err = fmt.Errorf("batches of %d rows: %w", size, err)
						break
					}
				}
			}
			switch c.Mode {
			case "ok":
				if err != nil {
					t.Error(err)
				}
			case "either", "any":
				if err != nil && !isClean(err) {
					t.Error(err)
				}
			case "error":
				if !isClean(err) {
					t.Errorf("want an error, got %v", err)
				}
			case "encrypted":
				if !errors.Is(err, scanner.ErrEncrypted) {
					t.Errorf("want an error that says encrypted, got %v", err)
				}
			default:
				t.Errorf("mode %q", c.Mode)
			}
		})
	}
}

// Single rows, each by a scan of its own, so by cursors that have seen nothing
// before it: 200 by chance of each file, and the first and last of each page.
func TestCorpusSeeks(t *testing.T) {
	for _, c := range corpusFiles(t) {
		if c.Mode != "ok" {
			continue
		}
		t.Run(strings.TrimPrefix(c.File, "parquet-testing/"), func(t *testing.T) {
			t.Parallel()
			f, err := scanner.Open(context.Background(), filepath.Join(corpus, c.File))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			want := c.lines(t)
			sizes := rowGroupSizes(f)
			r := rand.New(rand.NewPCG(1, uint64(len(want))))
			rounds := dtest.Rounds(t, 40)
			for range min(rounds, 2*len(want)) {
				row := r.Int64N(int64(len(want)))
				one := vector.RowsOfFile(vector.Ranges{{From: row, To: row + 1}}, sizes)
				if err := equal(f, scanner.Options{Rows: one}, want[row:row+1]); err != nil {
					t.Fatalf("row %d: %v", row, err)
				}
				n := min(1+r.Int64N(5), int64(len(want))-row)
				if err := equal(f, scanner.Options{Offset: row, Limit: n}, want[row:row+n]); err != nil {
					t.Fatalf("offset %d, limit %d: %v", row, n, err)
				}
			}
			for i := range 20 { // several rows at a time, near and far
				rows := randomRows(r, len(want), 1+i)
				if err := equal(f, scanner.Options{Rows: vector.RowsOfFile(rows, sizes), BatchRows: 1 + r.IntN(50)}, of(want, rows)); err != nil {
					t.Fatalf("rows %v: %v", rows, err)
				}
			}
			seekPageEdges(t, f, want, sizes, rounds)
		})
	}
}

func rowGroupSizes(f *scanner.File) (sizes []int64) {
	for _, rg := range f.Footer().RowGroups {
		sizes = append(sizes, rg.NumRows)
	}
	return sizes
}

// randomRows returns a set of rows, a part of all that is denser the larger the density.
func randomRows(r *rand.Rand, n, density int) (rows vector.Ranges) {
	for row := int64(0); row < int64(n); {
		end := min(row+1+r.Int64N(20), int64(n))
		rows = rows.Append(row, end)
		row = end + r.Int64N(int64(n)/int64(density)+2)
	}
	return rows
}

func of(want [][]byte, rows vector.Ranges) (picked [][]byte) {
	for _, r := range rows {
		picked = append(picked, want[r.From:r.To]...)
	}
	return picked
}

// seekPageEdges reads the edges of each page of a column in that column alone:
// all of them by one scan, and each by its own. Where there are more than many, about so
// many have scans of their own: without an index, each walks over all pages before its own.
func seekPageEdges(t *testing.T, f *scanner.File, want [][]byte, sizes []int64, many int) {
	start := int64(0)
	for rg := range sizes {
		for _, leaf := range f.Schema().Leaves() {
			chunk, err := f.Chunk(rg, leaf.FirstLeaf)
			if err != nil {
				t.Fatal(err)
			}
			column := leaf
			for column.Parent != f.Schema().Root() {
				column = column.Parent
			}
			if f.Schema().Find(column.Name) != column {
				continue // the second of a name
			}
			edges := pageEdges(t, f, chunk)
			slices.Sort(edges)
			edges = slices.Compact(edges)
			seek := func(edges []int64) {
				set := make(vector.RowSet, rg+1)
				var lines [][]byte
				for _, edge := range edges {
					set[rg] = set[rg].Append(edge, edge+1)
					lines = append(lines, want[start+edge])
				}
				o := scanner.Options{Rows: set, Select: []string{schema.FormatPath([]string{column.Name})}}
				if err := equalColumn(f, o, lines, column.Name); err != nil {
					t.Fatalf("rows %v of row group %d, at the edges of pages of %s: %v", set[rg], rg, leaf, err)
				}
			}
			seek(edges)
			step := 1 + len(edges)/many
			for i := 0; i < len(edges); i += step {
				seek(edges[i : i+1])
			}
		}
		start += sizes[rg]
	}
}

// equalColumn compares the one column that a scan hands out with that of wanted rows.
func equalColumn(f *scanner.File, o scanner.Options, want [][]byte, name string) error {
	rows := 0
	err := printRows(f, o, func(line []byte) error {
		if rows == len(want) {
			return errors.New("more rows than wanted")
		}
		row, err := parseJSON(want[rows])
		if err != nil {
			return err
		}
		got, err := parseJSON(line)
		if err != nil {
			return err
		}
		rows++
		for _, m := range row.(object) {
			if m.name == name {
				if d := difference(object{m}, got, ""); d != "" {
					return fmt.Errorf("row %d, %s", rows-1, d)
				}
				return nil
			}
		}
		return errors.New("no such column is wanted")
	})
	if err == nil && rows != len(want) {
		err = fmt.Errorf("%d rows, want %d", rows, len(want))
	}
	return err
}

// Files that another writer encrypted, in each of the format's ways, are read with its keys.
func TestCorpusEncryption(t *testing.T) {
	corpusFiles(t) // skips without a corpus
	dir := filepath.Join(corpus, "parquet-testing", "data")
	names, err := filepath.Glob(filepath.Join(dir, "*.parquet.encrypted"))
	if err != nil || len(names) < 7 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if strings.Contains(name, "external_key_material") {
			continue // its keys are those of a key management system
		}
		keys := map[string]string{"": "0123456789012345", "kf": "0123456789012345", "kc1": "1234567890123450", "kc2": "1234567890123451"}
		o := scanner.OpenOptions{Keys: func(_ context.Context, metadata []byte) ([]byte, error) { return []byte(keys[string(metadata)]), nil }}
		if strings.Contains(name, "disable_aad_storage") {
			if _, err := o.Open(t.Context(), name); !errors.Is(err, scanner.ErrEncrypted) {
				t.Errorf("%s without its AAD prefix: %v", name, err)
			}
			o.AADPrefix = func(string) []byte { return []byte("tester") }
		}
		f, err := o.Open(t.Context(), name)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, err := range f.Scan(t.Context(), scanner.Options{}) { // all columns
			if err != nil {
				t.Error(err)
			}
		}
		type row struct {
			F float32 `parquet:"float_field"`
			D float64 `parquet:"double_field"`
		}
		i := 0
		for r, err := range scanner.Rows[row](t.Context(), f, scanner.Options{}) {
			want := row{float32(i) * 1.1, float64(i) * 1.1111111}
			if strings.Contains(name, "bloom_filter") {
				want = row{float32(i) + 0.25, float64(i) + 0.5}
			}
			if err != nil || r != want {
				t.Fatalf("%s, row %d: %v, want %v, %v", name, i, r, want, err)
			}
			i++
		}
		if strings.Contains(name, "bloom_filter") {
			var stats scanner.Stats
			n, err := f.Count(t.Context(), scanner.Options{Filter: scannertest.Parsed(t, "double_field = 20.51"), Stats: &stats})
			if n != 0 || err != nil || stats.Snapshot().Columns[0].Untouched[scanner.ByBloom].Pages == 0 {
				t.Errorf("%s: %d rows, %v; %+v", name, n, err, stats.Snapshot().Columns[0])
			}
		}
		if i < 50 {
			t.Errorf("%s: %d rows", name, i)
		}
		f.Close()
	}
}
