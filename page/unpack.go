package page

import (
	"hash/crc32"
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Options say how bodies are unpacked.
type Options struct {
	Codecs *codec.Set // needed wherever pages are compressed
	// MaxSize is the largest decompressed size that a page may declare; 0 for
	// the format's own limit, 2 GiB. There are honest pages of more than 1 GiB.
	// Memory does not hang on it: that is made as the body grows.
	MaxSize int
	// IgnoreCRC leaves the checksums of bodies unchecked.
	IgnoreCRC bool
}

// Unpacker turns bodies as they are in the file into plain ones. It may be
// used by several goroutines at once.
type Unpacker struct {
	codec     codec.Codec // nil where nothing is compressed
	max       int64
	ignoreCRC bool
}

// Unpacker returns that for chunks with a codec.
func (o Options) Unpacker(id codec.ID) (Unpacker, error) {
	u := Unpacker{max: int64(o.MaxSize), ignoreCRC: o.IgnoreCRC}
	if u.max <= 0 {
		u.max = math.MaxInt32
	}
	if id == codec.Uncompressed {
		return u, nil
	}
	var err error
	u.codec, err = o.Codecs.Codec(id)
	return u, err
}

// Stored says whether the page's body is in the file as it is. Before its
// version 2, parquet-cpp compressed v2 pages of which it said that they are not:
// two sizes that differ tell the truth.
func (u *Unpacker) Stored(h *thrift.PageHeader) bool {
	return u.codec == nil || !h.IsCompressed && h.CompressedSize == h.UncompressedSize
}

// AsItIs reports whether the page's body may be read without Unpack:
// it is Stored, nothing is wrong with what its header says, and no checksum is to be checked.
func (u *Unpacker) AsItIs(h *thrift.PageHeader) bool {
	return u.Stored(h) && h.CompressedSize == h.UncompressedSize && int64(h.UncompressedSize) <= u.max &&
		!u.sums(h) && checkLevelLengths(h) == nil
}

// sums reports whether the page has a checksum that is to be checked.
// Parquet.jl writes 0 into all headers. It can be a real sum, but once in 2³² pages.
func (u *Unpacker) sums(h *thrift.PageHeader) bool {
	return h.HasCRC && h.CRC != 0 && !u.ignoreCRC
}

// Unpack returns at least the first need bytes of a page's plain body, or all
// of them if need is at least UncompressedSize. The levels of v2 pages count,
// and always come whole.
//
// A Stored body is packed itself: a view without spare bytes of its own. Any
// other uses dst's memory from its start, or new memory. With an error, what
// comes back is dst.
func (u *Unpacker) Unpack(dst []byte, h *thrift.PageHeader, packed []byte, need int) ([]byte, error) {
	body, err := u.unpack(dst[:0], h, packed, need)
	if err != nil {
		return dst, corrupt.Within(err, "page body", 0)
	}
	return body, nil
}

func (u *Unpacker) unpack(dst []byte, h *thrift.PageHeader, packed []byte, need int) ([]byte, error) {
	if int64(h.UncompressedSize) > u.max {
		return dst, corrupt.NotSupported("page of ", h.UncompressedSize, " bytes; the options allow ", u.max)
	}
	if int64(len(packed)) != int64(h.CompressedSize) {
		return dst, corrupt.At(-1, len(packed), " bytes, the header says ", h.CompressedSize)
	}
	if err := checkLevelLengths(h); err != nil {
		return dst, err
	}
	if u.sums(h) {
		if got := crc32.ChecksumIEEE(packed); got != h.CRC {
			return dst, corrupt.At(-1, "checksum ", got, ", the header says ", h.CRC)
		}
	}
	if u.Stored(h) {
		if h.CompressedSize != h.UncompressedSize {
			return dst, corrupt.At(-1, "not compressed, but of size ", h.CompressedSize, " and ", h.UncompressedSize)
		}
		return packed, nil
	}
	levels := 0
	if h.Type == wire.PageType_DATA_PAGE_V2 {
		levels = int(h.RepetitionLength + h.DefinitionLength) // checked: no overflow
	}
	size := int(h.UncompressedSize) - levels
	dst = append(dst, packed[:levels]...)
	if packed = packed[levels:]; len(packed) == 0 && size == 0 {
		return dst, nil // nothing but nulls: writers differ in whether they compress that
	}
	if need >= int(h.UncompressedSize) {
		body, err := u.codec.Decode(dst, packed, size)
		if err == nil && len(body) != levels+size {
			err = corrupt.At(-1, "the codec returned ", len(body)-levels, " bytes, ", size, " are declared")
		}
		return body, err
	}
	need = min(max(need-levels, 0), size)
	body, err := u.codec.DecodePrefix(dst, packed, need, size)
	if err == nil && (len(body) < levels+need || len(body) > levels+size) {
		err = corrupt.At(-1, "the codec returned ", len(body)-levels, " bytes for the first ", need, " of ", size)
	}
	return body, err
}

// checkLevelLengths wants the levels of a v2 page to lie inside of it, in the
// file as well as decompressed.
func checkLevelLengths(h *thrift.PageHeader) error {
	if h.Type != wire.PageType_DATA_PAGE_V2 {
		return nil
	}
	rep, def := int64(h.RepetitionLength), int64(h.DefinitionLength)
	if rep < 0 || def < 0 || rep+def > int64(min(h.CompressedSize, h.UncompressedSize)) {
		return corrupt.At(-1, "levels of ", rep, "+", def, " bytes in a page of ", h.CompressedSize, " bytes, ", h.UncompressedSize, " decompressed")
	}
	return nil
}
