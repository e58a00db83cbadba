package gen

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/apache/thrift/lib/go/thrift"
	"github.com/golang/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// This is a reader of files, slow and trusting, made of the generated Thrift
// code, the codecs' own decoders and internal/test/naive: nothing of what gen writes with.

func readThrift(t *testing.T, b []byte, s thrift.TStruct) int {
	t.Helper()
	r := &thrift.TMemoryBuffer{Buffer: bytes.NewBuffer(b)}
	p := thrift.NewTCompactProtocolConf(r, nil)
	if err := s.Read(context.Background(), p); err != nil {
		t.Fatalf("reading %T: %v", s, err)
	}
	return len(b) - r.Len()
}

func readFooter(t *testing.T, b []byte) *wire.FileMetaData {
	t.Helper()
	n := len(b)
	if string(b[:4]) != "PAR1" || string(b[n-4:]) != "PAR1" {
		t.Fatal("magic is wrong")
	}
	size := int(binary.LittleEndian.Uint32(b[n-8:]))
	m := wire.NewFileMetaData()
	if used := readThrift(t, b[n-8-size:n-8], m); used != size {
		t.Fatalf("footer has %d bytes of %d", used, size)
	}
	return m
}

type readPage struct {
	header *wire.PageHeader
	span   Span
	Data
}

// readChunk returns the data pages of a chunk.
func readChunk(t *testing.T, b []byte, l Leaf, m *wire.ColumnMetaData) (pages []readPage) {
	t.Helper()
	at, end := m.DataPageOffset, int64(0)
	if m.DictionaryPageOffset != nil {
		at = *m.DictionaryPageOffset
	}
	end = at + m.TotalCompressedSize
	var dictionary any
	for at < end {
		h := wire.NewPageHeader()
		p := readPage{header: h, span: Span{Start: at}}
		p.span.Body = at + int64(readThrift(t, b[at:], h))
		p.span.End = p.span.Body + int64(h.CompressedPageSize)
		body := b[p.span.Body:p.span.End]
		at = p.span.End
		if h.Crc != nil && crc32.ChecksumIEEE(body) != uint32(*h.Crc) {
			t.Fatal("checksum is wrong")
		}
		v2 := h.DataPageHeaderV2
		levelSize, compressed := 0, true
		if v2 != nil {
			levelSize = int(v2.DefinitionLevelsByteLength + v2.RepetitionLevelsByteLength)
			compressed = v2.IsCompressed
		}
		levels, rest := body[:levelSize], body[levelSize:]
		if compressed {
			rest = decompress(t, m.Codec, rest, int(h.UncompressedPageSize)-levelSize)
		}
		if got := len(levels) + len(rest); got != int(h.UncompressedPageSize) {
			t.Fatalf("page has %d bytes, its header promises %d", got, h.UncompressedPageSize)
		}
		if d := h.DictionaryPageHeader; d != nil {
			dictionary = readValues(t, wire.Encoding_PLAIN, l, rest, int(d.NumValues), nil)
			continue
		}
		slots, encoding := 0, wire.Encoding_PLAIN
		if v2 != nil {
			slots, encoding = int(v2.NumValues), v2.Encoding
			split := v2.RepetitionLevelsByteLength
			p.Rep = readLevels(t, levels[:split], l.MaxRep, slots, false)
			p.Def = readLevels(t, levels[split:], l.MaxDef, slots, false)
		} else {
			slots, encoding = int(h.DataPageHeader.NumValues), h.DataPageHeader.Encoding
			old := h.DataPageHeader.DefinitionLevelEncoding == wire.Encoding_BIT_PACKED
			for _, part := range []struct {
				to  *[]uint32
				max uint32
			}{{&p.Rep, l.MaxRep}, {&p.Def, l.MaxDef}} {
				if part.max == 0 {
					continue
				}
				size := (slots*bits.Len32(part.max) + 7) / 8
				if !old {
					size = int(binary.LittleEndian.Uint32(rest))
					rest = rest[4:]
				}
				*part.to = readLevels(t, rest[:size], part.max, slots, old)
				rest = rest[size:]
			}
		}
		values := slots
		if p.Def != nil {
			values = Data{Def: p.Def}.present(l.MaxDef)
		}
		p.Values = readValues(t, encoding, l, rest, values, dictionary)
		pages = append(pages, p)
	}
	return pages
}

