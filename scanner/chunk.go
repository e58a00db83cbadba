package scanner

import (
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/footer"
	"github.com/winnow-scan/winnow/thrift"
)

// Chunk is a column chunk's entry in the footer. Its methods are safe for concurrent use.
type Chunk struct {
	thrift.ColumnChunk
	RowGroup int
	Leaf     *schema.Node

	file   *File
	cipher page.Cipher // nil if the chunk is plain, or locked
	locked error       // why an encrypted chunk cannot be decrypted
}

// Chunk parses the footer's entry of a column chunk, given the numbers of its row group and
// leaf. Its values are unchecked: Range checks them. If it is encrypted by itself, and there
// is a key, it is decrypted; without one there is no error, but one of Range.
func (f *File) Chunk(rowGroup, leaf int) (*Chunk, error) {
	return f.chunk(f.decrypt.Background(), rowGroup, leaf)
}

// chunk is Chunk with the context of requests for keys.
func (f *File) chunk(ctx context.Context, rowGroup, leaf int) (*Chunk, error) {
	c := new(Chunk)
	return c, c.read(ctx, f, rowGroup, leaf)
}

// read is File.chunk into c, whose memory it reuses. After an error, c is not valid.
func (c *Chunk) read(ctx context.Context, f *File, rowGroup, leaf int) error {
	err := c.readEntry(f, rowGroup, leaf)
	if err == nil && c.Encrypted() {
		c.cipher, c.locked = f.decrypt.Chunk(ctx, f.footer, rowGroup, leaf, &c.ColumnChunk)
	}
	return err
}

// readEntry is read without decryption.
func (c *Chunk) readEntry(f *File, rowGroup, leaf int) error {
	c.RowGroup, c.Leaf, c.file, c.cipher, c.locked = rowGroup, f.schema.Leaves()[leaf], f, nil, nil
	if err := f.checkGroup(rowGroup); err != nil {
		return err
	}
	if err := f.footer.Chunk(rowGroup, leaf, &c.ColumnChunk); err != nil {
		return c.wrap(-1, corrupt.Within(err, "footer", 0))
	}
	f.decrypt.Complete(&c.ColumnChunk)
	return nil
}

// checkGroup returns an error if a row group contradicts the schema, or claims a number of rows
// that its pages cannot have.
func (f *File) checkGroup(rowGroup int) error {
	if err := f.groupFault(rowGroup); err != nil {
		return f.wrap(rowGroup, "", -1, err)
	}
	return nil
}

// A page has at most maxPageRows rows, and takes at least minPageBytes with its header.
const maxPageRows, minPageBytes = math.MaxInt32, 16

// groupFault is checkGroup without a position. The row groups of a file without columns have as many
// rows together as a page.
func (f *File) groupFault(rowGroup int) error {
	group, leaves := &f.footer.RowGroups[rowGroup], len(f.schema.Leaves())
	rows := group.NumRows
	switch {
	case group.NumColumns != leaves:
		return corrupt.At(-1, "footer: ", several(group.NumColumns, "column chunk"), ", the schema has ", several(leaves, "column"))
	case rows < 0:
		return corrupt.At(-1, "footer: row group of ", rows, " rows")
	case leaves == 0 && f.rowsAlone > maxPageRows:
		return corrupt.At(-1, "footer: row groups of ", f.rowsAlone, " rows without a column")
	case rows <= maxPageRows:
		return nil
	}
	var c thrift.ColumnChunk
	if err := f.footer.Chunk(rowGroup, 0, &c); err != nil {
		return corrupt.Within(err, "footer", 0)
	}
	values, bytes := rows, f.footerStart
	if c.HasMeta { // else it is encrypted
		values, bytes = c.Meta.NumValues, max(min(c.Meta.CompressedSize, bytes), 0)
	}
	if values < rows || bytes/minPageBytes < rows/maxPageRows {
		return corrupt.At(-1, "footer: row group of ", rows, " rows, its first column chunk has ", values, " values in ", bytes, " bytes")
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
	r = fetch.Range{Off: pageindex.PagesStart(m), Len: m.CompressedSize}
	if err := c.file.checkRange(r); err != nil {
		return r, 0, c.wrap(-1, corrupt.Within(err, "column chunk", 0))
	}
	if c.file.writer.Doubts(0)&writer.ChunkSizes != 0 {
		slack = min(maxUnderstated, c.file.footerStart-r.End())
	}
	return r, slack, nil
}

// readable returns an error if the chunk is of an unsupported kind, or its entry in the
// footer contradicts the schema.
func (c *Chunk) readable() error {
	switch m := &c.Meta; {
	case c.HasFilePath && c.FilePath != "":
		return corrupt.NotSupported("column chunk: its pages are in another file, ", c.FilePath)
	case c.locked != nil:
		return c.locked
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

// Decrypt returns the plain bytes of one of the chunk's modules, given those in the file:
// b itself for a plain chunk. module is the format's number of its kind, ordinal that of the
// data page that it belongs to, or -1. Errors do not say where the chunk is.
func (c *Chunk) Decrypt(module uint8, ordinal int, b []byte) ([]byte, error) {
	if c.locked != nil {
		return nil, c.locked
	}
	return page.Open(c.cipher, page.Module(module), ordinal, nil, b)
}

// checkRange returns an error unless r lies between the file's leading magic
// and its footer.
func (f *File) checkRange(r fetch.Range) error { return footer.CheckRange(r, f.footerStart) }

// wrap adds the file's name and a position to err. An error that already has a position
// keeps it.
func (f *File) wrap(rowGroup int, column string, offset int64, err error) error {
	if err == nil {
		return nil // before e is allocated
	}
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{File: f.name, RowGroup: rowGroup, Column: column, Page: -1, Offset: offset, Err: err}
}

// columnSource describes a leaf's chunk for a cursor, without its offset index. slack is
// how many bytes after the chunk may still belong to it.
func (s *scan) columnSource(l *leaf) (source column.Source, slack int64, err error) {
	c, o := l.chunk, &s.opts
	r, slack, err := c.Range()
	if err != nil {
		return column.Source{}, 0, err
	}
	pages := page.Options{Codecs: &s.codecs, MaxSize: o.MaxPageBytes, Memory: o.Resources.largest(), IgnoreCRC: o.IgnoreCRC, Cipher: c.cipher}
	unpacker, err := pages.Unpacker(c.Meta.Codec)
	if err != nil {
		return column.Source{}, 0, c.wrap(-1, err)
	}
	return column.Source{
		Leaf:          l.node,
		Pages:         page.Chunk{Length: r.Len, Slack: slack, Values: c.Meta.NumValues, Cipher: c.cipher},
		Rows:          l.rows,
		Unpacker:      unpacker,
		Start:         r.Off,
		LSBFirst:      s.file.writer.Doubts(0)&writer.LevelOrder != 0,
		DirtyHighBits: l.footerEntry.Column.DirtyHighBits(c.Meta.HasStatistics && l.footerEntry.Column.Statistics(&c.Meta.Statistics, c.Meta.NumValues).Sure),
	}, slack, nil
}
