package sqlitescan

import (
	"math/big"
	"strings"
)

// compareNumbers is the collation of texts that are numbers. Texts that are none come after all
// numbers, in the order of their bytes.
func compareNumbers(a, b string) int {
	if a == b {
		return 0
	}
	x, aOK := parseNumber(a)
	y, bOK := parseNumber(b)
	switch {
	case aOK && bOK:
		return x.Cmp(y)
	case aOK:
		return -1
	case bOK:
		return 1
	}
	return strings.Compare(a, b)
}

// parseNumber reads a number as SQLite writes them, with an exponent or without.
func parseNumber(s string) (*big.Rat, bool) {
	if s == "" || len(s) > 200 || strings.ContainsAny(s, "/_xXpPoObB") {
		return nil, false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(s)-i > 5 {
		return nil, false // its digits would fill memory
	}
	return new(big.Rat).SetString(s)
}
