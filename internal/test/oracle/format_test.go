package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift/wire"
)

const (
	formatDocument = "../../../docs/format.md"
	shapesFolder   = "../../../testdata/shapes/"
)

// formatRows are what the format has beside the types of leaves, since which version, a pattern of the sample files that
// show it, and words that the metadata of each of these files have.
var formatRows = [][4]string{
	{"encoding PLAIN", "1.0", "encoding_plain_v?", "PLAIN"},
	{"encoding PLAIN_DICTIONARY, now RLE_DICTIONARY", "1.0", "encoding_plain_dictionary_v?", "PLAIN_DICTIONARY"},
	{"encoding RLE of booleans", "1.0", "encoding_rle_v?", "RLE"},
	{"encoding BIT_PACKED of levels", "1.0", "levels_bit_packed", "BIT_PACKED"},
	{"encoding RLE_DICTIONARY", "2.0", "encoding_dictionary_v?", "RLE_DICTIONARY"},
	{"encoding DELTA_BINARY_PACKED", "2.0", "encoding_delta_binary_packed_v?", "DELTA_BINARY_PACKED"},
	{"encoding DELTA_LENGTH_BYTE_ARRAY", "2.0", "encoding_delta_length_byte_array_v?", "DELTA_LENGTH_BYTE_ARRAY"},
	{"encoding DELTA_BYTE_ARRAY", "2.0", "encoding_delta_byte_array_v?", "DELTA_BYTE_ARRAY"},
	{"encoding BYTE_STREAM_SPLIT", "2.8, in part 2.11", "encoding_byte_stream_split_v?", "BYTE_STREAM_SPLIT"},
	{"encoding ALP", "preview", "encoding_alp_v?", "ALP"},
	{"codec UNCOMPRESSED", "1.0", "codec_uncompressed", "UNCOMPRESSED"},
	{"codec SNAPPY", "1.0", "codec_snappy", "SNAPPY"},
	{"codec GZIP, also of several members", "1.0", "codec_gzip*", "GZIP"},
	{"codec LZO", "1.0", "../bad/chunk_codec_lzo", ""},
	{"codec BROTLI", "2.4", "codec_brotli", "BROTLI"},
	{"codec LZ4 in its three framings", "2.4", "codec_lz4_[hbf]*", "LZ4"},
	{"codec ZSTD", "2.4", "codec_zstd*", "ZSTD"},
	{"codec LZ4_RAW", "2.9", "codec_lz4_raw", "LZ4_RAW"},
	{"data pages of version 1, DATA_PAGE", "1.0", "pages_null_v1", "DATA_PAGE"},
	{"data pages of version 2, DATA_PAGE_V2", "2.0", "pages_null_v2", "DATA_PAGE_V2"},
	{"both versions in one chunk, DATA_PAGE_V2", "2.0", "pages_both_versions", "DATA_PAGE_V2"},
	{"index pages, and pages of unknown types", "1.0", "pages_[iu]n*", ""},
	{"checksums of pages", "1.0", "pages_*_crc", ""},
	{"annotations as ConvertedType", "1.0", "logical_types_converted", "converted_type"},
	{"annotations as LogicalType", "2.4", "logical_types_logical", "logicalType"},
	{"a LogicalType that is unknown", "", "logical_type_of_tomorrow", "logicalType"},
	{"LIST, a list, by each of its rules", "1.0", "nested_list*", "LIST"},
	{"MAP, a map, also as MAP_KEY_VALUE", "1.0", "nested_map*", "converted_type"},
	{"repeated fields without annotation", "1.0", "nested_repeated", ""},
	{"groups, a struct each", "1.0", "nested_struct", ""},
	{"VARIANT", "2.12", "logical_types_variant", "VARIANT"},
	{"GEOMETRY and GEOGRAPHY", "2.11", "logical_types_places", "GEOMETRY GEOGRAPHY"},
	{"deprecated min and max", "1.0", "stats_deprecated", "min"},
	{"min_value, max_value and column orders", "2.4", "stats_no_null_count", "min_value"},
	{"null_count", "2.0", "index_none", "null_count"},
	{"distinct_count", "2.0", "stats_exactness", "distinct_count"},
	{"exactness of bounds, is_min_value_exact", "2.10", "stats_exactness", "is_min_value_exact"},
	{"nan_count", "2.13", "stats_floats_nan_count", "nan_count"},
	{"column order IEEE_754_TOTAL_ORDER", "2.13", "stats_floats_total_order", "IEEE_754_TOTAL_ORDER"},
	{"column order INT96_TIMESTAMP_ORDER", "2.14", "stats_int96_order", "INT96_TIMESTAMP_ORDER"},
	{"statistics in page headers", "2.0", "pages_statistics", ""},
	{"column index and offset index", "2.4", "index_full", "column_index_offset offset_index_offset"},
	{"offset index alone", "2.4", "index_offset_only", "offset_index_offset"},
	{"size statistics", "2.10", "index_full", "size_statistics"},
	{"Bloom filters", "2.7", "bloom*", "bloom_filter_offset"},
	{"encryption: AES_GCM_V1, AES_GCM_CTR_V1", "2.7", "", ""},
	{"FILE", "2.14", "", ""},
}

