package compile

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// mostGrowth bounds how many times as long as a value the results of functions may be: else a few calls
// of replace within each other take all memory.
const mostGrowth = 1000

// bindCall binds a function. It returns an error's text, else "".
func (s *source) bindCall(step *tree.Step) string {
	d := s.domain
	f := step.Function
	if step.Op == tree.Cast {
		if f = function.ToText; step.To.Name != value.ToText {
			f = function.FromText(step.To)
		}
	}
	switch {
	case d.Kind == value.OfUnknown, f == function.ToText && s.chain == nil && isText(d):
		return ""
	case s.chain != nil:
		return "is " + d.Type.String() + ": " + f.Name + " of a calculated value is not supported"
	case !f.Takes.Has(d) || f.Takes == function.Texts && !isText(d):
		if f.Takes == function.Texts {
			return "is no string: it is " + d.Type.String()
		}
		return notTaken(f, d)
	}
	if f.Takes == function.Spelled && !isText(d) {
		if fault := s.bindCall(&tree.Step{Op: tree.Cast, To: value.Target{Name: value.ToText}, At: step.At}); fault != "" {
			return fault
		}
	}
	if s.base == nil {
		s.base = d
	}
	call := f.With(step.Constants...)
	if s.growth = max(s.growth, 1) * call.Growth(); s.growth > mostGrowth {
		return "cannot be made more than 1000 times as long by " + f.Name
	}
	s.functions, s.runs = append(s.functions, call), append(s.runs, *step)
	s.domain = value.DomainOf(f.Type(d.Type))
	return ""
}

// isText reports whether values of a domain are strings, or binaries that may be.
func isText(d *value.Domain) bool {
	return d.Kind == value.OfBytes && d.Type.Logical != vector.UUID && d.Ordered()
}

// before returns the test of the column's values: those pass whose results, by the
// source's functions, pass inner.
func (s *source) before(inner slotTest) slotTest {
	if s.base == nil {
		return inner
	}
	all := inner.set // of the results that may pass
	name := string(s.withFunctions().AppendTo(nil))
	inner.set.Null = false
	out := slotTest{domain: s.base, words: inner.describe(name)}
	casts := slices.ContainsFunc(s.runs, isCast)
	if all.Null && casts {
		out.words += " OR " + name + " IS NULL"
	}
	test := inner.valueTest
	if test == nil {
		if (all.HasNoValues() || all.HasAllValues()) && !casts {
			all.NaN = all.HasAllValues() // a NaN has a text, too
			return slotTest{domain: s.base, set: all}
		}
		inner.valueTest = inner.domain.Lower(&inner.set)
	}
	inner.set.Null = all.Null
	if upper := s.functions[0].Name == "upper"; len(s.functions) == 1 && (upper || s.functions[0].Name == "lower") {
		set, ok := unfolded(all, inner.domain, upper)
		if ok && test == nil {
			set.Null = all.Null
			return slotTest{domain: s.base, set: set}
		}
	}
	out.set = s.mayPass(all)
	out.set.Null, out.set.NaN = all.Null, s.base.HasNaN()
	functions := s.functions
	first := slotTest{domain: s.base, set: out.set}
	if !first.allValues() {
		first.valueTest = s.base.Lower(&first.set)
	}
	var spare sync.Pool
	out.valueTest = pred.By(func(v *vector.Vector, sel []uint64) {
		first.filter(sel, v)
		results, ok := spare.Get().(*function.Results)
		if !ok {
			results = function.NewResults()
		}
		inner.filter(sel, results.Of(functions, v, sel))
		spare.Put(results)
	})
	return out
}

// mayPass returns a superset of the values whose results are in a set.
func (s *source) mayPass(set value.Subset) value.Subset {
	for i := len(s.functions) - 1; i >= 0; i-- {
		switch c := &s.functions[i]; {
		case c.ReturnsFront():
			set = mayBegin(&set)
		case c.Name == "lower", c.Name == "upper":
			set = mayFold(&set, c.Name == "upper")
		default:
			return value.AllValues()
		}
	}
	return set
}

// withFunctions returns the operand with the functions alone that are run and are bound so far.
func (s *source) withFunctions() *tree.Operand {
	o := s.Operand
	o.Steps = s.runs
	return &o
}

// isCast reports whether a step is a cast of a string, whose result may be NULL where the string is not.
func isCast(step tree.Step) bool { return step.Op == tree.Cast && step.To.Name != value.ToText }

// isRun reports whether a step is a function that is run, and not inverted. So is a cast to text.
func isRun(step *tree.Step) bool {
	return step.Op == tree.Call && step.Function.Inverse == value.NoInverse || step.Op == tree.Cast && step.To.Name == value.ToText
}

