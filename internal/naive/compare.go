package naive

import (
	"cmp"
	"math"
	"math/big"
	"strings"
	"unicode/utf8"
)

// Decimal is an exact number that meets floats as the double next to it: a
// value of a decimal column with digits behind the point, or a literal with a
// point or an exponent.
type Decimal struct {
	Exact *big.Rat
	Float float64
}

// DecimalOf returns a Decimal, or an exact number where no double is near.
func DecimalOf(exact *big.Rat) any {
	f, _ := exact.Float64()
	if math.IsInf(f, 0) {
		return exact
	}
	return Decimal{exact, f}
}

func compare(op Op, a, b any) Truth {
	if a == nil || b == nil {
		return Unknown
	}
	o, comparable := Order(a, b)
	if !comparable { // NaN
		return truth(op == Ne)
	}
	switch op {
	case Eq:
		return truth(o == 0)
	case Ne:
		return truth(o != 0)
	case Lt:
		return truth(o < 0)
	case Le:
		return truth(o <= 0)
	case Gt:
		return truth(o > 0)
	}
	return truth(o >= 0)
}

// Order compares two values of a family that are not NULL; NaN compares with
// nothing.
func Order(a, b any) (order int, comparable bool) {
	switch a := a.(type) {
	case string:
		return strings.Compare(a, b.(string)), true
	case bool:
		switch {
		case a == b.(bool):
			return 0, true
		case a:
			return 1, true
		}
		return -1, true
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b), true
		}
	case float64:
		switch b := b.(type) {
		case float64:
			return cmp.Compare(a, b), a == a && b == b
		case Decimal:
			return cmp.Compare(a, b.Float), a == a
		}
		return floatToExact(a, exact(b)), a == a
	}
	if f, ok := b.(float64); ok {
		order, comparable = Order(f, a)
		return -order, comparable
	}
	return exact(a).Cmp(exact(b)), true
}

func exact(v any) *big.Rat {
	switch v := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(v)
	case Decimal:
		return v.Exact
	}
	return v.(*big.Rat)
}

func floatToExact(f float64, r *big.Rat) int {
	if f != f || math.IsInf(f, 0) {
		return cmp.Compare(f, 0)
	}
	return new(big.Rat).SetFloat64(f).Cmp(r)
}

// like fills the table of what fits what: fits[j] says whether the pattern so
// far fits the first j characters.
func like(pattern, text string, escape rune) bool {
	s := characters(text)
	fits := make([]bool, len(s)+1)
	fits[0] = true
	p := characters(pattern)
	for i := 0; i < len(p); i++ {
		next := make([]bool, len(s)+1)
		c, any, many := p[i], p[i] == "_", p[i] == "%"
		if escape != 0 && c == string(escape) && i+1 < len(p) {
			i++
			c, any, many = p[i], false, false
		}
		if many {
			next[0] = fits[0]
		}
		for j := 1; j <= len(s); j++ {
			if many {
				next[j] = fits[j] || next[j-1]
			} else {
				next[j] = fits[j-1] && (any || s[j-1] == c)
			}
		}
		fits = next
	}
	return fits[len(s)]
}

// characters returns the code points of s; a byte that is part of none counts
// as one.
func characters(s string) (all []string) {
	for len(s) > 0 {
		_, n := utf8.DecodeRuneInString(s)
		all = append(all, s[:n])
		s = s[n:]
	}
	return all
}
