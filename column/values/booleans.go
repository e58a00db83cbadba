package values

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

type boolDecoder[D any] interface {
	skipper[D]
	Reset(body []byte, n int) error
	NextBits(dst []uint64, at, n int) (int, error)
	GatherBits(dst []uint64, at int, sel []uint64, n int) (int, error)
	Equal(sel []uint64, n int, want bool) error
}

// booleans decodes BOOLEAN.
type booleans[D any, P boolDecoder[D]] struct {
	rewindable[D, P]
}

func (d *booleans[D, P]) Reset(in *Input) error {
	return d.startAt0(P(&d.now).Reset(in.Body, in.N))
}

func (d *booleans[D, P]) Next(dst *vector.Vector, at, n int) error {
	d.nowAt += n
	_, err := P(&d.now).NextBits(dst.Bools, at, n)
	return err
}

func (d *booleans[D, P]) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	d.nowAt += n
	_, err := P(&d.now).GatherBits(dst.Bools, at, sel, n)
	return err
}

// Filter tests false as 0 and true as 1.
func (d *booleans[D, P]) Filter(sel []uint64, n int, t *pred.Test) (bool, error) {
	lo, hi, ok := t.Ints()
	switch {
	case !ok:
		return false, nil
	case lo > 1 || hi < 0 || lo > hi:
		bits.ClearRange(sel, 0, n)
		return true, nil
	case lo <= 0 && hi >= 1:
		return true, nil
	}
	d.nowAt += n
	return true, P(&d.now).Equal(sel, n, lo == 1)
}
