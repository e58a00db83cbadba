package column

import (
	"errors"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Values that are the same bytes in the file as in memory, and are all wanted,
// are read right to where they are wanted:
//
//	page     │ header │ levels │ values                     │
//	           Feed.Read         Options.ReadAt ──▶ vector
//
// They lie apart from what there is of the page's body. Whoever wants some of
// them only, or to test them, has the page made whole.

// apart is the decoder of values that lie apart, of a fixed size.
type apart struct {
	readAt func(dst []byte, from int64) error // nil: the page's values do not lie apart
	at     int64                              // of value 0 in the chunk
	end    int64                              // of the page
	now    int
}

var errApart = errors.New("column: values that are not in the page's body")

func (d *apart) reset(*input) error { return nil }

func (d *apart) begin(v, _ int) error { return d.seek(v) }

func (d *apart) seek(v int) error {
	d.now = v
	return nil
}

func (d *apart) next(dst *vector.Vector, at, n int) error {
	memory := memoryOf(dst, at, n)
	from := d.at + int64(d.now)*int64(dst.Type.Width())
	if int64(len(memory)) > d.end-from {
		return errApart // the page's decoder says what is wrong
	}
	d.now += n
	return d.readAt(memory, from)
}

func (d *apart) gather(*vector.Vector, int, []uint64, int) error { return errApart }

func (d *apart) keep(*vector.Vector, int, []uint64, int) (bool, error) { return false, nil }

func (d *apart) sparse(*vector.Vector) int { return 0 }

func (d *apart) narrow([]uint64, int, *pred.Test) (bool, error) { return false, errApart }

func (d *apart) codes() *rle.Codes { return nil }

func (d *apart) mask([]uint64, int, *bitpack.Mask) error { return errNoCodes }

// inPlace reports whether a page's values are the same bytes in memory.
func (c *Cursor) inPlace(p *leafPage) bool {
	if p.header.Encoding != wire.Encoding_PLAIN || c.src.Wild {
		return false
	}
	switch c.src.Leaf.Type.Store() {
	case vector.InInt32s, vector.InInt64s, vector.InFloats, vector.InDoubles:
		return plain.InPlace
	case vector.InFixed:
		return true
	}
	return false
}

// memoryOf returns the memory of n slots of v, whose values are inPlace.
func memoryOf(v *vector.Vector, at, n int) []byte {
	switch v.Type.Store() {
	case vector.InInt32s:
		return plain.Memory(v.Int32s[at : at+n])
	case vector.InInt64s:
		return plain.Memory(v.Int64s[at : at+n])
	case vector.InFloats:
		return plain.Memory(v.Floats[at : at+n])
	case vector.InDoubles:
		return plain.Memory(v.Doubles[at : at+n])
	}
	w := v.Type.Width()
	return v.Fixed[at*w : (at+n)*w]
}

// readFront is inflate for a page whose values are to lie apart. need is how
// many bytes its levels take, about.
func (c *Cursor) readFront(p *leafPage, need int64) error {
	size := int64(p.header.UncompressedSize)
	for {
		var body []byte
		var err error
		if need = min(need, size); need > 0 {
			if body, err = c.feed.Read(p.bodyAt, p.bodyAt+need); err != nil {
				return err
			}
		}
		p.own, p.borrowed, p.cut, p.bare = false, false, true, false
		err = c.split(p, body)
		short, lacks := err.(*page.Need)
		if !lacks {
			before := cap(body) - cap(p.parts.Values) // the values are a slice of the body, to its end
			p.apart = apart{readAt: c.opts.ReadAt, at: p.bodyAt + int64(before), end: p.end}
			return err
		}
		need = short.To
	}
}
