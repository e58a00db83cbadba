package function

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/filter/internal/value"
)

// superset returns which values may have a result in a set, given the constants of a call. exact says
// that all of them have.
type superset func(set *value.Subset, constants []*value.Literal) (may value.Subset, exact bool)

// Before returns a superset of the values whose results by calls are in a set. exact says that it
// has no others.
func Before(set value.Subset, calls []Call) (may value.Subset, exact bool) {
	exact = true
	for _, c := range slices.Backward(calls) {
		if c.before == nil {
			return value.AllValues(), false
		}
		var is bool
		set, is = c.before(&set, c.Constants)
		exact = exact && is
	}
	return set, exact
}

// mayBegin is the superset of what returns the front of its value.
func mayBegin(set *value.Subset, _ []*value.Literal) (may value.Subset, exact bool) {
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
	return value.Union(all), false
}

// mayBeginFirst is mayBegin for a substr from the start.
func mayBeginFirst(set *value.Subset, constants []*value.Literal) (may value.Subset, exact bool) {
	if from, _ := integer(constants[0]); from != 0 && from != 1 {
		return value.AllValues(), false
	}
	return mayBegin(set, constants)
}

// mayFold is the superset of lower, or of upper: 'US', 'Us', 'uS' and 'us' for 'us'.
func mayFold(upper bool) superset {
	return func(set *value.Subset, _ []*value.Literal) (may value.Subset, exact bool) {
		negation := set.Negated()
		if others, exact := unfolded(&negation, upper); exact {
			return others.Negated(), true
		}
		return unfolded(set, upper)
	}
}

// mostUnfolded bounds how many strings, or prefixes of strings, stand for one in lower or
// upper case.
const mostUnfolded = 64

// unfolded returns the strings that are in a set in lower or upper case where these are few, else
// those that begin as its intervals do.
func unfolded(set *value.Subset, upper bool) (may value.Subset, exact bool) {
	var all [][2]value.Cut
	exact = true
	for i := range set.Intervals() {
		lo, hi := set.Interval(i)
		front, single := lo.Key, hi.End == 0 && hi.Key == lo.Key+"\x00"
		switch {
		case single:
		case lo.End != 0 || hi.End != 0:
			return value.AllValues(), false
		default:
			front = commonPrefix(lo.Key, hi.Key)
		}
		variants, rest := unfold(front, upper, mostUnfolded-len(all))
		exact = exact && single && rest == ""
		for _, v := range variants {
			p := value.PlaceBytes(v)
			if !single || rest != "" {
				p.Hi = value.AfterPrefix(v)
			}
			all = append(all, [2]value.Cut{p.Lo, p.Hi})
		}
	}
	return value.Union(all), exact
}

// commonPrefix returns the code points that all strings from lo up to hi begin with.
func commonPrefix(lo, hi string) string {
	for out := 0; ; {
		r, size := utf8.DecodeRuneInString(lo[out:])
		letter := lo[out : out+size]
		switch {
		case r == utf8.RuneError: // or the end
			return lo[:out]
		case value.AfterPrefix(letter).Key == hi[out:]: // of [ab, ac), all begin with ab
			return lo[:out+size]
		case !strings.HasPrefix(hi[out:], letter):
			return lo[:out]
		}
		out += size
	}
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
