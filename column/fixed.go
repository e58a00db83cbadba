package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
)

type fixedDecoder[D any] interface {
	skipper[D]
	Reset(body []byte, n, size int) error
	Next(dst []byte) (int, error)
	Gather(dst []byte, sel []uint64, n int) (int, error)
}

type fixedRanger interface {
	Range(sel []uint64, n int, lo, hi []byte) error
}

// fixed decodes INT96 and FIXED_LEN_BYTE_ARRAY to a vector's Fixed.
type fixed[D any, P fixedDecoder[D]] struct {
	flow[D, P]
	width int
}

func (d *fixed[D, P]) reset(in *input) error {
	d.width = in.typ.Width()
	return d.started(P(&d.now).Reset(in.body, in.n, d.width))
}

func (d *fixed[D, P]) next(dst *vector.Vector, at, n int) error {
	d.nowAt += n
	_, err := P(&d.now).Next(dst.Fixed[at*d.width : (at+n)*d.width])
	return err
}

func (d *fixed[D, P]) gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	d.nowAt += n
	_, err := P(&d.now).Gather(dst.Fixed[at*d.width:], sel, n)
	return err
}

func (d *fixed[D, P]) narrow(sel []uint64, n int, t *pred.Test) (bool, error) {
	lo, hi, ok := t.Bytes()
	r, can := any(P(&d.now)).(fixedRanger)
	if !ok || !can {
		return false, nil
	}
	d.nowAt += n
	return true, r.Range(sel, n, lo, hi)
}
