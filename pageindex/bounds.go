package pageindex

import (
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/thrift"
)

// Reason is why bounds cannot be used.
type Reason uint8

const (
	Usable        Reason = iota
	NoBounds             // the file has none
	AllNulls             // no value is there to have bounds
	AllNaNs              // no value but NaN is there
	NoOrder              // values of the type have no order
	OrderNotNamed        // the footer has no column orders, and the type needs one
	UnknownOrder         // the footer names an order that does not go with the type, or that is of later days
	Deprecated           // min and max of old, which are wrong for the type
	NaNBound             // a bound is NaN: the others' meaning is anyone's guess
	Misfit               // a bound is no value of the type
	Inverted             // the lower bound is above the upper
	WrongWriter          // the file's writer is known for wrong bounds
)

// String says why in a few words.
func (r Reason) String() string {
	switch r {
	case Usable:
		return "usable"
	case NoBounds:
		return "no bounds"
	case AllNulls:
		return "all values are null"
	case AllNaNs:
		return "all values are NaN"
	case NoOrder:
		return "type has no order"
	case OrderNotNamed:
		return "file names no column order"
	case UnknownOrder:
		return "unknown column order"
	case Deprecated:
		return "deprecated bounds"
	case NaNBound:
		return "bound is NaN"
	case Misfit:
		return "bound does not fit the type"
	case WrongWriter:
		return "writer known for wrong bounds"
	}
	return "min is above max"
}

// Unknown is a count that the file does not tell, or tells wrongly.
const Unknown int64 = -1

// Bounds is what is certain about the slots of a leaf in a chunk or page.
//
// A bound need not be a value that is there; it may be cut short (Min) or cut
// and raised (Max). NaN is never within bounds: where NaNs is not 0, values
// may be NaN beside what the bounds say.
type Bounds struct {
	Min, Max       []byte // PLAIN encoding without length prefix; views of what they were made from
	HasMin, HasMax bool   // one may be missing without the other
	Why            Reason // Usable if there is at least one bound

	MinExact, MaxExact bool // the bound is a value that is there
	// Sure bounds are in an order that the file names: good enough to conclude
	// that all values lie within. The others only rule values out.
	Sure bool

	Slots int64 // values and nulls, or Unknown
	Nulls int64 // of the leaf: empty and NULL lists above it count too; or Unknown
	NaNs  int64 // 0 for types without NaN; or Unknown
}

// OnlyNulls reports whether it is certain that no slot holds a value.
func (b *Bounds) OnlyNulls() bool { return b.Why == AllNulls }

// Statistics returns the Bounds of a column chunk with this many slots (Unknown
// will do). No statistics at all are nil.
func (c *Column) Statistics(s *thrift.Statistics, slots int64) Bounds {
	return c.statistics(s, slots, c.inChunk)
}

// PageStatistics is Statistics of a page, by its header.
func (c *Column) PageStatistics(s *thrift.Statistics, slots int64) Bounds {
	return c.statistics(s, slots, c.inPage)
}

func (c *Column) statistics(s *thrift.Statistics, slots int64, doubts writer.Facts) Bounds {
	b := Bounds{Slots: slots, Nulls: Unknown, NaNs: c.noNaNs(), Why: NoBounds}
	if s == nil {
		return b
	}
	bounded := len(s.MinValue)+len(s.MaxValue)+len(s.Min)+len(s.Max) > 0
	if s.HasNullCount && doubts&writer.NullCounts == 0 && !(bounded && s.NullCount == slots) {
		b.Nulls = plausible(s.NullCount, slots) // where all are null, nothing has bounds
	}
	if c.nan && s.HasNaNCount {
		b.NaNs = plausible(s.NaNCount, slots)
	}
	if slots > 0 && b.Nulls == slots {
		b.Why = AllNulls
		return b
	}
	if b.NaNs > 0 && b.Nulls != Unknown && b.NaNs == slots-b.Nulls {
		b.Why = AllNaNs
		return b
	}
	if doubts&writer.Bounds != 0 {
		if bounded {
			b.Why = WrongWriter
		}
		return b
	}
	if s.MinValue != nil || s.MaxValue != nil {
		b.Why = c.why
		if b.Why != Usable {
			return b
		}
		b.Min, b.HasMin, b.MinExact = s.MinValue, s.MinValue != nil, s.MinExact == thrift.True
		b.Max, b.HasMax, b.MaxExact = s.MaxValue, s.MaxValue != nil, s.MaxExact == thrift.True
		b.Sure = c.sure
		c.settle(&b)
		return b
	}
	if s.Min != nil || s.Max != nil {
		b.Why = Deprecated
		if c.signed {
			b.Min, b.HasMin = s.Min, s.Min != nil
			b.Max, b.HasMax = s.Max, s.Max != nil
			c.settle(&b)
		}
	}
	return b
}

// Page returns the Bounds of a page by its entry in a column index that
// CheckIndex found right.
func (c *Column) Page(x *thrift.ColumnIndex, page int) Bounds {
	b := Bounds{Slots: Unknown, Nulls: Unknown, NaNs: c.noNaNs()}
	if c.inPage&writer.NullCounts == 0 && len(x.NullCounts) > 0 {
		b.Nulls = plausible(x.NullCounts[page], Unknown)
	}
	if c.nan && len(x.NaNCounts) > 0 {
		b.NaNs = plausible(x.NaNCounts[page], Unknown)
	}
	switch {
	case x.NullPages[page] && c.inPage&writer.NullCounts != 0:
		b.Why = NoBounds
	case x.NullPages[page]:
		b.Why = AllNulls
	case c.inPage&writer.Bounds != 0:
		b.Why = WrongWriter
	case c.why != Usable:
		b.Why = c.why
	default:
		b.Min, b.HasMin = x.MinValues[page], true
		b.Max, b.HasMax = x.MaxValues[page], true
		b.Sure = c.sure
		c.settle(&b)
	}
	return b
}

// settle sets Why, and drops the bounds if that is not Usable.
func (c *Column) settle(b *Bounds) {
	b.Why = c.fault(b)
	if b.Why != Usable {
		b.Min, b.Max, b.HasMin, b.HasMax = nil, nil, false, false
		b.MinExact, b.MaxExact, b.Sure = false, false, false
		return
	}
	if c.nan && !c.total {
		// The sign of a zero is not to be trusted in this order.
		b.MinExact = b.MinExact && !isZero(b.Min)
		b.MaxExact = b.MaxExact && !isZero(b.Max)
	}
}

// fault returns what is wrong with the bounds.
func (c *Column) fault(b *Bounds) Reason {
	if b.HasMin && !c.fits(b.Min) || b.HasMax && !c.fits(b.Max) {
		return Misfit
	}
	if c.spare > 0 && b.HasMin != b.HasMax {
		return Misfit // values beyond the other end are others than they seem
	}
	nanMin, nanMax := b.HasMin && c.isNaN(b.Min), b.HasMax && c.isNaN(b.Max)
	switch {
	case nanMin && nanMax && c.total:
		// In total order a NaN stands for itself: nothing else is there.
		return AllNaNs
	case nanMin || nanMax:
		return NaNBound
	case b.HasMin && b.HasMax && c.Compare(b.Min, b.Max) > 0:
		return Inverted
	}
	return Usable
}

func (c *Column) noNaNs() int64 {
	if c.nan {
		return Unknown
	}
	return 0
}

// plausible returns a count, or Unknown if it cannot be one of that many slots.
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
