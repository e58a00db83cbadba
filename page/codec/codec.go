package codec

import (
	"maps"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/brotli"
	"github.com/winnow-scan/winnow/page/codec/inflate"
	"github.com/winnow-scan/winnow/page/codec/zstd"
	"github.com/winnow-scan/winnow/thrift"
)

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
	More map[thrift.Codec]Codec
}

// Set finds codecs by number. Safe for concurrent use.
//
//last:codec bound
type Set struct {
	known [thrift.CodecLZ4Raw + 1]Codec
	more  map[thrift.Codec]Codec
}

// NewSet returns the codecs of this package and those of o.
//
//every:codec decoder but LZO (refused)
func NewSet(o Options) *Set {
	s := &Set{more: maps.Clone(o.More)}
	m := memory{spare: max(o.Spare, 0)}
	s.known = [...]Codec{
		thrift.CodecUncompressed: newUncompressed(m),
		thrift.CodecSnappy:       newSnappy(m),
		thrift.CodecGzip:         newFilled(m, "GZIP", gzipMaxRatio, func() any { return new(inflate.Decoder) }),
		thrift.CodecBrotli:       newFilled(m, "BROTLI", 0, func() any { return new(brotli.Decoder) }),
		thrift.CodecLZ4:          newLZ4(m),
		thrift.CodecZstd:         newZstd(m),
		thrift.CodecLZ4Raw:       newLZ4Raw(m),
	}
	if !zstd.HasKernels() {
		s.known[thrift.CodecZstd] = byLibrary(libraryZstd(m), newZstd(m))
	}
	return s
}

// Codec returns the codec of a number, or an error if there is none.
func (s *Set) Codec(id thrift.Codec) (Codec, error) {
	if c, ok := s.more[id]; ok {
		return c, nil
	}
	if id >= 0 && int(id) < len(s.known) && s.known[id] != nil {
		return s.known[id], nil
	}
	return nil, corrupt.NotSupported("codec ", id, " is not supported; a host can bring its own, as number ", int32(id))
}

// decoder is a Codec by one function for whole bodies and prefixes.
type decoder struct {
	memory
	name  string // of the codec, in errors
	ratio int    // see maxRatio of memory.check
	// decode appends at least the first need bytes of a body, and at most all size bytes. need
	// is from 0 to size.
	decode func(dst, src []byte, need, size int) ([]byte, error)
}

func (d *decoder) Decode(dst, src []byte, size int) ([]byte, error) {
	return d.DecodePrefix(dst, src, size, size)
}

func (d *decoder) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	err := d.check(src, size, d.ratio)
	if err == nil {
		var out []byte
		if out, err = d.decode(dst, src, min(max(need, 0), size), size); err == nil {
			return out, nil
		}
	}
	return dst, failed(d.name, err)
}
