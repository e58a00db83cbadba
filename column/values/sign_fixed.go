package values

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// SignFixed decodes INT(8) or INT(16) values whose high bits may be dirty: it replaces
// them, and leaves tests to the caller, on decoded values:
//
//	UINT(8)    ff ff ff ff  is  ff 00 00 00
//	INT(8)     ff 00 00 00  is  ff ff ff ff
type SignFixed struct{ Decoder }

func (d *SignFixed) Next(dst *vector.Vector, at, n int) error {
	err := d.Decoder.Next(dst, at, n)
	fixSign(dst, at, at+n)
	return err
}

func (d *SignFixed) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	err := d.Decoder.Gather(dst, at, sel, n)
	fixSign(dst, at, at+bits.Count(sel, 0, n))
	return err
}

func (d *SignFixed) Pack(*vector.Vector, int, []uint64, int) (bool, error) { return false, nil }

func (d *SignFixed) Filter([]uint64, int, *pred.Test) (bool, error) { return false, nil }

// fixSign replaces the high bits of v's slots by zeros or, if the type is signed, by copies
// of the sign.
func fixSign(v *vector.Vector, from, to int) {
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
