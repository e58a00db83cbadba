package summary

import (
	"math"
	"math/big"
	"math/bits"
)

// mean is what the mean of finite numbers is made of. Of whole numbers, as all but floats are
// stored, it is exact.
type mean struct {
	numbers int64

	sumHigh, sumLow uint64   // the sum of those that are an int64, each plus 2^63
	shifted         int64    // how many of them
	wide            *big.Int // the sum of all others; nil for none

	sum, lost float64 // of floats: their sum, and what it lost by rounding
	huge      float64 // the sum of those near the greatest float, each divided by hugeUnit

	infinite [2]int64 // infinities: how many are negative, and positive
}

const (
	hugeFrom = 0x1p+900
	hugeUnit = 0x1p+100
)

func (m *mean) addInt(x, weight int64) {
	high, low := bits.Mul64(uint64(x)^1<<63, uint64(weight))
	carry := uint64(0)
	m.sumLow, carry = bits.Add64(m.sumLow, low, 0)
	m.sumHigh += high + carry
	m.shifted += weight
	m.numbers += weight
}

// addWholeBytes adds the numbers that are stored as bytes.
func (m *mean) addWholeBytes(k kind, b *block) {
	for i, v := range b.bytes {
		weight := b.weight(i)
		if x, ok := k.whole(v); ok {
			m.addInt(x, weight)
			continue
		}
		x := k.big(v)
		if m.wide == nil {
			m.wide = new(big.Int)
		}
		m.wide.Add(m.wide, x.Mul(x, big.NewInt(weight)))
		m.numbers += weight
	}
}

// addFloats adds the finite ones of some floats, and takes the others out of b.
func (m *mean) addFloats(b *block) {
	n := 0
	for i, x := range b.numbers {
		weight := b.weight(i)
		if math.IsInf(x, 0) {
			sign := 0
			if x > 0 {
				sign = 1
			}
			m.infinite[sign] += weight
			continue
		}
		if math.Abs(x) < hugeFrom {
			m.addFloat(x * float64(weight))
		} else {
			m.huge += x / hugeUnit * float64(weight)
		}
		m.numbers += weight
		b.numbers[n] = x
		if b.weights != nil {
			b.weights[n] = weight
		}
		n++
	}
	if b.numbers = b.numbers[:n]; b.weights != nil {
		b.weights = b.weights[:n]
	}
}

// addFloat adds to the sum, and keeps what rounding takes from it.
func (m *mean) addFloat(x float64) {
	sum := m.sum + x
	if math.Abs(m.sum) >= math.Abs(x) {
		m.lost += m.sum - sum + x
	} else {
		m.lost += x - sum + m.sum
	}
	m.sum = sum
}

func (m *mean) merge(o *mean) {
	carry := uint64(0)
	m.sumLow, carry = bits.Add64(m.sumLow, o.sumLow, 0)
	m.sumHigh += o.sumHigh + carry
	m.shifted += o.shifted
	m.numbers += o.numbers
	switch {
	case m.wide == nil:
		m.wide = o.wide
	case o.wide != nil:
		m.wide.Add(m.wide, o.wide)
	}
	m.addFloat(o.sum)
	m.addFloat(o.lost)
	m.huge += o.huge
	for sign, n := range o.infinite {
		m.infinite[sign] += n
	}
}

// exact returns the mean of whole numbers, of which there are some.
func (m *mean) exact(k kind) *big.Rat {
	sum := new(big.Int).SetUint64(m.sumHigh)
	sum.Lsh(sum, 64).Add(sum, new(big.Int).SetUint64(m.sumLow))
	if k != unsigned { // whose keys are 2^63 less than they are
		shift := big.NewInt(m.shifted)
		sum.Sub(sum, shift.Lsh(shift, 63))
	}
	if m.wide != nil {
		sum.Add(sum, m.wide)
	}
	return new(big.Rat).SetFrac(sum, big.NewInt(m.numbers))
}

// Mean returns the mean of all finite numbers: of decimals without their scale, of moments in
// their unit. ok is false where there are none.
func (c *Column) Mean() (mean float64, ok bool) {
	switch {
	case c.numbers == 0:
		return 0, false
	case c.kind.isFloat():
		n := float64(c.numbers)
		return (c.sum+c.lost)/n + c.huge/n*hugeUnit, true
	}
	mean, _ = c.exact(c.kind).Float64()
	return mean, true
}

// WholeMean returns the whole number nearest to the mean, as a value of the column in the
// PLAIN encoding; nil where there is none, or its values are floats or decimals.
func (c *Column) WholeMean() []byte {
	if c.numbers == 0 || c.kind.isFloat() || c.kind == decimals {
		return nil
	}
	twice := c.exact(c.kind)
	twice.Add(twice, big.NewRat(1, 2))
	nearest := new(big.Int).Div(twice.Num(), twice.Denom()) // rounds down
	if c.kind == int96s {
		return plainInt96(nearest)
	}
	if c.kind == unsigned {
		return c.kind.plainOfKey(c.Type, int64(nearest.Uint64()^1<<63))
	}
	return c.kind.plainOfKey(c.Type, nearest.Int64())
}

// Infinite returns how many numbers are negative and how many positive infinities.
func (c *Column) Infinite() (negative, positive int64) { return c.infinite[0], c.infinite[1] }