// metadataOf returns the footer of a file as JSON, by the generated code, which has the format's own names.
func metadataOf(t *testing.T, f *scanner.File) string {
	b, err := fetch.ReadRange(t.Context(), f.Source(), f.FooterRange(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := wire.NewFileMetaData()
	if err := m.Read(t.Context(), apache.NewTCompactProtocolConf(&apache.TMemoryBuffer{Buffer: bytes.NewBuffer(b)}, nil)); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// jsonRows returns the rows of a scan as lines.
func jsonRows(t *testing.T, f *scanner.File, e *filter.Expr, k knobs.Knobs, stats *scanner.Stats) (lines []string, columns [][]vector.Scalar, err error) {
	for b, err := range f.Scan(knobs.With(t.Context(), k), scanner.Options{Filter: e, Stats: stats}) {
		if err != nil {
			return lines, columns, err
		}
		rows := vector.JSONRows(vector.AsStored(b.Fields))
		rows.Use(b)
		columns = slices.Grow(columns, len(b.Columns))[:len(b.Columns)]
		for i := range b.Len {
			line, err := rows.Append(nil, i)
			if err != nil {
				return lines, columns, err
			}
			lines = append(lines, string(line))
			for c, v := range b.Columns {
				if b.Fields[c].Layout == vector.Leaf {
					columns[c] = append(columns[c], v.Scalar(i))
				}
			}
		}
		b.Release()
	}
	return lines, columns, nil
}

// A columnTest is a condition on a column, and whether it holds for a value as JSON has it.
type columnTest struct {
	expr  *filter.Expr
	holds func(cell string) bool
}

// columnTests asks for NULLs and values, for a value that no row has, and for what is below or above all.
func columnTests(name string, values []vector.Scalar) (all []columnTest) {
	col := filter.Col(schema.FormatPath([]string{name}))
	all = []columnTest{{col.IsNull(), func(cell string) bool { return cell == "null" }}, {col.IsNotNull(), func(cell string) bool { return cell != "null" }}}
	values = slices.DeleteFunc(values, func(s vector.Scalar) bool { return s.IsNull() || s.String() == "NaN" })
	if len(values) == 0 {
		return all
	}
	never := func(string) bool { return false }
	absent := append(values[0].Plain(), 0)[:max(1, len(values[0].Plain()))]
	absent[0] ^= 0x15
	if s, err := vector.PlainOf(values[0].Type(), absent); err == nil && s.Type().Physical != vector.Boolean && !slices.ContainsFunc(values, s.Equal) {
		all = append(all, columnTest{col.Eq(s), never})
	}
	if _, ordered := values[0].Compare(values[0]); ordered {
		order := func(a, b vector.Scalar) int { o, _ := a.Compare(b); return o }
		all = append(all, columnTest{col.Lt(slices.MinFunc(values, order)), never}, columnTest{col.Gt(slices.MaxFunc(values, order)), never})
	}
	return all
}

// proveFile holds a file's rows to those that its generator wrote down, all and those that pass conditions, each with one
// kind of metadata as proof. It notes the words that its metadata have, and what left pages unread.
func proveFile(t *testing.T, path string, words []string, read, filtered, pruned map[string]bool) {
	f, err := scanner.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, columns, err := jsonRows(t, f, nil, knobs.Knobs{}, nil)
	if err != nil {
		read["refused: "+errors.Unwrap(err).Error()] = true
		return
	}
	for _, w := range words {
		if !strings.Contains(metadataOf(t, f), `"`+w+`"`) {
			t.Errorf("%s: its metadata have no %s", path, w)
		}
	}
	text, err := os.ReadFile(strings.TrimSuffix(path, ".parquet") + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if !slices.Equal(got, want) {
		t.Fatalf("%s: rows differ from those of its .jsonl", path)
	}
	read["yes"] = true
	cells := make([]map[string]json.RawMessage, len(want))
	for i, line := range want {
		if err := json.Unmarshal([]byte(line), &cells[i]); err != nil {
			t.Fatal(err)
		}
	}
	for c, n := range f.Schema().Root().Children {
		for _, test := range columnTests(n.Name, columns[c]) {
			var passing []string
			for i, line := range want {
				if test.holds(string(cells[i][n.Name])) {
					passing = append(passing, line)
				}
			}
			for only := range 4 {
				var stats scanner.Stats
				k := knobs.Knobs{NoStatistics: only != 0, NoPageIndex: only != 1, NoBloom: only != 2, NoDictionaries: only != 3}
				got, _, err := jsonRows(t, f, test.expr, k, &stats)
				if err != nil || !slices.Equal(got, passing) {
					t.Fatalf("%s: %s: %d rows, want %d; %v", path, test.expr, len(got), len(passing), err)
				}
				filtered["yes"] = true
				notePruned(pruned, &stats, only)
			}
		}
	}
}

// notePruned adds what left pages unread, of proofs of which only one was on.
func notePruned(pruned map[string]bool, stats *scanner.Stats, only int) {
	for _, c := range stats.Columns {
		for reason := scanner.ByStatistics; reason <= scanner.ByDictionary; reason++ {
			if c.Untouched[reason].Pages > 0 {
				pruned[reason.String()] = true
			}
		}
		if c.Pages[scanner.RejectedByHeader] > 0 {
			pruned["page headers"] = true
		}
		if only == 3 && c.DictionaryPages > 0 && c.Untouched[scanner.Dropped].Pages > 0 {
			pruned[scanner.ByDictionary.String()] = true
		}
	}
}

func listOf(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }

// TestFormat: docs/format.md has what scans of this test read, filtered and pruned.
func TestFormat(t *testing.T) {
	var table strings.Builder
	table.WriteString("| beside types | since | read | filtered | pruned by | files in `testdata/shapes` |\n|---|---|---|---|---|---|\n")
	for _, row := range formatRows {
		paths, err := filepath.Glob(shapesFolder + row[2] + ".parquet")
		if err != nil || len(paths) == 0 && row[2] != "" {
			t.Fatal(row, err)
		}
		read, filtered, pruned := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, path := range paths {
			proveFile(t, path, strings.Fields(row[3]), read, filtered, pruned)
		}
		files := strings.ReplaceAll(row[2], "*", `\*`)
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s | %s |\n", row[0], row[1], listOf(read), listOf(filtered), listOf(pruned), files)
	}
	dtest.Table(t, formatDocument, table.String())
}
