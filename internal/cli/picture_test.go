package cli

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/dtest"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/cli/picture"
	"github.com/winnow-scan/winnow/internal/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// drawn draws the scan of a file, and returns its counters, too.
func drawn(t *testing.T, name string, where *filter.Expr) (*picture.Picture, *scanner.Stats, *input, error) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	src := fetch.FromBytes(b)
	file, err := scanner.OpenSource(t.Context(), name, src)
	if err != nil {
		t.Fatal(err)
	}
	f := &input{File: file}
	o := &options{limit: -1, rowGroup: -1, picture: os.DevNull}
	o.where.expr = where
	e, err := explain(t.Context(), f, o, newReport(io.Discard, Format{}, table.Screen{}))
	if err != nil {
		t.Fatal(err)
	}
	stats, a, _, err := e.run(t.Context())
	if err != nil {
		return nil, nil, nil, err
	}
	return &a.picture, stats, f, nil
}

// A picture that is drawn again after a scan is as one that is drawn once. Of a file with indexes
// its pages are listed already; of one without, nothing was read before the scan.
func TestPictureIsDrawnAgain(t *testing.T) {
	for name, indexed := range map[string]bool{"lineitems.parquet": true, "shapes/dictionary_fallback.parquet": true, "shapes/index_none.parquet": false} {
		name := filepath.Join("../../testdata", name)
		want, _, _, err := drawn(t, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		src := fetch.Record(fetch.FromBytes(b))
		file, err := scanner.OpenSource(t.Context(), name, src)
		if err != nil {
			t.Fatal(err)
		}
		e, err := explain(t.Context(), &input{File: file}, &options{limit: -1, rowGroup: -1}, newReport(io.Discard, Format{}, table.Screen{}))
		if err != nil {
			t.Fatal(err)
		}
		a := newArtist(e)
		src.Take()
		if err := a.draw(t.Context(), &scanner.Stats{}); err != nil {
			t.Fatal(err)
		}
		if reads := src.Text(); (reads != "") != indexed {
			t.Errorf("%s: before the scan: %s", name, reads)
		}
		before := a.picture
		o := e.options
		o.Stats = new(scanner.Stats)
		a.watch(&o)
		for b, err := range file.Scan(t.Context(), o) {
			if err != nil {
				t.Fatal(err)
			}
			b.Release()
		}
		src.Take()
		if err := a.draw(t.Context(), o.Stats); err != nil {
			t.Fatal(err)
		}
		if reads := src.Text(); (reads != "") == indexed {
			t.Errorf("%s: after the scan: %s", name, reads)
		}
		a.picture.Spans, want.Spans = nil, nil
		if !reflect.DeepEqual(a.picture, *want) || reflect.DeepEqual(a.picture.Columns, before.Columns) {
			t.Errorf("%s: another picture", name)
		}
	}
}

// The numbers of a picture are those of the scan's counters, and those of the file, for
// every file of testdata and of the corpus.
func TestPictureAgrees(t *testing.T) {
	for _, dir := range []string{"../../testdata", "../../../shared/corpus/parquet-testing/data"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			pictures := 0
			for _, name := range dtest.SampleFiles(t, dir) {
				if strings.Contains(filepath.ToSlash(name), "/bad/") || strings.HasPrefix(filepath.Base(name), "large_string_map") {
					continue // of the latter, 2 GiB would have to be decoded, twice
				}
				wheres := []*filter.Expr{nil}
				if f, err := scanner.Open(t.Context(), name); err != nil {
					t.Error(err)
				} else {
					for _, leaf := range f.Schema().Leaves() {
						if leaf.MaxRep == 0 && len(leaf.Path()) == 1 {
							wheres = append(wheres, filter.Col(schema.FormatPath(leaf.Path())).IsNotNull())
							break
						}
					}
					f.Close()
				}
				for _, where := range wheres {
					p, stats, f, err := drawn(t, name, where)
					switch {
					case errors.Is(err, scanner.ErrUnsupported) || errors.Is(err, scanner.ErrEncrypted) || strings.Contains(name, "corrupt"):
						continue
					case err != nil:
						t.Errorf("%s: %v", name, err)
						continue
					}
					pictures++
					pictureAgrees(t, f, p, stats)
				}
			}
			if t.Log(pictures, "pictures"); pictures < 50 {
				t.Error("too few")
			}
		})
	}
}

