package filter

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Verdict is what bounds prove about some rows.
type Verdict uint8

const (
	Some Verdict = iota // nothing
	None                // none of the rows passes
	All                 // each of the rows passes
)

func (v Verdict) String() string {
	return [...]string{"some", "none", "all"}[v]
}

// And is the verdict on rows that pass both tests.
func (v Verdict) And(o Verdict) Verdict {
	switch {
	case v == None || o == None:
		return None
	case v == All && o == All:
		return All
	}
	return Some
}

// Or is the verdict on rows that pass one of the tests, or both.
func (v Verdict) Or(o Verdict) Verdict { return v.Not().And(o.Not()).Not() }

// Not is the verdict on rows that do not pass. It is right for Nodes, which
// have no NULL.
func (v Verdict) Not() Verdict {
	switch v {
	case None:
		return All
	case All:
		return None
	}
	return Some
}

// Unknown is a count that is not known.
const Unknown int64 = -1

// Bounds is what is certain about the slots of a leaf: values, and NULLs, of
// which each empty or NULL list above has one.
type Bounds struct {
	Min, Max           []byte // PLAIN encoding without length prefix; nil: none, and for a string it may be empty
	HasMin, HasMax     bool
	MinExact, MaxExact bool // the bound is a value that is there, not one cut short
	Sure               bool // good enough to conclude that all values lie within

	Slots int64 // or Unknown, as the others
	Nulls int64
	NaNs  int64 // taken for 0 where the type has no NaN

	// Levels has, for each definition level, the slots that have it: nil if
	// that is not known.
	Levels []int64
}

// Verdict returns what bounds prove about the rows behind them. It is never
// wrong if they are not, and Some whenever they leave a doubt.
func (t *Test) Verdict(b *Bounds) Verdict {
	if t.Pred.Kind == pred.Null && t.Pred.Level > 0 && t.Pred.Level < t.Leaf.MaxDef {
		return t.levelVerdict(b)
	}
	if t.Leaf.MaxRep == 0 {
		if t.Leaf.MaxDef == 0 {
			required := *b
			required.Nulls = 0
			b = &required
		}
		return t.slot.verdict(b)
	}
	return t.quantified(b)
}

// levelVerdict is about what is NULL above the leaf: the leaf's nulls tell
// only if there are none.
func (t *Test) levelVerdict(b *Bounds) Verdict {
	v := Some
	switch {
	case b.Nulls == 0:
		v = None
	case len(b.Levels) == t.Leaf.MaxDef+1:
		below, others := int64(0), int64(0)
		for level, n := range b.Levels {
			if n < 0 {
				return Some
			}
			if level < t.Pred.Level {
				below |= n
			} else {
				others |= n
			}
		}
		switch {
		case below == 0:
			v = None
		case others == 0:
			v = All
		}
	}
	if t.Pred.Negate {
		return v.Not()
	}
	return v
}

// quantified is about the items of lists. A row without items has a NULL slot,
// so with no NULL at all each row has an item.
func (t *Test) quantified(b *Bounds) Verdict {
	slot := t.slot
	if !slot.set.null {
		// Which rows the NULLs belong to is not known: judge the values alone.
		values := *b
		values.Nulls = 0
		if b.Nulls >= 0 && b.Nulls == b.Slots {
			values.Nulls = b.Nulls
		}
		v := slot.verdict(&values)
		switch {
		case b.Nulls == 0:
			return v
		case v == None && !t.Pred.All:
			return None
		}
		return Some
	}
	if b.Nulls == 0 { // IS NULL of items
		return slot.verdict(b)
	}
	return Some
}

// verdict is about slots.
func (t *slotTest) verdict(b *Bounds) Verdict {
	some, rest := false, false // whether a slot may pass, may not pass
	slots := func(pass bool) {
		some, rest = some || pass, rest || !pass
	}
	if b.Nulls != 0 {
		slots(t.set.null)
	}
	if b.Nulls < 0 || b.Nulls != b.Slots { // there may be values
		if t.of.hasNaN() && b.NaNs != 0 {
			slots(t.set.nan)
		}
		if !(t.of.hasNaN() && b.NaNs > 0 && b.Nulls >= 0 && b.NaNs == b.Slots-b.Nulls) {
			pass, fail := t.values(b)
			some, rest = some || pass, rest || fail
		}
	}
	switch {
	case !some:
		return None
	case !rest:
		return All
	}
	return Some
}

// values tells whether values within the bounds may pass, may not pass.
func (t *slotTest) values(b *Bounds) (pass, fail bool) {
	lo, hi, sure, only := t.of.bounds(b)
	if t.text != nil {
		if only && b.MinExact && b.MaxExact {
			if v := t.of.vectorOf(b.Min); v != nil {
				sel := []uint64{1}
				t.text.Narrow(sel, v)
				return bits.Get(sel, 0), !bits.Get(sel, 0)
			}
		}
		return t.set.meets(lo, hi), true
	}
	return t.set.meets(lo, hi), t.set.others().fails(sure, lo, hi)
}

// fails reports whether values between lo and hi, or any where that is not
// sure, may be in s.
func (s subset) fails(sure bool, lo, hi cut) bool {
	if !sure {
		return !s.none()
	}
	return s.meets(lo, hi)
}

// bounds returns the places around the values: those in front of the least and
// behind the greatest. only says that there is one value.
func (d *domain) bounds(b *Bounds) (lo, hi cut, sure, only bool) {
	lo, hi = cut{end: -1}, cut{end: 1}
	sure = b.Sure
	if !d.ordered() && d.typ.Physical != vector.Boolean || d.kind == ofNothing {
		return lo, hi, false, false
	}
	var min, max []byte
	hasMin, hasMax := b.HasMin, b.HasMax
	if hasMin {
		min, _, hasMin = d.appendKey(nil, b.Min)
		sure = sure && hasMin
	}
	if hasMax {
		max, _, hasMax = d.appendKey(nil, b.Max)
		sure = sure && hasMax
	}
	if b.HasMin != hasMin || b.HasMax != hasMax || hasMin && hasMax && string(min) > string(max) {
		return lo, hi, false, false // a bound that is no value says that the other means nothing
	}
	if hasMin {
		lo = cut{key: string(min)}
	}
	if hasMax {
		// Between a key and the same with a zero byte, no key stands: those of
		// one domain have one length or, for strings, are all strings.
		hi = cut{key: string(max) + "\x00"}
	}
	return lo, hi, sure, sure && hasMin && hasMax && string(min) == string(max)
}

// vectorOf returns a vector of one string or integer.
func (d *domain) vectorOf(plain []byte) *vector.Vector {
	v := &vector.Vector{}
	v.Reset(d.typ)
	v.Extend(1)
	switch d.typ.Store() {
	case vector.InInt32s:
		v.Int32s[0] = int32(binary.LittleEndian.Uint32(plain))
	case vector.InInt64s:
		v.Int64s[0] = int64(binary.LittleEndian.Uint64(plain))
	case vector.InFixed:
		copy(v.Fixed, plain)
	case vector.InViews:
		if len(plain) > math.MaxInt32 {
			return nil
		}
		v.Views[0] = bits.Make(plain, v.AddBuffer(plain), 0)
	default:
		return nil
	}
	return v
}
