package compile

import (
	"strconv"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/keys"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// compileKeys compiles InKeys. t and f are the same test: InKeys has no negation,
// because a value that passes need not be a key.
func (b *binder) compileKeys(e *tree.Condition, s *source) (t, f slotTest, ok bool) {
	d, k := s.domain, e.Keys
	t, f = slotTest{domain: d}, slotTest{domain: d}
	switch {
	case k.Fault != "":
		b.fail(e.Left.At, k.Fault)
		return t, f, false
	case d.Kind == value.OfUnknown || k.Added == 0:
		return t, f, true
	case k.ComparableTo&value.FamilyOf(d).Only() == 0:
		b.fail(e.Left.At, s.PathText()+" cannot be compared with the keys: it is "+d.Type.String())
		return t, f, false
	}
	h := keys.HasherOf(d)
	t.valueTest = pred.By(func(v *vector.Vector, sel []uint64) { h.KeepKeys(k.Words, v, sel) })
	t.set, t.phrase = k.Within(d), "is among "+strconv.Itoa(k.Added)+" keys"
	return t, t, true
}
