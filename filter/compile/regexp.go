package compile

import (
	"reflect"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
)

// matchTest returns the test of a regular expression, and a prefix of all strings
// that it matches. An expression that is a literal, with or without anchors, becomes
// a search for that literal:
//
//	^ab$  equal      ^ab  prefix      ab$  suffix      ab  x*ab.?  contains
//	^ab.*c           the expression itself, prefix "ab"
func matchTest(re *regexp.Regexp) (t *pred.Test, prefix string) {
	t = pred.By(func(v *vector.Vector, sel []uint64) { keepMatches(re, v, sel) })
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
