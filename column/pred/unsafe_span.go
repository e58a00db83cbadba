package pred

import (
	"encoding/binary"
	mathbits "math/bits"
	"unsafe"
)

// limits are the bounds of a span as they are compared with: a key is in the span if key - lowest <= highest - lowest.
// Adding the complement of the right side carries exactly for the keys outside; the carries are shifted into a word.
type limits struct{ high, low, moreHigh, moreLow uint64 }

func (s *span) limits() limits {
	moreLow, borrow := mathbits.Sub64(s.highest[1], s.lowest[1], 0)
	moreHigh, _ := mathbits.Sub64(s.highest[0], s.lowest[0], borrow)
	return limits{s.lowest[0], s.lowest[1], ^moreHigh, ^moreLow}
}

// outside returns 1 for a key that is not in the span, else 0.
func (l limits) outside(high, low uint64) uint64 {
	a, borrow := mathbits.Sub64(low, l.low, 0)
	b, _ := mathbits.Sub64(high, l.high, borrow)
	_, carry := mathbits.Add64(a, l.moreLow, 0)
	_, carry = mathbits.Add64(b, l.moreHigh, carry)
	return carry
}

// within returns a bit for each of the first n values, up to 64: set if its key is in s.
func (s *span) within(values []byte, width, n int) (w uint64) {
	if width <= 8 {
		return s.withinFirst(values, width, n)
	}
	first, l := unsafe.Pointer(unsafe.SliceData(values[:(n-1)*width+keyBytes])), s.limits()
	for i, at := 0, 0; i < n; i, at = i+1, at+width {
		key := (*[keyBytes]byte)(unsafe.Add(first, at))
		w, _ = mathbits.Add64(w, w, l.outside(binary.BigEndian.Uint64(key[:]), binary.BigEndian.Uint64(key[8:])))
	}
	return ^mathbits.Reverse64(w) >> (64 - n)
}

// withinFirst is within for keys of one word.
func (s *span) withinFirst(values []byte, width, n int) (w uint64) {
	first := unsafe.Pointer(unsafe.SliceData(values[:(n-1)*width+8]))
	lowest, more := s.lowest[0], ^(s.highest[0] - s.lowest[0])
	for i, at := 0, 0; i < n; i, at = i+1, at+width {
		key := binary.BigEndian.Uint64((*[8]byte)(unsafe.Add(first, at))[:])
		_, c := mathbits.Add64(key-lowest, more, 0)
		w, _ = mathbits.Add64(w, w, c)
	}
	return ^mathbits.Reverse64(w) >> (64 - n)
}

// withinFloat16s is within for FLOAT16, with keys by float16Key.
func (s *span) withinFloat16s(values []byte, n int) (w uint64) {
	lowest, more := s.lowest[0], ^(s.highest[0] - s.lowest[0])
	for _, h := range unsafe.Slice((*[2]byte)(unsafe.Pointer(unsafe.SliceData(values[:n*2]))), n) {
		_, c := mathbits.Add64(uint64(float16Key(binary.LittleEndian.Uint16(h[:])))-lowest, more, 0)
		w, _ = mathbits.Add64(w, w, c)
	}
	return ^mathbits.Reverse64(w) >> (64 - n)
}

// withinInt96s is within for INT96, with keys by int96Key. carrying has the bits of the values whose nanoseconds are a day
// or more: their keys are meaningless.
func (s *span) withinInt96s(values []byte, n int) (w, carrying uint64) {
	l := s.limits()
	for _, v := range unsafe.Slice((*[int96Width]byte)(unsafe.Pointer(unsafe.SliceData(values[:n*int96Width]))), n) {
		nanos := binary.LittleEndian.Uint64(v[:])
		key := int96Key(int64(int32(binary.LittleEndian.Uint32(v[8:]))), nanos)
		w, _ = mathbits.Add64(w, w, l.outside(key[0], key[1]))
		_, ofDay := mathbits.Sub64(nanos, nanosPerDay, 0)
		carrying, _ = mathbits.Add64(carrying, carrying, ofDay)
	}
	return ^mathbits.Reverse64(w) >> (64 - n), ^mathbits.Reverse64(carrying) >> (64 - n)
}

// withinLongStamps is within for timestamps of 12 bytes, with keys by longStampKey.
func (s *span) withinLongStamps(values []byte, n int) (w uint64) {
	l := s.limits()
	for _, v := range unsafe.Slice((*[int96Width]byte)(unsafe.Pointer(unsafe.SliceData(values[:n*int96Width]))), n) {
		key := longStampKey(v[:])
		w, _ = mathbits.Add64(w, w, l.outside(key[0], key[1]))
	}
	return ^mathbits.Reverse64(w) >> (64 - n)
}

// likely returns a bit for each of the first n values, up to 64: set for every value of the set, and for few others.
func (s *texts) likely(values []byte, width, n int) (w uint64) {
	first, shift := unsafe.Pointer(unsafe.SliceData(values[:(n-1)*width+keyBytes])), s.shift&63
	for i, at := 0, 0; i < n; i, at = i+1, at+width {
		key := (*[keyBytes]byte)(unsafe.Add(first, at))
		h := fixedHash(binary.BigEndian.Uint64(key[:]), binary.BigEndian.Uint64(key[8:]), width) >> shift
		w = w>>1 | s.keys[h/64]>>(h%64)<<63
	}
	return w >> (64 - n)
}
