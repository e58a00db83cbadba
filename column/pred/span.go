package pred

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/column/vector"
)

// span returns the bounds of a Range or Equal among keys of values of a width, of 1 to vector.MaxFixed bytes; ok is
// false if no value passes. It uses k.
func (t *Test) span(k *keys, width int) (s span, ok bool) {
	switch {
	case t.Kind == Range && t.domain == ofHalves:
		s.lowest[1], s.highest[1] = uint64(t.lo), uint64(t.hi)
		return s, t.lo <= t.hi
	case t.Kind == Range && t.domain == ofStamps:
		s.highest = [2]uint64{^uint64(0), ^uint64(0)}
		if t.blo != nil {
			s.lowest = stampBound(t.blo)
		}
		if t.bhi != nil {
			s.highest = stampBound(t.bhi)
		}
		return s, !s.isEmpty()
	}
	var room [2][vector.MaxFixed]byte
	lo, hi := room[0][:width], room[1][:width]
	switch {
	case t.Kind == Equal:
		ok = len(t.Text) == width
		copy(lo, t.Text)
		copy(hi, t.Text)
	case t.domain == ofDecimals:
		s.sign = signBit(width)
		ok = t.decimalBounds(lo, hi)
	default:
		ok = atLeast(lo, t.blo) && below(hi, t.bhi)
	}
	s.lowest, s.highest = k.one(lo, s.sign), k.one(hi, s.sign)
	return s, ok && !s.isEmpty()
}

func (s *span) isEmpty() bool {
	return s.lowest[0] > s.highest[0] || s.lowest[0] == s.highest[0] && s.lowest[1] > s.highest[1]
}

// one returns the key of a value.
func (k *keys) one(value []byte, sign uint64) [2]uint64 {
	k.load(value, len(value), sign)
	if len(value) <= 8 {
		return [2]uint64{0, k.low[0]}
	}
	return [2]uint64{k.high[0], k.low[0]}
}

// atLeast sets dst to the least value of its length that is not below lo, if there is one.
func atLeast(dst, lo []byte) bool {
	if copy(dst, lo) == len(lo) {
		return true
	}
	for i := len(dst) - 1; i >= 0; i-- { // the next one
		if dst[i]++; dst[i] != 0 {
			return true
		}
	}
	return false
}

// below sets dst to the greatest value of its length that is below hi, if there is one. A nil hi is no bound.
func below(dst, hi []byte) bool {
	if hi == nil {
		for i := range dst {
			dst[i] = 0xff
		}
		return true
	}
	if copy(dst, hi) < len(hi) {
		return true
	}
	for i := len(dst) - 1; i >= 0; i-- { // the one before
		if dst[i]--; dst[i] != 0xff {
			return true
		}
	}
	return false
}

// decimalBounds sets lo and hi to the bounds of t in their length. Those that do not fit are none, or nothing passes.
func (t *Test) decimalBounds(lo, hi []byte) bool {
	for i := range lo {
		lo[i], hi[i] = 0x00, 0xff
	}
	lo[0], hi[0] = 0x80, 0x7f
	return (signExtend(lo, t.blo) || isNegative(t.blo)) && (signExtend(hi, t.bhi) || !isNegative(t.bhi))
}

// signExtend sets dst to the number b, if it is none that dst cannot hold, or nil.
func signExtend(dst, b []byte) bool {
	if b == nil {
		return true
	}
	b = vector.Significant(b)
	if len(b) > len(dst) {
		return false
	}
	first := len(dst) - len(b)
	for i := range first {
		dst[i] = 0
		if isNegative(b) {
			dst[i] = 0xff
		}
	}
	copy(dst[first:], b)
	return true
}

func isNegative(b []byte) bool { return len(b) > 0 && b[0] >= 0x80 }

func stampBound(b []byte) [2]uint64 {
	day, nanos := vector.SplitInt96(b)
	high, low := stampKey(day+julianEpoch, uint64(nanos))
	return [2]uint64{high, low}
}

// loadHalves is load for FLOAT16.
func (k *keys) loadHalves(values []byte) {
	low := k.low[:len(values)/2]
	for i := range low {
		low[i] = uint64(halfKey(binary.LittleEndian.Uint16(values[i*2:])))
	}
}

// halfKey returns a number that compares as a half does, -0 below 0:
//
//	half    ffff NaN … fc00 -Inf … 8000 -0     0000 0 … 7c00 Inf … 7fff NaN
//	key     0000     … 03ff      … 7fff        8000   … fc00     … ffff
func halfKey(h uint16) uint16 { return h ^ (uint16(int16(h)>>15) | 0x8000) }

const leastHalf, mostHalf = 0x03ff, 0xfc00 // the keys of the infinities

// halfBounds returns the least and the greatest key of halves from lo to hi; the
// first is behind the other if there is none.
func halfBounds(lo, hi float64) (least, most int64) {
	half := func(key int) float64 {
		h := uint16(key) ^ 0x8000
		if key < 0x8000 {
			h = ^uint16(key)
		}
		return float64(vector.HalfToFloat(h))
	}
	least, most = mostHalf+1, leastHalf-1
	for a, b := leastHalf, mostHalf; a <= b; { // least is behind b
		if m := (a + b) / 2; half(m) >= lo {
			least, b = int64(m), m-1
		} else {
			a = m + 1
		}
	}
	for a, b := leastHalf, mostHalf; a <= b; { // most is in front of a
		if m := (a + b) / 2; half(m) <= hi {
			most, a = int64(m), m+1
		} else {
			b = m - 1
		}
	}
	return least, most
}

// loadStamps is load for INT96. It returns the bits of those whose nanoseconds carry into the day: their keys mean nothing.
func (k *keys) loadStamps(values []byte) (odd uint64) {
	n := len(values) / stampWidth
	high, low := k.high[:n], k.low[:n]
	for i := range high {
		v := values[i*stampWidth:][:stampWidth]
		nanos := binary.LittleEndian.Uint64(v)
		high[i], low[i] = stampKey(int64(int32(binary.LittleEndian.Uint32(v[8:]))), nanos)
		odd |= bit(nanos >= nanosPerDay) << i
	}
	return odd
}

const (
	stampWidth  = 12
	nanosPerDay = 86400 * 1e9
	julianEpoch = 2440588 // the Julian day of 1970-01-01
)

func stampKey(day int64, nanos uint64) (high, low uint64) { return uint64(day) ^ 1<<63, nanos }
