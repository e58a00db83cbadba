package codec

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/golang/snappy"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/winnow-scan/winnow/thrift"
)

const spare = 64

// packing is one way to write a body, and the codec that reads it.
type packing struct {
	name string
	id   thrift.Codec
	pack func(tb testing.TB, body []byte) []byte
}

//every:codec packing but LZO (refused)
var packings = []packing{
	{"uncompressed", thrift.CodecUncompressed, func(_ testing.TB, b []byte) []byte { return bytes.Clone(b) }},
	{"snappy", thrift.CodecSnappy, func(_ testing.TB, b []byte) []byte { return snappy.Encode(nil, b) }},
	{"gzip", thrift.CodecGzip, packGzip},
	{"gzip-two-members", thrift.CodecGzip, func(tb testing.TB, b []byte) []byte {
		return append(packGzip(tb, b[:len(b)/3]), packGzip(tb, b[len(b)/3:])...)
	}},
	{"zstd", thrift.CodecZstd, func(tb testing.TB, b []byte) []byte { return packZstd(tb, b) }},
	{"zstd-checksum-off", thrift.CodecZstd, func(tb testing.TB, b []byte) []byte {
		return packZstd(tb, b, zstd.WithEncoderCRC(false))
	}},
	{"zstd-no-size", thrift.CodecZstd, packZstdStream},
	{"zstd-single-segment", thrift.CodecZstd, func(tb testing.TB, b []byte) []byte {
		return packZstd(tb, b, zstd.WithSingleSegment(true))
	}},
	{"zstd-frames", thrift.CodecZstd, func(tb testing.TB, b []byte) []byte {
		skippable := []byte{0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3}
		p := append(packZstd(tb, b[:len(b)/3]), skippable...)
		return append(p, packZstdStream(tb, b[len(b)/3:])...)
	}},
	{"brotli", thrift.CodecBrotli, func(tb testing.TB, b []byte) []byte { return packBrotli(tb, b, 5) }},
	{"lz4-raw", thrift.CodecLZ4Raw, packLZ4},
	{"lz4-as-raw", thrift.CodecLZ4, packLZ4},
	{"lz4-hadoop", thrift.CodecLZ4, func(tb testing.TB, b []byte) []byte { return packHadoop(tb, b, 1<<30, 1<<30) }},
	{"lz4-hadoop-blocks", thrift.CodecLZ4, func(tb testing.TB, b []byte) []byte { return packHadoop(tb, b, 50_000, 1<<30) }},
	{"lz4-hadoop-parts", thrift.CodecLZ4, func(tb testing.TB, b []byte) []byte { return packHadoop(tb, b, 50_000, 7_000) }},
	{"lz4-frame", thrift.CodecLZ4, func(tb testing.TB, b []byte) []byte {
		var out bytes.Buffer
		w := lz4.NewWriter(&out)
		return written(tb, w, &out, b)
	}},
}

type writeCloser interface {
	Write([]byte) (int, error)
	Close() error
}

func written(tb testing.TB, w writeCloser, out *bytes.Buffer, body []byte) []byte {
	tb.Helper()
	if _, err := w.Write(body); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func packGzip(tb testing.TB, body []byte) []byte {
	var out bytes.Buffer
	return written(tb, gzip.NewWriter(&out), &out, body)
}

func packBrotli(tb testing.TB, body []byte, level int) []byte {
	var out bytes.Buffer
	return written(tb, brotli.NewWriterLevel(&out, level), &out, body)
}

func packZstd(tb testing.TB, body []byte, o ...zstd.EOption) []byte {
	tb.Helper()
	w, err := zstd.NewWriter(nil, append(o, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))...)
	if err != nil {
		tb.Fatal(err)
	}
	return w.EncodeAll(body, nil)
}

func packZstdStream(tb testing.TB, body []byte) []byte {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	if err != nil {
		tb.Fatal(err)
	}
	// Two writes, so that the writer cannot know the size.
	if _, err := w.Write(body[:len(body)/2]); err != nil {
		tb.Fatal(err)
	}
	w.Flush()
	return written(tb, w, &out, body[len(body)/2:])
}

// packLZ4 writes a body that does not compress as literals: the library has no block for it.
func packLZ4(tb testing.TB, body []byte) []byte {
	tb.Helper()
	out := make([]byte, lz4.CompressBlockBound(len(body)))
	var c lz4.Compressor
	n, err := c.CompressBlock(body, out)
	if err != nil {
		tb.Fatal(err)
	}
	if n > 0 {
		return out[:n]
	}
	return lz4Literals(body)
}

func lz4Literals(body []byte) []byte {
	n := len(body)
	if n < 15 {
		return append([]byte{byte(n << 4)}, body...)
	}
	out := []byte{0xf0}
	for n -= 15; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	return append(append(out, byte(n)), body...)
}

func packHadoop(tb testing.TB, body []byte, block, part int) []byte {
	var out []byte
	for first := true; len(body) > 0 || first; first = false {
		b := body[:min(block, len(body))]
		body = body[len(b):]
		out = binary.BigEndian.AppendUint32(out, uint32(len(b)))
		for firstPart := true; len(b) > 0 || firstPart; firstPart = false {
			p := b[:min(part, len(b))]
			b = b[len(p):]
			packed := packLZ4(tb, p)
			out = binary.BigEndian.AppendUint32(out, uint32(len(packed)))
			out = append(out, packed...)
		}
	}
	return out
}

var words = strings.Fields(`carefully final deposits detect slyly again regular packages
	wake blithely among the furiously special ideas haggle quickly express requests`)

// text returns n bytes of words; ints n bytes of 8-byte numbers that grow
// unevenly; noise n bytes that do not compress.
func text(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, 0, n+16)
	for len(b) < n {
		b = append(b, words[r.IntN(len(words))]...)
		b = append(b, ' ')
	}
	return b[:n]
}

func ints(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 2))
	b := make([]byte, 0, n+8)
	x := uint64(1 << 40)
	for len(b) < n {
		x += r.Uint64N(1000)
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b[:n]
}

func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 3))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func bodies() map[string][]byte {
	return map[string][]byte{
		"empty":  {},
		"one":    {7},
		"short":  []byte("winnow"),
		"text":   text(1, 200_000),
		"ints":   ints(1, 100_001),
		"noise":  noise(1, 70_000),
		"zeros":  make([]byte, 1_000_000),
		"blocks": text(2, 1<<18),
	}
}

func codecOf(tb testing.TB, s *Set, id thrift.Codec) Codec {
	tb.Helper()
	c, err := s.Codec(id)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}
