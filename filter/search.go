package filter

import (
	"strings"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
)

// compileSearch compiles LIKE, regular expressions and searches in strings. A
// pattern that is equivalent to comparisons, such as a prefix, becomes a subset.
func (b *binder) compileSearch(e *Expr, s *source) (t, f slotTest, ok bool) {
	d := s.domain
	t, f = slotTest{domain: d}, slotTest{domain: d}
	if d.kind == ofUnknown {
		return t, f, true
	}
	if d.kind != ofBytes || d.typ.Logical == vector.UUID || !d.ordered() {
		b.fail(e.left.at, s.pathText()+" is no string: it is "+d.typ.String())
		return t, f, false
	}
	if e.escape != 0 && (!utf8.ValidRune(e.escape) || e.escape == utf8.RuneError) {
		b.fail(e.left.at, "the ESCAPE of a LIKE is no character")
		return t, f, false
	}
	var p *pred.Test
	prefix := ""
	switch e.op {
	case opLike:
		p = pred.LikePattern([]byte(e.text), e.escape)
		prefix = likePrefix(e.text, e.escape)
	case opPrefix:
		p = pred.Text(pred.Prefix, []byte(e.text))
	case opSuffix:
		p = pred.Text(pred.Suffix, []byte(e.text))
	case opContains:
		p = pred.Text(pred.Contains, []byte(e.text))
	case opMatch:
		p, prefix = matchTest(e.regexp)
	}
	switch text := string(p.Text); {
	case p.Kind == pred.Equal:
		l := placeBytes(text)
		t.set = between(l.lo, l.hi)
		f.set = t.set.negated()
		return t, f, true
	case p.Kind == pred.Prefix:
		t.set = startingWith(text)
		f.set = t.set.negated()
		return t, f, true
	case text == "" && (p.Kind == pred.Suffix || p.Kind == pred.Contains):
		t.set = allValues()
		return t, f, true
	}
	t.valueTest, t.set, t.phrase = p, startingWith(prefix), phraseOf(e, p)
	other := *p
	other.Negate = true
	f.valueTest, f.set, f.phrase = &other, allValues(), t.phrase
	return t, f, true
}

// phraseOf describes a search, for behind the column's name.
func phraseOf(e *Expr, p *pred.Test) string {
	switch {
	case p.Kind == pred.Suffix:
		return "ends with " + abbreviated(string(p.Text))
	case p.Kind == pred.Contains:
		return "contains " + abbreviated(string(p.Text))
	case e.op == opLike:
		return "is like " + abbreviated(e.text)
	}
	return "matches " + abbreviated(e.text)
}

// startingWith returns the strings with a prefix.
func startingWith(s string) subset {
	if s == "" {
		return allValues()
	}
	return between(cut{key: s}, afterPrefix(s))
}

// likePrefix returns a prefix of all strings that match a LIKE pattern.
func likePrefix(pattern string, escape rune) string {
	var out strings.Builder
	escaped := false
	for i, r := range pattern {
		switch {
		case escaped:
			escaped = false
		case r == '%' && r != escape, r == '_' && r != escape:
			return out.String()
		case escape != 0 && r == escape:
			escaped = true
			continue
		}
		if r == '\uFFFD' {
			return out.String() // the pattern may have an invalid byte here
		}
		out.WriteString(pattern[i : i+len(string(r))])
	}
	return out.String()
}
