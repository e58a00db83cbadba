package values

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

// A fixedViewer decodes values that stand in the page as in memory.
type fixedViewer interface {
	View(n int) (values []byte, got int, err error)
}

// fixed decodes INT96 and FIXED_LEN_BYTE_ARRAY to a vector's Fixed.
type fixed[D any, P fixedDecoder[D]] struct {
	rewindable[D, P]
	width int
}

func (d *fixed[D, P]) Reset(in *Input) error {
	d.width = in.Type.Width()
	return d.startAt0(P(&d.now).Reset(in.Body, in.N, d.width))
}

func (d *fixed[D, P]) Next(dst *vector.Vector, at, n int) error {
	d.nowAt += n
	_, err := P(&d.now).Next(dst.Fixed[at*d.width : (at+n)*d.width])
	return err
}

func (d *fixed[D, P]) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	d.nowAt += n
	_, err := P(&d.now).Gather(dst.Fixed[at*d.width:], sel, n)
	return err
}

func (d *fixed[D, P]) Filter(sel []uint64, n int, t *pred.Test) (bool, error) {
	from, ok := any(P(&d.now)).(fixedViewer)
	if !ok || !t.KeepsFixed(d.width) {
		return false, nil
	}
	d.nowAt += n
	values, _, err := from.View(n)
	t.KeepFixed(sel, values, d.width)
	return true, err
}
