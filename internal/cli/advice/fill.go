package advice

import (
	"bytes"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/filter/compile"
)

// Add takes slots [from, to) of a flat vector, all of one block, into the block's bounds. How
// many values are NaN stays unknown, as hardly a writer tells it.
func (b *Bounds) Add(block int, v *vector.Vector, from, to int) {
	x := &b.Blocks[block]
	x.Sure, x.MinExact, x.MaxExact, x.NaNs = true, true, true, compile.Unknown
	x.Slots += int64(to - from)
	var held [16]byte
	for i := from; i < to; i++ {
		if v.IsNull(i) {
			x.Nulls++
			continue
		}
		plain := build.Plain(held[:0], v, i)
		if b.Order.IsNaN(plain) {
			continue
		}
		if !x.HasMin || b.Order.Compare(plain, x.Min) < 0 {
			x.Min, x.HasMin = append(x.Min[:0], plain...), true
		}
		if !x.HasMax || b.Order.Compare(plain, x.Max) > 0 {
			x.Max, x.HasMax = append(x.Max[:0], plain...), true
		}
	}
}

// maxDictionary is the size up to which common writers keep a dictionary.
const maxDictionary = 1 << 20

// Encoder counts the bytes that values of a chunk would take as a dictionary and codes.
type Encoder struct {
	codes      map[string]uint32
	dictionary int64
	values     int64
	last       uint32
	run        int64 // values like the last
	runs       int64 // of eight and more, which are written as a length and one code
	inRuns     int64 // values in them
	lengths    int64 // bytes of their lengths
}

// NewEncoder returns an Encoder of no values.
func NewEncoder() *Encoder { return &Encoder{codes: map[string]uint32{}} }

// Add takes the values of a flat vector. It returns false when the dictionary is too large.
func (e *Encoder) Add(v *vector.Vector) bool {
	var held [16]byte
	for i := range v.Len {
		if v.IsNull(i) {
			continue
		}
		plain := build.Plain(held[:0], v, i)
		code, known := e.codes[string(plain)]
		if !known {
			code = uint32(len(e.codes))
			e.codes[string(plain)] = code
			if e.dictionary += int64(len(plain)); v.Type.Physical == vector.ByteArray {
				e.dictionary += 4
			}
			if e.dictionary > maxDictionary {
				return false
			}
		}
		if e.values > 0 && code != e.last {
			e.endRun()
		}
		e.last, e.run, e.values = code, e.run+1, e.values+1
	}
	return true
}

func (e *Encoder) endRun() {
	if e.run >= 8 {
		e.runs, e.inRuns, e.lengths = e.runs+1, e.inRuns+e.run, e.lengths+1
		for left := e.run >> 6; left > 0; left >>= 7 { // a bit of it says that it is a run
			e.lengths++
		}
	}
	e.run = 0
}

// Encoded returns the sizes.
func (e *Encoder) Encoded() Encoded {
	e.endRun()
	width := int64(1)
	for 1<<width < len(e.codes) {
		width++
	}
	return Encoded{Known: true, Dictionary: e.dictionary + PageHeader, Codes: (e.values-e.inRuns)*width/8 + e.lengths + e.runs*((width+7)/8)}
}

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
