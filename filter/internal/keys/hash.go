package keys

import (
	"encoding/binary"
	"math"
	"math/big"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Hasher converts a column's values to the words that stand for them in Keys.
// Equal values of one family of types have the same word:
//
//	whole numbers     the lower 64 bits, of those from -2^63 up to 2^64
//	other numbers     the bits of the nearest double, mixed
//	moments, times    nanoseconds, the lower 64 bits
//	booleans          0 and 1
//	bytes             their hash
type Hasher struct {
	domain      *value.Domain
	factor      int64 // word of a stored 1, where words are multiples of stored integers; else 0
	unitsPerOne int64 // of decimals: 10^scale, the stored form of the number 1; 0 if it overflows
}

// HasherOf returns the Hasher of a domain's values.
func HasherOf(d *value.Domain) Hasher {
	h := Hasher{domain: d, unitsPerOne: 1}
	switch d.Type.Logical {
	case vector.Date:
		h.factor = value.NanosPerDay
	case vector.Timestamp, vector.Time:
		h.factor = 1e9 / d.Type.Unit.PerSecond()
	case vector.Decimal:
		h.unitsPerOne, _ = value.Scaled(1, d.Type.Scale)
		if d.Type.Scale == 0 {
			h.factor = 1
		}
	default:
		h.factor = 1
	}
	return h
}

// word returns the word of a value in PLAIN encoding; NaN has none.
func (h *Hasher) word(plain []byte) (w uint64, ok bool) {
	d := h.domain
	switch d.Kind {
	case value.OfInts, value.OfUints:
		v := d.Integer(plain)
		if h.factor != 0 {
			return uint64(v * h.factor), true
		}
		return h.decimalWord(v), true
	case value.OfFloats:
		return wordOfFloat(d.Float(plain))
	case value.OfByteDecimals:
		if d.Type.IsLongStamp() {
			return binary.LittleEndian.Uint64(plain) * uint64(h.factor), true
		}
		if b := bits.Significant(plain); len(b) <= 8 {
			return h.decimalWord(bits.Int64(b)), true
		}
		return wordOfRatio(d.Exact(plain)), true
	case value.OfInt96:
		day, nanos := vector.SplitInt96(plain)
		return uint64(day*value.NanosPerDay + nanos), true
	case value.OfBytes:
		return bloom.Hash(plain), true
	}
	return 0, false
}

// seconds returns the whole seconds of a moment or time.
func (h *Hasher) seconds(plain []byte) int64 {
	d := h.domain
	switch {
	case d.Type.IsLongMoment():
		day, nanos := d.Type.SplitMoment(plain)
		return day*86400 + nanos/1e9
	case d.Type.Logical == vector.Date:
		return d.Integer(plain) * 86400
	}
	return value.FloorDiv(d.Integer(plain), d.Type.Unit.PerSecond())
}

// decimalWord returns the word of a decimal that is stored as v.
func (h *Hasher) decimalWord(v int64) uint64 {
	const exact = 1 << 53 // up to 2^53, v and the divisor are exact as doubles, so that only the division rounds
	switch {
	case h.unitsPerOne == 0:
	case v%h.unitsPerOne == 0:
		return uint64(v / h.unitsPerOne)
	case -exact <= v && v <= exact:
		return wordOfDouble(float64(v) / float64(h.unitsPerOne))
	}
	return wordOfRatio(new(big.Rat).SetFrac(big.NewInt(v), value.PowerOf10(int(h.domain.Type.Scale))))
}

// wordOfFloat returns the word of a double; ok is false for NaN.
func wordOfFloat(f float64) (w uint64, ok bool) {
	switch {
	case -1<<63 <= f && f < 1<<63:
		if v := int64(f); float64(v) == f {
			return uint64(v), true
		}
	case 1<<63 <= f && f < 1<<64:
		return uint64(f), true // whole, as all doubles are from 2^52 on
	}
	return wordOfDouble(f), f == f
}

// wordOfDouble returns the word of a number that is not whole, or out of range. It
// mixes the bits, because those of the least doubles equal small integers.
func wordOfDouble(f float64) uint64 { return math.Float64bits(f) ^ 0x5bd1e995_9e3779b9 }

// wordOfRatio returns the word of a number.
func wordOfRatio(r *big.Rat) uint64 {
	switch {
	case !r.IsInt():
	case r.Num().IsInt64():
		return uint64(r.Num().Int64())
	case r.Num().IsUint64():
		return r.Num().Uint64()
	}
	f, _ := r.Float64()
	return wordOfDouble(f)
}

// convert writes the words of those of 64 values whose bits are set in sel, and
// returns the bits of the values that have a word.
func (h *Hasher) convert(words *[64]int64, v *vector.Vector, from int, sel uint64) (ok uint64) {
	to := min(from+64, v.Len)
	switch store := v.Type.Store(); {
	case store == vector.InInt32s && h.factor != 0 && h.domain.Kind == value.OfUints:
		for i, x := range v.Int32s[from:to] {
			words[i] = int64(uint32(x))
		}
		return sel
	case store == vector.InInt32s && h.factor != 0:
		for i, x := range v.Int32s[from:to] {
			words[i] = int64(x) * h.factor
		}
		return sel
	case store == vector.InInt64s && h.factor != 0:
		for i, x := range v.Int64s[from:to] {
			words[i] = x * h.factor
		}
		return sel
	case store == vector.InDoubles:
		for rest := sel; rest != 0; rest &= rest - 1 {
			i := mathbits.TrailingZeros64(rest)
			if w, is := wordOfFloat(v.Doubles[from+i]); is {
				words[i] = int64(w)
				ok |= 1 << uint(i)
			}
		}
		return ok
	}
	var plain [8]byte
	for rest := sel; rest != 0; rest &= rest - 1 {
		i := mathbits.TrailingZeros64(rest)
		if w, is := h.word(build.Plain(plain[:0], v, from+i)); is {
			words[i] = int64(w)
			ok |= 1 << uint(i)
		}
	}
	return ok
}
