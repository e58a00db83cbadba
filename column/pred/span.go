package pred

import (
	"encoding/binary"
	"sort"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// span returns the bounds of a Range or Equal as keys of values of width bytes, 1 to vector.MaxFixed. ok is false if no
// value passes.
func (t *Test) span(width int) (s span, ok bool) {
	switch {
	case t.Kind == Range && t.domain == domainFloat16s:
		s.lowest[0], s.highest[0] = uint64(t.lo), uint64(t.hi)
		return s, t.lo <= t.hi
	case t.Kind == Range && (t.domain == domainInt96s || t.domain == domainLongStamps):
		key := int96Bound
		if t.domain == domainLongStamps {
			key = longStampKey
		}
		s.highest = [2]uint64{^uint64(0), ^uint64(0)}
		if t.blo != nil {
			s.lowest = key(t.blo)
		}
		if t.bhi != nil {
			s.highest = key(t.bhi)
		}
		return s, !s.isEmpty()
	}
	var least, most [vector.MaxFixed]byte
	for i := range most {
		most[i] = 0xff // whatever follows a value is within the bounds
	}
	lo, hi, sign := least[:width], most[:width], uint64(0)
	switch {
	case t.Kind == Equal:
		ok = len(t.Text) == width
		copy(lo, t.Text)
		copy(hi, t.Text)
	case t.domain == domainDecimals:
		sign = 1 << 63
		ok = t.decimalBounds(lo, hi)
	default:
		ok = leastFrom(lo, t.blo) && greatestBelow(hi, t.bhi)
	}
	s.lowest, s.highest = keyOf(least[:]), keyOf(most[:])
	signed := span{[2]uint64{s.lowest[0] ^ sign, s.lowest[1]}, [2]uint64{s.highest[0] ^ sign, s.highest[1]}}
	return s, ok && !signed.isEmpty()
}

// keyOf returns the key that b begins with.
func keyOf(b []byte) [2]uint64 {
	return [2]uint64{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

func (s *span) isEmpty() bool {
	return s.lowest[0] > s.highest[0] || s.lowest[0] == s.highest[0] && s.lowest[1] > s.highest[1]
}

// leastFrom sets dst to the least value of its length that is not below lo, and reports whether there is one.
func leastFrom(dst, lo []byte) bool {
	if copy(dst, lo) == len(lo) {
		return true
	}
	return carry(dst, 1, 0x00)
}

// carry adds 1 or subtracts it as 0xff, and reports whether there is such a number. Bytes that become over are carried.
func carry(dst []byte, by, over byte) bool {
	for i := len(dst) - 1; i >= 0; i-- {
		if dst[i] += by; dst[i] != over {
			return true
		}
	}
	return false
}

// greatestBelow sets dst, which is the greatest value of its length, to the greatest one that is below hi, and reports
// whether there is one. A nil hi is no bound.
func greatestBelow(dst, hi []byte) bool {
	n := copy(dst, hi)
	if hi == nil || n < len(hi) {
		return true
	}
	clear(dst[n:])
	return carry(dst, 0xff, 0xff)
}

// decimalBounds sets lo and hi to the bounds of t, extended to their length. A bound that does not fit lies outside of
// all values: it either excludes none and the extreme value stands for it, or excludes all and decimalBounds returns false.
func (t *Test) decimalBounds(lo, hi []byte) bool {
	for i := range lo {
		lo[i], hi[i] = 0x00, 0xff
	}
	lo[0], hi[0] = 0x80, 0x7f
	return (signExtend(lo, t.blo) || isNegative(t.blo)) && (signExtend(hi, t.bhi) || !isNegative(t.bhi))
}

// signExtend sets dst to the number b. It returns false if dst is too short. A nil b leaves dst as it is.
func signExtend(dst, b []byte) bool {
	if b == nil {
		return true
	}
	b = bits.Significant(b)
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

// int96Bound returns the key of an INT96 bound, whose nanoseconds may carry.
func int96Bound(b []byte) [2]uint64 {
	day, nanos := vector.SplitInt96(b)
	return int96Key(day+julianEpoch, uint64(nanos))
}

// longStampKey returns a number that compares as a timestamp of 12 bytes does.
func longStampKey(b []byte) [2]uint64 {
	return [2]uint64{binary.LittleEndian.Uint64(b[4:]) ^ 1<<63, uint64(binary.LittleEndian.Uint32(b))}
}

// float16Key returns a number that compares as a FLOAT16 does, with -0 below 0:
//
//	half    ffff NaN … fc00 -Inf … 8000 -0     0000 0 … 7c00 Inf … 7fff NaN
//	key     0000     … 03ff      … 7fff        8000   … fc00     … ffff
func float16Key(h uint16) uint16 { return h ^ (uint16(int16(h)>>15) | 0x8000) }

const leastFloat16Key, mostFloat16Key = 0x03ff, 0xfc00 // the keys of the infinities

// float16Bounds returns the least and the greatest key of FLOAT16 values from lo to hi;
// least > most if there is none.
func float16Bounds(lo, hi float64) (least, most int64) {
	half := func(key int) float64 {
		h := uint16(key) ^ 0x8000
		if key < 0x8000 {
			h = ^uint16(key)
		}
		return float64(vector.HalfToFloat(h))
	}
	const keys = mostFloat16Key + 1 - leastFloat16Key
	from := sort.Search(keys, func(i int) bool { return half(leastFloat16Key+i) >= lo })
	behind := sort.Search(keys, func(i int) bool { return !(half(leastFloat16Key+i) <= hi) })
	return int64(leastFloat16Key + from), int64(leastFloat16Key + behind - 1)
}

const (
	int96Width  = 12
	nanosPerDay = 86400 * 1e9
	julianEpoch = 2440588 // the Julian day of 1970-01-01
)

func int96Key(day int64, nanos uint64) [2]uint64 { return [2]uint64{uint64(day) ^ 1<<63, nanos} }
