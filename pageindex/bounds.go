package pageindex

import (
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/thrift"
)

// Reason is why bounds are unusable.
type Reason uint8

const (
	Usable        Reason = iota
	NoBounds             // the file has none
	AllNulls             // all slots are null: it is certain that none holds a value
	AllNaNs              // all values are NaN
	NoOrder              // values of the type have no order
	OrderNotNamed        // the footer has no column orders, and the type needs one
	UnknownOrder         // the footer names an order that the type does not allow, or that this version does not know
	Deprecated           // only the deprecated min and max, whose signed order is wrong for the type
	NaNBound             // a bound is NaN, so that the other proves nothing
	Misfit               // a bound is not a value of the type
	Inverted             // the lower bound is above the upper
	WrongWriter          // the file's writer is known to write wrong bounds
)

// String returns the reason in a few words.
func (r Reason) String() string {
	return [...]string{
		Usable: "usable", NoBounds: "no bounds", AllNulls: "all values are null", AllNaNs: "all values are NaN",
		NoOrder: "type has no order", OrderNotNamed: "file names no column order", UnknownOrder: "unknown column order",
		Deprecated: "deprecated bounds", NaNBound: "bound is NaN", Misfit: "bound does not fit the type",
		Inverted: "min is above max", WrongWriter: "writer known for wrong bounds",
	}[r]
}

// Unknown stands for a count that the file lacks, or has wrong.
const Unknown = compile.Unknown

// Bounds is what is certain about the slots of a leaf in a chunk or page. Min and Max alias
// the statistics or the index.
//
// A bound need not occur in the data: Min may be truncated, Max truncated and
// raised. Bounds never cover NaN: where NaNs is not 0, values may also be NaN.
type Bounds struct {
	compile.Bounds
	Why Reason // Usable if there is at least one bound
}

// Statistics returns the Bounds of a column chunk. s may be nil, slots Unknown.
// The Bounds alias s.
func (c *Column) Statistics(s *thrift.Statistics, slots int64) (b Bounds) {
	c.statistics(&b, s, slots, c.inChunk)
	return b
}

// PageStatistics is Statistics for the statistics of a page header.
func (c *Column) PageStatistics(s *thrift.Statistics, slots int64) (b Bounds) {
	c.statistics(&b, s, slots, c.inPage)
	return b
}

func (c *Column) statistics(b *Bounds, s *thrift.Statistics, slots int64, doubts writer.Facts) {
	*b = Bounds{compile.Bounds{Slots: slots, Nulls: Unknown, NaNs: c.initialNaNs()}, NoBounds}
	if s == nil {
		return
	}
	hasBounds := len(s.MinValue)+len(s.MaxValue)+len(s.Min)+len(s.Max) > 0
	if s.HasNullCount && doubts&writer.NullCounts == 0 && !(hasBounds && s.NullCount == slots) {
		b.Nulls = plausible(s.NullCount, slots) // bounds contradict a null count that covers all slots
	}
	if c.hasNaN && s.HasNaNCount {
		b.NaNs = plausible(s.NaNCount, slots)
	}
	if slots > 0 && b.Nulls == slots {
		b.Why = AllNulls
		return
	}
	if b.NaNs > 0 && b.Nulls != Unknown && b.NaNs == slots-b.Nulls {
		b.Why = AllNaNs
		return
	}
	if doubts&writer.Bounds != 0 {
		if hasBounds {
			b.Why = WrongWriter
		}
		return
	}
	if s.MinValue != nil || s.MaxValue != nil {
		b.Why = c.unusable
		if b.Why != Usable {
			return
		}
		b.Min, b.HasMin, b.MinExact = s.MinValue, s.MinValue != nil, s.MinExact == thrift.True
		b.Max, b.HasMax, b.MaxExact = s.MaxValue, s.MaxValue != nil, s.MaxExact == thrift.True
		b.Sure = c.orderNamed
		c.checkBounds(b)
		return
	}
	if s.Min != nil || s.Max != nil {
		b.Why = Deprecated
		if c.signedOrderSafe {
			b.Min, b.HasMin = s.Min, s.Min != nil
			b.Max, b.HasMax = s.Max, s.Max != nil
			c.checkBounds(b)
		}
	}
}

