package scanner

import "strings"

// understates reports whether a file's writer forgot the header of the
// dictionary page when it counted the bytes of a chunk, as parquet-mr did
// before 1.2.9. It names itself like "parquet-mr version 1.2.8 (build ...)".
func understates(createdBy string) bool {
	rest, ok := strings.CutPrefix(createdBy, "parquet-mr")
	if !ok {
		return false
	}
	rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "version ")
	if !ok {
		return strings.TrimSpace(rest) == "" // the oldest did not tell their version
	}
	fixed := [3]int{1, 2, 9}
	for i, part := range strings.SplitN(strings.TrimSpace(rest), ".", len(fixed)) {
		n, digits := 0, 0
		for digits < len(part) && digits < 4 && '0' <= part[digits] && part[digits] <= '9' {
			n = n*10 + int(part[digits]-'0')
			digits++
		}
		if digits == 0 || n > fixed[i] {
			return false
		}
		if n < fixed[i] {
			return true
		}
	}
	return false
}
