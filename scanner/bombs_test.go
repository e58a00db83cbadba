package scanner

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/page/codec/zstd"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// A bomb is a page of few bytes whose body is very many: head, then zeros.
type bomb struct {
	name     string
	node     *gen.Node
	encoding wire.Encoding
	head     []byte
	slots    int    // that the page claims; 0: as many as the body has room for values of 8 bytes
	levels   []byte // of a v2 page, which has them in front of its body
	where    *filter.Expr
}

// run is n times the same level, as a run of the RLE hybrid.
func run(n int, level byte) []byte { return append(binary.AppendUvarint(nil, uint64(n)<<1), level) }

func withLength(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

const bombSize = 32 << 20

// file returns a file of one such page.
func (b *bomb) file(t *testing.T, codec gen.Codec) []byte {
	t.Helper()
	slots := b.slots
	if slots == 0 {
		slots = bombSize/8 - 8
	}
	body := make([]byte, bombSize)
	copy(body, b.head)
	p := gen.Page{Body: body, Header: func(h *wire.PageHeader) {
		if v1 := h.DataPageHeader; v1 != nil {
			v1.NumValues, v1.Encoding = int32(slots), b.encoding
			return
		}
		v2 := h.DataPageHeaderV2
		v2.NumValues, v2.NumRows, v2.NumNulls, v2.Encoding = int32(slots), int32(slots), 0, b.encoding
		v2.DefinitionLevelsByteLength = int32(len(b.levels))
	}}
	f := gen.File{
		Schema: []*gen.Node{b.node},
		RowGroups: []gen.RowGroup{{
			Columns: []gen.Column{{Codec: codec, Dictionary: dictionaryOf(b.encoding), Pages: []gen.Page{p}, Stats: gen.NoStats, Index: gen.NoIndex, Meta: func(c *wire.ColumnChunk) { c.MetaData.NumValues = int64(slots) }}},
			Meta:    func(g *wire.RowGroup) { g.NumRows = int64(slots) },
		}},
	}
	if b.levels != nil {
		f.RowGroups[0].Columns[0].Pages[0].Version = 2
	}
	return scannertest.Write(t, f)
}

func dictionaryOf(e wire.Encoding) any {
	if e == wire.Encoding_RLE_DICTIONARY {
		return []int64{0}
	}
	return nil
}

// The first rows of a page cost what they take, however much the page claims and really holds.
func TestFirstRowsOfBombs(t *testing.T) {
	const many = bombSize/8 - 8
	delta := append(binary.AppendUvarint([]byte{0x80, 1, 4}, many), 0) // blocks of 128 values in 4 parts, the first is 0; its blocks are zeros
	bombs := []bomb{
		{name: "required", node: gen.Required("a", gen.Int64)},
		{name: "optional", node: gen.Optional("a", gen.Int64), head: withLength(run(many, 1))},
		{name: "v2", node: gen.Required("a", gen.Int64), levels: []byte{}},
		{name: "filtered", node: gen.Required("a", gen.Int64), where: filter.Col("a").Eq(0)},
		{name: "five values", node: gen.Required("a", gen.Int64), slots: 5},
		{name: "strings", node: gen.Required("a", gen.ByteArray)},
		{name: "five strings", node: gen.Required("a", gen.ByteArray), slots: 5},
		{name: "lists", node: gen.Repeated("a", gen.Int64), head: append(withLength(run(many, 0)), withLength(run(many, 1))...)},
		{name: "codes", node: gen.Required("a", gen.Int64), encoding: wire.Encoding_RLE_DICTIONARY, head: append([]byte{1}, run(many, 0)...)},
		{name: "booleans", node: gen.Required("a", gen.Boolean), encoding: wire.Encoding_RLE, head: withLength(run(many, 1))},
		{name: "deltas", node: gen.Required("a", gen.Int64), encoding: wire.Encoding_DELTA_BINARY_PACKED, head: delta},
		{name: "lengths", node: gen.Required("a", gen.ByteArray), encoding: wire.Encoding_DELTA_LENGTH_BYTE_ARRAY, head: delta},
	}
	codecs := []gen.Codec{gen.Snappy, gen.Gzip, gen.GzipMembers, gen.Zstd, gen.ZstdNoSize, gen.Brotli, gen.LZ4Raw, gen.LZ4Hadoop, gen.LZ4HadoopBlocks, gen.LZ4Bare, gen.LZ4Frame}
	for i, b := range bombs {
		for k, codec := range codecs {
			if i != 0 && k != i%len(codecs) {
				continue // each codec with one kind of page, and each kind with one codec
			}
			data := b.file(t, codec)
			o := Options{Limit: 5, BatchRows: 5, Filter: b.where, IgnoreCRC: true}
			rows := ""
			grown := allocatedBy(func() {
				f, err := OpenSource(t.Context(), b.name, fetch.FromBytes(data))
				if err != nil {
					t.Fatal(err)
				}
				for batch, err := range f.Scan(t.Context(), o) {
					if err != nil {
						t.Fatalf("%s, codec %d: %v", b.name, codec, err)
					}
					for i := range batch.Len {
						rows += fmt.Sprint(batch.Columns[0].Scalar(i)) + " "
					}
				}
			})
			if rows != "0 0 0 0 0 " && rows != "true true true true true " && rows != "     " && rows != "[0] [0] [0] [0] [0] " {
				t.Errorf("%s, codec %d: the rows are %q", b.name, codec, rows)
			}
			// A page is 32 MiB. With the race detector, pools drop half of what they are given.
			if most := int64(28<<20 + len(data)); grown > most {
				t.Errorf("%s, codec %d: %d MiB are allocated for five rows of a file of %d KiB", b.name, codec, grown>>20, len(data)>>10)
			}
		}
	}
}

// A page that is decompressed in steps has the same rows as one that is not, wherever the
// windows of the scan end.
func TestBodiesInSteps(t *testing.T) {
	const same = 10_000 // rows with the same value
	numbers, texts := make([]int64, 600_000), make([]string, 150_000)
	for i := range numbers {
		numbers[i] = int64(i/same) << 40
	}
	for i := range texts {
		texts[i] = fmt.Sprint("a text that is longer than a view holds, number ", i/same)
	}
	for _, codec := range []gen.Codec{gen.Gzip, gen.Zstd} { // of ZSTD without kernels, a library decodes all but short prefixes whole
		for _, c := range []struct {
			node     *gen.Node
			values   any
			encoding gen.Encoding
		}{
			{gen.Required("a", gen.Int64), numbers, gen.Plain},
			{gen.Optional("a", gen.Int64), numbers, gen.Plain},
			{gen.Repeated("a", gen.Int64), numbers, gen.Plain},
			{gen.Required("a", gen.Int64), numbers, gen.ByteStreamSplit},
			{gen.Required("a", gen.ByteArray).As(gen.StringType()), texts, gen.Plain},
			{gen.Optional("a", gen.ByteArray).As(gen.StringType()), texts, gen.DeltaLengthByteArray},
		} {
			data, rows := gen.Data{Values: c.values}, len(numbers)
			if c.node.Type == gen.ByteArray {
				rows = len(texts)
			}
			if c.node.Repetition != gen.Required("", gen.Int64).Repetition {
				data.Def = slices.Repeat([]uint32{1}, rows)
			}
			if c.node.Repetition == gen.Repeated("", gen.Int64).Repetition {
				data.Rep = make([]uint32, rows)
			}
			f := fileOf(t, gen.File{Schema: []*gen.Node{c.node}, RowGroups: []gen.RowGroup{{Columns: []gen.Column{{
				Codec: codec, Shape: gen.Shape{Encoding: c.encoding}, Data: &data, Stats: gen.NoStats, Index: gen.NoIndex,
			}}}}})
			other, isText := any(-1), c.node.Type == gen.ByteArray
			if isText {
				other = "another"
			}
			where := filter.Col("a").Ne(other)
			if data.Rep != nil {
				where = filter.Col("a").Any().Ne(other)
			}
			for _, o := range []Options{{BatchRows: 70_001}, {Filter: where}} {
				i, stats := 0, Stats{}
				o.Stats, o.Resources = &stats, &Resources{Reuse: ownMemory} // in memory that is large enough, pages are decompressed in one step
				for batch, err := range f.Scan(t.Context(), o) {
					if err != nil {
						t.Fatal(err)
					}
					for k := range batch.Len {
						if i++; i%89 != 0 && k > 0 {
							continue
						}
						want := fmt.Sprint(numbers[i-1])
						if isText {
							want = texts[i-1]
						}
						if data.Rep != nil {
							want = "[" + want + "]"
						}
						if got := fmt.Sprint(batch.Columns[0].Scalar(k)); got != want {
							t.Fatalf("%v: row %d is %s, want %s", c.node, i-1, got, want)
						}
					}
					batch.Release()
				}
				if i != rows {
					t.Errorf("%v: %d rows", c.node, i)
				}
				inSteps := c.encoding != gen.ByteStreamSplit && (codec == gen.Gzip || zstd.HasKernels())
				if again := stats.Columns[0].Redecompressed; (again > 0) != inSteps {
					t.Errorf("%v, codec %d: a page was decompressed %d times more", c.node, codec, again)
				}
			}
		}
	}
}
