package decrypt

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// chunk is the page.Cipher of a column chunk.
type chunk struct {
	file             *File
	key              *key
	rowGroup, column int
}

// Background returns the context for callers of Chunk that have none.
func (f *File) Background() context.Context { return f.opened }

// Chunk returns the cipher of an encrypted column chunk, given its entry in the footer. If the
// entry has encrypted metadata, these replace the plain ones, from which statistics may be
// missing.
func (f *File) Chunk(ctx context.Context, m *thrift.Footer, rowGroup, column int, entry *thrift.ColumnChunk) (page.Cipher, error) {
	if g := &m.RowGroups[rowGroup]; g.HasOrdinal {
		rowGroup = int(uint16(g.Ordinal))
	}
	if max(rowGroup, column) > math.MaxInt16 {
		return nil, corrupt.NotSupported("encrypted column ", column, " of row group ", rowGroup, ": the format has numbers up to ", math.MaxInt16)
	}
	k, err := f.ofColumn(ctx, &entry.Crypto)
	if err != nil {
		return nil, err
	}
	c := &chunk{f, k, rowGroup, column}
	if entry.EncryptedMeta != nil {
		plain, err := c.Decrypt(nil, entry.EncryptedMeta, page.ColumnMetaData, -1)
		if err != nil {
			return nil, err
		}
		m, err := thrift.ParseColumnMetaData(plain)
		if err != nil {
			return nil, corrupt.Within(err, "column metadata", 0)
		}
		entry.Meta, entry.HasMeta = m, true
	}
	return c, nil
}

// Overhead returns how many bytes encryption adds to the body of a page, see page.Cipher.
func (c *chunk) Overhead() int32 {
	switch {
	case c.file.encryption == gcmCtrV1:
		return page.CTROverhead
	case c.file.unbound:
		return -page.GCMOverhead
	}
	return page.GCMOverhead
}

// Decrypt returns the plain bytes of a module, see page.Cipher.
func (c *chunk) Decrypt(dst, b []byte, m page.Module, ordinal int) ([]byte, error) {
	if len(b) < lengthSize || int64(binary.LittleEndian.Uint32(b)) != int64(len(b)-lengthSize) {
		return nil, corrupt.At(-1, m, " of ", len(b), " bytes: not an encrypted module of this length")
	}
	if ordinal > math.MaxInt16 {
		return nil, corrupt.NotSupported("encrypted page ", ordinal, ": the format has numbers up to ", math.MaxInt16)
	}
	if c.file.encryption == gcmCtrV1 && (m == page.DataPage || m == page.DictionaryPage) {
		return c.key.openCTR(dst, b, m)
	}
	if c.file.unbound {
		return c.key.openGCM(dst, b, m, nil)
	}
	var memory [64]byte
	aad := c.file.appendAAD(memory[:0], m)
	aad = binary.LittleEndian.AppendUint16(aad, uint16(c.rowGroup))
	aad = binary.LittleEndian.AppendUint16(aad, uint16(c.column))
	if m == page.DataPage || m == page.DataPageHeader {
		aad = binary.LittleEndian.AppendUint16(aad, uint16(ordinal))
	}
	return c.key.openGCM(dst, b, m, aad)
}

// appendAAD appends what is authenticated with a module of this kind: for a footer that is
// all, for others their place comes after it.
func (f *File) appendAAD(dst []byte, m page.Module) []byte {
	return append(append(dst, f.aad...), byte(m))
}
