package inspect

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// appendPlace appends the start of records about a column chunk.
func appendPlace(o *output.Object, f *input.File, c *scanner.Chunk) {
	o.Text("file", f.Name())
	o.Int("row_group", int64(c.RowGroup))
	o.Int("column", int64(c.Leaf.FirstLeaf)) // the ordinal of the leaf
	o.Text("path", c.Leaf.String())
}

// appendChunk appends the members of a record of a chunk.
func appendChunk(o *output.Object, f *input.File, c *scanner.Chunk) {
	m := &c.Meta
	o.Text("kind", "chunk")
	appendPlace(o, f, c)
	o.Text("physical_type", c.Leaf.Type.Physical.String())
	annotation := c.Leaf.Type.Annotation()
	o.TextIf(annotation != "", "logical_type", annotation)
	if c.HasMeta {
		output.ListIf(o, "encodings", m.Encodings, func(e thrift.Encoding) { o.String(wirename.Encoding(e)) })
		o.Text("codec", wirename.Codec(m.Codec))
		o.Int("values", m.NumValues)
		o.Int("uncompressed_size", m.UncompressedSize)
		o.Int("compressed_size", m.CompressedSize)
		o.Int("data_page_offset", m.DataPageOffset)
		o.IntIf(m.HasDictionaryOffset, "dictionary_page_offset", m.DictionaryOffset)
		o.IntIf(m.HasIndexPageOffset, "index_page_offset", m.IndexPageOffset)
	}
	o.TextIf(c.FilePath != "", "file_path", c.FilePath)
	o.FlagIf(c.Encrypted(), "encrypted", true)
	if c.HasMeta {
		appendChunkStatistics(o, f, c)
		appendLocation(o, "bloom_filter", m.HasBloomFilter, m.BloomFilterOffset, m.HasBloomLength, m.BloomFilterLength)
	}
	appendLocation(o, "column_index", c.HasColumnIndex, c.ColumnIndexOffset, true, c.ColumnIndexLength)
	appendLocation(o, "offset_index", c.HasOffsetIndex, c.OffsetIndexOffset, true, c.OffsetIndexLength)
	if keyValues, err := m.KeyValues.Append(nil); c.HasMeta && err == nil && len(keyValues) > 0 {
		appendKeyValues(o, keyValues)
	}
}

// appendChunkStatistics appends all that a chunk's metadata says of its values.
func appendChunkStatistics(o *output.Object, f *input.File, c *scanner.Chunk) {
	m := &c.Meta
	if m.HasStatistics {
		appendStatistics(o, chunks.BoundsOf(f, c), &m.Statistics, m.NumValues)
	}
	output.ListIf(o, "encoding_stats", m.EncodingStats, func(s thrift.PageEncodingStats) {
		o.Item("page", wirename.PageType(s.PageType), "encoding", wirename.Encoding(s.Encoding), "count", int64(s.Count))
	})
	if m.HasSizeStatistics {
		s := &m.SizeStatistics
		o.Begin("size_statistics")
		o.IntIf(s.HasUnencodedBytes, "unencoded_byte_array_bytes", s.UnencodedBytes)
		o.IntsIf("repetition_level_histogram", s.RepetitionHistogram)
		o.IntsIf("definition_level_histogram", s.DefinitionHistogram)
		o.End()
	}
	if m.HasGeospatial {
		g := &m.Geospatial
		o.Begin("geospatial")
		eachAxis(g, func(name string, low, high float64) {
			if low-low == 0 && high-high == 0 { // JSON has no NaN and no infinity
				o.Members(name, [2]float64{low, high})
			}
		})
		o.Members("types", output.If(len(g.Types) > 0, g.Types))
		o.End()
	}
}

// appendLocation appends where an index or a Bloom filter lies, if there is one.
func appendLocation(o *output.Object, name string, has bool, offset int64, hasLength bool, length int32) {
	if has {
		o.Begin(name)
		o.Int("offset", offset)
		o.IntIf(hasLength, "length", int64(length))
		o.End()
	}
}

// eachAxis calls each with the bounds of each axis that has some.
func eachAxis(g *thrift.GeospatialStatistics, each func(name string, low, high float64)) {
	b := &g.Box
	for _, a := range []struct {
		name      string
		has       bool
		low, high float64
	}{{"x", true, b.XMin, b.XMax}, {"y", true, b.YMin, b.YMax}, {"z", b.HasZMin && b.HasZMax, b.ZMin, b.ZMax}, {"m", b.HasMMin && b.HasMMax, b.MMin, b.MMax}} {
		if g.HasBox && a.has {
			each(a.name, a.low, a.high)
		}
	}
}

