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
	if x, ok := parsePlain(a); ok {
		if y, ok := parsePlain(b); ok {
			return x.compare(&y)
		}
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

// plain is a number without an exponent.
type plain struct {
	negative        bool
	whole, fraction string // digits, without zeros at the start and at the end
}

func parsePlain(s string) (p plain, ok bool) {
	s, p.negative = strings.CutPrefix(s, "-")
	p.whole, p.fraction, _ = strings.Cut(s, ".")
	if p.whole == "" || !allDigits(p.whole) || !allDigits(p.fraction) {
		return p, false
	}
	p.whole, p.fraction = strings.TrimLeft(p.whole, "0"), strings.TrimRight(p.fraction, "0")
	p.negative = p.negative && p.whole+p.fraction != ""
	return p, true
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func (p *plain) compare(o *plain) int {
	switch {
	case p.negative && !o.negative:
		return -1
	case o.negative && !p.negative:
		return 1
	case p.negative:
		p, o = o, p
	}
	if d := len(p.whole) - len(o.whole); d != 0 {
		return d
	}
	if order := strings.Compare(p.whole, o.whole); order != 0 {
		return order
	}
	return strings.Compare(p.fraction, o.fraction)
}

// parseNumber reads a number as SQLite writes them, with an exponent or without.
func parseNumber(s string) (*big.Rat, bool) {
	if s == "" || len(s) > 400 || strings.Trim(s, "+-.0123456789eE") != "" {
		return nil, false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(s)-i > 5 {
		return nil, false // its digits would fill memory
	}
	return new(big.Rat).SetString(s)
}
