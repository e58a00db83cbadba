package codec

import (
	"strconv"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/zstd"
)

// ID is a codec's number in column metadata.
type ID int32

// The codecs of the format.
//
//every:codec number
const (
	Uncompressed ID = 0
	Snappy       ID = 1
	Gzip         ID = 2
	LZO          ID = 3
	Brotli       ID = 4
	LZ4          ID = 5
	Zstd         ID = 6
	LZ4Raw       ID = 7
)

// String returns the name that the format gives the codec.
//
//every:codec name
func (id ID) String() string {
	switch id {
	case Uncompressed:
		return "UNCOMPRESSED"
	case Snappy:
		return "SNAPPY"
	case Gzip:
		return "GZIP"
	case LZO:
		return "LZO"
	case Brotli:
		return "BROTLI"
	case LZ4:
		return "LZ4"
	case Zstd:
		return "ZSTD"
	case LZ4Raw:
		return "LZ4_RAW"
	}
	return strconv.Itoa(int(id))
}

// Codec decompresses the bodies of one codec. Safe for concurrent use.
//
// Both methods append to dst, and allocate new memory if its capacity is too
// small. size is the size that the page header declares; it is a claim, not a
// permission to allocate. src is not kept. With an error, they return dst.
type Codec interface {
	// Decode appends the whole body: exactly size bytes.
	Decode(dst, src []byte, size int) ([]byte, error)
	// DecodePrefix appends at least the first need bytes of the body, or all
	// size bytes if there are fewer. It may leave the rest of src undecoded.
	DecodePrefix(dst, src []byte, need, size int) ([]byte, error)
}

// Options are the options of NewSet.
type Options struct {
	// Spare is the number of bytes of capacity after each decoded body, for
	// kernels that read beyond the end.
	Spare int
	// More holds the caller's own codecs, by number. They take precedence
	// over those of this package.
	More map[ID]Codec
}

// Set finds codecs by number. Safe for concurrent use.
//
//last:codec bound
type Set struct {
	known [LZ4Raw + 1]Codec
	more  map[ID]Codec
}

// NewSet returns the codecs of this package and those of o.
//
//every:codec decoder but LZO (refused)
func NewSet(o Options) *Set {
	s := &Set{more: make(map[ID]Codec, len(o.More))}
	for id, c := range o.More {
		s.more[id] = c
	}
	m := memory{spare: max(o.Spare, 0)}
	raw := lz4Raw{m}
	s.known = [...]Codec{
		Uncompressed: uncompressed{m},
		Snappy:       newSnappy(m),
		Gzip:         newGzip(m),
		Brotli:       newBrotli(m),
		LZ4:          &lz4Any{raw: raw, frame: newLZ4Frame(m)},
		Zstd:         newZstd(m),
		LZ4Raw:       raw,
	}
	if !zstd.HasKernels() {
		s.known[Zstd] = byLibrary{libraryZstd(m), s.known[Zstd]}
	}
	return s
}

// Codec returns the codec of a number, or an error if there is none.
func (s *Set) Codec(id ID) (Codec, error) {
	if c, ok := s.more[id]; ok {
		return c, nil
	}
	if id >= 0 && int(id) < len(s.known) && s.known[id] != nil {
		return s.known[id], nil
	}
	return nil, corrupt.NotSupported("codec ", id, " is not supported; a host can bring its own, as number ", int32(id))
}