func chunkTable(f *input.File, all []*scanner.Chunk) *table.Table {
	t := &table.Table{Indent: "  ", Columns: []table.Column{
		{Title: "#", Right: true}, {Title: "column", MinWidth: 16, CutFront: true}, {Title: "type", MinWidth: 12}, {Title: "codec", Optional: true},
		{Title: "encodings", MinWidth: 10, Optional: true}, {Title: "values", Right: true, Optional: true}, {Title: "nulls", Right: true}, {Title: "NaNs", Right: true, Optional: true},
		{Title: "distinct", Right: true, Optional: true}, {Title: "size", Right: true}, {Title: "ratio", Right: true, Optional: true},
		{Title: "offset", Right: true, Optional: true}, {Title: "min", MinWidth: 11}, {Title: "max", MinWidth: 11}, {Title: "has", Optional: true},
	}}
	for _, c := range all {
		ordinal := strconv.Itoa(c.Leaf.FirstLeaf)
		typ := table.TypeName(c.Leaf.Type)
		if locked := isLocked(c); locked || !c.HasMeta {
			what := "no metadata"
			if locked {
				what = "encrypted"
			}
			t.Add(ordinal, c.Leaf.String(), table.Cyan.Cell(typ), table.Red.Cell(what), "", "", "", "", "", "", "", "", "", "", "")
			continue
		}
		m := &c.Meta
		s := &m.Statistics
		low, high := chunks.BoundsOf(f, c).Cells(s, m.NumValues)
		t.Add(ordinal, c.Leaf.String(), table.Cyan.Cell(typ), wirename.Codec(m.Codec), shortEncodings(m.Encodings, c.Leaf.Type.Physical),
			table.Number(m.NumValues), table.NumberIf(s.HasNullCount, s.NullCount), table.NumberIf(s.HasNaNCount, s.NaNCount),
			table.NumberIf(s.HasDistinctCount, s.DistinctCount), table.Size(m.CompressedSize), ratioOf(m.Codec, m.UncompressedSize, m.CompressedSize),
			strconv.FormatInt(m.DataPageOffset, 10), low, high, extras(c))
	}
	return t
}

// extras returns a letter for each structure that a chunk has besides its pages:
// see the help of meta.
func extras(c *scanner.Chunk) string {
	var letters []byte
	for _, e := range []struct {
		has    bool
		letter byte
	}{{c.Meta.HasBloomFilter, 'B'}, {c.HasColumnIndex, 'C'}, {c.HasOffsetIndex, 'O'}, {c.Meta.HasSizeStatistics, 'S'}} {
		if e.has {
			letters = append(letters, e.letter)
		}
	}
	return string(letters)
}

// isLocked reports whether a chunk is encrypted, and there is no key for it.
func isLocked(c *scanner.Chunk) bool {
	if !c.Encrypted() {
		return false
	}
	_, _, err := c.Range()
	return errors.Is(err, scanner.ErrEncrypted) || errors.Is(err, scanner.ErrCorrupt) && !c.HasMeta
}

func appendKeyValues(o *output.Object, list []thrift.KeyValue) {
	output.List(o, "key_values", list, func(kv thrift.KeyValue) {
		value := any(json.RawMessage("null"))
		if kv.HasValue {
			value = kv.Value
		}
		o.Item("key", kv.Key, "value", value)
	})
}

// eachChunk calls show for every selected chunk. A bad chunk does not stop the
// others; eachChunk returns the first error.
func eachChunk(f *input.File, o *command.Options, show func(*scanner.Chunk) error, r *output.Report) error {
	groups, leaves, err := o.Selected(f)
	if err != nil {
		return err
	}
	if r.Tables() {
		r.Heading(f.Name(), "")
	}
	var first error
	for _, g := range groups {
		for _, leaf := range leaves {
			c, err := f.Chunk(g, leaf)
			if err == nil {
				err = show(c)
			}
			if first == nil {
				first = err
			}
			if fault.IsOutsideFile(err) {
				return err
			}
		}
	}
	return first
}

// appendStatistics appends the statistics of a chunk or a page.
func appendStatistics(o *output.Object, b *chunks.Bounds, s *thrift.Statistics, slots int64) {
	low, high, deprecated := chunks.BoundBytes(s)
	o.Begin("statistics")
	if low != nil {
		o.Name("min")
		o.Line = b.Valuer.AppendJSON(o.Line, low)
	}
	if high != nil {
		o.Name("max")
		o.Line = b.Valuer.AppendJSON(o.Line, high)
	}
	o.FlagIf(s.MinExact != thrift.Absent, "min_exact", s.MinExact == thrift.True)
	o.FlagIf(s.MaxExact != thrift.Absent, "max_exact", s.MaxExact == thrift.True)
	o.FlagIf(deprecated, "deprecated", true) // the bounds stand in the old fields
	if low != nil || high != nil {
		why := chunks.ReasonText(b.Reason(s, slots))
		o.TextIf(why != "", "unusable", why) // why the bounds must not be used
	}
	o.IntIf(s.HasNullCount, "null_count", s.NullCount)
	o.IntIf(s.HasNaNCount, "nan_count", s.NaNCount)
	o.IntIf(s.HasDistinctCount, "distinct_count", s.DistinctCount)
	o.End()
}
