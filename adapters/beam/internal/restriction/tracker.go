package restriction

import (
	"errors"
	"math"
	"sort"
)

// Tracker is the sdf.RTracker of a Restriction. It is not safe for concurrent use: Beam's
// sdf.LockRTracker makes it so.
type Tracker struct {
	rest    Restriction
	next    Position // every row before it is claimed
	stopped bool     // a claim has failed
	err     error
	groups  []Group // nil: not known
	splits  int
}

// NewTracker returns a tracker of r, of which nothing is claimed.
func NewTracker(r Restriction) *Tracker { return &Tracker{rest: r, next: r.From} }

// Bind tells the tracker the file's row groups in the order of their positions, which are the
// order of claims, and returns the restriction as it is by now.
func (t *Tracker) Bind(groups []Group) Restriction {
	t.groups = groups
	return t.rest
}

// Claim claims the row at p and all rows before it. It returns false if p is not in the
// restriction, which may have been split: the rows before its end are all claimed then, and
// the caller must stop.
func (t *Tracker) Claim(p Position) bool {
	switch {
	case t.err != nil:
		return false
	case t.stopped:
		t.err = errors.New("a row is claimed after a claim has failed")
	case p.Compare(t.next) < 0:
		t.err = errors.New("a row is claimed twice, or is before the restriction")
	case p.Compare(t.rest.To) >= 0:
		t.next = t.rest.To
	default:
		t.next = p.next()
		return true
	}
	t.stopped = true
	return false
}

// Finish claims all rows that are left: those that are not returned.
func (t *Tracker) Finish() {
	if !t.stopped {
		t.Claim(Position{math.MaxInt64, math.MaxInt64})
	}
}

// Splits returns how many times the restriction was split.
func (t *Tracker) Splits() int { return t.splits }

// TryClaim is Claim for a Position.
func (t *Tracker) TryClaim(position any) bool {
	p, ok := position.(Position)
	if !ok {
		t.stopped, t.err = true, errors.New("what is claimed is not a Position")
		return false
	}
	return t.Claim(p)
}

// GetError returns the fault of a caller that claimed what it must not.
func (t *Tracker) GetError() error { return t.err }

// GetRestriction returns the Restriction, as splits have left it.
func (t *Tracker) GetRestriction() any { return t.rest }

// IsBounded returns true: a file has an end.
func (t *Tracker) IsBounded() bool { return true }

// IsDone reports whether every row is claimed.
func (t *Tracker) IsDone() bool { return t.err == nil && t.next.Compare(t.rest.To) >= 0 }

// GetProgress returns about how many bytes the claimed rows are, and the others.
func (t *Tracker) GetProgress() (done, remaining float64) {
	return t.weight(t.rest.From, t.next), t.weight(t.next, t.rest.To)
}

// weight returns about how many bytes a scan of the rows in [from, to) reads. Without row
// groups, bytes are taken for evenly filled.
func (t *Tracker) weight(from, to Position) (bytes float64) {
	if t.groups == nil {
		if all := float64(t.rest.To.Byte - t.rest.From.Byte); all > 0 {
			return float64(t.rest.Bytes) * (float64(to.Byte-from.Byte) / all)
		}
		if from.Compare(to) < 0 {
			return float64(t.rest.Bytes)
		}
		return 0
	}
	for i := range t.groups {
		bytes += t.groups[i].weight(from, to)
	}
	return bytes
}

// TrySplit keeps about the fraction of what is left, and returns the restriction as it is
// then, and another one of the rows that it has lost. It cuts at the first border at or
// after the fraction, else at the last one before it: a border of row groups, or about where a
// page starts. The second is nil if there is no border with work on both sides. The fraction 0
// gives up all rows that are not claimed.
func (t *Tracker) TrySplit(fraction float64) (primary, residual any, err error) {
	if t.err != nil || t.stopped || t.rest.empty() || t.IsDone() {
		return t.rest, nil, nil
	}
	at, ok := t.next, true
	if fraction > 0 {
		at, ok = t.cut(min(fraction, 1))
	}
	if !ok {
		return t.rest, nil, nil
	}
	kept, lost := t.rest, t.rest
	kept.To, lost.From = at, at
	kept.Bytes, lost.Bytes = whole(t.weight(kept.From, at)), whole(t.weight(at, lost.To))
	t.rest = kept
	t.splits++
	return kept, lost, nil
}

// whole rounds a number of bytes, which a hostile footer may make huge.
func whole(bytes float64) int64 { return int64(min(max(bytes, 0), 1<<62)) }

// cut returns where to split. ok is false if there is no place with work on both sides.
func (t *Tracker) cut(fraction float64) (at Position, ok bool) {
	if t.groups == nil {
		from, to := t.next, t.rest.To
		at = Position{Byte: from.Byte + int64(math.Ceil(fraction*float64(to.Byte-from.Byte)))}
		return at, from.Compare(at) < 0 && at.Compare(to) < 0
	}
	before, total := 0.0, t.weight(t.next, t.rest.To)
	for i := range t.groups {
		g := &t.groups[i]
		if g.Within(t.next, t.rest.To).Len() == 0 {
			continue
		}
		kept := func(k int) float64 { return before + g.weight(t.next, g.border(k)) }
		enough := sort.Search(g.borders(), func(k int) bool { return kept(k) >= fraction*total })
		for k := max(enough-1, 0); k <= enough && k < g.borders(); k++ {
			border := g.border(k)
			if border.Compare(t.next) <= 0 || border.Compare(t.rest.To) >= 0 || kept(k) <= 0 || kept(k) >= total {
				continue
			}
			at, ok = border, true
			if k == enough {
				return at, true
			}
		}
		before += g.weight(t.next, t.rest.To)
	}
	return at, ok
}
