package serve

import (
	"context"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// countedFiles are files whose read bytes are counted.
type countedFiles struct {
	fs.FS
	read *int
}

type countedFile struct {
	fs.File
	read *int
}

func (f countedFiles) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	return countedFile{file, f.read}, err
}

func (f countedFiles) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.FS, name) }

func (f countedFile) ReadAt(p []byte, off int64) (int, error) {
	*f.read += len(p)
	return f.File.(io.ReaderAt).ReadAt(p, off)
}

// numbered writes a file of rows n = 0, 1, …, with a column of n % 1000 and one of long texts. The
// row groups have 0, 1,200, 2,400, … rows.
func numbered(t *testing.T, path string, rows int, index gen.Index) {
	t.Helper()
	f := &gen.File{
		Schema: []*gen.Node{gen.Required("row", gen.Int64), gen.Required("k", gen.Int32), gen.Optional("text", gen.ByteArray).As(gen.StringType())},
		All:    gen.Column{PageRows: []int{500}, Index: index, Shape: gen.Shape{Encoding: gen.Plain}},
	}
	for n, size := 0, 0; n < rows; size += 1200 {
		var group []any
		for ; len(group) < size && n < rows; n++ {
			group = append(group, gen.Record{"row": int64(n), "k": int32(n % 1000), "text": fmt.Sprintf("<b>%d</b>%0300d", n, n)})
		}
		f.RowGroups = append(f.RowGroups, gen.RowGroup{Rows: group})
	}
	b, err := f.Write()
	if err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// shownPage is what someone sees of a page of rows without its program.
type shownPage struct {
	code           int
	cells          [][]string
	previous, next string
	body           string
}

func (s *server) shown(t *testing.T, ctx context.Context, query string) (p shownPage) {
	t.Helper()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.host+"/"+s.secret+"/"+query, nil)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	p.code, p.body = w.Code, w.Body.String()
	_, table, _ := strings.Cut(p.body, `<table id="row-table">`)
	table, _, _ = strings.Cut(table, "</table>")
	for _, line := range strings.SplitAfter(table, "</tr>\n")[1:] {
		var cells []string
		for _, cell := range regexp.MustCompile(`<td[^>]*>([^<]*)</td>`).FindAllStringSubmatch(line, -1) {
			cells = append(cells, html.UnescapeString(cell[1]))
		}
		if cells != nil {
			p.cells = append(p.cells, cells)
		}
	}
	for id, to := range map[string]*string{"previous": &p.previous, "next": &p.next} {
		if m := regexp.MustCompile(`<a id="` + id + `"[^>]* href="([^"]*)"`).FindStringSubmatch(p.body); m != nil {
			*to = html.UnescapeString(m[1])
		}
	}
	return p
}

// Pages of rows follow each other by their links, forwards and backwards, and have each row that
// passes once. Each reads little but the pages of its rows.
func TestServeRows(t *testing.T) {
	const rows = 12_000
	dir := t.TempDir()
	numbered(t, filepath.Join(dir, "a.parquet"), rows, 0)
	numbered(t, filepath.Join(dir, "headers.parquet"), rows, gen.NoIndex)
	if info, err := os.Stat(filepath.Join(dir, "headers.parquet")); err != nil || info.Size() < 3_800_000 {
		t.Fatalf("%d bytes, %v", info.Size(), err)
	}
	read := 0
	s := &server{files: countedFiles{os.DirFS(dir), &read}, secret: "s", host: "h"}
	for _, tc := range []struct {
		file, where, columns string
		passes               func(n int) bool
		most                 int // bytes of a page of rows, with indexes
	}{
		{"a.parquet", "", "", func(int) bool { return true }, 450_000},
		{"a.parquet", "", "row,k", func(int) bool { return true }, 150_000},
		{"a.parquet", "k < 7", "row", func(n int) bool { return n%1000 < 7 }, 200_000},
		{"a.parquet", "row >= 7000 AND k >= 990", "row,text", func(n int) bool { return n >= 7000 && n%1000 >= 990 }, 2_500_000},
		{"a.parquet", "k = 1000", "row", func(int) bool { return false }, 150_000},
		{"headers.parquet", "", "row,text", func(int) bool { return true }, 2_000_000},
		{"headers.parquet", "k = 4", "row", func(n int) bool { return n%1000 == 4 }, 400_000},
	} {
		var want []string // rows that pass
		for n := range rows {
			if tc.passes(n) {
				want = append(want, fmt.Sprint(n))
			}
		}
		name := fmt.Sprint(tc.file, " ", tc.where, " ", tc.columns)
		address := "?" + url.Values{"file": {tc.file}, "where": {tc.where}, "columns": {tc.columns}}.Encode()
		var forwards []string
		var pages []shownPage
		for at := address; at != ""; at = pages[len(pages)-1].next {
			before := read
			p := s.shown(t, t.Context(), at)
			if read-before > tc.most {
				t.Errorf("%s, %s: reads %d bytes", name, at, read-before)
			}
			for _, row := range p.cells {
				forwards = append(forwards, strings.ReplaceAll(row[0], ",", ""))
			}
			if pages = append(pages, p); len(pages) > rows/shownRows+1 {
				t.Fatalf("%s: no end", name)
			}
		}
		if !slices.Equal(forwards, want) {
			t.Errorf("%s: %d rows, want %d", name, len(forwards), len(want))
		}
		// Backwards, the pages are those that stand before each other, and the first begins at row 0.
		last := pages[len(pages)-1]
		left := len(want) - len(last.cells)
		for back := 0; last.previous != ""; back++ {
			before := read
			last = s.shown(t, t.Context(), last.previous)
			if read-before > 2*tc.most {
				t.Errorf("%s: reads %d bytes backwards", name, read-before)
			}
			expect := want[max(left-shownRows, 0):max(left, min(shownRows, len(want)))]
			if len(last.cells) != len(expect) || len(expect) > 0 && (last.cells[0][0] != expect[0] || last.cells[len(expect)-1][0] != expect[len(expect)-1]) {
				t.Fatalf("%s: backwards, %d rows, want %d before the last %d", name, len(last.cells), len(expect), len(want)-left)
			}
			if left = max(left-shownRows, 0); back > rows/shownRows {
				t.Fatalf("%s: no end backwards", name)
			}
		}
		if left > 0 {
			t.Errorf("%s: backwards, %d rows are missing", name, left)
		}
	}
}

