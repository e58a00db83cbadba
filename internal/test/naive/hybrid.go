package naive

import "errors"

// Hybrid decodes the RLE / bit-packing hybrid.
func Hybrid(body []byte, width, n int) ([]uint32, error) {
	if width < 0 || width > 32 {
		return nil, errors.New("naive: bit width is not 0 to 32")
	}
	b := &bits{body: body}
	var v []uint32
	for len(v) < n {
		header, err := b.uvarint(32)
		if err != nil {
			return v, err
		}
		if header>>1 == 0 {
			return v, errors.New("naive: run of no values")
		}
		if header&1 == 0 {
			x, err := b.lsb((width + 7) / 8 * 8)
			if err != nil {
				return v, err
			}
			if x>>width != 0 {
				return v, errors.New("naive: repeated value is wider than the bit width")
			}
			for i := uint64(0); i < header>>1 && len(v) < n; i++ {
				v = append(v, uint32(x))
			}
			continue
		}
		if header>>1 > (1<<31-1)/8 {
			return v, errors.New("naive: run of too many values")
		}
		for i := uint64(0); i < header>>1*8 && len(v) < n; i++ {
			x, err := b.lsb(width)
			if err != nil {
				return v, err
			}
			v = append(v, uint32(x))
		}
	}
	return v, nil
}

// BitPacked decodes values that follow each other with no header: MSB first
// as the format says, or LSB first.
func BitPacked(body []byte, width, n int, msbFirst bool) ([]uint32, error) {
	if !msbFirst {
		return numbers(body, n, width, func(x uint64) uint32 { return uint32(x) })
	}
	b := &bits{body: body}
	return read(n, func() (uint32, error) {
		x, err := b.msb(width)
		return uint32(x), err
	})
}

// Levels decodes repetition or definition levels of 0 to max: from the RLE
// hybrid, or from BIT_PACKED, MSB first.
func Levels(body []byte, max, n int, bitPacked bool) ([]int, error) {
	width := 0
	for uint64(1)<<width <= uint64(max) {
		width++
	}
	v, err := Hybrid(body, width, n)
	if bitPacked {
		v, err = BitPacked(body, width, n, true)
	}
	var levels []int
	for _, x := range v {
		if uint64(x) > uint64(max) {
			return levels, errors.New("naive: level is above the maximum")
		}
		levels = append(levels, int(x))
	}
	return levels, err
}
