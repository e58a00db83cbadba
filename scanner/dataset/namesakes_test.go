package dataset

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// TestNamesakes: files whose columns share names are one table as files are whose columns have names
// of their own.
func TestNamesakes(t *testing.T) {
	apart, same := scannertest.Namesakes(t)
	s := &shelf{files: map[string][]byte{}}
	tables := [2]*Files{}
	for i, b := range [][]byte{apart, same} {
		names := []string{fmt.Sprint(i, "/y=1/a"), fmt.Sprint(i, "/y=2/b")}
		for _, name := range names {
			s.files[name] = b
		}
		tables[i] = New(names, s.opener)
	}
	text := func(batches iter.Seq2[*vector.Batch, error]) string {
		var lines []string
		for b, err := range batches {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, scannertest.Lines(t, b)...)
		}
		return scannertest.WithoutDigits(strings.Join(lines, "\n"))
	}
	o := scanner.Options{}
	for what, ask := range map[string]func(fs *Files, k1, k2 string) string{
		"Scan": func(fs *Files, _, _ string) string { return text(fs.Scan(t.Context(), o)) },
		"Scan, two": func(fs *Files, k1, k2 string) string {
			return text(fs.Scan(t.Context(), scanner.Options{Select: []string{k1, "y", k2}}))
		},
		"Scan, filter": func(fs *Files, k1, _ string) string {
			return text(fs.Scan(t.Context(), scanner.Options{Filter: scannertest.Parsed(t, k1+" > 50")}))
		},
		"Partitions": func(fs *Files, _, _ string) string { return text(fs.Partitions(t.Context(), o, 1)[0]) },
		"Part":       func(fs *Files, _, _ string) string { return text(fs.Part(1).Scan(t.Context(), o)) },
		"Top": func(fs *Files, _, _ string) string {
			return text(fs.Top(t.Context(), scanner.Order{By: "z"}, scanner.Options{Limit: 9}))
		},
		"Top of a name": func(fs *Files, k1, _ string) string {
			return text(fs.Top(t.Context(), scanner.Order{By: k1, Descending: true}, scanner.Options{Limit: 9}))
		},
		"Max": func(fs *Files, k1, _ string) string {
			v, err := fs.Max(t.Context(), k1, o)
			return scannertest.Shown(t, v, err)
		},
	} {
		if got, want := ask(tables[1], "k", "k"), ask(tables[0], "k1", "k2"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
		}
	}
}

// TestNamesakesDiffer: where files have unequal numbers of columns with a name, nothing tells which is
// which, so to want several of them is an error. One alone is the first of each file.
func TestNamesakesDiffer(t *testing.T) {
	s := &shelf{files: map[string][]byte{}}
	write := func(name string, columns ...string) {
		f := gen.File{Footer: gen.Rename(scannertest.WithoutDigit)}
		row, group := gen.Record{}, gen.Record{}
		var fields []*gen.Node
		for i, c := range columns {
			f.Schema, fields = append(f.Schema, gen.Required(c, gen.Int64)), append(fields, gen.Required(c, gen.Int64))
			row[c], group[c] = 10*len(columns)+i, 10*len(columns)+i
		}
		f.Schema = append(f.Schema, gen.Required("s", gen.Group, fields...))
		row["s"] = group
		f.RowGroups = []gen.RowGroup{{Rows: []any{row}}}
		s.files[name] = scannertest.Write(t, f)
	}
	write("one", "k1")
	write("two", "k1", "k2")
	write("three", "k1", "k2", "k3")
	write("none", "z")
	const unequal = "columns of this name: %d, in the first file %d"
	for _, c := range []struct {
		first, second string
		paths         []string
		want          string
	}{
		{"two", "one", nil, fmt.Sprintf(`column "k": `+unequal, 1, 2)},
		{"two", "three", nil, fmt.Sprintf(`column "k": `+unequal, 3, 2)},
		{"two", "three", []string{"k", "k"}, fmt.Sprintf(`column "k": `+unequal, 3, 2)},
		{"two", "one", []string{"s"}, fmt.Sprintf(`column "s.k": `+unequal, 1, 2)},
		{"two", "two", []string{"k", "k"}, `{"k":20,"k":21} {"k":20,"k":21}`},
		{"two", "one", []string{"k"}, `{"k":20} {"k":10}`},
		{"one", "two", nil, `{"k":10,"s":{"k":10}} {"k":20,"s":{"k":20}}`},
		{"one", "two", []string{"k", "k"}, fmt.Sprintf(`column "k": `+unequal, 2, 1)},
		{"one", "one", []string{"k", "k"}, `{"k":10,"k":10} {"k":10,"k":10}`},
		{"two", "none", []string{"k", "k"}, `{"k":20,"k":21} {"k":null,"k":null}`},
	} {
		var got []string
		var err error
		for b, fault := range New([]string{c.first, c.second}, s.opener).Scan(t.Context(), scanner.Options{Select: c.paths}) {
			if err = fault; err == nil {
				got = append(got, scannertest.Lines(t, b)...)
			}
		}
		if text := strings.Join(got, " "); err == nil && text != c.want || err != nil && (!errors.Is(err, scanner.ErrMismatch) || err.Error() != c.second+": "+c.want) {
			t.Errorf("%s and %s, %q: %s, %v; want %s", c.first, c.second, c.paths, text, err, c.want)
		}
	}
}
