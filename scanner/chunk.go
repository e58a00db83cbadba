package scanner

import (
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// Chunk is one column of one row group.
type Chunk struct {
	thrift.ColumnChunk
	RowGroup int
	Leaf     *schema.Node

	file *File
}

// Chunk reads the footer's entry of a column chunk, given the numbers of its
// row group and leaf. Nothing of it is checked but that it can be read.
func (f *File) Chunk(rowGroup, leaf int) (*Chunk, error) {
	c := &Chunk{RowGroup: rowGroup, Leaf: f.schema.Leaves()[leaf], file: f}
	if err := f.checkGroup(rowGroup); err != nil {
		return nil, err
	}
	if err := f.footer.Chunk(rowGroup, leaf, &c.ColumnChunk); err != nil {
		return nil, c.wrap(-1, corrupt.Within(err, "footer", 0))
	}
	return c, nil
}

// checkGroup returns an error if a row group cannot be one of the file's.
func (f *File) checkGroup(rowGroup int) error {
	group := &f.footer.RowGroups[rowGroup]
	if n := len(f.schema.Leaves()); group.NumColumns != n {
		return f.wrap(rowGroup, "", -1, corrupt.At(-1, "footer: ", several(group.NumColumns, "column chunk"), ", the schema has ", several(n, "column")))
	}
	if group.NumRows < 0 {
		return f.wrap(rowGroup, "", -1, corrupt.At(-1, "footer: row group of ", group.NumRows, " rows"))
	}
	return nil
}

// several is a number of things: 1 column, 2 columns.
func several(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// wrap adds the chunk's place to err.
func (c *Chunk) wrap(offset int64, err error) error {
	if err == nil {
		return nil // before the column's name is made
	}
	return c.file.wrap(c.RowGroup, c.Leaf.String(), offset, err)
}

// maxUnderstated is how many bytes of a chunk the metadata of some writers may lack.
const maxUnderstated = 100

// Range returns where the chunk's pages lie, and how many bytes behind them
// may still be theirs because its writer is known to have counted wrong. It
// returns an error if this is not a chunk that we can read, or if it lies
// where no chunk can.
func (c *Chunk) Range() (r fetch.Range, slack int64, err error) {
	if err := c.readable(); err != nil {
		return r, 0, c.wrap(-1, err)
	}
	m := &c.Meta
	if m.NumValues == 0 && m.CompressedSize == 0 {
		return r, 0, nil // whatever its offsets say
	}
	r = fetch.Range{Off: m.DataPageOffset, Len: m.CompressedSize}
	// An offset of 0 stands for none: of the dictionary in files that have one
	// nevertheless, at the data page's offset, and of the data pages in chunks
	// without values. A dictionary behind the first data page is not to be believed.
	if d := m.DictionaryOffset; m.HasDictionaryOffset && d > 0 && (d < r.Off || r.Off == 0) {
		r.Off = d
	}
	if err := c.file.checkRange(r); err != nil {
		return r, 0, c.wrap(-1, corrupt.Within(err, "column chunk", 0))
	}
	if c.file.writer.Doubts(0)&writer.ChunkSizes != 0 {
		slack = min(maxUnderstated, c.file.footerStart-r.End())
	}
	return r, slack, nil
}

// LSBFirst reports whether BIT_PACKED levels start at the lowest bit, which the
// format does not say: the file's writer is known to have packed them so.
func (c *Chunk) LSBFirst() bool { return c.file.writer.Doubts(0)&writer.LevelOrder != 0 }

// readable returns an error if the chunk is of a kind that nothing here reads.
func (c *Chunk) readable() error {
	switch m := &c.Meta; {
	case c.HasFilePath && c.FilePath != "":
		return corrupt.NotSupported("column chunk: its pages are in another file, ", c.FilePath)
	case c.Encrypted():
		return corrupt.IsEncrypted("column is encrypted, and decryption is not supported")
	case !c.HasMeta:
		return corrupt.At(-1, "footer: column chunk without metadata")
	case int64(m.Type) != int64(c.Leaf.Type.Physical):
		return corrupt.At(-1, "footer: column chunk of type ", m.Type, ", the schema says ", c.Leaf.Type.Physical)
	case m.NumValues < 0:
		return corrupt.At(-1, "footer: column chunk of ", m.NumValues, " values")
	}
	return nil
}

// Encrypted reports whether the chunk's pages are encrypted.
func (c *Chunk) Encrypted() bool { return c.Crypto.Kind != 0 || c.EncryptedMeta != nil }

// OffsetIndex reads the chunk's offset index. It is nil if there is none.
func (c *Chunk) OffsetIndex(ctx context.Context) (*thrift.OffsetIndex, error) {
	if !c.HasOffsetIndex {
		return nil, nil
	}
	x := new(thrift.OffsetIndex)
	return x, c.readIndex(ctx, page.OffsetIndex, c.OffsetIndexOffset, int64(c.OffsetIndexLength), func(b []byte) error {
		_, err := thrift.ReadOffsetIndex(b, x)
		return err
	})
}

// ColumnIndex reads the chunk's column index. It is nil if there is none.
func (c *Chunk) ColumnIndex(ctx context.Context) (*thrift.ColumnIndex, error) {
	if !c.HasColumnIndex {
		return nil, nil
	}
	x := new(thrift.ColumnIndex)
	return x, c.readIndex(ctx, page.ColumnIndex, c.ColumnIndexOffset, int64(c.ColumnIndexLength), func(b []byte) error {
		_, err := thrift.ReadColumnIndex(b, x)
		return err
	})
}

func (c *Chunk) readIndex(ctx context.Context, m page.Module, off, length int64, decode func([]byte) error) error {
	what := m.String()
	if c.Encrypted() {
		return c.wrap(-1, corrupt.IsEncrypted(what, " is encrypted, and decryption is not supported"))
	}
	r := fetch.Range{Off: off, Len: length}
	if err := c.file.checkRange(r); err != nil {
		return c.wrap(-1, corrupt.Within(err, what, 0))
	}
	b, err := c.read(ctx, m, r)
	if err == nil {
		err = corrupt.Within(decode(b), what, 0)
	}
	return c.wrap(off, err)
}

// read returns the plain bytes of a module of the chunk.
func (c *Chunk) read(ctx context.Context, m page.Module, r fetch.Range) ([]byte, error) {
	b, err := fetch.ReadRange(ctx, c.file.src, r, nil)
	if err != nil {
		return nil, err
	}
	return page.Open(&c.Crypto, m, c.RowGroup, c.Leaf.FirstLeaf, -1, b)
}

// Bloom is a Bloom filter as it lies in a file.
type Bloom struct {
	Header     thrift.BloomFilterHeader
	HeaderSize int
	Bits       []byte
}

// bloomProbe is how much is read to find the header of a Bloom filter whose
// length the footer does not tell.
const bloomProbe = 256

// Bloom reads the chunk's Bloom filter. It is nil if there is none.
func (c *Chunk) Bloom(ctx context.Context) (*Bloom, error) {
	m := &c.Meta
	if !m.HasBloomFilter {
		return nil, nil
	}
	if c.Encrypted() {
		return nil, c.wrap(-1, corrupt.IsEncrypted("Bloom filter is encrypted, and decryption is not supported"))
	}
	x, err := c.readBloom(ctx, m.BloomFilterOffset)
	if err != nil {
		return nil, c.wrap(m.BloomFilterOffset, corrupt.Within(err, "Bloom filter", 0))
	}
	return x, nil
}

func (c *Chunk) readBloom(ctx context.Context, off int64) (*Bloom, error) {
	f := c.file
	if off < magicSize || off >= f.footerStart {
		return nil, f.checkRange(fetch.Range{Off: off, Len: 1})
	}
	b, err := c.read(ctx, page.BloomFilterHeader, fetch.Range{Off: off, Len: min(bloomProbe, f.footerStart-off)})
	if err != nil {
		return nil, err
	}
	x := new(Bloom)
	if x.HeaderSize, err = thrift.ReadBloomFilterHeader(b, &x.Header); err != nil {
		return nil, err
	}
	bits := fetch.Range{Off: off + int64(x.HeaderSize), Len: int64(x.Header.NumBytes)}
	if err := f.checkRange(bits); err != nil {
		return nil, err
	}
	x.Bits, err = c.read(ctx, page.BloomFilterBitset, bits)
	return x, err
}

// checkRange returns an error unless r lies between the file's leading magic
// and its footer.
func (f *File) checkRange(r fetch.Range) error {
	switch {
	case r.Off < 0:
		return corrupt.At(-1, "offset ", r.Off)
	case r.Len < 0:
		return corrupt.At(-1, "length ", r.Len)
	case r.Off < magicSize:
		return corrupt.At(-1, "offset ", r.Off, " lies in the file's leading magic")
	case r.Off > f.footerStart || r.Len > f.footerStart-r.Off:
		return corrupt.At(-1, "offset ", r.Off, " and length ", r.Len, " reach beyond the footer's start at ", f.footerStart)
	case r.Len > math.MaxInt: // on 32-bit machines
		return corrupt.NotSupported("length ", r.Len, " on this machine")
	}
	return nil
}

// wrap adds the file's name and what else is known to err. An error that has a
// place already keeps it.
func (f *File) wrap(rowGroup int, column string, offset int64, err error) error {
	var e *Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &Error{File: f.name, RowGroup: rowGroup, Column: column, Page: -1, Offset: offset, Err: err}
}
