package compile

import (
	"maps"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/calculate"
	"github.com/winnow-scan/winnow/filter/internal/keys"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

const keysNotNegated = "InKeys cannot be negated: other values than keys pass it too"

// EncodedKeys returns the keys of all conditions in e, and the table's types, encoded: by them conditions
// of the same text differ.
func EncodedKeys(e *filter.Expr) []byte { return appendKeys(nil, treeOf(e)) }

func appendKeys(dst []byte, e *tree.Condition) []byte {
	if e.Table != nil {
		for _, path := range slices.Sorted(maps.Keys(e.Table.Types)) {
			dst = append(dst, path+" "+e.Table.Types[path].String()+"\n"...)
		}
	}
	if e.Keys != nil {
		e.Keys.Finish()                                 // so that the order in which they were added does not matter
		if b, err := e.Keys.AppendTo(dst); err == nil { // keys at fault fail when they are bound
			dst = b
		}
	}
	if e.Left.Items != nil {
		dst = appendKeys(dst, e.Left.Items.Condition)
	}
	for _, a := range e.Args {
		dst = appendKeys(dst, a)
	}
	return dst
}

// keysTest returns the test of values at place i in keys.
func (b *binder) keysTest(k *keys.Set, i int, s *source) slotTest {
	d := s.domain
	t := slotTest{domain: d}
	switch {
	case s.chain != nil:
		b.fail(s.At, "keys are compared with columns as they are, without arithmetic")
		return t
	case d.Kind == value.OfUnknown || k.Len() == 0:
		return t
	case !k.ComparableTo(i, d):
		b.fail(s.At, s.name()+" cannot be compared with the keys: it is "+d.Type.String())
		return t
	}
	t.set, t.phrase = k.Within(i, d), "is among "+strconv.Itoa(k.Len())+" keys"
	if k.Rounds(i, d) {
		t.valueTest = d.Lower(&t.set)
		return t
	}
	h := keys.HasherOf(d)
	t.valueTest = pred.By(func(v *vector.Vector, sel []uint64) { k.Keep(i, &h, v, sel) })
	return t
}

// checkKeys reports an error of the keys.
func (b *binder) checkKeys(e *tree.Condition) bool {
	columns := 1 + len(e.Right)
	switch k := e.Keys; {
	case k.Fault() != "":
		b.fail(e.Left.At, k.Fault())
	case k.Len() > 0 && k.Width() != columns:
		b.fail(e.Left.At, "keys of "+strconv.Itoa(k.Width())+" values are compared with "+strconv.Itoa(columns))
	default:
		return true
	}
	return false
}

// compileTuple compiles InKeys of several columns: a test of each column, and of the
// rows that pass all of these a test of the tuple. So bounds and dictionaries of each
// column prove what they can. It is NULL where a column is.
func (b *binder) compileTuple(e *tree.Condition, w passWhen) *Node {
	if w != isTrue && w != notFalse {
		return b.fail(e.Left.At, keysNotNegated)
	}
	k := e.Keys
	if !b.checkKeys(e) {
		return &Node{}
	}
	out, undecided, rounded := &Node{Op: OpAnd}, false, false
	operands := append([]tree.Operand{e.Left}, e.Right...)
	sources := make([]source, len(operands))
	for i, o := range operands {
		s, ok := b.findScalar(o)
		if !ok {
			if !b.isOpen() {
				return &Node{}
			}
			undecided = true
			continue
		}
		if s.Quantifier != tree.NoQuantifier {
			return b.fail(o.At, "keys of several values are compared with single values, not with the items of a list")
		}
		t := b.keysTest(k, i, &s)
		rounded = rounded || k.Len() > 0 && k.Rounds(i, s.domain)
		if sources[i] = s; w == isTrue {
			out.Args = append(out.Args, b.testNode(&s, t, t, w))
		}
	}
	if undecided {
		out.Args = append(out.Args, &Node{Op: OpCompute})
		return out
	}
	if !rounded { // else bounds and single values have to do
		out.Args = append(out.Args, b.tupleNode(e, sources, w))
	}
	return out
}

// tupleNode returns the test of the tuples that sources have.
func (b *binder) tupleNode(e *tree.Condition, sources []source, w passWhen) *Node {
	c := &comparison{}
	c.text = func() string { return w.textOf(e) }
	hashers := make([]keys.Hasher, len(sources))
	for i := range sources {
		s := &sources[i]
		if s.domain.Kind == value.OfUnknown {
			return constantNode(w.passesNull())
		}
		b.bindInput(c, s)
		hashers[i] = keys.HasherOf(s.domain)
	}
	if b.err != nil {
		return &Node{}
	}
	return c.nodeOf(func(m *calculate.Memory, n int, sel []uint64) {
		before := slices.Clone(sel[:bits.Words(n)])
		e.Keys.KeepTuples(hashers, m.Vectors, n, sel)
		for _, v := range m.Vectors {
			for i := 0; i < len(before) && w.passesNull() && len(v.Validity) > 0; i++ {
				sel[i] |= before[i] &^ v.Validity[i]
			}
		}
	})
}