// Page returns the Bounds of a page by its entry in a column index, which must
// have passed CheckIndex. They alias x.
func (c *Column) Page(x *thrift.ColumnIndex, page int) Bounds {
	b := Bounds{Bounds: compile.Bounds{Slots: Unknown, Nulls: Unknown, NaNs: c.initialNaNs()}}
	if c.inPage&writer.NullCounts == 0 && len(x.NullCounts) > 0 {
		b.Nulls = plausible(x.NullCounts[page], Unknown)
	}
	if c.hasNaN && len(x.NaNCounts) > 0 {
		b.NaNs = plausible(x.NaNCounts[page], Unknown)
	}
	switch {
	case x.NullPages[page] && c.inPage&writer.NullCounts != 0:
		b.Why = NoBounds
	case x.NullPages[page]:
		b.Why = AllNulls
	case c.inPage&writer.Bounds != 0:
		b.Why = WrongWriter
	case c.unusable != Usable:
		b.Why = c.unusable
	default:
		b.Min, b.HasMin = x.MinValues[page], true
		b.Max, b.HasMax = x.MaxValues[page], true
		b.Sure = c.orderNamed
		c.checkBounds(&b)
	}
	return b
}

// checkBounds sets Why, and drops bounds that are not Usable.
func (c *Column) checkBounds(b *Bounds) {
	b.Why = c.fault(b)
	if b.Why != Usable {
		b.Min, b.Max, b.HasMin, b.HasMax = nil, nil, false, false
		b.MinExact, b.MaxExact, b.Sure = false, false, false
		return
	}
	if c.hasNaN && !c.totalOrder {
		// In type-defined order, writers may store a zero bound with either sign.
		b.MinExact = b.MinExact && !isZero(b.Min)
		b.MaxExact = b.MaxExact && !isZero(b.Max)
	}
}

// fault returns why the bounds are not usable, else Usable.
func (c *Column) fault(b *Bounds) Reason {
	if b.HasMin && !c.fits(b.Min) || b.HasMax && !c.fits(b.Max) {
		return Misfit
	}
	if c.unusedBits > 0 && b.HasMin != b.HasMax {
		return Misfit // with high bits set, values beyond the missing bound may read as any value
	}
	nanMin, nanMax := b.HasMin && c.IsNaN(b.Min), b.HasMax && c.IsNaN(b.Max)
	switch {
	case nanMin && nanMax && c.totalOrder:
		// In totalOrder, NaN as both bounds means that all values are NaN.
		return AllNaNs
	case nanMin || nanMax:
		return NaNBound
	case b.HasMin && b.HasMax && c.Compare(b.Min, b.Max) > 0:
		return Inverted
	}
	return Usable
}

func (c *Column) initialNaNs() int64 {
	if c.hasNaN {
		return Unknown
	}
	return 0
}

// countNaNs sets the number of NaNs where all values are.
func (b *Bounds) countNaNs() {
	if b.Why == AllNaNs && b.Slots >= 0 && b.Nulls >= 0 {
		b.NaNs = b.Slots - b.Nulls
	}
}

// plausible returns n, or Unknown if n is negative or exceeds the slots.
func plausible(n, slots int64) int64 {
	if n < 0 || slots >= 0 && n > slots {
		return Unknown
	}
	return n
}

// isZero reports whether a little-endian float is zero, of either sign.
func isZero(b []byte) bool {
	last := len(b) - 1
	for i, v := range b {
		if v != 0 && (i < last || v != 0x80) {
			return false
		}
	}
	return true
}
