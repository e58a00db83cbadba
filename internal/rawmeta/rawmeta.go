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
	return x, readIndex(ctx, f, c, page.OffsetIndex, c.OffsetIndexOffset, c.OffsetIndexLength, func(b []byte) error {
		_, err := thrift.ReadOffsetIndex(b, x)
		return err
	})
}

// ColumnIndex reads a chunk's column index, nil if there is none. The caller owns it.
func ColumnIndex(ctx context.Context, f *scanner.File, c *scanner.Chunk) (*thrift.ColumnIndex, error) {
	if !c.HasColumnIndex {
		return nil, nil
	}
	x := new(thrift.ColumnIndex)
	return x, readIndex(ctx, f, c, page.ColumnIndex, c.ColumnIndexOffset, c.ColumnIndexLength, func(b []byte) error {
		_, err := thrift.ReadColumnIndex(b, x)
		return err
	})
}

func readIndex(ctx context.Context, f *scanner.File, c *scanner.Chunk, m page.Module, off int64, length int32, decode func([]byte) error) error {
	b, err := read(ctx, f, c, m, fetch.Range{Off: off, Len: int64(length)})
	if err == nil {
		err = decode(b)
	}
	return wrap(f, c, m.String(), off, err)
}

// Bloom is a Bloom filter of a file.
type Bloom struct {
	Header     thrift.BloomFilterHeader
	HeaderSize int
	Bits       []byte
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
	b, err := read(ctx, f, c, page.BloomFilterHeader, fetch.Range{Off: off, Len: min(headerWindow, max(end-off, 1))})
	if err != nil {
		return err
	}
	if x.HeaderSize, err = thrift.ReadBloomFilterHeader(b, &x.Header); err != nil {
		return err
	}
	x.Bits, err = read(ctx, f, c, page.BloomFilterBitset, fetch.Range{Off: off + int64(x.HeaderSize), Len: int64(x.Header.NumBytes)})
	return err
}

// read returns the decrypted bytes of a module of the chunk.
func read(ctx context.Context, f *scanner.File, c *scanner.Chunk, m page.Module, r fetch.Range) ([]byte, error) {
	if c.Encrypted() {
		return nil, corrupt.IsEncrypted(m, " is encrypted, and decryption is not supported")
	}
	if err := fetch.Check([]fetch.Range{r}, f.FooterRange().Off); err != nil {
		return nil, corrupt.At(-1, err.Error())
	}
	b, err := fetch.ReadRange(ctx, f.Source(), r, nil)
	if err != nil {
		return nil, err
	}
	return page.Open(&c.Crypto, m, c.RowGroup, c.Leaf.FirstLeaf, -1, b)
}

// wrap adds the file's name and the chunk's position to err.
func wrap(f *scanner.File, c *scanner.Chunk, what string, off int64, err error) error {
	if err == nil {
		return nil
	}
	return &scanner.Error{File: f.Name(), RowGroup: c.RowGroup, Column: c.Leaf.String(), Page: -1, Offset: off, Err: corrupt.Within(err, what, 0)}
}
