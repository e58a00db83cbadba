package compile

import (
	"reflect"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// compileSearch compiles LIKE, regular expressions and searches in strings. A
// pattern that is equivalent to comparisons, such as a prefix, becomes a subset.
func (b *binder) compileSearch(e *tree.Condition, s *source) (t, f slotTest) {
	d := s.domain
	t, f = slotTest{domain: d}, slotTest{domain: d}
	if d.Kind == value.OfUnknown {
		return t, f
	}
	if !function.Texts.Has(d) || s.chain != nil {
		b.fail(e.Left.At, s.name()+" is no string: it is "+d.Type.String())
		return t, f
	}
	if e.Escape != 0 && (!utf8.ValidRune(e.Escape) || e.Escape == utf8.RuneError) {
		b.fail(e.Left.At, "the ESCAPE of a LIKE is no character")
		return t, f
	}
	var p *pred.Test
	prefix := ""
	switch e.Op {
	case tree.Like:
		p = pred.LikePattern([]byte(e.Text), e.Escape)
		prefix = string(p.Prefix())
	case tree.Prefix, tree.Suffix, tree.Contains:
		kinds := [...]pred.Kind{tree.Prefix: pred.Prefix, tree.Suffix: pred.Suffix, tree.Contains: pred.Contains}
		p = pred.Text(kinds[e.Op], []byte(e.Text))
	case tree.Match:
		p, prefix = matchTest(e.Regexp)
	}
	switch text := string(p.Text); {
	case p.Kind == pred.Equal:
		t.set = value.PlaceBytes(text).Compare(value.Eq)
	case p.Kind == pred.Prefix:
		t.set = startingWith(text)
	case text == "" && (p.Kind == pred.Suffix || p.Kind == pred.Contains):
		t.set = value.AllValues()
	default:
		t.valueTest, t.set, t.phrase = p, startingWith(prefix), phraseOf(e, p)
		other := *p
		other.Negate = true
		f.valueTest, f.set, f.phrase = &other, value.AllValues(), t.phrase
		return t, f
	}
	f.set = t.set.Negated()
	return t, f
}

// phraseOf describes a search, for after the column's name.
func phraseOf(e *tree.Condition, p *pred.Test) string {
	switch {
	case p.Kind == pred.Suffix:
		return "ends with " + value.Abbreviated(string(p.Text))
	case p.Kind == pred.Contains:
		return "contains " + value.Abbreviated(string(p.Text))
	case e.Op == tree.Like:
		text := "like " + value.Abbreviated(e.Text)
		if e.Escape != 0 {
			text += " escape " + value.Abbreviated(string(e.Escape))
		}
		return text
	}
	return "matches " + value.Abbreviated(e.Text)
}

// startingWith returns the strings with a prefix.
func startingWith(s string) value.Subset {
	if s == "" {
		return value.AllValues()
	}
	return value.Between(value.Cut{Key: s}, value.AfterPrefix(s))
}

// matchTest returns the test of a regular expression, and a prefix of all strings
// that it matches. An expression that is a literal, with or without anchors, becomes
// a search for that literal:
//
//	^ab$  equal      ^ab  prefix      ab$  suffix      ab  x*ab.?  contains
//	^ab.*c           the expression itself, prefix "ab"
func matchTest(re *regexp.Regexp) (t *pred.Test, prefix string) {
	t = pred.By(func(v *vector.Vector, sel []uint64) {
		for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
			if !re.Match(v.Bytes(i)) {
				bits.Clear(sel, i)
			}
		}
	})
	if again, err := regexp.Compile(re.String()); err != nil || !reflect.DeepEqual(re, again) {
		return t, "" // made by CompilePOSIX: the same text has another meaning
	}
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return t, ""
	}
	parts := appendParts(nil, tree)
	front, back := false, false
	for ; len(parts) > 0 && parts[0].Op == syntax.OpBeginText; parts = parts[1:] {
		front = true
	}
	for ; len(parts) > 0 && parts[len(parts)-1].Op == syntax.OpEndText; parts = parts[:len(parts)-1] {
		back = true
	}
	// At an end without an anchor, a part that can be empty has no effect.
	for ; !front && len(parts) > 0 && canBeEmpty(parts[0]); parts = parts[1:] {
	}
	for ; !back && len(parts) > 0 && canBeEmpty(parts[len(parts)-1]); parts = parts[:len(parts)-1] {
	}
	var text strings.Builder
	for len(parts) > 0 && isLiteral(parts[0]) {
		text.WriteString(string(parts[0].Rune))
		parts = parts[1:]
	}
	switch {
	case len(parts) == 0:
		anchored := map[[2]bool]pred.Kind{{true, true}: pred.Equal, {true, false}: pred.Prefix, {false, true}: pred.Suffix, {}: pred.Contains}
		return pred.Text(anchored[[2]bool{front, back}], []byte(text.String())), ""
	case !front:
		return t, ""
	}
	return t, text.String()
}

// appendParts appends the parts of re, which match one after the other.
func appendParts(parts []*syntax.Regexp, re *syntax.Regexp) []*syntax.Regexp {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return parts
	case syntax.OpConcat, syntax.OpCapture:
		for _, s := range re.Sub {
			parts = appendParts(parts, s)
		}
		return parts
	}
	return append(parts, re)
}

func canBeEmpty(re *syntax.Regexp) bool {
	return re.Op == syntax.OpStar || re.Op == syntax.OpQuest || re.Op == syntax.OpRepeat && re.Min == 0
}

// isLiteral reports whether re matches exactly its own bytes. U+FFFD does not: it
// matches any invalid byte.
func isLiteral(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase == 0 && !strings.ContainsRune(string(re.Rune), utf8.RuneError)
}
