package filter

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Op is what a Node does.
type Op uint8

const (
	OpFalse      Op = iota // no row passes
	OpTrue                 // every row does
	OpAnd                  // rows that pass all Args
	OpOr                   // rows that pass one of Args, each asked for rows that passed none before
	OpComplement           // rows that do not pass Args[0]
	OpTest                 // rows that pass Test
	OpCompute              // rows that pass Compute
)

// Node is a step of a Program. It lets pass, or not: NULL and negation are
// settled in the leaves, so that one bitmap is enough.
type Node struct {
	Op      Op
	Args    []*Node
	Test    *Test
	Compute *Compute
}

// Test is a test of one leaf column. Where the column repeats, Pred asks for
// any or for all of a row's items. Pred may be of Kind Null with a Level above
// the leaf: then it is about a list or struct.
type Test struct {
	Leaf *schema.Node
	Pred *pred.Test

	slot slotTest
}

// slotTest is a test of one slot.
type slotTest struct {
	of  *domain
	set subset // what passes; of a text test, NULL and what values may pass

	// The test of values where comparing does not do: LIKE, suffixes, regular
	// expressions.
	text *pred.Test

	level int // what is NULL is not the leaf, but something above it: slots below this level
}

// Mask returns a bit for each entry of a dictionary, which is flat and has no
// NULLs: set if it passes. NULL passes no Test but one of Kind Null.
func (t *Test) Mask(dictionary *vector.Vector) []uint64 {
	mask := make([]uint64, bits.Words(dictionary.Len))
	if t.Pred.Kind == pred.Null {
		if t.Pred.Negate {
			bits.SetRange(mask, 0, dictionary.Len)
		}
		return mask
	}
	bits.SetRange(mask, 0, dictionary.Len)
	t.Pred.Narrow(mask, dictionary)
	return mask
}

// Keys returns the values, in PLAIN encoding without length prefix, of which a
// row has to have one to pass: what a Bloom filter can be asked for. ok is
// false where they are not a few.
func (t *Test) Keys() (keys [][]byte, ok bool) {
	s := &t.slot
	if s.text != nil || s.level > 0 || s.set.null || s.set.nan || t.Pred.All {
		return nil, false
	}
	points, ok := s.of.points(&s.set, maxPoints(&s.set))
	if !ok {
		return nil, false
	}
	for _, k := range points {
		keys = append(keys, s.of.plain(k))
	}
	return keys, true
}

// Program is an expression bound to a file's schema. It does not change and
// may be shared.
type Program struct {
	Root *Node
}

// Tests returns the tests of leaves, in the order in which they are written.
func (p *Program) Tests() []*Test {
	var all []*Test
	p.Root.walk(func(n *Node) {
		if n.Test != nil {
			all = append(all, n.Test)
		}
	})
	return all
}

// Computes returns what is computed from several columns or from nested ones.
func (p *Program) Computes() []*Compute {
	var all []*Compute
	p.Root.walk(func(n *Node) {
		if n.Compute != nil {
			all = append(all, n.Compute)
		}
	})
	return all
}

func (n *Node) walk(f func(*Node)) {
	f(n)
	for _, a := range n.Args {
		a.walk(f)
	}
}

// Run is the program's meaning: it clears in sel the bits of the n rows that do
// not pass. test and compute do that for one leaf of it; they are called with
// no more rows than can still change the answer.
func (p *Program) Run(sel []uint64, n int, test func(*Test, []uint64) error, compute func(*Compute, []uint64) error) error {
	return p.Root.run(sel[:bits.Words(n)], n, test, compute)
}

func (o *Node) run(sel []uint64, n int, test func(*Test, []uint64) error, compute func(*Compute, []uint64) error) error {
	if !bits.Any(sel, 0, n) {
		return nil
	}
	switch o.Op {
	case OpTrue:
	case OpFalse:
		bits.ClearRange(sel, 0, n)
	case OpTest:
		return test(o.Test, sel)
	case OpCompute:
		return compute(o.Compute, sel)
	case OpAnd:
		for _, a := range o.Args {
			if err := a.run(sel, n, test, compute); err != nil {
				return err
			}
		}
	case OpComplement:
		passed := append([]uint64(nil), sel...)
		if err := o.Args[0].run(passed, n, test, compute); err != nil {
			return err
		}
		bits.AndNot(sel, passed)
	case OpOr:
		rest, passed := append([]uint64(nil), sel...), make([]uint64, len(sel))
		for _, a := range o.Args {
			copy(passed, rest)
			if err := a.run(passed, n, test, compute); err != nil {
				return err
			}
			bits.AndNot(rest, passed)
		}
		bits.AndNot(sel, rest)
	}
	return nil
}
