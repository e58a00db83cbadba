package sqlitescan

import (
	"strings"

	"modernc.org/sqlite/vtab"

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
func lower(s string) string { return inCase(s, 0x20) }
func upper(s string) string { return inCase(s, 0) }

// inCase gives each ASCII letter the bit that tells its case.
func inCase(s string, bit byte) string {
	b := []byte(s)
	for i, c := range b {
		if isLetter(c) {
			b[i] = c&^0x20 | bit
		}
	}
	return string(b)
}

// textual compares texts.
func textual(c *column, op vtab.ConstraintOp, v any) *filter.Expr {
	s := v.(string)
	switch op {
	case vtab.OpEQ:
		return anyPrefix(c.col(), compared(s))
	case vtab.OpNE:
		return c.col().Ne(s) // under any collation, a text equals itself
	case vtab.OpLT, vtab.OpLE:
		return atMostText(c.col(), s)
	}
	return atLeastText(c.col(), s)
}

// like passes what SQLite's LIKE passes, which ignores the case of ASCII letters.
func like(c *column, _ vtab.ConstraintOp, v any) *filter.Expr {
	p := pattern(v.(string), "%_")
	front := strings.TrimSuffix(p, "%")
	if front != "" && !strings.ContainsAny(front, `%\`) && len(prefixes(front)[0]) == len(front) {
		return anyPrefix(c.col(), front) // which costs less than a function of each text
	}
	return matching(c.col().Lower(), strings.ToLower(p))
}

func glob(c *column, _ vtab.ConstraintOp, v any) *filter.Expr {
	return matching(c.col(), pattern(v.(string), "*?["))
}

// pattern returns one of the scan's LIKE, with \ for its escape, that all texts match which match one of SQLite with
// wildcards. SQLite reads pattern and text up to a NUL, and takes bytes that are not UTF-8, of a text as well, for
// U+FFFD.
func pattern(of, wildcards string) string {
	var b strings.Builder
	wild := false
	for _, r := range of {
		if r == 0 || r == '[' && strings.Contains(wildcards, "[") {
			break
		}
		if strings.ContainsRune(wildcards, r) || r == '\ufffd' {
			wild = true
			continue
		}
		if wild {
			b.WriteByte('%')
		}
		if strings.ContainsRune(`%_\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		wild = false
	}
	return b.String() + "%"
}

func matching(c filter.Column, pattern string) *filter.Expr {
	if pattern == "%" {
		return c.IsNotNull()
	}
	return c.LikeEscape(pattern, '\\')
}
