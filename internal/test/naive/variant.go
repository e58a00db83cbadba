package naive

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var errVariant = errors.New("naive: no variant")

// Variant spells a VARIANT: primitives as their number and their bytes in hex, 3:2a, strings quoted,
// arrays [3:2a,"x"] and objects {"a":3:2a}.
func Variant(metadata, value []byte) (string, error) {
	names, err := variantNames(metadata)
	if err != nil {
		return "", err
	}
	text, _, err := variantValue(names, value, 0)
	return text, err
}

// take cuts n bytes off the front of b.
func take(b *[]byte, n uint64) ([]byte, bool) {
	if uint64(len(*b)) < n {
		return nil, false
	}
	front := (*b)[:n]
	*b = (*b)[n:]
	return front, true
}

// takeNumbers cuts n numbers of width bytes each off the front of b.
func takeNumbers(b *[]byte, n, width uint64) (numbers []uint64, ok bool) {
	if n > uint64(len(*b)) {
		return nil, false
	}
	for range n {
		digits, ok := take(b, width)
		if !ok {
			return nil, false
		}
		x := uint64(0)
		for i := len(digits) - 1; i >= 0; i-- {
			x = x*256 + uint64(digits[i])
		}
		numbers = append(numbers, x)
	}
	return numbers, true
}

// variantNames returns a function that gives the name with an id.
func variantNames(b []byte) (func(id uint64) (string, bool), error) {
	header, ok := take(&b, 1)
	if !ok || header[0]%16 != 1 {
		return nil, errVariant
	}
	width := uint64(header[0]/64) + 1
	n, ok := takeNumbers(&b, 1, width)
	if !ok {
		return nil, errVariant
	}
	if n[0] == 0 && uint64(len(b)) < width {
		return func(uint64) (string, bool) { return "", false }, nil
	}
	offsets, ok := takeNumbers(&b, n[0]+1, width)
	if !ok {
		return nil, errVariant
	}
	text, ok := take(&b, offsets[n[0]])
	if !ok || !slices.IsSorted(offsets) {
		return nil, errVariant
	}
	return func(id uint64) (string, bool) {
		if id >= n[0] {
			return "", false
		}
		return string(text[offsets[id]:offsets[id+1]]), true
	}, nil
}

// variantValue spells the value at the start of b, and returns how many bytes it has.
func variantValue(names func(uint64) (string, bool), b []byte, depth int) (string, uint64, error) {
	all := uint64(len(b))
	header, ok := take(&b, 1)
	if !ok || depth > 1000 {
		return "", 0, errVariant
	}
	kind, more := header[0]%4, uint64(header[0]/4)
	switch kind {
	case 0:
		sizes := map[uint64]uint64{0: 0, 1: 0, 2: 0, 3: 1, 4: 2, 5: 4, 6: 8, 7: 8, 8: 5, 9: 9, 10: 17, 11: 4, 12: 8, 13: 8, 14: 4, 17: 8, 18: 8, 19: 8, 20: 16}
		size, fixed := sizes[more]
		if more == 15 || more == 16 {
			length, ok := takeNumbers(&b, 1, 4)
			if !ok {
				return "", 0, errVariant
			}
			size = length[0]
		} else if !fixed {
			return "", 0, errVariant
		}
		data, ok := take(&b, size)
		if !ok || 8 <= more && more <= 10 && data[0] > 38 {
			return "", 0, errVariant
		}
		if more == 16 {
			return strconv.Quote(string(data)), all - uint64(len(b)), nil
		}
		return fmt.Sprint(more, ":", hex.EncodeToString(data)), all - uint64(len(b)), nil
	case 1:
		data, ok := take(&b, more)
		if !ok {
			return "", 0, errVariant
		}
		return strconv.Quote(string(data)), 1 + more, nil
	}
	return variantFields(names, kind == 2, more, b, depth)
}

func variantFields(names func(uint64) (string, bool), object bool, header uint64, b []byte, depth int) (string, uint64, error) {
	all := uint64(len(b)) + 1
	width, ids := header%4+1, []uint64(nil)
	wide := header / 4 % 2
	if object {
		wide = header / 16 % 2
	}
	n, ok := takeNumbers(&b, 1, 1+3*wide)
	if ok && object {
		ids, ok = takeNumbers(&b, n[0], header/4%4+1)
	}
	if !ok {
		return "", 0, errVariant
	}
	offsets, ok := takeNumbers(&b, n[0]+1, width)
	if !ok {
		return "", 0, errVariant
	}
	values, ok := take(&b, offsets[n[0]])
	if !ok {
		return "", 0, errVariant
	}
	var texts []string
	before, sum := "", uint64(0)
	for i, offset := range offsets[:n[0]] {
		if offset > uint64(len(values)) {
			return "", 0, errVariant
		}
		text, size, err := variantValue(names, values[offset:], depth+1)
		if sum += size; err != nil || sum > uint64(len(values)) {
			return "", 0, errVariant
		}
		if object {
			name, ok := names(ids[i])
			if !ok || i > 0 && name <= before {
				return "", 0, errVariant
			}
			before, text = name, strconv.Quote(name)+":"+text
		}
		texts = append(texts, text)
	}
	text := "[" + strings.Join(texts, ",") + "]"
	if object {
		text = "{" + text[1:len(text)-1] + "}"
	}
	return text, all - uint64(len(b)), nil
}
