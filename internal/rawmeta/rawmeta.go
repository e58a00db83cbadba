package rawmeta

import (
	"context"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// OffsetIndex reads a chunk's offset index, nil if there is none. The caller owns it.
func OffsetIndex(ctx context.Context, f *scanner.File, c *scanner.Chunk) (*thrift.OffsetIndex, error) {
	if !c.HasOffsetIndex {
		return nil, nil
	}
	x := new(thrift.OffsetIndex)
	b, err := index(ctx, f, c, page.OffsetIndex)
	if err == nil {
		_, err = thrift.ReadOffsetIndex(b, x)
	}
	return x, wrap(f, c, page.OffsetIndex.String(), c.OffsetIndexOffset, err)
}

// ColumnIndex reads a chunk's column index, nil if there is none. The caller owns it.
func ColumnIndex(ctx context.Context, f *scanner.File, c *scanner.Chunk) (*thrift.ColumnIndex, error) {
	if !c.HasColumnIndex {
		return nil, nil
	}
	x := new(thrift.ColumnIndex)
	b, err := index(ctx, f, c, page.ColumnIndex)
	if err == nil {
		_, err = thrift.ReadColumnIndex(b, x)
	}
	return x, wrap(f, c, page.ColumnIndex.String(), c.ColumnIndexOffset, err)
}

// Index returns the plain bytes of the offset index or the column index of a chunk that has one:
// as many as the footer says.
func Index(ctx context.Context, f *scanner.File, c *scanner.Chunk, m page.Module) ([]byte, error) {
	b, err := index(ctx, f, c, m)
	return b, wrap(f, c, m.String(), indexRange(c, m).Off, err)
}

// index is Index without the place of an error.
func index(ctx context.Context, f *scanner.File, c *scanner.Chunk, m page.Module) ([]byte, error) {
	b, err := read(ctx, f, indexRange(c, m))
	if err != nil {
		return nil, err
	}
	return c.Decrypt(uint8(m), -1, b)
}

func indexRange(c *scanner.Chunk, m page.Module) fetch.Range {
	if m == page.ColumnIndex {
		return fetch.Range{Off: c.ColumnIndexOffset, Len: int64(c.ColumnIndexLength)}
	}
	return fetch.Range{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)}
}

// Bloom is a Bloom filter of a file.
type Bloom struct {
	Header      thrift.BloomFilterHeader
	HeaderBytes []byte // decrypted
	HeaderSize  int    // in the file
	Bits        []byte
	Length      int64 // in the file, with the header
}

// headerWindow is how many bytes are read for the header of a Bloom filter, which is
// shorter.
const headerWindow = 256

// BloomFilter reads a chunk's Bloom filter, nil if there is none. The caller owns it.
func BloomFilter(ctx context.Context, f *scanner.File, c *scanner.Chunk) (*Bloom, error) {
	if !c.Meta.HasBloomFilter {
		return nil, nil
	}
	x, off := new(Bloom), c.Meta.BloomFilterOffset
	err := x.read(ctx, f, c, off)
	return x, wrap(f, c, "Bloom filter", off, err)
}

func (x *Bloom) read(ctx context.Context, f *scanner.File, c *scanner.Chunk, off int64) error {
	end := f.FooterRange().Off
	b, err := read(ctx, f, fetch.Range{Off: off, Len: min(headerWindow, max(end-off, 1))})
	if err == nil {
		b, x.HeaderSize, err = openFront(c, page.BloomFilterHeader, b)
	}
	if err != nil {
		return err
	}
	size, err := thrift.ReadBloomFilterHeader(b, &x.Header)
	if err != nil {
		return err
	}
	x.HeaderBytes = b[:size]
	length := int64(x.Header.NumBytes)
	if c.Encrypted() {
		length += page.GCMOverhead
	} else {
		x.HeaderSize = size
	}
	x.Length = int64(x.HeaderSize) + length
	if b, err = read(ctx, f, fetch.Range{Off: off + int64(x.HeaderSize), Len: length}); err == nil {
		x.Bits, err = c.Decrypt(uint8(page.BloomFilterBitset), -1, b)
	}
	return err
}

// openFront returns the plain bytes of the module at the front of b, and its size if it is
// encrypted.
func openFront(c *scanner.Chunk, m page.Module, b []byte) (plain []byte, size int, err error) {
	if c.Encrypted() {
		if module, _, err := page.Cut(b); err == nil { // else Decrypt says what is wrong
			b = module
		}
	}
	plain, err = c.Decrypt(uint8(m), -1, b)
	return plain, len(b), err
}

// read returns the bytes of a range.
func read(ctx context.Context, f *scanner.File, r fetch.Range) ([]byte, error) {
	if err := fetch.Check([]fetch.Range{r}, f.FooterRange().Off); err != nil {
		return nil, corrupt.At(-1, err.Error())
	}
	return fetch.ReadRange(ctx, f.Source(), r, nil)
}

// Cipher returns what decrypts the modules of a chunk, nil if it is plain.
func Cipher(f *scanner.File, c *scanner.Chunk) page.Cipher {
	if !c.Encrypted() {
		return nil
	}
	switch m := f.Footer(); {
	case m.Encryption == 2:
		return cipher{c, page.CTROverhead}
	case IsDuckDB(m):
		return cipher{c, -page.GCMOverhead}
	}
	return cipher{c, page.GCMOverhead}
}

// IsDuckDB reports whether a file is encrypted as DuckDB does it: no module is bound to its place.
func IsDuckDB(m *thrift.Footer) bool {
	return m.Encryption == 1 && m.AAD.Prefix == nil && m.AAD.FileUnique == nil && !m.AAD.SupplyPrefix
}

// cipher is the page.Cipher of a chunk.
type cipher struct {
	*scanner.Chunk
	overhead int32
}

func (c cipher) Decrypt(_, b []byte, m page.Module, ordinal int) ([]byte, error) {
	return c.Chunk.Decrypt(uint8(m), ordinal, b)
}

func (c cipher) Overhead() int32 { return c.overhead }

// wrap adds the file's name and the chunk's position to err.
func wrap(f *scanner.File, c *scanner.Chunk, what string, off int64, err error) error {
	if err == nil {
		return nil
	}
	return &scanner.Error{File: f.Name(), RowGroup: c.RowGroup, Column: c.Leaf.String(), Page: -1, Offset: off, Err: corrupt.Within(err, what, 0)}
}
