package estimate

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/pageindex"
)

const (
	// unknownShare is the share of rows that pass a test of which nothing is known: a third, as
	// planners of databases assume for inequalities.
	unknownShare = 1.0 / 3

	// maxAsked bounds the intervals of which a test is asked. Comparisons take two for each of
	// 64 bits; a long list of values gets a coarser answer.
	maxAsked = 256

	// leastShareOfText ends the halving of strings. They are far from evenly spread, and columns of few
	// distinct ones are common: one of them is expected to be at least half of this.
	leastShareOfText = 1.0 / 128
)

// unknown are the shares of a test of which nothing is known.
var unknown = shares{unknownShare, 0}

// shareOfTest returns the share of slots that pass a test. b are the bounds of the leaf's chunk.
func shareOfTest(t *compile.Test, b *pageindex.Bounds) (passes shares) {
	nulls, values := 0.0, 1.0
	if b.Slots > 0 && b.Nulls >= 0 {
		nulls = float64(b.Nulls) / float64(b.Slots)
		values = 1 - nulls
	}
	if nulls > 0 && t.Verdict(&compile.Bounds{Slots: 1, Nulls: 1}) == compile.All {
		passes = shares{nulls, nulls}
	}
	if values > 0 {
		of := shareOfValues(t, b)
		passes.expected += values * of.expected
		passes.decided += values * of.decided
	}
	return passes
}

// interval is a part of the values between two bounds.
type interval struct {
	min, max []byte
	share    float64
}

// shareOfValues is shareOfTest for the values that are not NULL.
func shareOfValues(t *compile.Test, b *pageindex.Bounds) (passes shares) {
	ask := func(x interval) compile.Verdict {
		return t.Verdict(&compile.Bounds{Min: x.min, Max: x.max, HasMin: x.min != nil, HasMax: x.max != nil, Sure: true, Slots: 1})
	}
	if v := ask(interval{}); v != compile.Some { // as IS NULL and IS NOT NULL
		passes.add(v, 1)
		return passes
	}
	if !b.HasMin || !b.HasMax {
		return unknown
	}
	todo := []interval{{b.Min, b.Max, 1}}
	for asked := 0; len(todo) > 0; asked++ {
		x := todo[0]
		todo = todo[1:]
		v := ask(x)
		left, right, ok := halves(t.Leaf.Type, x)
		switch {
		case v != compile.Some || asked >= maxAsked:
			passes.add(v, x.share)
		case ok:
			todo = append(todo, left, right)
		case x.share == 1: // no halves: a test that bounds do not decide
			passes = unknown
		default:
			passes.add(v, x.share)
		}
	}
	return passes
}

// add adds what passes of an interval with a share of the values: half of it if that is undecided.
func (p *shares) add(v compile.Verdict, share float64) {
	switch v {
	case compile.All:
		p.expected, p.decided = p.expected+share, p.decided+share
	case compile.Some:
		p.expected += share / 2
	}
}

// halves cuts an interval in two. ok is false for one value, and for types without numbers to
// cut.
func halves(t vector.Type, x interval) (left, right interval, ok bool) {
	share := x.share / 2
	switch t.Store() {
	case vector.InInt32s, vector.InInt64s:
		width := t.Physical.Width()
		low, high := wordOf(t, x.min), wordOf(t, x.max)
		if low >= high {
			return left, right, false
		}
		middle := low + (high-low)/2
		part := float64(middle-low+1) / (float64(high-low) + 1) * x.share
		return interval{x.min, plainOf(t, middle, width), part}, interval{plainOf(t, middle+1, width), x.max, x.share - part}, true
	case vector.InFloats, vector.InDoubles:
		low, high := floatOf(t, x.min), floatOf(t, x.max)
		middle := plainFloat(t, low/2+high/2)
		if m := floatOf(t, middle); !(low < m && m < high) {
			return left, right, false
		}
		return interval{x.min, middle, share}, interval{middle, x.max, share}, true
	case vector.InViews, vector.InFixed:
		if t.IsLongMoment() || t.Logical == vector.Decimal || t.Logical == vector.Float16 {
			return left, right, false
		}
		same := 0
		for same < min(len(x.min), len(x.max)) && x.min[same] == x.max[same] {
			same++
		}
		low, high := headOf(x.min[same:]), headOf(x.max[same:])
		if high <= low || high-low < 2 || x.share < leastShareOfText {
			return left, right, false
		}
		middle := binary.BigEndian.AppendUint64(append([]byte{}, x.min[:same]...), low+(high-low)/2)
		if t.Store() == vector.InFixed || t.Physical == vector.FixedLenByteArray {
			middle = append(middle, make([]byte, len(x.min))...)[:len(x.min)]
		}
		return interval{x.min, middle, share}, interval{middle, x.max, share}, true
	}
	return left, right, false
}

// wordOf returns an integer, mapped to unsigned numbers of the same order.
func wordOf(t vector.Type, plain []byte) uint64 {
	v, _ := vector.PlainOf(t, plain)
	n, _ := v.Int64()
	if t.Logical == vector.Integer && !t.Signed {
		return uint64(n)
	}
	return uint64(n) ^ 1<<63
}

// plainOf is the inverse of wordOf.
func plainOf(t vector.Type, word uint64, width int) []byte {
	if t.Logical != vector.Integer || t.Signed {
		word ^= 1 << 63
	}
	return binary.LittleEndian.AppendUint64(nil, word)[:width]
}

// floatOf returns a FLOAT or DOUBLE.
func floatOf(t vector.Type, plain []byte) float64 {
	v, _ := vector.PlainOf(t, plain)
	f, _ := v.Float64()
	return f
}

// plainFloat is the inverse of floatOf.
func plainFloat(t vector.Type, f float64) []byte {
	v, _ := vector.FloatOf(t, f)
	return v.Plain()
}

// headOf returns the first eight bytes of a string as a number of the same order.
func headOf(s []byte) uint64 {
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}
