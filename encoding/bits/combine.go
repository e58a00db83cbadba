package bits

// And clears the bits of dst that are clear in src, over all words of dst. src
// must be as long.
func And(dst, src []uint64) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] &= src[i]
	}
}

// AndNot clears the bits of dst that are set in src, over all words of dst.
func AndNot(dst, src []uint64) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] &^= src[i]
	}
}

// Or sets the bits of dst that are set in src, over all words of dst.
func Or(dst, src []uint64) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] |= src[i]
	}
}

// Not flips the bits [from, to).
func Not(b []uint64, from, to int) {
	if from >= to {
		return
	}
	first, last, head, tail := edges(from, to)
	if first == last {
		b[first] ^= head & tail
		return
	}
	b[first] ^= head
	for i := first + 1; i < last; i++ {
		b[i] = ^b[i]
	}
	b[last] ^= tail
}

// Drop clears those of the first n bits of b that are set in passed.
func Drop(b, passed []uint64, n int) {
	for i, w := range passed[:Words(n)] {
		AndWord(b, i*64, ^w, min(64, n-i*64))
	}
}
