package naive

import (
	"cmp"
	"math"
	"math/big"
	"strings"
	"unicode/utf8"
)

// Decimal is an exact number that meets floats as the float next to it, of their width: a
// value of a decimal column with digits behind the point, or a literal with a point or an
// exponent. Where no float is near, it meets them exactly.
type Decimal struct{ Exact *big.Rat }

// Single and Half are floats of 32 and 16 bits. A float64 is one of 64.
type (
	Single float32
	Half   float64
)

// floatOf returns a float's value, and the function that rounds a number to its width.
func floatOf(v any) (f float64, round func(*big.Rat) float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, func(r *big.Rat) float64 { f, _ := r.Float64(); return f }, true
	case Single:
		return float64(v), func(r *big.Rat) float64 { f, _ := r.Float32(); return float64(f) }, true
	case Half:
		return float64(v), roundHalf, true
	}
	return 0, nil, false
}

// roundHalf rounds to a multiple of the step that half-precision numbers of this size have,
// halfway to an even one.
func roundHalf(r *big.Rat) float64 {
	size, _ := new(big.Rat).Abs(r).Float64()
	exponent := -14
	if size > 0 {
		exponent = max(exponent, math.Ilogb(size))
	}
	step := new(big.Rat).SetFloat64(math.Ldexp(1, min(exponent, 16)-10))
	steps := new(big.Rat).Quo(r, step)
	floor := new(big.Int).Div(steps.Num(), steps.Denom())
	rest := new(big.Rat).Sub(steps, new(big.Rat).SetInt(floor))
	if c := rest.Cmp(big.NewRat(1, 2)); c > 0 || c == 0 && floor.Bit(0) == 1 {
		floor.Add(floor, big.NewInt(1))
	}
	f, _ := new(big.Rat).Mul(step, new(big.Rat).SetInt(floor)).Float64()
	if math.Abs(f) >= 65520 {
		return math.Inf(r.Sign())
	}
	return f
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
	}
	f, round, isFloat := floatOf(a)
	g, _, alsoFloat := floatOf(b)
	switch {
	case isFloat && alsoFloat:
		return cmp.Compare(f, g), f == f && g == g
	case alsoFloat:
		order, comparable = Order(b, a)
		return -order, comparable
	case isFloat:
		if d, ok := b.(Decimal); ok {
			if near := round(d.Exact); !math.IsInf(near, 0) {
				return cmp.Compare(f, near), f == f
			}
		}
		return floatToExact(f, exact(b)), f == f
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
func like(pattern, text string, escape rune, fold bool) bool {
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
				next[j] = fits[j-1] && (any || s[j-1] == c || fold && inCase(s[j-1], false) == inCase(c, false))
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
