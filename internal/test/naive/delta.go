package naive

import "errors"

// DeltaInt64s decodes n values of DELTA_BINARY_PACKED that holds at most as
// many, and says where its bytes end. With anyBlock, block sizes that the
// format forbids pass, for the format's own examples have such.
func DeltaInt64s(body []byte, n int, anyBlock bool) (v []int64, size int, err error) {
	if len(body) == 0 {
		if n == 0 {
			return nil, 0, nil
		}
		return nil, 0, errFew
	}
	b := &bits{body: body}
	v, total, err := b.delta(n, anyBlock)
	if err == nil && total < n {
		err = errFew
	}
	return v, b.at, err
}

// DeltaInt32s is DeltaInt64s for INT32, whose arithmetic wraps at 32 bits.
func DeltaInt32s(body []byte, n int, anyBlock bool) (v []int32, size int, err error) {
	wide, size, err := DeltaInt64s(body, n, anyBlock)
	for _, x := range wide {
		v = append(v, int32(uint32(x)))
	}
	return v, size, err
}

// delta reads a whole sequence of at most n values.
func (b *bits) delta(n int, anyBlock bool) (v []int64, total int, err error) {
	var block, minis, count uint64
	for _, field := range []*uint64{&block, &minis, &count} {
		if *field, err = b.uvarint(64); err != nil {
			return nil, 0, err
		}
	}
	// 2^31-1 is what the lengths of an INT32 count can reach.
	if block == 0 || block > 1<<31-1 || minis == 0 || block%minis != 0 || block/minis%8 != 0 {
		return nil, 0, errors.New("naive: miniblocks do not divide the block")
	}
	if !anyBlock && (block%128 != 0 || block/minis%32 != 0) {
		return nil, 0, errors.New("naive: block size")
	}
	if count > uint64(n) {
		return nil, 0, errors.New("naive: more values than the page")
	}
	if count == 0 {
		if b.at < len(b.body) { // some writers leave the first value of nothing out
			_, err = b.zigzag()
		}
		return nil, 0, err
	}
	last, err := b.zigzag()
	if err != nil {
		return nil, 0, err
	}
	v = append(v, last)
	for len(v) < int(count) {
		least, err := b.zigzag()
		if err != nil {
			return v, int(count), err
		}
		if minis > uint64(len(b.body)) {
			return v, int(count), errShort
		}
		widths, err := b.bytes(int(minis))
		if err != nil {
			return v, int(count), err
		}
		for _, width := range widths {
			if len(v) == int(count) {
				break // unneeded miniblocks have a width and no body
			}
			if width > 64 {
				return v, int(count), errors.New("naive: width of a miniblock is above 64")
			}
			if uint64(width)*(block/minis)/8 > uint64(len(b.body)-b.at) {
				return v, int(count), errShort
			}
			for i := uint64(0); i < block/minis; i++ {
				delta, err := b.lsb(int(width))
				if err != nil {
					return v, int(count), err
				}
				if len(v) < int(count) {
					last += least + int64(delta)
					v = append(v, last)
				} else if width == 0 {
					break // nothing to read; the block may be very long
				}
			}
		}
	}
	return v, int(count), nil
}

// lengths decodes a sequence of exactly n INT32 that are not negative, up to
// the first that is, and returns the bytes behind the sequence.
func lengths(body []byte, n int, anyBlock bool) ([]int32, []byte, error) {
	v, size, err := DeltaInt32s(body, n, anyBlock)
	if err != nil && err != errFew {
		return nil, nil, err // where the next part begins is not known
	}
	for i, x := range v {
		if x < 0 {
			return v[:i], body[size:], errNegative
		}
	}
	return v, body[size:], err
}

var (
	errNegative = errors.New("naive: negative length")
	errFew      = errors.New("naive: the sequence holds fewer values")
)

// DeltaLengthByteArrays decodes DELTA_LENGTH_BYTE_ARRAY of exactly n values.
func DeltaLengthByteArrays(body []byte, n int, anyBlock bool) ([][]byte, error) {
	sizes, data, fault := lengths(body, n, anyBlock)
	var v [][]byte
	for _, size := range sizes {
		if int64(size) > int64(len(data)) {
			return v, errShort
		}
		v = append(v, append([]byte{}, data[:size]...))
		data = data[size:]
	}
	return v, fault
}

// ErrLimit is the fault of values that are longer in sum than the caller wants to hold.
var ErrLimit = errors.New("naive: values exceed the limit")

// DeltaByteArrays decodes DELTA_BYTE_ARRAY of exactly n values that have
// together no more than limit bytes.
func DeltaByteArrays(body []byte, n, limit int, anyBlock bool) ([][]byte, error) {
	prefixes, rest, fault := lengths(body, n, anyBlock)
	if rest == nil {
		return nil, fault
	}
	suffixes, suffixFault := DeltaLengthByteArrays(rest, n, anyBlock)
	var v [][]byte
	var last []byte
	for i, prefix := range prefixes {
		if i == len(suffixes) {
			return v, suffixFault
		}
		if int64(prefix) > int64(len(last)) {
			return v, errors.New("naive: prefix is longer than the value before")
		}
		if limit -= int(prefix) + len(suffixes[i]); limit < 0 {
			return v, ErrLimit
		}
		last = append(append([]byte{}, last[:prefix]...), suffixes[i]...)
		v = append(v, last)
	}
	if fault == nil {
		fault = suffixFault
	}
	return v, fault
}
