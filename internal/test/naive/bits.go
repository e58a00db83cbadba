package naive

import "errors"

var errShort = errors.New("naive: the bytes end too early")

// bits reads one bit at a time.
type bits struct {
	body []byte
	at   int // the next byte
	used int // bits of it that are read
}

func (b *bits) bit(msbFirst bool) (uint64, error) {
	if b.at >= len(b.body) {
		return 0, errShort
	}
	shift := b.used
	if msbFirst {
		shift = 7 - b.used
	}
	bit := uint64(b.body[b.at]>>shift) & 1
	if b.used++; b.used == 8 {
		b.at, b.used = b.at+1, 0
	}
	return bit, nil
}

// lsb reads a number of width bits, lowest bit first, from the least
// significant end of each byte. Of 8·n bits this is the little-endian order.
func (b *bits) lsb(width int) (uint64, error) {
	var v uint64
	for i := range width {
		bit, err := b.bit(false)
		if err != nil {
			return 0, err
		}
		v |= bit << i
	}
	return v, nil
}

// msb reads a number of width bits, highest bit first, from the most
// significant end of each byte.
func (b *bits) msb(width int) (uint64, error) {
	var v uint64
	for range width {
		bit, err := b.bit(true)
		if err != nil {
			return 0, err
		}
		v = v<<1 | bit
	}
	return v, nil
}

// uvarint reads ULEB128 of a number that has at most max bits.
func (b *bits) uvarint(max int) (uint64, error) {
	var v uint64
	for shift := 0; shift < max; shift += 7 {
		for i := shift; i < shift+7; i++ {
			bit, err := b.bit(false)
			if err != nil {
				return 0, err
			}
			if bit == 1 && i >= max {
				return 0, errors.New("naive: ULEB128 number has too many bits")
			}
			v |= bit << i
		}
		more, err := b.bit(false)
		if err != nil || more == 0 {
			return v, err
		}
	}
	return 0, errors.New("naive: ULEB128 number has too many bytes")
}

func (b *bits) zigzag() (int64, error) {
	u, err := b.uvarint(64)
	if u&1 == 1 {
		return -int64(u>>1) - 1, err
	}
	return int64(u >> 1), err
}