// bindResult is bindScalar with functions.
func (b *binder) bindResult(c *Compute, s *source) (scalarFunc, bool) {
	of, ok := b.bindScalar(c, s)
	if len(s.functions) == 0 {
		return of, ok
	}
	return func(columns []*vector.Vector, n int, sel []uint64) *vector.Vector {
		v := of(columns, n, sel)
		there := slices.Clone(sel[:bits.Words(n)])
		if len(v.Validity) > 0 {
			bits.And(there, v.Validity[:len(there)])
		}
		return function.NewResults().Of(s.functions, v, there)
	}, ok
}

// mostUnfolded bounds how many strings, or prefixes of strings, stand for one in lower or
// upper case.
const mostUnfolded = 64

// unfolded returns the strings that are in a set in lower or upper case, where they are few:
// 'US', 'Us', 'uS' and 'us' for 'us'. ok is false for other sets.
func unfolded(set value.Subset, d *value.Domain, upper bool) (value.Subset, bool) {
	if negation := set.Negated(); negation.Intervals() < set.Intervals() || !bounded(&set) {
		out, ok := unfoldedPoints(&negation, d, upper)
		return out.Negated(), ok
	}
	return unfoldedPoints(&set, d, upper)
}

// bounded reports whether no interval of a set is without an end.
func bounded(set *value.Subset) bool {
	_, hi := set.Interval(set.Intervals() - 1)
	return hi.End == 0
}

func unfoldedPoints(set *value.Subset, d *value.Domain, upper bool) (value.Subset, bool) {
	var all [][2]value.Cut
	points, ok := d.Enumerate(set, mostUnfolded)
	if !ok {
		return value.Subset{}, false
	}
	for _, s := range points {
		variants, rest := unfold(s, upper, mostUnfolded-len(all))
		if rest != "" {
			return value.Subset{}, false
		}
		for _, v := range variants {
			p := value.PlaceBytes(v)
			all = append(all, [2]value.Cut{p.Lo, p.Hi})
		}
	}
	return value.Union(all), true
}

// mayFold returns a superset of the strings that are in a set in lower or upper case: those
// that begin as its intervals do.
func mayFold(set *value.Subset, upper bool) value.Subset {
	var all [][2]value.Cut
	for i := range set.Intervals() {
		lo, hi := set.Interval(i)
		if lo.End != 0 || hi.End != 0 {
			return value.AllValues()
		}
		variants, _ := unfold(commonPrefix(lo.Key, hi.Key), upper, mostUnfolded-len(all))
		for _, v := range variants {
			if v == "" {
				return value.AllValues()
			}
			all = append(all, [2]value.Cut{{Key: v}, value.AfterPrefix(v)})
		}
	}
	return value.Union(all)
}

// mayBegin returns a superset of the strings that begin with one of a set.
func mayBegin(set *value.Subset) value.Subset {
	var all [][2]value.Cut
	for i := range set.Intervals() {
		lo, hi := set.Interval(i)
		for n := range len(hi.Key) {
			if front := hi.Key[:n]; lo.End < 0 || front >= lo.Key { // what begins with it may be beyond hi
				hi = value.AfterPrefix(front)
				break
			}
		}
		all = append(all, [2]value.Cut{lo, hi})
	}
	return value.Union(all)
}

// commonPrefix returns the code points that all strings from lo up to hi begin with.
func commonPrefix(lo, hi string) string {
	n := 0
	for n < len(lo) && n < len(hi) && lo[n] == hi[n] {
		n++
	}
	if n < len(lo) && n == len(hi)-1 && hi[n] == lo[n]+1 {
		n++ // of [ab, ac), all begin with ab
	}
	if hi == lo+"\x00" {
		n = len(lo)
	}
	out := 0
	for out < n {
		r, size := utf8.DecodeRuneInString(lo[out:])
		if out+size > n || r == utf8.RuneError {
			break
		}
		out += size
	}
	return lo[:out]
}

// unfold returns the strings that are s, or a prefix of it, in lower or upper case, and the
// rest of s. It stops before there are more than limit. None are returned if no
// string is s in that case.
func unfold(s string, upper bool, limit int) (all []string, rest string) {
	all = []string{""}
	for rest = s; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		letters := []string{rest[:size]}
		if r != utf8.RuneError || size > 1 {
			letters = casesOf(r, upper)
		}
		if len(all)*len(letters) > limit || limit <= 0 {
			return all, rest
		}
		next := make([]string, 0, len(all)*len(letters))
		for _, front := range all {
			for _, letter := range letters {
				next = append(next, front+letter)
			}
		}
		all, rest = next, rest[size:]
	}
	return all, ""
}

// casesOf returns the code points that are r in lower or upper case.
func casesOf(r rune, upper bool) (all []string) {
	fold := unicode.ToLower
	alone := 'İ' // has i for its lower case and is no case of it; so has ı I
	if upper {
		fold, alone = unicode.ToUpper, 'ı'
	}
	for c := unicode.SimpleFold(r); ; c = unicode.SimpleFold(c) {
		if fold(c) == r {
			all = append(all, string(c))
		}
		if c == r {
			break
		}
	}
	if fold(alone) == r && !slices.Contains(all, string(alone)) {
		all = append(all, string(alone))
	}
	return all
}