// Addresses that name no page say why; those that name one show it, whoever wrote them.
func TestServeAddresses(t *testing.T) {
	dir := t.TempDir()
	numbered(t, filepath.Join(dir, "a.parquet"), 1000, 0)
	read := 0
	s := &server{files: countedFiles{os.DirFS(dir), &read}, secret: "s", host: "h"}
	for query, want := range map[string]string{
		"from=-1":                      `from=&#34;-1&#34;: the number of a row is wanted, from 0 on`,
		"from=x":                       `from=&#34;x&#34;: the number of a row`,
		"from=":                        `from=&#34;&#34;: the number of a row`,
		"from=1e3":                     `from=&#34;1e3&#34;: the number of a row`,
		"before=9223372036854775808":   `before=&#34;9223372036854775808&#34;: the number of a row`,
		"from=9223372036854775807":     `from=9223372036854775807: the file has 1,000 rows, numbered from 0`,
		"from=1000":                    `from=1000: the file has 1,000 rows`,
		"before=1001":                  `before=1001: the file has 1,000 rows`,
		"from=1&before=2":              `from and before are both given`,
		"from=%3Cscript%3E":            `from=&#34;&lt;script&gt;&#34;: the number`,
		"where=%3Cscript%3E":           `&lt;script&gt;`,
		"columns=nope":                 `no column nope`,
		"where=row+%3E%3D+0&from=1000": `from=1000: the file has 1,000 rows`,
	} {
		read = 0
		p := s.shown(t, t.Context(), "?file=a.parquet&"+query)
		_, text, _ := strings.Cut(p.body, `<pre id="error" role="alert">`)
		text, _, _ = strings.Cut(text, "</pre>")
		if !strings.Contains(text, want) || len(p.cells) > 0 || strings.Contains(p.body, "<script>") || read > 200_000 {
			t.Errorf("%s: %d, %q, %d rows", query, p.code, text, len(p.cells))
		}
	}
	for query, want := range map[string][2]string{ // first and last row
		"from=0": {"0", "199"}, "from=0999": {"999", "999"}, "before=1000": {"800", "999"}, "before=200": {"0", "199"}, "before=0": {"0", "199"}, "before=7": {"0", "199"},
		"where=k%3E3&before=10": {"4", "203"}, "where=k%3E3&before=2": {"4", "203"}, "from=3&from=9&x=y": {"3", "202"},
	} {
		if p := s.shown(t, t.Context(), "?file=a.parquet&"+query); p.code != http.StatusOK || len(p.cells) == 0 || [2]string{p.cells[0][0], p.cells[len(p.cells)-1][0]} != want {
			t.Errorf("%s: %d, %d rows", query, p.code, len(p.cells))
		}
	}
	// A text is text, also in what the page's program is told; the root links to the file.
	p := s.shown(t, t.Context(), "?file=a.parquet&from=7")
	if p.cells[0][2] != fmt.Sprintf("<b>7</b>%0300d", 7) || strings.Contains(p.body, "<b>") || !strings.Contains(p.body, `<input name="file" type="hidden" value="a.parquet">`) {
		t.Errorf("%.80q", p.cells[0][2])
	}
	if p := s.shown(t, t.Context(), ""); !strings.Contains(p.body, `<a href="?file=a.parquet">a.parquet</a>`) {
		t.Error("no link to the file")
	}
	if p := s.shown(t, t.Context(), "?file=%3Cb%3E.parquet"); strings.Contains(p.body, "<b>") || !strings.Contains(p.body, "&lt;b&gt;.parquet") {
		t.Error("a file that is not there is not named")
	}
}
