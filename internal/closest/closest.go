package closest

import (
	"cmp"
	"strings"
)

// Of returns the one of n names that is most like a name, or has it in it; "" if none is similar.
func Of(name string, n int, is func(i int) string) string {
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
		if d := distance(lower, strings.ToLower(other)); d <= best && (found == "" || d < best) {
			best, found = d, other
		}
	}
	return cmp.Or(found, part)
}

// distance returns the Levenshtein distance of two strings, in bytes.
func distance(a, b string) int {
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
