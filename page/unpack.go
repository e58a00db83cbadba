package page

import (
	"cmp"
	"hash/crc32"
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/thrift"
)

// Options say how bodies are unpacked.
type Options struct {
	Codecs Codecs // nil is allowed only if no page is compressed
	// MaxSize is the largest decompressed size that a page may declare; 0 for
	// the format's own limit, 2 GiB. There are valid pages of more than 1 GiB.
	// It does not bound memory on hostile input: codecs allocate only what the
	// input justifies.
	MaxSize int
	// Memory is the largest decompressed size that a memory budget allows; 0: there is
	// none. A larger page is an error of kind corrupt.Memory.
	Memory int64
	// IgnoreCRC leaves the checksums of bodies unchecked.
	IgnoreCRC bool
	// Cipher is that of the column chunk; nil if it is plain.
	Cipher Cipher
}

// Codecs finds codecs by number, as a codec.Set does.
type Codecs interface {
	Codec(thrift.Codec) (codec.Codec, error)
}

// Unpacker decrypts and decompresses the bodies of pages. Safe for concurrent use.
type Unpacker struct {
	codec     codec.Codec // nil where nothing is compressed
	cipher    Cipher      // nil where nothing is encrypted
	overhead  int32       // of cipher
	max       int64
	memory    int64
	ignoreCRC bool
}

// Unpacker returns the Unpacker for chunks with this codec, or an error if Codecs does not have it.
func (o Options) Unpacker(id thrift.Codec) (Unpacker, error) {
	u := Unpacker{cipher: o.Cipher, ignoreCRC: o.IgnoreCRC}
	u.overhead, _ = overheadOf(o.Cipher)
	u.max, u.memory = cmp.Or(max(int64(o.MaxSize), 0), math.MaxInt32), cmp.Or(max(o.Memory, 0), math.MaxInt32)
	if id == thrift.CodecUncompressed {
		return u, nil
	}
	var err error
	u.codec, err = o.Codecs.Codec(id)
	return u, err
}

// Encrypted reports whether bodies are encrypted: Open must decrypt them.
func (u *Unpacker) Encrypted() bool { return u.cipher != nil }

// Open returns the body of a page decrypted, given its bytes in the file: body itself if it
// is plain, else memory of its own, in dst if that has the room. It checks the checksum of
// an encrypted body, which is over the encrypted bytes. ordinal is that of a data page.
func (u *Unpacker) Open(dst []byte, h *thrift.PageHeader, ordinal int, body []byte) ([]byte, error) {
	if u.cipher == nil {
		return body, nil
	}
	module := DataPage
	if h.Type == thrift.DictionaryPage {
		module, ordinal = DictionaryPage, -1
	}
	if u.ChecksCRC(h) {
		if err := checkCRC(h, body); err != nil {
			return nil, corrupt.Within(err, "page body", 0)
		}
	}
	return Open(u.cipher, module, ordinal, dst, body)
}

// size returns the size of a body that is compressed and no longer encrypted.
func (u *Unpacker) size(h *thrift.PageHeader) int32 { return h.CompressedSize - u.overhead }

func checkCRC(h *thrift.PageHeader, body []byte) error {
	if got := crc32.ChecksumIEEE(body); got != h.CRC {
		return corrupt.At(-1, "checksum ", got, ", the header says ", h.CRC)
	}
	return nil
}

// Stored reports whether the page's body is not compressed. Versions of parquet-cpp
// before 2 compressed v2 pages but set is_compressed to false: if the two sizes
// differ, the body is compressed all the same.
func (u *Unpacker) Stored(h *thrift.PageHeader) bool {
	return u.codec == nil || !h.IsCompressed && u.size(h) == h.UncompressedSize
}

// AsItIs reports whether the page's body can be used as it is in the file: it is plain and
// Stored, and its header's sizes are valid. Unpack is needed only for what ChecksCRC says.
func (u *Unpacker) AsItIs(h *thrift.PageHeader) bool {
	return u.cipher == nil && u.Stored(h) && h.CompressedSize == h.UncompressedSize && int64(h.UncompressedSize) <= min(u.max, u.memory) &&
		checkLevelLengths(h, u.overhead) == nil
}

// ChecksCRC reports whether Unpack checks the page's checksum. It ignores 0, which
// Parquet.jl writes into all headers: only one page in 2³² has 0 as its real checksum.
func (u *Unpacker) ChecksCRC(h *thrift.PageHeader) bool {
	return h.HasCRC && h.CRC != 0 && !u.ignoreCRC
}

// Unpack returns at least the first need bytes of a page's decompressed body, or all
// of it if need is at least UncompressedSize. The levels of a v2 page are part of
// these bytes, and always complete.
//
// For a Stored body, Unpack returns packed itself, without spare bytes after it.
// Any other body is in dst's memory, from its start, or in new memory. With an
// error, a *corrupt.Error, Unpack returns dst. packed is what Open returns, and not changed.
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
	if int64(h.UncompressedSize) > u.memory {
		return dst, corrupt.ExceedsMemory("page of ", h.UncompressedSize, " bytes; the memory budget has ", u.memory)
	}
	if int64(len(packed)) != int64(u.size(h)) {
		return dst, corrupt.At(-1, len(packed), " bytes, the header says ", u.size(h))
	}
	if err := checkLevelLengths(h, u.overhead); err != nil {
		return dst, err
	}
	if u.cipher == nil && u.ChecksCRC(h) { // Open has checked that of an encrypted body
		if err := checkCRC(h, packed); err != nil {
			return dst, err
		}
	}
	if u.Stored(h) {
		if u.size(h) != h.UncompressedSize {
			return dst, corrupt.At(-1, "not compressed, but of size ", u.size(h), " and ", h.UncompressedSize)
		}
		return packed, nil
	}
	levels := 0
	if h.Type == thrift.DataPageV2 {
		levels = int(h.RepetitionLength + h.DefinitionLength) // checked: no overflow
	}
	size := int(h.UncompressedSize) - levels
	dst = append(dst, packed[:levels]...)
	if packed = packed[levels:]; len(packed) == 0 && size == 0 {
		return dst, nil // only NULLs: some writers do not compress the empty values
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

// checkLevelLengths returns an error if the levels of a v2 page are longer than
// the page, compressed or decompressed. overhead is that of its encryption.
func checkLevelLengths(h *thrift.PageHeader, overhead int32) error {
	if h.Type != thrift.DataPageV2 {
		return nil
	}
	rep, def := int64(h.RepetitionLength), int64(h.DefinitionLength)
	if rep < 0 || def < 0 || rep+def > int64(min(h.CompressedSize-overhead, h.UncompressedSize)) {
		return corrupt.At(-1, "levels of ", rep, "+", def, " bytes in a page of ", h.CompressedSize-overhead, " bytes, ", h.UncompressedSize, " decompressed")
	}
	return nil
}
