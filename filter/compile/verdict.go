package compile

import (
	"bytes"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/calculate"
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Verdict is what bounds prove about a set of rows.
type Verdict int8

const (
	None Verdict = iota - 1 // no row passes
	Some                    // nothing is proven: some rows may pass and some may not
	All                     // every row passes
)

func (v Verdict) String() string { return [...]string{"none", "some", "all"}[1+v] }

// And is the verdict on rows that pass both tests.
func (v Verdict) And(o Verdict) Verdict { return min(v, o) }

// Or is the verdict on rows that pass one of the tests, or both.
func (v Verdict) Or(o Verdict) Verdict { return max(v, o) }

// Not is the verdict of the complement. It is correct for Nodes, which are never
// NULL.
func (v Verdict) Not() Verdict { return -v }

// Unknown stands for a count that is not known.
const Unknown int64 = -1

// Bounds is what is certain about the slots of a leaf: its values and NULLs. Each
// empty or NULL list above the leaf has one NULL slot.
type Bounds struct {
	Min, Max           []byte // PLAIN encoding without length prefix; nil: none, and for a string it may be empty
	HasMin, HasMax     bool
	MinExact, MaxExact bool // the bound occurs in the data; it is not truncated
	Sure               bool // all values lie within the bounds; others serve only to prove None

	Slots int64 // or Unknown, like the other counts
	Nulls int64
	NaNs  int64 // ignored for types without NaN

	// Levels has the number of slots at each definition level. Nil means unknown.
	Levels []int64
}

// Verdict returns what bounds prove about the rows that they cover. It is correct
// if the bounds are, and Some wherever they leave a doubt.
func (t *Test) Verdict(b *Bounds) Verdict {
	if t.Pred.Kind == pred.Null && t.Pred.Level > 0 && t.Pred.Level < t.Leaf.MaxDef {
		return t.levelVerdict(b)
	}
	if t.Leaf.MaxRep == 0 {
		if t.Leaf.MaxDef == 0 && b.Nulls != 0 {
			required := *b
			required.Nulls = 0
			b = &required
		}
		return t.slot.verdict(b)
	}
	return t.itemsVerdict(b)
}

// Counts reports whether a number of NULLs tells how many rows pass: of IS NULL and IS NOT NULL of a value that
// is not in a list.
func (t *Test) Counts() bool {
	return t.Leaf.MaxRep == 0 && t.Pred.Kind == pred.Null && (t.Pred.Level == 0 || t.Pred.Level >= t.Leaf.MaxDef)
}

// Count returns how many of the rows that bounds cover pass, where t Counts and the number of NULLs is known.
func (t *Test) Count(b *Bounds) (rows int64, known bool) {
	if !t.Counts() || b.Slots < 0 || b.Nulls < 0 {
		return 0, false
	}
	if t.Pred.Negate {
		return b.Slots - b.Nulls, true
	}
	return b.Nulls, true
}

// levelVerdict is the verdict of a NULL test on a struct or list above the leaf. A
// count of the leaf's NULLs decides it only if it is 0.
func (t *Test) levelVerdict(b *Bounds) Verdict {
	var null doubt // without NULLs, none is
	switch {
	case b.Nulls == 0:
	case len(b.Levels) != t.Leaf.MaxDef+1 || slices.Min(b.Levels) < 0:
		return Some
	default:
		for level, n := range b.Levels {
			if n > 0 {
				null.add(level < t.Pred.Level)
			}
		}
	}
	if t.Pred.Negate {
		return null.verdict().Not()
	}
	return null.verdict()
}

// itemsVerdict is the verdict of a test on the items of lists. A row without items
// has a NULL slot, so without any NULL each row has an item.
func (t *Test) itemsVerdict(b *Bounds) Verdict {
	switch {
	case b.Nulls == 0:
		return t.slot.verdict(b)
	case t.slot.set.Null || t.Pred.All:
		return Some
	}
	// Which rows the NULLs belong to is not known: judge the values alone.
	values := *b
	if b.Nulls < 0 || b.Nulls != b.Slots {
		values.Nulls = 0
	}
	if t.slot.verdict(&values) == None {
		return None
	}
	return Some
}

// verdict is the verdict on slots.
func (t *slotTest) verdict(b *Bounds) Verdict {
	var out doubt
	if b.Nulls != 0 {
		out.add(t.set.Null)
	}
	if b.Nulls < 0 || b.Nulls != b.Slots { // there may be values
		if t.domain.HasNaN() && b.NaNs != 0 {
			out.add(t.set.NaN)
			out.fail = out.fail || t.valueTest != nil // set says of it what may pass
		}
		if !(t.domain.HasNaN() && b.NaNs > 0 && b.Nulls >= 0 && b.NaNs == b.Slots-b.Nulls) {
			pass, fail := t.testBounds(b)
			out.pass, out.fail = out.pass || pass, out.fail || fail
		}
	}
	return out.verdict()
}

// doubt says of rows, or of slots, whether any may pass and whether any may fail.
type doubt struct{ pass, fail bool }

// add says that some may pass, or may fail.
func (d *doubt) add(pass bool) { d.pass, d.fail = d.pass || pass, d.fail || !pass }

func (d *doubt) verdict() Verdict {
	switch {
	case !d.pass:
		return None
	case !d.fail:
		return All
	}
	return Some
}

// Bounded reports whether the bounds of parts of a chunk, such as its pages, may
// prove more about the test than all, the bounds of the chunk, do. For other tests,
// only counts of NULLs may.
func (t *Test) Bounded(all *Bounds) bool {
	if t.Pred.Kind == pred.Null || t.slot.valueTest == nil {
		return t.Pred.Kind != pred.Null
	}
	var buf keyBuffer
	s, sure, _ := boundsOf(t.slot.domain, all, &buf)
	if !sure {
		s = value.KeyRange{}
	}
	_, outside := t.slot.set.Overlap(&s)
	return outside
}

// testBounds reports whether values within the bounds may pass, and may fail.
func (t *slotTest) testBounds(b *Bounds) (pass, fail bool) {
	var buf keyBuffer
	s, sure, single := boundsOf(t.domain, b, &buf)
	if t.valueTest != nil {
		if single && b.MinExact && b.MaxExact && len(b.Min) <= math.MaxInt32 {
			if s, err := vector.PlainOf(t.domain.Type, b.Min); err == nil {
				v, sel := s.Vector(1), []uint64{1}
				v.Flatten()
				t.valueTest.Filter(sel, v)
				return bits.Get(sel, 0), !bits.Get(sel, 0)
			}
		}
		pass, _ = t.set.Overlap(&s)
		return pass, true
	}
	pass, fail = t.set.Overlap(&s)
	if !sure {
		fail = !t.set.HasAllValues()
	}
	return pass, fail
}

// A keyBuffer has room for the keys of two bounds, as long as those of most strings.
type keyBuffer [512]byte

// boundsOf returns the key range of the values within bounds. single reports that all
// values are equal. Short keys are stored in buf.
func boundsOf(d *value.Domain, b *Bounds, buf *keyBuffer) (s value.KeyRange, sure, single bool) {
	if !d.Ordered() || d.Kind == value.OfUnknown {
		return value.KeyRange{}, false, false
	}
	half := len(buf) / 2
	hasMin, hasMax := b.HasMin, b.HasMax
	if hasMin {
		s.Lo, _, hasMin = d.AppendKey(buf[:0:half], b.Min)
	}
	if hasMax {
		s.Hi, _, hasMax = d.AppendKey(buf[half:half], b.Max)
	}
	if b.HasMin != hasMin || b.HasMax != hasMax || hasMin && hasMax && bytes.Compare(s.Lo, s.Hi) > 0 {
		return value.KeyRange{}, false, false // one invalid bound makes the other untrustworthy
	}
	single = b.Sure && hasMin && hasMax && bytes.Equal(s.Lo, s.Hi)
	if s.HasLo, s.HasHi = hasMin, hasMax; hasMax {
		// The exclusive end is the key with a zero byte appended: no key lies between
		// the two, because keys of a domain have one length or are arbitrary strings.
		s.Hi = append(s.Hi, 0)
	}
	return s, b.Sure, single
}

// UsesBounds reports whether bounds may prove anything.
func (c *Compute) UsesBounds() bool { return c.judge != nil }

// Verdict returns what bounds on the columns prove about the rows that the bounds
// cover, which must be the same for all columns. It is Some for all but comparisons of
// columns, and of what is calculated from them. bounds may return nil for a leaf without bounds.
func (c *Compute) Verdict(bounds func(leaf *schema.Node) *Bounds) Verdict {
	if c.judge == nil {
		return Some
	}
	return c.judge(bounds)
}

// verdict compares rows that have the least or the greatest values of all columns, one for each
// combination. If x is less than y in all of them, it is so between them:
//
//	a + b < c    a in [1, 2], b in [3, 4], c in [9, 10]    1 + 3 < 9, 2 + 3 < 9, …, 2 + 4 < 10
func (c *comparison) verdict(bounds func(leaf *schema.Node) *Bounds) Verdict {
	var out doubt
	var beyond [2]bool // of two plain columns, whether values beyond the known ends may be less, and more
	vectors := make([]*vector.Vector, len(c.inputs))
	corners, sure, known := 1<<len(c.inputs), true, c.x.Linear() && c.y.Linear() && 0 < len(c.inputs) && len(c.inputs) <= 6 // 64 rows
	for n, in := range c.inputs {
		var b *Bounds
		if in.leaf != nil {
			b = bounds(in.leaf)
		}
		if b == nil {
			b = &Bounds{Slots: Unknown, Nulls: Unknown, NaNs: Unknown}
		}
		if nulls := b.Nulls; in.leaf == nil || in.leaf.MaxDef > 0 && nulls != 0 {
			if out.add(c.when.passesNull()); nulls > 0 && nulls == b.Slots {
				return out.verdict() // all are NULL; so it is whatever the others may be
			}
		}
		if in.domain.HasNaN() && b.NaNs != 0 {
			out.add((c.is == value.Ne) == c.when.passesTrue())
		}
		var buf keyBuffer
		s, isSure, _ := boundsOf(in.domain, b, &buf)
		sure = sure && isSure
		if known = known && (s.HasLo && s.HasHi || c.plain && (s.HasLo || s.HasHi)); !known {
			continue
		}
		lo, hi := b.Min, b.Max
		if !s.HasLo {
			lo, beyond[n] = hi, true
		} else if !s.HasHi {
			hi, beyond[1-n] = lo, true
		}
		v := &vector.Vector{}
		build.Reset(v, in.domain.Type)
		for i := range corners {
			plain := lo
			if i>>n&1 != 0 {
				plain = hi
			}
			if one, err := vector.PlainOf(in.domain.Type, plain); err == nil {
				end := one.Vector(1)
				end.Flatten()
				build.AppendSlots(v, end, 0, 1)
			}
		}
		known, vectors[n] = v.Len == corners, function.NewResults().Of(in.wider, v, []uint64{^uint64(0)})
		known = known && len(vectors[n].Validity) == 0
	}
	if !known {
		return Some
	}
	if c.swapped {
		beyond[0], beyond[1] = beyond[1], beyond[0]
	}
	m := &calculate.Memory{Vectors: vectors, Ends: true}
	smaller, equal, _ := calculate.Order(c.x, c.y, m, corners)
	below, same := bits.Count(smaller, 0, corners), bits.Count(equal, 0, corners)
	greater, _, _ := calculate.Order(c.y, c.x, m, corners)
	above := bits.Count(greater, 0, corners)
	if below+same+above != corners {
		return Some // NaN, which infinities make
	}
	less, more := below > 0 || beyond[0], above > 0 || beyond[1]
	for order, possible := range [...]bool{less, same > 0 || less && more, more} {
		pass := c.is.Holds(order-1) == c.when.passesTrue()
		if possible || !sure && !pass {
			out.add(pass)
		}
	}
	return out.verdict()
}
