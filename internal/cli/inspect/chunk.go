package inspect

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// place returns the start of records about a column chunk.
func place(f *input.File, c *scanner.Chunk) output.Members {
	return output.Members{"file", f.Name(), "row_group", c.RowGroup, "column", c.Leaf.FirstLeaf, "path", c.Leaf.String()}
}

// chunkRecord returns the record of a chunk.
func chunkRecord(f *input.File, c *scanner.Chunk) output.Members {
	m := &c.Meta
	record := append(output.Members{"kind", "chunk"}, place(f, c)...)
	record = append(record, "physical_type", c.Leaf.Type.Physical.String(), "logical_type", output.OmitZero(c.Leaf.Type.Annotation()),
		"crs", output.OmitZero(c.Leaf.CRS), "edges", output.OmitZero(c.Leaf.Edges))
	if c.HasMeta {
		record = append(record, "encodings", output.If(len(m.Encodings) > 0, encodingNames(m.Encodings)), "codec", wirename.Codec(m.Codec), "values", m.NumValues,
			"uncompressed_size", m.UncompressedSize, "compressed_size", m.CompressedSize, "data_page_offset", m.DataPageOffset,
			"dictionary_page_offset", output.If(m.HasDictionaryOffset, m.DictionaryOffset), "index_page_offset", output.If(m.HasIndexPageOffset, m.IndexPageOffset))
	}
	record = append(record, "file_path", output.OmitZero(c.FilePath), "encrypted", output.OmitZero(c.Encrypted()))
	if c.HasMeta {
		record = append(record, chunkStatistics(f, c)...)
		record = append(record, "bloom_filter", location(m.HasBloomFilter, m.BloomFilterOffset, m.HasBloomLength, m.BloomFilterLength))
	}
	record = append(record, indexLocations(c)...)
	if keyValues, err := m.KeyValues.Append(nil); c.HasMeta && err == nil && len(keyValues) > 0 {
		record = append(record, "key_values", keyValuesOf(keyValues))
	}
	return record
}

// chunkStatistics returns all that a chunk's metadata says of its values.
func chunkStatistics(f *input.File, c *scanner.Chunk) (all output.Members) {
	m := &c.Meta
	if m.HasStatistics {
		all = append(all, "statistics", statistics(chunks.BoundsOf(f, c), &m.Statistics, m.NumValues))
	}
	var stats []output.Members
	for _, s := range m.EncodingStats {
		stats = append(stats, output.Members{"page", wirename.PageType(s.PageType), "encoding", wirename.Encoding(s.Encoding), "count", s.Count})
	}
	all = append(all, "encoding_stats", output.If(stats != nil, stats))
	if s := &m.SizeStatistics; m.HasSizeStatistics {
		all = append(all, "size_statistics", output.Members{"unencoded_byte_array_bytes", output.If(s.HasUnencodedBytes, s.UnencodedBytes),
			"repetition_level_histogram", ifAny(s.RepetitionHistogram), "definition_level_histogram", ifAny(s.DefinitionHistogram)})
	}
	if g := &m.Geospatial; m.HasGeospatial {
		extent := output.Members{}
		eachAxis(g, func(name string, low, high float64) {
			if low-low == 0 && high-high == 0 { // JSON has no NaN and no infinity
				extent = append(extent, name, [2]float64{low, high})
			}
		})
		all = append(all, "geospatial", append(extent, "types", ifAny(g.Types)))
	}
	return all
}

// ifAny returns a list, or nil if it is empty, which leaves a member out.
func ifAny[T any](list []T) any { return output.If(len(list) > 0, list) }

// location returns where an index or a Bloom filter lies, if there is one.
func location(has bool, offset int64, hasLength bool, length int32) any {
	return output.If(has, output.Members{"offset", offset, "length", output.If(hasLength, length)})
}

func indexLocations(c *scanner.Chunk) output.Members {
	return output.Members{"column_index", location(c.HasColumnIndex, c.ColumnIndexOffset, true, c.ColumnIndexLength),
		"offset_index", location(c.HasOffsetIndex, c.OffsetIndexOffset, true, c.OffsetIndexLength)}
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

func keyValuesOf(list []thrift.KeyValue) []output.Members {
	var all []output.Members
	for _, kv := range list {
		value := any(json.RawMessage("null"))
		if kv.HasValue {
			value = kv.Value
		}
		all = append(all, output.Members{"key", kv.Key, "value", value})
	}
	return all
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
			first = cmp.Or(first, err)
			if fault.IsOutsideFile(err) {
				return err
			}
		}
	}
	return first
}

// statistics returns the statistics of a chunk or a page.
func statistics(b *chunks.Bounds, s *thrift.Statistics, slots int64) output.Members {
	low, high, deprecated := chunks.BoundBytes(s)
	why := b.Reason(s, slots)
	return output.Members{
		"min", bound(b, low, low != nil), "max", bound(b, high, high != nil),
		"min_exact", output.If(s.MinExact != thrift.Absent, s.MinExact == thrift.True), "max_exact", output.If(s.MaxExact != thrift.Absent, s.MaxExact == thrift.True),
		"deprecated", output.OmitZero(deprecated), "unusable", output.If((low != nil || high != nil) && why != pageindex.Usable, why.String()),
		"null_count", output.If(s.HasNullCount, s.NullCount), "nan_count", output.If(s.HasNaNCount, s.NaNCount), "distinct_count", output.If(s.HasDistinctCount, s.DistinctCount),
	}
}

// bound returns a bound of values, if it is known.
func bound(b *chunks.Bounds, plain []byte, known bool) any {
	if !known {
		return nil
	}
	return b.Valuer.JSON(plain)
}

func encodingNames(list []thrift.Encoding) []string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = wirename.Encoding(e)
	}
	return names
}

// shortEncodings names the encodings of a chunk for tables: once each, and but
// for booleans without RLE and BIT_PACKED, which most lists have for the levels.
func shortEncodings(list []thrift.Encoding, t vector.Physical) string {
	var names []string
	for _, e := range list {
		name := wirename.Encoding(e)
		switch e {
		case thrift.EncodingPlainDictionary, thrift.EncodingRLEDictionary:
			name = "DICT"
		case thrift.EncodingRLE, thrift.EncodingBitPacked:
			if t != vector.Boolean {
				continue
			}
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// offsetIf writes an offset behind a name, without the commas of table.Number: offsets are
// pasted into other tools.
func offsetIf(name string, known bool, n int64) string {
	if !known {
		return ""
	}
	return name + strconv.FormatInt(n, 10)
}

// ratioOf is table.Ratio, or nothing for an uncompressed chunk.
func ratioOf(c thrift.Codec, uncompressed, compressed int64) string {
	if c == thrift.CodecUncompressed {
		return ""
	}
	return table.Ratio(uncompressed, compressed)
}

// total is a sum of numbers that a file claims.
type total struct {
	n       int64
	unknown bool // one of them is not known, negative, or too large
}

func (t *total) add(n int64, known bool) {
	if t.unknown = t.unknown || !known || n < 0 || n > input.MaxRows-t.n; !t.unknown {
		t.n += n
	}
}

func (t *total) number() string { return table.NumberIf(!t.unknown, t.n) }

func (t *total) size() string {
	if t.unknown {
		return ""
	}
	return table.Size(t.n)
}
