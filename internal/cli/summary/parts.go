package summary

import (
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Parts are counts of finite numbers in parts of one width, from the least number on. Where
// numbers are multiples of a step, such as whole numbers or days, each part has as many steps
// as the others, so that all of them could hold equally many:
//
//	1 to 20 in at most 12 parts     1 2 | 3 4 | … | 19 20
//	1 to 13                         1 2 | 3 4 | … | 11 12 | 13      filled: ½
type Parts struct {
	Counts []float64
	// Bounds are where each part begins, and the greatest number, in the PLAIN encoding; nil
	// for numbers of more than 64 bits.
	Bounds [][]byte
	filled float64 // how much of the last part is not above the greatest number
}

// Heights returns how many numbers there are in each part, for its width.
func (p *Parts) Heights() []float64 {
	heights := append([]float64(nil), p.Counts...)
	heights[len(heights)-1] /= p.filled
	return heights
}

// Histogram counts the finite numbers in at most n parts; nil where that says nothing.
func (c *Column) Histogram(n int) *Parts {
	if !c.kind.hasMean() || c.values == nil || n < 2 {
		return nil
	}
	h := c.values
	spread := h.least < h.most
	if g := c.grid(); g != nil && g.least < g.most && (spread || g.counts != nil) {
		return c.partsOf(g, n)
	}
	width := h.most/float64(n) - h.least/float64(n)
	if !(width > 0) { // of different numbers, too, where it is below the least DOUBLE
		return nil
	}
	p := &Parts{filled: 1}
	if !c.isCounted() {
		p.Counts = h.between(h.least, width, n)
	} else {
		p.Counts = make([]float64, n)
		c.eachCounted(func(x float64, count int64) { p.Counts[min(int(widths(x, h.least, width)), n-1)] += float64(count) })
	}
	if c.kind.isFloat() {
		for i := range n {
			p.Bounds = append(p.Bounds, c.kind.plainOfKey(c.Type, floatKey(h.least+float64(i)*width)))
		}
		p.Bounds = append(p.Bounds, c.kind.plainOfKey(c.Type, floatKey(h.most)))
	}
	return p
}

// isCounted reports whether each value is counted.
func (c *Column) isCounted() bool {
	if c.kind.hasKeys() {
		return c.keys.isExact()
	}
	return c.texts.isExact()
}

// eachCounted calls do with each finite number and how often it comes.
func (c *Column) eachCounted(do func(x float64, count int64)) {
	for key, count := range c.keys.counts {
		if x := c.numberOf(key); !math.IsInf(x, 0) {
			do(x, count)
		}
	}
	for value, count := range c.texts.counts {
		do(c.kind.number([]byte(value)), count)
	}
}

// grid is numbers that are multiples of a step from the least one on.
type grid struct {
	least, most int64 // keys of whole numbers; floats times scale
	step        uint64
	scale       float64         // of floats
	counts      map[int64]int64 // nil: not each value is counted
}

// grid returns the grid of the numbers; nil where they have none.
func (c *Column) grid() *grid {
	if c.isCounted() {
		return c.countedGrid()
	}
	g := &grid{step: 1, least: c.low, most: c.high}
	switch c.kind {
	case signed, unsigned:
		return g
	case decimals, int96s:
		var ok, fits bool
		g.least, ok = c.kind.whole(c.least)
		g.most, fits = c.kind.whole(c.most)
		if ok && fits {
			return g
		}
	}
	return nil
}

// countedGrid is grid for values that all are counted: with the greatest step.
func (c *Column) countedGrid() *grid {
	g := &grid{counts: map[int64]int64{}}
	switch c.kind {
	case signed, unsigned:
		g.counts = c.keys.counts
	case decimals, int96s:
		for value, count := range c.texts.counts {
			x, ok := c.kind.whole([]byte(value))
			if !ok {
				return nil
			}
			g.counts[x] += count
		}
	default:
		if !c.scaledFloats(g) {
			return nil
		}
	}
	if all := slices.Collect(maps.Keys(g.counts)); len(all) > 0 {
		g.least, g.most = slices.Min(all), slices.Max(all)
	}
	for x := range g.counts {
		for a := uint64(x) - uint64(g.least); a != 0; {
			g.step, a = a, g.step%a
		}
	}
	return g
}

// scaledFloats sets the counts of g to those of floats that are decimals with few digits.
func (c *Column) scaledFloats(g *grid) bool {
	const mostScale, exactUpTo = 1e4, 1 << 53
scales:
	for g.scale = 1; g.scale <= mostScale; g.scale *= 10 {
		clear(g.counts)
		for key, count := range c.keys.counts {
			x := keyFloat(key)
			if math.IsInf(x, 0) {
				continue
			}
			scaled := math.Round(x * g.scale)
			back := scaled / g.scale
			if c.kind == float32s {
				back = float64(float32(back))
			}
			if back != x || math.Abs(scaled) > exactUpTo {
				continue scales
			}
			g.counts[int64(scaled)] += count
		}
		return true
	}
	return false
}

// partsOf counts the numbers of a grid in at most n parts.
func (c *Column) partsOf(g *grid, n int) *Parts {
	last := (uint64(g.most) - uint64(g.least)) / g.step // the number of steps from the least to the greatest
	perPart, parts, filled := divide(last, n)
	p := &Parts{filled: filled}
	if g.counts == nil {
		least := c.numberOf(g.least)
		if !c.kind.hasKeys() {
			least = float64(g.least)
		}
		p.Counts = c.values.between(least, float64(g.step)*float64(perPart), parts)
	} else {
		p.Counts = make([]float64, parts)
		for x, count := range g.counts {
			p.Counts[(uint64(x)-uint64(g.least))/g.step/perPart] += float64(count)
		}
	}
	for i := range parts {
		p.Bounds = append(p.Bounds, c.plainOfGrid(g, int64(uint64(g.least)+uint64(i)*perPart*g.step)))
	}
	p.Bounds = append(p.Bounds, c.plainOfGrid(g, g.most))
	return p
}

// divide cuts the steps from 0 to last into at most n parts of perPart steps each, of which the
// last one is filled as well as can be.
func divide(last uint64, n int) (perPart uint64, parts int, filled float64) {
	if last < uint64(n) {
		return 1, int(last) + 1, 1
	}
	const wellFilled = 0.9
	for try := n; try >= max(2, n*2/3) && filled < wellFilled; try-- {
		per := last/uint64(try) + 1
		in := last % per // the place of the last step in its part
		if f := float64(in+1) / float64(per); f > filled {
			perPart, parts, filled = per, int(last/per)+1, f
		}
	}
	return perPart, parts, filled
}

// plainOfGrid returns a number of a grid in the PLAIN encoding.
func (c *Column) plainOfGrid(g *grid, x int64) []byte {
	switch c.kind {
	case signed, unsigned:
		return c.kind.plainOfKey(c.Type, x)
	case decimals:
		return c.plainDecimal(x)
	case int96s:
		return plainInt96(big.NewInt(x))
	}
	return c.kind.plainOfKey(c.Type, floatKey(float64(x)/g.scale))
}

// plainDecimal returns a number as a decimal that is stored as bytes.
func (c *Column) plainDecimal(x int64) []byte {
	size := 8
	if c.Type.Physical == vector.FixedLenByteArray {
		size = int(c.Type.Length)
	}
	return bits.AppendSigned(nil, big.NewInt(x), size)
}