func pictureAgrees(t *testing.T, f *input, p *picture.Picture, stats *scanner.Stats) {
	t.Helper()
	if len(p.Notes) > 0 {
		t.Errorf("%s: %q", f.Name(), p.Notes)
	}
	if p.Returned != stats.Rows || p.Size != f.Source().Size() {
		t.Errorf("%s: %d rows, %d bytes; want %d and %d", f.Name(), p.Returned, p.Size, stats.Rows, f.Source().Size())
	}
	inChunks := int64(0)
	for leaf := range f.Schema().Leaves() {
		c := &p.Columns[leaf]
		number, bytes := int64(0), int64(0)
		for _, t := range c.Totals() {
			number += t.Pages
			bytes += t.Bytes
		}
		wantPages, wantBytes := int64(0), int64(0)
		for g := range f.Footer().RowGroups {
			chunk, err := f.Chunk(g, leaf)
			if err != nil {
				t.Fatal(err)
			}
			place, _, err := chunk.Range()
			if err != nil {
				t.Fatal(err)
			}
			wantBytes += place.Len
			for page, err := range pages(t.Context(), f, chunk) {
				if err != nil {
					t.Fatal(err)
				}
				if page.Number >= 0 {
					wantPages++
				}
			}
		}
		if number != wantPages || bytes != wantBytes {
			t.Errorf("%s, %s: %d pages and %d bytes, the file has %d and %d", f.Name(), c.Name, number, bytes, wantPages, wantBytes)
		}
		inChunks += bytes
	}
	if inChunks+p.Metadata != p.Size || p.Metadata < 12 {
		t.Errorf("%s: %d bytes in chunks, %d others, %d in all", f.Name(), inChunks, p.Metadata, p.Size)
	}
	for i := range stats.Columns {
		s := &stats.Columns[i]
		c := &p.Columns[s.Leaf.FirstLeaf]
		totals := c.Totals()
		for fate, n := range s.Pages {
			if fate != int(scanner.Unread) && totals[fates[fate]].Pages != n {
				t.Errorf("%s, %s: %d pages %v, counted %d", f.Name(), c.Name, totals[fates[fate]].Pages, scanner.Fate(fate), n)
			}
		}
		dictionary := int64(0)
		for k := range c.Pages {
			if page := &c.Pages[k]; page.Kind == picture.Dictionary && page.Fate == picture.Decoded {
				dictionary += page.Bytes
			}
		}
		if dictionary != s.DictionaryBytes {
			t.Errorf("%s, %s: dictionaries of %d bytes, counted %d", f.Name(), c.Name, dictionary, s.DictionaryBytes)
		}
		for why, n := range s.Untouched {
			if got := totals[reasons[why]].Pages; n.Pages > 0 && got != n.Pages {
				t.Errorf("%s, %s: %d pages unread because %v, counted %d", f.Name(), c.Name, got, scanner.Reason(why), n.Pages)
			}
		}
	}
}