//every:codec reference but LZO (refused)
func decompress(t *testing.T, c wire.CompressionCodec, src []byte, size int) []byte {
	t.Helper()
	var out []byte
	var err error
	switch c {
	case wire.CompressionCodec_UNCOMPRESSED:
		return src
	case wire.CompressionCodec_SNAPPY:
		out, err = snappy.Decode(nil, src)
	case wire.CompressionCodec_GZIP:
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(src)); err == nil {
			out, err = io.ReadAll(r)
		}
	case wire.CompressionCodec_ZSTD:
		var r *zstd.Decoder
		if r, err = zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true)); err == nil {
			defer r.Close()
			out, err = io.ReadAll(r)
		}
	case wire.CompressionCodec_BROTLI:
		out, err = io.ReadAll(brotli.NewReader(bytes.NewReader(src)))
	case wire.CompressionCodec_LZ4_RAW:
		out, err = unLZ4(src, size)
	case wire.CompressionCodec_LZ4:
		if size == 0 {
			return nil
		}
		if bytes.HasPrefix(src, []byte("\x04\x22\x4d\x18")) {
			out, err = io.ReadAll(lz4.NewReader(bytes.NewReader(src)))
			break
		}
		for rest := src; len(rest) >= 8; {
			raw, packed := binary.BigEndian.Uint32(rest), binary.BigEndian.Uint32(rest[4:])
			if int64(packed) > int64(len(rest)-8) || int64(raw) > int64(size) {
				out = nil
				break
			}
			var block []byte
			if block, err = unLZ4(rest[8:8+packed], int(raw)); err != nil {
				break
			}
			out, rest = append(out, block...), rest[8+packed:]
		}
		if len(out) != size {
			out, err = unLZ4(src, size)
		}
	default:
		err = fmt.Errorf("codec %v", c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func unLZ4(src []byte, size int) ([]byte, error) {
	out := make([]byte, size)
	n, err := lz4.UncompressBlock(src, out)
	return out[:n], err
}

func readLevels(t *testing.T, b []byte, most uint32, n int, bitPacked bool) []uint32 {
	t.Helper()
	if most == 0 {
		return nil
	}
	levels, err := naive.Levels(b, int(most), n, bitPacked)
	if err != nil {
		t.Fatalf("levels: %v", err)
	}
	out := make([]uint32, len(levels))
	for i, l := range levels {
		out[i] = uint32(l)
	}
	return out
}

//every:encoding naive but BIT_PACKED (levels only)
func readValues(t *testing.T, e wire.Encoding, l Leaf, b []byte, n int, dictionary any) any {
	t.Helper()
	var out any
	var err error
	done := func(v any, e error) { out, err = v, e }
	texts := func(v [][]byte, e error) {
		s := []string{}
		for _, x := range v {
			s = append(s, string(x))
		}
		out, err = s, e
	}
	switch e {
	case wire.Encoding_RLE_DICTIONARY, wire.Encoding_PLAIN_DICTIONARY:
		codes, err := naive.Hybrid(b[1:], int(b[0]), n)
		if err != nil {
			t.Fatal(err)
		}
		values := noValues(l.Type)
		for _, c := range codes {
			values = joinValues(values, sliceValues(dictionary, int(c), int(c)+1))
		}
		return values
	case wire.Encoding_RLE:
		if int(binary.LittleEndian.Uint32(b)) != len(b)-4 {
			t.Fatal("RLE values: length is wrong")
		}
		v, err := naive.Hybrid(b[4:], 1, n)
		bools := []bool{}
		for _, x := range v {
			bools = append(bools, x == 1)
		}
		done(bools, err)
	case wire.Encoding_DELTA_BINARY_PACKED:
		if l.Type == Int32 {
			v, _, err := naive.DeltaInt32s(b, n, false)
			done(v, err)
		} else {
			v, _, err := naive.DeltaInt64s(b, n, false)
			done(v, err)
		}
	case wire.Encoding_DELTA_LENGTH_BYTE_ARRAY:
		texts(naive.DeltaLengthByteArrays(b, n, false))
	case wire.Encoding_DELTA_BYTE_ARRAY:
		texts(naive.DeltaByteArrays(b, n, math.MaxInt32, false))
	case wire.Encoding_ALP:
		if l.Type == Float {
			v, err := naive.ALPFloat32s(b, n)
			done(v, err)
		} else {
			v, err := naive.ALPFloat64s(b, n)
			done(v, err)
		}
	case wire.Encoding_BYTE_STREAM_SPLIT:
		size := map[Type]int{Int32: 4, Int64: 8, Float: 4, Double: 8, FixedLenByteArray: int(l.Length)}[l.Type]
		whole, err := naive.ByteStreamSplit(b, n, size)
		if err != nil {
			t.Fatal(err)
		}
		return readValues(t, wire.Encoding_PLAIN, l, whole, n, nil)
	default:
		switch l.Type {
		case Boolean:
			v, err := naive.Bools(b, n)
			done(v, err)
		case Int32:
			v, err := naive.Int32s(b, n)
			done(v, err)
		case Int64:
			v, err := naive.Int64s(b, n)
			done(v, err)
		case Float:
			v, err := naive.Float32s(b, n)
			done(v, err)
		case Double:
			v, err := naive.Float64s(b, n)
			done(v, err)
		case Int96:
			raw, err := naive.FixedLenByteArrays(b, n, 12)
			v := [][12]byte{}
			for _, x := range raw {
				v = append(v, [12]byte(x))
			}
			done(v, err)
		case ByteArray:
			texts(naive.ByteArrays(b, n))
		case FixedLenByteArray:
			texts(naive.FixedLenByteArrays(b, n, int(l.Length)))
		}
	}
	if err != nil {
		t.Fatalf("%v of %d values: %v", e, n, err)
	}
	return out
}
