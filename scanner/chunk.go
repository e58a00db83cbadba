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
	"github.com/winnow-scan/winnow/scanner/internal/footer"
	"github.com/winnow-scan/winnow/thrift"
)

// Chunk is a column chunk's entry in the footer. Its methods are safe for concurrent use.
type Chunk struct {
	thrift.ColumnChunk
	RowGroup int
	Leaf     *schema.Node

	file *File
}

// Chunk parses the footer's entry of a column chunk, given the numbers of its
// row group and leaf. Its values are unchecked: Range checks them.
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

// checkGroup returns an error if a row group contradicts the schema or has a negative
// number of rows.
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

// several returns a number with its noun: 1 column, 2 columns.
func several(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// wrap adds the chunk's position to err.
func (c *Chunk) wrap(offset int64, err error) error {
	if err == nil {
		return nil // before the column's name is made
	}
	return c.file.wrap(c.RowGroup, c.Leaf.String(), offset, err)
}

// maxUnderstated bounds by how many bytes some writers understate the size of a chunk.
const maxUnderstated = 100

// Range returns the range of the chunk's pages. slack is how many bytes after it may
// still be theirs, because some writers understate the size. It returns an error
// if the chunk is of an unsupported kind or does not lie within the file's data.
func (c *Chunk) Range() (r fetch.Range, slack int64, err error) {
	if err := c.readable(); err != nil {
		return r, 0, c.wrap(-1, err)
	}
	m := &c.Meta
	if m.NumValues == 0 && m.CompressedSize == 0 {
		return r, 0, nil // whatever its offsets say
	}
	r = fetch.Range{Off: m.DataPageOffset, Len: m.CompressedSize}
	// An offset of 0 means none: for the dictionary, in files that do have one at the
	// data page's offset; for the data pages, in chunks without values. A dictionary
	// offset after the first data page is invalid.
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

// LSBFirst reports whether BIT_PACKED levels start at the lowest bit. This contradicts the
// format, but the file's writer is known for it.
func (c *Chunk) LSBFirst() bool { return c.file.writer.Doubts(0)&writer.LevelOrder != 0 }

// readable returns an error if the chunk is of an unsupported kind, or its entry in the
// footer contradicts the schema.
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

// OffsetIndex reads the chunk's offset index, nil if there is none. The caller owns it.
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

// ColumnIndex reads the chunk's column index, nil if there is none. The caller owns it.
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

// read returns the decrypted bytes of a module of the chunk.
func (c *Chunk) read(ctx context.Context, m page.Module, r fetch.Range) ([]byte, error) {
	b, err := fetch.ReadRange(ctx, c.file.metadata, r, nil)
	if err != nil {
		return nil, err
	}
	return page.Open(&c.Crypto, m, c.RowGroup, c.Leaf.FirstLeaf, -1, b)
}

// Bloom is a Bloom filter of a file.
type Bloom struct {
	Header     thrift.BloomFilterHeader
	HeaderSize int
	Bits       []byte
}

// bloomProbe is the size of the first read of a Bloom filter, in bytes; its header is
// shorter.
const bloomProbe = 256

// Bloom reads the chunk's Bloom filter, nil if there is none. The caller owns it.
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
	if off < footer.MagicSize || off >= f.footerStart {
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
	case r.Off < footer.MagicSize:
		return corrupt.At(-1, "offset ", r.Off, " lies in the file's leading magic")
	case r.Off > f.footerStart || r.Len > f.footerStart-r.Off:
		return corrupt.At(-1, "offset ", r.Off, " and length ", r.Len, " reach beyond the footer's start at ", f.footerStart)
	case r.Len > math.MaxInt: // on 32-bit machines
		return corrupt.NotSupported("length ", r.Len, " on this machine")
	}
	return nil
}

// wrap adds the file's name and a position to err. An error that already has a position
// keeps it.
func (f *File) wrap(rowGroup int, column string, offset int64, err error) error {
	var e *Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &Error{File: f.name, RowGroup: rowGroup, Column: column, Page: -1, Offset: offset, Err: err}
}
