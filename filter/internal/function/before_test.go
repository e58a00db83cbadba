package function

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/filter/internal/value"
)

// TestCases: all code points that have another for their lower or upper case are found from it.
func TestCases(t *testing.T) {
	for _, upper := range []bool{false, true} {
		found := 0
		for c := rune(0); c <= unicode.MaxRune; c++ {
			if !utf8.ValidRune(c) {
				continue
			}
			of := string(strings.ToLower(string(c)))
			if upper {
				of = strings.ToUpper(string(c))
			}
			r, _ := utf8.DecodeRuneInString(of)
			if !slices.Contains(casesOf(r, upper), string(c)) {
				t.Errorf("%U is %U in another case, of which %q were found", c, r, casesOf(r, upper))
			}
			if found++; value.Folded("1234567"+string(c)+"z", upper) != strings.Map(map[bool]func(rune) rune{false: unicode.ToLower, true: unicode.ToUpper}[upper], "1234567"+string(c)+"z") {
				t.Errorf("%U is %q", c, value.Folded(string(c), upper))
			}
		}
		if found < 1_000_000 {
			t.Errorf("%d code points only", found)
		}
	}
}

// TestMayBegin: whatever begins with a string of a set is in the superset, and what a set of one
// string cannot begin is not.
func TestMayBegin(t *testing.T) {
	all := []string{""}
	for i := 0; len(all) < 1+3+9+27+81; i++ {
		all = append(all, all[i]+"a", all[i]+"b", all[i]+"\xff")
	}
	r := rand.New(rand.NewPCG(1, 2))
	cut := func() value.Cut {
		if n := r.IntN(40); n < 3 {
			return value.Cut{End: int8(n - 1), Key: map[int]string{1: "ab"}[n]}
		}
		return value.Cut{Key: all[r.IntN(len(all))] + []string{"", "\x00"}[r.IntN(2)]}
	}
	has := func(set *value.Subset, s string) bool {
		for i := range set.Intervals() {
			lo, hi := set.Interval(i)
			if (lo.End < 0 || lo.End == 0 && lo.Key <= s) && (hi.End > 0 || hi.End == 0 && s < hi.Key) {
				return true
			}
		}
		return false
	}
	for range 3000 {
		set := value.Union([][2]value.Cut{{cut(), cut()}, {cut(), cut()}}[:1+r.IntN(2)])
		may, _ := mayBegin(&set, nil)
		for _, s := range all {
			for n := range len(s) + 1 {
				if has(&set, s[:n]) && !has(&may, s) {
					t.Fatalf("%q begins with %q, which %+v has, and %+v lacks it", s, s[:n], set, may)
				}
			}
		}
	}
	p := value.PlaceBytes("ab")
	set := value.Union([][2]value.Cut{{p.Lo, p.Hi}})
	may, _ := mayBegin(&set, nil)
	for _, s := range all {
		if has(&may, s) != strings.HasPrefix(s, "ab") {
			t.Errorf("%q: %t of those that begin with ab", s, has(&may, s))
		}
	}
}
