package gen

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// Thrift returns s in the compact protocol.
func Thrift(s thrift.TStruct) ([]byte, error) {
	buf := thrift.NewTMemoryBuffer()
	p := thrift.NewTCompactProtocolConf(buf, nil)
	ctx := context.Background()
	if err := s.Write(ctx, p); err != nil {
		return nil, err
	}
	err := p.Flush(ctx)
	return buf.Bytes(), err
}

// Write returns the bytes of the file.
func (f *File) Write() ([]byte, error) {
	w, err := f.Build()
	return w.Bytes, err
}

// Build returns the file and where its parts lie.
//
//	PAR1 | pages, chunk by chunk | Bloom filters | column indexes | offset indexes | footer | its length | PAR1
func (f *File) Build() (Written, error) {
	leaves := Leaves(f.Schema)
	out := []byte(f.magic())
	w := Written{Footer: f.footer()}
	random := rand.New(rand.NewPCG(f.Seed, 0x9a))
	var chunks []*chunk
	for g, rg := range f.RowGroups {
		meta, mine, err := f.rowGroup(g, rg, leaves, &out, random)
		if err != nil {
			return w, fmt.Errorf("row group %d: %w", g, err)
		}
		ordinal := int16(g)
		meta.Ordinal = &ordinal
		w.Footer.RowGroups = append(w.Footer.RowGroups, meta)
		w.Footer.NumRows += meta.NumRows
		var spans [][]Span
		for _, c := range mine {
			spans = append(spans, c.spans)
			if c.Encrypted {
				for i := c.spans[0].Start; i < c.spans[len(c.spans)-1].End; i++ {
					out[i] = byte(random.Uint32())
				}
			}
		}
		w.Pages = append(w.Pages, spans)
		chunks = append(chunks, mine...)
	}
	if err := f.writeIndexes(chunks, w.Footer, &out); err != nil {
		return w, err
	}
	for g, rg := range f.RowGroups {
		for i, c := range chunks[g*len(leaves) : (g+1)*len(leaves)] {
			if err := c.finish(w.Footer.RowGroups[g].Columns[i], random); err != nil {
				return w, err
			}
		}
		if rg.Meta != nil {
			rg.Meta(w.Footer.RowGroups[g])
		}
	}
	if f.Footer != nil {
		f.Footer(w.Footer)
	}
	err := f.appendFooter(&out, w.Footer, random)
	w.Bytes = out
	return w, err
}

func (f *File) footer() *wire.FileMetaData {
	m := &wire.FileMetaData{Version: 2, RowGroups: []*wire.RowGroup{}}
	count := int32(len(f.Schema))
	m.Schema = []*wire.SchemaElement{{Name: "schema", NumChildren: &count}}
	var walk func(nodes []*Node)
	walk = func(nodes []*Node) {
		for _, n := range nodes {
			m.Schema = append(m.Schema, n.element())
			if n.Type != Group {
				m.ColumnOrders = append(m.ColumnOrders, n.Order.thrift())
			}
			walk(n.Children)
		}
	}
	walk(f.Schema)
	if f.NoColumnOrders {
		m.ColumnOrders = nil
	}
	by := f.CreatedBy
	if by == "" {
		by = "winnow gen"
	}
	m.CreatedBy = &by
	for k, v := range f.KeyValues {
		m.KeyValueMetadata = append(m.KeyValueMetadata, &wire.KeyValue{Key: k, Value: &v})
	}
	slices.SortFunc(m.KeyValueMetadata, func(a, b *wire.KeyValue) int {
		if a.Key < b.Key {
			return -1
		}
		return 1
	})
	return m
}

func (f *File) rowGroup(number int, rg RowGroup, leaves []Leaf, out *[]byte, random *rand.Rand) (*wire.RowGroup, []*chunk, error) {
	var rows []Data
	if rg.Rows != nil {
		var err error
		if rows, err = Shred(f.Schema, rg.Rows); err != nil {
			return nil, nil, err
		}
	}
	start := int64(len(*out))
	meta := &wire.RowGroup{Columns: []*wire.ColumnChunk{}, NumRows: int64(len(rg.Rows))}
	var chunks []*chunk
	for i, l := range leaves {
		c := &chunk{leaf: l, out: out, sealer: f.sealerOf(number, i, l.Path, random)}
		if i < len(rg.Columns) {
			c.Column = rg.Columns[i]
		}
		inherit(&c.Column, f.All)
		if c.Pages == nil && c.Data == nil && rows != nil {
			c.Data = &rows[i]
		}
		if err := c.writePages(); err != nil {
			return nil, nil, fmt.Errorf("column %v: %w", l.Path, err)
		}
		if rg.Rows == nil && i == 0 {
			for k := range c.Pages {
				meta.NumRows += int64(c.Pages[k].rows())
			}
		}
		meta.TotalByteSize += c.rawSize
		meta.Columns = append(meta.Columns, &wire.ColumnChunk{MetaData: c.meta})
		chunks = append(chunks, c)
	}
	size := int64(len(*out)) - start
	meta.FileOffset, meta.TotalCompressedSize = &start, &size
	return meta, chunks, nil
}

