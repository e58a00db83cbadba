package gen

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/golang/snappy"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Codec is how page bodies are compressed. Several kinds of bytes pass under
// the names GZIP and LZ4, each has a constant of its own.
type Codec uint8

//every:codec writer but LZO (refused)
const (
	codecUnset   Codec = iota
	Uncompressed       // the default
	Snappy
	Gzip
	GzipMembers // GZIP, two members one behind the other
	Zstd
	ZstdNoSize // ZSTD, the frame does not tell its content's size
	Brotli
	LZ4Raw
	LZ4Hadoop       // LZ4: big-endian sizes, then a block
	LZ4HadoopBlocks // LZ4: the same, two such blocks
	LZ4Bare         // LZ4: a bare block, as some writers put there
	LZ4Frame        // LZ4: the frame format of the lz4 tool
)

// compress returns src as c writes it.
//
//every:codec encoder but LZO (refused)
func (c Codec) compress(src []byte) ([]byte, error) {
	switch c {
	case codecUnset, Uncompressed:
		return src, nil
	case Snappy:
		return snappy.Encode(nil, src), nil
	case Gzip:
		return gzipped(src)
	case GzipMembers:
		return inTwo(src, gzipped)
	case Zstd, ZstdNoSize:
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<18))
		if err != nil {
			return nil, err
		}
		if c == Zstd {
			return w.EncodeAll(src, nil), nil
		}
		_, err = w.Write(src)
		if err == nil {
			err = w.Flush() // a block is out before the end is known, so the frame has no size
		}
		if err == nil {
			err = w.Close()
		}
		return b.Bytes(), err
	case Brotli:
		return written(src, func(b io.Writer) io.WriteCloser { return brotli.NewWriterLevel(b, 4) })
	case LZ4Raw, LZ4Bare:
		return lz4Block(src)
	case LZ4Hadoop:
		return lz4HadoopBlock(src)
	case LZ4HadoopBlocks:
		return inTwo(src, lz4HadoopBlock)
	case LZ4Frame:
		return written(src, func(b io.Writer) io.WriteCloser { return lz4.NewWriter(b) })
	}
	return nil, fmt.Errorf("no codec %d", c)
}

func gzipped(src []byte) ([]byte, error) {
	return written(src, func(b io.Writer) io.WriteCloser { return gzip.NewWriter(b) })
}

// written returns what a writer makes of src until it is closed.
func written(src []byte, to func(io.Writer) io.WriteCloser) ([]byte, error) {
	var b bytes.Buffer
	w := to(&b)
	_, err := w.Write(src)
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// inTwo compresses the halves of src apart.
func inTwo(src []byte, compress func([]byte) ([]byte, error)) ([]byte, error) {
	half := len(src) / 2
	a, err := compress(src[:half])
	if err != nil {
		return nil, err
	}
	b, err := compress(src[half:])
	return append(a, b...), err
}

func lz4Block(src []byte) ([]byte, error) {
	dst := make([]byte, lz4.CompressBlockBound(len(src)))
	var c lz4.Compressor
	n, err := c.CompressBlock(src, dst)
	return dst[:n], err
}

// lz4HadoopBlock writes
//
//	| uncompressed size, u32 big-endian | compressed size, u32 big-endian | LZ4 block |
func lz4HadoopBlock(src []byte) ([]byte, error) {
	block, err := lz4Block(src)
	if err != nil {
		return nil, err
	}
	dst := binary.BigEndian.AppendUint32(nil, uint32(len(src)))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(block)))
	return append(dst, block...), nil
}
