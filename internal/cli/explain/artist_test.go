package explain

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/picture"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// drawn draws the scan of a file, and returns its counters, too.
func drawn(t *testing.T, name string, where *filter.Expr) (*picture.Picture, *scanner.Stats, *input.File, error) {
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
	f := &input.File{File: file}
	o := &command.Options{Limit: -1, RowGroup: -1, Picture: os.DevNull}
	o.Where.Expr = where
	e, err := PlanOf(t.Context(), f, o, output.NewReport(io.Discard, output.Format{}, table.Screen{}))
	if err != nil {
		t.Fatal(err)
	}
	stats, a, _, err := e.run(t.Context())
	if err != nil {
		return nil, nil, nil, err
	}
	return &a.Picture, stats, f, nil
}

// A picture that is drawn again after a scan is as one that is drawn once. Of a file with indexes
// its pages are listed already; of one without, nothing was read before the scan.
func TestPictureIsDrawnAgain(t *testing.T) {
	for name, indexed := range map[string]bool{"lineitems.parquet": true, "shapes/dictionary_fallback.parquet": true, "shapes/index_none.parquet": false} {
		name := filepath.Join("../../../testdata", name)
		want, _, _, err := drawn(t, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		src := record.Of(fetch.FromBytes(b))
		file, err := scanner.OpenSource(t.Context(), name, src)
		if err != nil {
			t.Fatal(err)
		}
		e, err := PlanOf(t.Context(), &input.File{File: file}, &command.Options{Limit: -1, RowGroup: -1}, output.NewReport(io.Discard, output.Format{}, table.Screen{}))
		if err != nil {
			t.Fatal(err)
		}
		a := NewArtist(e)
		src.Take()
		if err := a.Draw(t.Context(), &scanner.Stats{}); err != nil {
			t.Fatal(err)
		}
		if reads := src.Text(); (reads != "") != indexed {
			t.Errorf("%s: before the scan: %s", name, reads)
		}
		before := a.Picture
		o := e.Options
		o.Stats = new(scanner.Stats)
		a.Watch(&o)
		for b, err := range file.Scan(t.Context(), o) {
			if err != nil {
				t.Fatal(err)
			}
			b.Release()
		}
		src.Take()
		if err := a.Draw(t.Context(), o.Stats); err != nil {
			t.Fatal(err)
		}
		if reads := src.Text(); (reads != "") == indexed {
			t.Errorf("%s: after the scan: %s", name, reads)
		}
		a.Picture.Spans, want.Spans = nil, nil
		if !reflect.DeepEqual(a.Picture, *want) || reflect.DeepEqual(a.Picture.Columns, before.Columns) {
			t.Errorf("%s: another picture", name)
		}
	}
}

// The numbers of a picture are those of the scan's counters, and those of the file, for
// every file of testdata and of the corpus.
func TestPictureAgrees(t *testing.T) {
	for _, dir := range []string{"../../../testdata", "../../../../shared/corpus/parquet-testing/data"} {
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

func pictureAgrees(t *testing.T, f *input.File, p *picture.Picture, stats *scanner.Stats) {
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
		for _, t := range (&picture.Picture{Columns: []picture.Column{*c}}).Totals() {
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
			for page, err := range chunks.Pages(t.Context(), f, chunk) {
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
		totals := (&picture.Picture{Columns: []picture.Column{*c}}).Totals()
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

// Requests of a far file end in goroutines of their own while the scan goes on: the picture has all of them.
func TestPictureOfFarFile(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir("../../../testdata")))
	defer server.Close()
	file, err := web.Open(t.Context(), server.URL+"/lineitems.parquet", web.Options{})
	if err != nil {
		t.Fatal(err)
	}
	slow := fetch.WithTraits(file, fetch.Traits{Identity: fetch.IdentityOf(file), Latency: 20 * time.Millisecond, Bandwidth: 1 << 20})
	f, err := scanner.OpenSource(t.Context(), "lineitems", slow)
	if err != nil {
		t.Fatal(err)
	}
	o := &command.Options{Limit: -1, RowGroup: -1, Picture: os.DevNull}
	e, err := PlanOf(t.Context(), &input.File{File: f}, o, output.NewReport(io.Discard, output.Format{}, table.Screen{}))
	if err != nil {
		t.Fatal(err)
	}
	stats, a, _, err := e.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	requests := int64(0)
	for _, s := range a.Picture.Spans {
		if s.Request {
			requests++
		}
	}
	if stats.Rows != 20000 || requests < 2 {
		t.Errorf("%d rows, %d requests", stats.Rows, requests)
	}
}
