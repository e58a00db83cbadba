package tree

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// NameLength returns the length in bytes of the name at the front of s: letters of
// any alphabet, digits, _ and $.
func NameLength(s string) int {
	for i, r := range s {
		switch {
		case r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
		case r == utf8.RuneError || r < utf8.RuneSelf && !(i > 0 && (r == '$' || r >= '0' && r <= '9')):
			return i
		case r >= utf8.RuneSelf && !unicode.IsLetter(r) && !(i > 0 && (unicode.IsDigit(r) || unicode.IsMark(r))):
			return i
		}
	}
	return len(s)
}

// Reserved reports whether a name is a keyword everywhere, so that a column with
// this name needs quotes.
func Reserved(name string) bool {
	switch strings.ToUpper(name) {
	case "AND", "OR", "NOT", "IN", "LIKE", "ESCAPE", "BETWEEN", "IS", "NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIMESTAMP":
		return true
	}
	return false
}

// QuoteName returns a name as the parser reads it, in quotes if it needs them. So does interval,
// which begins a literal in front of a minus.
func QuoteName(name string) string {
	if name != "" && NameLength(name) == len(name) && !Reserved(name) && !strings.EqualFold(name, "INTERVAL") {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
