//go:build !purego

//lint:file-ignore U1000 assembly reads them

package delta

import "github.com/winnow-scan/winnow/encoding/bitpack"

var table32, table64 = bitpack.Lanes32(), bitpack.Lanes64()

var (
	// Per width of up to 26 bits, for 16 deltas: which bytes of a load they stand in, four each, and from which bit on.
	sixteenFrom   [27][16][4]uint8
	sixteenShifts [27][16]uint8

	rampMasks [3][4]uint64 // all lanes but the first, the last two, the last
	places    [64]uint8    // 0 to 63
	lanes     [16]uint32   // 0 to 15
	fifteens  [16]uint32

	// Per length of up to 12, and for more: what of 16 bytes, which begin 4 before the value, its view has, and what of
	// length, 0, buffer and offset.
	inlineMasks [14]struct {
		value [16]uint8
		ref   [4]uint32
	}

	bytesOfViews [4][16]uint8    // numbers of a value's bytes, behind 4 that are no less than any length
	splats       [4][4][16]uint8 // the first byte of each of four numbers of 16, for 16 bytes each
	refs         [4][4][4]uint32 // of 8 lengths and places, those of the values' half, and 16 buffers: what is for four views
)

func init() {
	for width := range sixteenFrom {
		for i := range 16 {
			bit := i * width
			for k := range 4 {
				sixteenFrom[width][i][k] = uint8(bit/8 + k)
			}
			sixteenShifts[width][i] = uint8(bit % 8)
		}
	}
	for i := range rampMasks {
		for lane := i + 1; lane < 4; lane++ {
			rampMasks[i][lane] = ^uint64(0)
		}
	}
	for i := range places {
		places[i] = uint8(i)
	}
	for i := range 16 {
		lanes[i], fifteens[i] = uint32(i), 15
	}
	for length := range inlineMasks {
		m := &inlineMasks[length]
		m.ref[0] = ^uint32(0)
		if length == 13 {
			length, m.ref[2], m.ref[3] = 4, ^uint32(0), ^uint32(0)
		}
		for i := range length {
			m.value[4+i] = 0xff
		}
	}
	for g := range 4 {
		for i := range 16 {
			bytesOfViews[g][i] = uint8(i - 4)
		}
		for k := range 4 {
			value := 4*g + k
			for i := range 16 {
				splats[g][k][i] = uint8(4 * value)
			}
			refs[g][k] = [4]uint32{uint32(value % 8), 0, uint32(16 + value), uint32(8 + value%8)}
		}
	}
}