// writeIndexes appends what stands between the pages and the footer.
func (f *File) writeIndexes(chunks []*chunk, m *wire.FileMetaData, out *[]byte) error {
	var metas []*wire.ColumnChunk
	for _, rg := range m.RowGroups {
		metas = append(metas, rg.Columns...)
	}
	write := func(c *chunk, module byte, s thrift.TStruct) (*int64, *int32, error) {
		b, err := Thrift(s)
		b = c.sealer.seal(module, -1, b)
		at, length := int64(len(*out)), int32(len(b))
		*out = append(*out, b...)
		return &at, &length, err
	}
	for i, c := range chunks {
		if err := c.writeBloom(); err != nil {
			return fmt.Errorf("column %v: %w", chunks[i].leaf.Path, err)
		}
	}
	for i, c := range chunks {
		if c.wantsIndex(ColumnIndex) {
			if x := c.columnIndex(); x != nil {
				var err error
				if metas[i].ColumnIndexOffset, metas[i].ColumnIndexLength, err = write(c, columnIndexModule, x); err != nil {
					return err
				}
			}
		}
	}
	for i, c := range chunks {
		if c.wantsIndex(OffsetIndex) {
			x, err := c.offsetIndex()
			if err != nil {
				return fmt.Errorf("column %v: %w", c.leaf.Path, err)
			}
			if metas[i].OffsetIndexOffset, metas[i].OffsetIndexLength, err = write(c, offsetIndexModule, x); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *chunk) wantsIndex(i Index) bool { return c.Index == 0 || c.Index&i != 0 }

// finish does what comes last to a chunk's metadata.
func (c *chunk) finish(m *wire.ColumnChunk, random *rand.Rand) error {
	if c.Encrypted {
		plain, err := Thrift(m.MetaData)
		if err != nil {
			return err
		}
		m.MetaData = nil
		m.EncryptedColumnMetadata = noise(random, len(plain)+28)
		m.CryptoMetadata = &wire.ColumnCryptoMetaData{ENCRYPTION_WITH_COLUMN_KEY: &wire.EncryptionWithColumnKey{
			PathInSchema: c.leaf.Path, KeyMetadata: []byte("key of " + c.leaf.Name),
		}}
	}
	if c.Meta != nil {
		c.Meta(m)
	}
	return c.sealer.sealMetadata(c.leaf.Path, m)
}

func (f *File) appendFooter(out *[]byte, m *wire.FileMetaData, random *rand.Rand) error {
	footer, err := Thrift(m)
	if err != nil {
		return err
	}
	if f.Encryption != nil {
		if footer, err = f.Encryption.sealFooter(m, random); err != nil {
			return err
		}
	}
	if f.Encrypted {
		crypto, err := Thrift(&wire.FileCryptoMetaData{
			EncryptionAlgorithm: &wire.EncryptionAlgorithm{AES_GCM_V1: &wire.AesGcmV1{AadFileUnique: noise(random, 8)}},
			KeyMetadata:         []byte("key of footer"),
		})
		if err != nil {
			return err
		}
		footer = append(crypto, noise(random, len(footer)+28)...)
	}
	*out = append(*out, footer...)
	*out = binary.LittleEndian.AppendUint32(*out, uint32(len(footer)))
	*out = append(*out, f.magic()...)
	return nil
}

func (f *File) magic() string {
	if f.Encrypted || f.Encryption != nil && !f.Encryption.PlainFooter {
		return "PARE"
	}
	return "PAR1"
}

func noise(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

func (o Order) thrift() *wire.ColumnOrder {
	switch o {
	case IEEE754Order:
		return &wire.ColumnOrder{IEEE_754_TOTAL_ORDER: &wire.IEEE754TotalOrder{}}
	case Int96Order:
		return &wire.ColumnOrder{INT96_TIMESTAMP_ORDER: &wire.Int96TimestampOrder{}}
	}
	return &wire.ColumnOrder{TYPE_ORDER: &wire.TypeDefinedOrder{}}
}
