package tree

import (
	"cmp"
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

// Closest returns the one of n names that is most like a name, or has it in it, for error messages; "" if
// none is similar.
func Closest(name string, n int, is func(i int) string) string {
	const maxLength, maxNames = 64, 10_000 // a hostile file may have any number of names, of any length
	if len(name) > maxLength || n > maxNames {
		return ""
	}
	best, found := 1+len(name)/3, ""
	part := "" // the shortest that has the name in it
	lower := strings.ToLower(name)
	for i := range n {
		other := is(i)
		if len(other) > maxLength {
			continue
		}
		if len(name) > 2 && strings.Contains(strings.ToLower(other), lower) && (part == "" || len(other) < len(part)) {
			part = other
		}
		if d := editDistance(lower, strings.ToLower(other)); d <= best && (found == "" || d < best) {
			best, found = d, other
		}
	}
	return cmp.Or(found, part)
}

// editDistance returns the Levenshtein distance of two strings, in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := last
			if a[i] != b[j] {
				change++
			}
			last = row[j+1]
			row[j+1] = min(change, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
