package page

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/thrift"
)

const spare = 64

func options() Options {
	return Options{Codecs: codec.NewSet(codec.Options{Spare: spare})}
}

// corpus returns the folder of real files.
func corpus(tb testing.TB) string {
	tb.Helper()
	dir := filepath.Join("..", "..", "shared", "corpus", "parquet-testing")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("WINNOW_CORPUS_REQUIRED") == "1" {
			tb.Fatal(err)
		}
		tb.Skip("the shared corpus is not here")
	}
	return dir
}

// column is a column chunk of a real file.
type column struct {
	name           string
	typ            thrift.Type
	maxRep, maxDef int
	meta           thrift.ColumnMetaData
	chunk          Chunk
	bytes          []byte
}

// columns returns the chunks of a file, row group by row group.
func columns(tb testing.TB, file []byte) (all []column) {
	tb.Helper()
	n := int(binary.LittleEndian.Uint32(file[len(file)-8:]))
	f, err := thrift.ParseFooter(file[len(file)-8-n : len(file)-8])
	if err != nil {
		tb.Fatal(err)
	}
	var leaves []column
	var walk func(at int, path []string, rep, def int) int
	walk = func(at int, path []string, rep, def int) int {
		e := f.Schema[at]
		if at > 0 {
			path = append(path, e.Name)
			switch e.Repetition {
			case thrift.Optional:
				def++
			case thrift.Repeated:
				rep, def = rep+1, def+1
			}
		}
		at++
		if e.NumChildren == 0 {
			leaves = append(leaves, column{name: strings.Join(path, "."), typ: e.Type, maxRep: rep, maxDef: def})
		}
		for range e.NumChildren {
			at = walk(at, path, rep, def)
		}
		return at
	}
	walk(0, nil, 0, 0)
	for rg := range f.RowGroups {
		for i, c := range leaves {
			var cc thrift.ColumnChunk
			if err := f.Chunk(rg, i, &cc); err != nil {
				tb.Fatal(err)
			}
			c.meta = cc.Meta
			start := c.meta.DataPageOffset
			if d := c.meta.DictionaryOffset; d > 0 && (d < start || start == 0) {
				start = d
			}
			c.chunk = Chunk{Length: c.meta.CompressedSize, Values: c.meta.NumValues}
			if f.CreatedBy == "parquet-mr" { // so old that it has no version
				c.chunk.Slack = min(100, int64(len(file))-start-c.chunk.Length)
			}
			c.bytes = file[start : start+c.chunk.Length+c.chunk.Slack]
			all = append(all, c)
		}
	}
	return all
}

// read returns what a Walker wants, from a chunk at hand.
func (c *column) supply(w *Walker, need Need) {
	w.Supply(need.From, c.bytes[need.From:need.To:need.To])
}

// next is Next that supplies each Need.
func (c *column) next(w *Walker) (*Page, error) {
	for {
		p, need, err := w.Next()
		if !need.Some() {
			return p, err
		}
		c.supply(w, need)
	}
}

func (c *column) packed(w *Walker) []byte {
	for {
		b, need := w.Packed()
		if !need.Some() {
			return b
		}
		c.supply(w, need)
	}
}

// page is one page of a real file, decompressed.
type page struct {
	Page
	body  []byte
	parts BodyParts
}

// pages walks, unpacks and splits a chunk.
func (c *column) pages(o Options) (all []page, err error) {
	var w Walker
	w.Reset(c.chunk)
	u, err := o.Unpacker(c.meta.Codec)
	if err != nil {
		return nil, err
	}
	for {
		p, err := c.next(&w)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		body, err := u.Unpack(nil, &p.Header, c.packed(&w), int(p.Header.UncompressedSize))
		if err != nil {
			return all, err
		}
		parts, _, err := Split(&p.Header, c.typ, c.maxRep, c.maxDef, body)
		if err != nil {
			return all, err
		}
		all = append(all, page{*p, body, parts})
	}
}

// levels checks the level parts with a decoder that shares nothing with this
// package, and returns how many values are not null.
func (p *page) levels(t *testing.T, c *column) (present int) {
	t.Helper()
	h := &p.Header
	n := int(h.NumValues)
	v1 := h.Type == thrift.DataPage
	if c.maxRep > 0 {
		if _, err := naive.Levels(p.parts.Repetition, c.maxRep, n, v1 && h.RepetitionEncoding == thrift.EncodingBitPacked); err != nil {
			t.Errorf("%s: repetition levels: %v", c.name, err)
		}
	}
	if c.maxDef == 0 {
		return n
	}
	levels, err := naive.Levels(p.parts.Definition, c.maxDef, n, v1 && h.DefinitionEncoding == thrift.EncodingBitPacked)
	if err != nil {
		t.Errorf("%s: definition levels: %v", c.name, err)
	}
	for _, d := range levels {
		if d == c.maxDef {
			present++
		}
	}
	return present
}

