package sqlitescan

import (
	"strings"

	"github.com/winnow-scan/winnow/filter"
)

// Conditions on texts. Their collation is not known: they pass what passes under any of
// SQLite's own, BINARY, NOCASE (which ignores the case of ASCII letters, and what is behind a NUL)
// and RTRIM (which ignores spaces at the end).

// compared returns the start of a text that each collation compares.
func compared(s string) string {
	s, _, _ = strings.Cut(strings.TrimRight(s, " "), "\x00")
	return strings.TrimRight(s, " ")
}

// maxCases bounds in how many spellings a prefix is searched.
const maxCases = 16

// prefixes returns the spellings of the longest start of s that has at most maxCases of
// them: in lower and upper case, letter by letter.
func prefixes(s string) []string {
	all := []string{""}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isLetter(c) {
			for k := range all {
				all[k] += string(s[i : i+1])
			}
			continue
		}
		if 2*len(all) > maxCases {
			break
		}
		more := make([]string, 0, 2*len(all))
		for _, p := range all {
			more = append(more, p+string(rune(c&^0x20)), p+string(rune(c|0x20)))
		}
		all = more
	}
	return all
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// anyPrefix returns the condition that a text begins with s in any case, nil if all texts do.
func anyPrefix(c filter.Column, s string) *filter.Expr {
	var some []*filter.Expr
	for _, p := range prefixes(s) {
		if p == "" {
			return nil
		}
		some = append(some, c.Prefix(p))
	}
	return filter.Or(some...)
}

// equalText returns the condition that a text equals s.
func equalText(c filter.Column, s string) *filter.Expr {
	return anyPrefix(c, compared(s))
}

// atLeastText returns the condition that a text is s or greater.
//
// NOCASE compares lower case. In upper case the order is the same but for the six
// characters between Z and a: below these are letters in upper case, above them in lower
// case. So the bound ends with an A where s has one of them.
func atLeastText(c filter.Column, s string) *filter.Expr {
	low := compared(s)
	if i := strings.IndexFunc(low, func(r rune) bool { return 'Z' < r && r < 'a' }); i >= 0 {
		low = low[:i] + "A"
	}
	if low = upper(low); low == "" {
		return nil
	}
	return c.Ge(low)
}

// atMostText returns the condition that a text is s or less.
//
// RTRIM has any number of spaces behind equal texts: these are below s with a "!",
// which follows the space. Characters below the space would be less than such spaces.
func atMostText(c filter.Column, s string) *filter.Expr {
	high := compared(s)
	if i := strings.IndexFunc(high, func(r rune) bool { return r < ' ' }); i >= 0 {
		high = high[:i]
	}
	return c.Lt(lower(high) + "!")
}

// foldText returns the same text for all texts that are equal under any of SQLite's collations.
func foldText(s string) string { return lower(compared(s)) }

// lower and upper change ASCII letters only, as NOCASE does.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if isLetter(c) {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if isLetter(c) {
			b[i] = c &^ 0x20
		}
	}
	return string(b)
}

// patternPrefix returns what all texts begin with that match a pattern with wildcards. SQLite reads a pattern up to
// a NUL, and takes bytes that are not UTF-8, of a text as well, for U+FFFD.
func patternPrefix(pattern, wildcards string) string {
	if i := strings.IndexAny(strings.ToValidUTF8(pattern, "\ufffd"), wildcards+"\x00\ufffd"); i >= 0 {
		return pattern[:i]
	}
	return pattern
}
