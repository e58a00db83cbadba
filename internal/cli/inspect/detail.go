package inspect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// chunkDetail shows a chunk line by line, with what has no room in a table.
func chunkDetail(f *input.File, c *scanner.Chunk, r *output.Report) {
	t := &table.Table{Indent: "  ", Columns: []table.Column{{}, {MinWidth: 20}}}
	line := func(name string, parts ...string) {
		if text := strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", "); text != "" {
			t.Add(table.Dim.Cell(name), table.Cell{Text: text, Cut: table.NeverCut})
		}
	}
	// Texts of the file may be long, and are cut.
	prose := func(name, text string) {
		if text != "" {
			t.Add(table.Dim.Cell(name), text)
		}
	}
	m := &c.Meta
	prose("column", c.Leaf.String())
	line("type", c.Leaf.Type.String())
	prose("system", c.Leaf.CRS)
	line("edges", c.Leaf.Edges)
	if c.HasMeta {
		line("values", table.Number(m.NumValues))
		line("size", table.Size(m.CompressedSize)+" "+wirename.Codec(m.Codec), table.Size(m.UncompressedSize)+" unpacked", ratioOf(m.Codec, m.UncompressedSize, m.CompressedSize))
		line("encodings", encodingNames(m.Encodings)...)
		var pages []string
		for _, s := range m.EncodingStats {
			pages = append(pages, table.Plural(int64(s.Count), wirename.PageType(s.PageType)+" page")+" "+wirename.Encoding(s.Encoding))
		}
		line("pages", pages...)
		line("offsets", offsetIf("data page ", true, m.DataPageOffset), offsetIf("dictionary page ", m.HasDictionaryOffset, m.DictionaryOffset),
			offsetIf("index page ", m.HasIndexPageOffset, m.IndexPageOffset))
		statisticsDetail(f, c, line, prose)
	}
	if c.Encrypted() {
		line("encryption", "encrypted")
	}
	prose("file", c.FilePath)
	line("column index", locationText(c.HasColumnIndex, c.ColumnIndexOffset, true, c.ColumnIndexLength))
	line("offset index", locationText(c.HasOffsetIndex, c.OffsetIndexOffset, true, c.OffsetIndexLength))
	line("Bloom filter", locationText(m.HasBloomFilter, m.BloomFilterOffset, m.HasBloomLength, m.BloomFilterLength))
	if keyValues, err := m.KeyValues.Append(nil); err == nil {
		for _, kv := range keyValues {
			prose("key "+kv.Key, kv.Value)
		}
	}
	r.Print(t)
}

func statisticsDetail(f *input.File, c *scanner.Chunk, line func(name string, parts ...string), prose func(name, text string)) {
	m := &c.Meta
	s := &m.Statistics
	b := chunks.BoundsOf(f, c)
	low, high, deprecated := chunks.BoundBytes(s)
	bound := func(v []byte, exact thrift.Flag) (text string) {
		if v != nil {
			text = b.Cell(v, 0, table.Plain).Text
			if exact == thrift.False {
				text += " (cut, not a value)"
			}
		}
		return text
	}
	boundLine := prose
	if b.Number {
		boundLine = func(name, text string) { line(name, text) }
	}
	boundLine("min", bound(low, s.MinExact))
	boundLine("max", bound(high, s.MaxExact))
	if low != nil || high != nil {
		if why := b.Reason(s, m.NumValues); why != pageindex.Usable {
			line("bounds", "unusable: "+why.String())
		} else if deprecated {
			line("bounds", "in the old fields min and max")
		}
	}
	line("nulls", table.NumberIf(s.HasNullCount, s.NullCount))
	line("NaNs", table.NumberIf(s.HasNaNCount, s.NaNCount))
	line("distinct", table.NumberIf(s.HasDistinctCount, s.DistinctCount))
	if z := &m.SizeStatistics; m.HasSizeStatistics {
		if z.HasUnencodedBytes {
			line("bytes", table.Size(z.UnencodedBytes)+" of values without their lengths")
		}
		line("repetition", histogramText(z.RepetitionHistogram))
		line("definition", histogramText(z.DefinitionHistogram))
	}
	if g := &m.Geospatial; m.HasGeospatial {
		eachAxis(g, func(name string, low, high float64) { line(name, fmt.Sprint(low, " to ", high)) })
		var types []string
		for _, t := range g.Types {
			types = append(types, strconv.Itoa(int(t)))
		}
		line("geometries", strings.Join(types, " "))
	}
}

// histogramText returns how many slots are at each level: "12 at 0, 3 at 1".
func histogramText(counts []int64) string {
	var parts []string
	for level, n := range counts {
		parts = append(parts, table.Number(n)+" at "+strconv.Itoa(level))
	}
	return strings.Join(parts, ", ")
}

// locationText returns where an index or a Bloom filter lies, if there is one.
func locationText(has bool, offset int64, hasLength bool, length int32) string {
	switch {
	case !has:
		return ""
	case !hasLength:
		return "offset " + strconv.FormatInt(offset, 10)
	}
	return "offset " + strconv.FormatInt(offset, 10) + ", " + table.Size(int64(length))
}
