package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// tamed decodes an INT(8) or INT(16) of which only the low bits are to be
// believed, and tests none of them before:
//
//	UINT(8)    ff ff ff ff  is  ff 00 00 00
//	INT(8)     ff 00 00 00  is  ff ff ff ff
type tamed struct{ decoder }

func (d *tamed) next(dst *vector.Vector, at, n int) error {
	err := d.decoder.next(dst, at, n)
	tame(dst, at, at+n)
	return err
}

func (d *tamed) gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	err := d.decoder.gather(dst, at, sel, n)
	tame(dst, at, at+bits.Count(sel, 0, n))
	return err
}

func (d *tamed) keep(*vector.Vector, int, []uint64, int) (bool, error) { return false, nil }

func (d *tamed) narrow([]uint64, int, *pred.Test) (bool, error) { return false, nil }

// tame gives slots of v the high bits that their type has.
func tame(v *vector.Vector, from, to int) {
	spare := 32 - v.Type.Bits
	if values := v.Int32s[from:to]; v.Type.Signed {
		for i, x := range values {
			values[i] = x << (spare & 31) >> (spare & 31)
		}
	} else {
		for i, x := range values {
			values[i] = int32(uint32(x) << (spare & 31) >> (spare & 31))
		}
	}
}