// values checks the value part of PLAIN and dictionary pages.
func (p *page) values(t *testing.T, c *column, present, entries int) {
	t.Helper()
	b := p.parts.Values
	width := map[thrift.Type]int{thrift.TypeInt32: 4, thrift.TypeInt64: 8, thrift.TypeInt96: 12, thrift.TypeFloat: 4, thrift.TypeDouble: 8}[c.typ]
	switch e := p.Header.Encoding; {
	case p.Header.Type == thrift.DictionaryPage || e == thrift.EncodingPlain:
		if width > 0 && len(b) != width*present {
			t.Errorf("%s: %d bytes for %d values", c.name, len(b), present)
		}
		if c.typ != thrift.TypeByteArray {
			return
		}
		for range present {
			if len(b) < 4 || len(b)-4 < int(binary.LittleEndian.Uint32(b)) {
				t.Errorf("%s: strings cut short", c.name)
				return
			}
			b = b[4+binary.LittleEndian.Uint32(b):]
		}
		if len(b) > 0 {
			t.Errorf("%s: %d bytes behind %d strings", c.name, len(b), present)
		}
	case e == thrift.EncodingRLEDictionary || e == thrift.EncodingPlainDictionary:
		if present == 0 {
			return
		}
		codes, err := naive.Hybrid(b[1:], int(b[0]), present)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, x := range codes {
			if int(x) >= entries {
				t.Errorf("%s: code %d of %d", c.name, x, entries)
			}
		}
	case e == thrift.EncodingRLE && c.typ == thrift.TypeBoolean:
		if _, err := naive.Hybrid(b, 1, present); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Every byte of every real chunk belongs to a page, and every page opens.
func TestRealFiles(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(corpus(t), "data", "*.parquet"))
	more, _ := filepath.Glob(filepath.Join(corpus(t), "data", "geospatial", "*.parquet"))
	wrong := map[string]string{
		"datapage_v1-corrupt-checksum.parquet":           "checksum",
		"rle-dict-uncompressed-corrupt-checksum.parquet": "checksum",
	}
	if len(files) < 60 {
		t.Fatalf("%d files", len(files))
	}
	for _, name := range append(files, more...) {
		base := filepath.Base(name)
		if base == "large_string_map.brotli.parquet" {
			continue // TestPrefixOfLargePages
		}
		t.Run(base, func(t *testing.T) {
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			failures := ""
			for _, c := range columns(t, file) {
				pages, err := c.pages(options())
				if err != nil {
					if !errors.Is(err, corrupt.Bad) {
						t.Errorf("%s: %v", c.name, err)
					}
					failures += err.Error() + "\n"
					continue
				}
				at, values, entries := int64(0), int64(0), 0
				for _, p := range pages {
					if p.Offset != at {
						t.Errorf("%s: page at %d, the last one ended at %d", c.name, p.Offset, at)
					}
					at = p.End()
					present := int(p.Header.NumValues)
					if p.Header.Type == thrift.DictionaryPage {
						entries = present
					} else {
						values += int64(present)
						present = p.levels(t, &c)
					}
					p.values(t, &c, present, entries)
				}
				if base == "nation.dict-malformed.parquet" && len(pages) == 2 {
					at -= int64(pages[0].HeaderSize) // what its lengths leave out
				}
				if at != c.chunk.Length || values != c.meta.NumValues {
					t.Errorf("%s: %d of %d bytes, %d of %d values", c.name, at, c.chunk.Length, values, c.meta.NumValues)
				}
			}
			if want := wrong[base]; (failures != "") != (want != "") || !strings.Contains(failures, want) {
				t.Errorf("failures %q, want %q", failures, want)
			}
			if wrong[base] == "" {
				return
			}
			o := options()
			o.IgnoreCRC = true
			for _, c := range columns(t, file) {
				if _, err := c.pages(o); err != nil {
					t.Errorf("%s, checksums ignored: %v", c.name, err)
				}
			}
		})
	}
}

func realColumn(t testing.TB, file, name string) column {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(corpus(t), "data", file))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range columns(t, b) {
		if c.name == name {
			return c
		}
	}
	t.Fatalf("%s has no column %s", file, name)
	return column{}
}

// Pages of 1 GiB: the first bytes are read with memory for the first bytes.
func TestPrefixOfLargePages(t *testing.T) {
	c := realColumn(t, "large_string_map.brotli.parquet", "arr.key_value.key")
	var w Walker
	w.Reset(c.chunk)
	u, err := options().Unpacker(c.meta.Codec)
	if err != nil {
		t.Fatal(err)
	}
	large := 0
	for {
		p, err := c.next(&w)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.Header.UncompressedSize < 1<<29 {
			continue
		}
		large++
		packed := c.packed(&w)
		body, err := u.Unpack(nil, &p.Header, packed, 1000)
		if err != nil || len(body) < 1000 || cap(body) > 1<<20 {
			t.Fatalf("%d bytes, capacity %d, %v", len(body), cap(body), err)
		}
		parts, _, err := Split(&p.Header, c.typ, c.maxRep, c.maxDef, body)
		if err != nil {
			t.Fatal(err)
		}
		if n := int64(binary.LittleEndian.Uint32(parts.Values)); n != 1<<30 || len(parts.Values) < 500 {
			t.Errorf("a string of %d bytes, of which %d are there", n, len(parts.Values))
		}
		o := options()
		o.MaxSize = 1 << 20
		u, _ := o.Unpacker(c.meta.Codec)
		if _, err := u.Unpack(nil, &p.Header, packed, 1000); !errors.Is(err, corrupt.Unsupported) {
			t.Errorf("beyond the option's limit: %v", err)
		}
	}
	if large == 0 {
		t.Error("no large page found")
	}
}
