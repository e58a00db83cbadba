package compile

import (
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// compileSearch compiles LIKE, regular expressions and searches in strings. A
// pattern that is equivalent to comparisons, such as a prefix, becomes a subset.
func (b *binder) compileSearch(e *tree.Condition, s *source) (t, f slotTest, ok bool) {
	d := s.domain
	t, f = slotTest{domain: d}, slotTest{domain: d}
	if d.Kind == value.OfUnknown {
		return t, f, true
	}
	if !isText(d) || s.chain != nil {
		b.fail(e.Left.At, s.name()+" is no string: it is "+d.Type.String())
		return t, f, false
	}
	if e.Escape != 0 && (!utf8.ValidRune(e.Escape) || e.Escape == utf8.RuneError) {
		b.fail(e.Left.At, "the ESCAPE of a LIKE is no character")
		return t, f, false
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
		return t, f, true
	}
	f.set = t.set.Negated()
	return t, f, true
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