// Texts of a file never become markup, in HTML or SVG.
func TestPictureEscapes(t *testing.T) {
	const bad = "</script><img src=x onerror=alert(1)>\x00\x1b&\"'\u2028"
	p := &picture.Picture{
		File: bad, Where: bad, Rows: 10, Size: 100, Notes: []string{bad}, Groups: []picture.Group{{Rows: 10}},
		Conditions: []picture.Condition{{Text: bad, None: []picture.Range{{From: 0, To: 5}}}},
		Columns:    []picture.Column{{Name: bad, Type: bad, Use: "both", Pages: []picture.Page{{Rows: 10, Bytes: 50, Fate: picture.Decoded, Min: bad, Max: bad}}}},
		Spans:      []picture.Span{{Text: bad, End: 1}},
	}
	var html, svg bytes.Buffer
	if err := p.HTML(&html); err != nil {
		t.Fatal(err)
	}
	if err := p.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"HTML": html.String(), "SVG": svg.String()} {
		if strings.Contains(text, "<img") || strings.ContainsAny(text, "\x00\x1b") {
			t.Errorf("%s: a name became markup", name)
		}
	}
	if n := strings.Count(html.String(), "</script>"); n != 2 {
		t.Errorf("%d ends of scripts", n)
	}
	if !strings.Contains(svg.String(), "&lt;img src=x") {
		t.Error("the name is missing")
	}
	for d := xml.NewDecoder(&svg); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// An offset index without pages is right for a row group without rows.
func TestPictureOfNoRows(t *testing.T) {
	file := &gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int32)},
		RowGroups: []gen.RowGroup{{}, {Rows: []any{gen.Record{"a": int32(3)}}}},
	}
	written := 0
	file.All.OffsetIndex = func(x *wire.OffsetIndex) {
		if written++; written == 1 {
			x.PageLocations = nil
		}
	}
	data, err := file.Write()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "f.parquet")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	p, stats, f, err := drawn(t, name, nil)
	if err != nil || len(p.Columns) != 1 || len(p.Columns[0].Pages) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	pictureAgrees(t, f, p, stats)
}

// The file that --picture names gets the picture, in the form that its name says.
func TestPictureFiles(t *testing.T) {
	dir := t.TempDir()
	for name, start := range map[string]string{"a.html": "<!DOCTYPE html>", "a.SVG": "<svg "} {
		path := filepath.Join(dir, name)
		_, stderr, code := runScan(t, t.Context(), "explain", "--picture", path, "-w", "quantity > 49", "../../testdata/lineitems.parquet")
		b, err := os.ReadFile(path)
		if code != 0 || err != nil || !strings.HasPrefix(string(b), start) {
			t.Errorf("%s: %s, %v, %.40q", name, stderr, err, b)
		}
	}
	if stdout, _, _ := runScan(t, t.Context(), "explain", "--format", "table", "--picture", filepath.Join(dir, "b.html"), "../../testdata/lineitems.parquet"); !strings.HasSuffix(stdout, "\nPicture  "+filepath.Join(dir, "b.html")+", for a browser\n") {
		t.Errorf("does not say where the picture is:\n%s", stdout)
	}
	for args, want := range map[string]string{
		"--picture a.png a.parquet":           "scan: explain: --picture a.png: pictures are .html or .svg\nTry: scan help explain\n",
		"--picture a.svg a.parquet b.parquet": "scan: explain: --picture draws one file\nTry: scan help explain\n",
	} {
		if _, stderr, code := runScan(t, t.Context(), append([]string{"explain"}, strings.Fields(args)...)...); code != exitUsage || stderr != want {
			t.Errorf("%s: exit %d, %s", args, code, stderr)
		}
	}
	if _, stderr, code := runScan(t, t.Context(), "explain", "--picture", filepath.Join(dir, "no", "a.html"), "../../testdata/lineitems.parquet"); code == 0 || !strings.Contains(stderr, "a.html") {
		t.Errorf("a folder that is not there: %d, %s", code, stderr)
	}
}

// README.md shows the picture that this version draws.
func TestPictureOfREADME(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pages.svg")
	t.Chdir("../..")
	_, stderr, code := runScan(t, t.Context(), "explain", "--picture", path, "-c", "order_key,comment", "-w", "ship_date >= '1996-05-01' AND extended_price > 40000", "testdata/lineitems.parquet")
	if code != 0 {
		t.Fatal(stderr)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if f := flag.Lookup("rewrite"); f.Value.String() == "true" {
		if err := os.WriteFile("docs/pages.svg", got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("docs/pages.svg")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/pages.svg is not what is drawn now (go test ./internal/cli -rewrite draws it): %v", err)
	}
}
