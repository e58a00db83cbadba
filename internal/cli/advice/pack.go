package advice

import (
	"bytes"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// Packers compress samples of pages, each with a codec of the format at its usual level.
type Packers struct {
	zstd    *zstd.Encoder
	gzip    *gzip.Writer
	scratch []byte
}

// NewPackers returns compressors for one goroutine.
func NewPackers() (*Packers, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	return &Packers{zstd: z, gzip: gzip.NewWriter(nil)}, err
}

// Sizes calls each with the name of each codec, and how many bytes it makes of body.
func (p *Packers) Sizes(body []byte, each func(codec string, size int64)) error {
	p.scratch = p.zstd.EncodeAll(body, p.scratch[:0])
	each("ZSTD", int64(len(p.scratch)))
	p.scratch = s2.EncodeSnappy(p.scratch[:cap(p.scratch)], body)
	each("SNAPPY", int64(len(p.scratch)))
	var packed bytes.Buffer
	p.gzip.Reset(&packed)
	if _, err := p.gzip.Write(body); err != nil {
		return err
	}
	err := p.gzip.Close()
	each("GZIP", int64(packed.Len()))
	return err
}
