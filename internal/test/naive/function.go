package naive

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"time"
	"unicode"
)

// call returns what a function returns for a value: moments are nanoseconds since 1970, times since
// midnight.
func (s *Step) call(v any) any {
	if text, isText := v.(string); isText {
		return s.ofText(text)
	}
	if f, _, isFloat := floatOf(v); isFloat {
		switch s.Name {
		case "sign":
			if f == f {
				return ratOfInt(map[bool]int{f > 0: 1, f < 0: -1}[true])
			}
		case "round":
			f = rounded(f, s.digits())
		default:
			f = map[string]func(float64) float64{"abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil}[s.Name](f)
		}
		if _, double := v.(float64); double {
			return f
		}
		return Single(float32(f))
	}
	_, point := v.(Decimal)
	z := s.ofNumber(exact(v))
	if point || s.Name == "epoch" {
		return Decimal{z}
	}
	return z
}

func (s *Step) ofNumber(x *big.Rat) *big.Rat {
	floor := func(x *big.Rat) *big.Rat {
		return new(big.Rat).SetInt(new(big.Int).Div(x.Num(), x.Denom()))
	}
	switch s.Name {
	case "abs":
		return new(big.Rat).Abs(x)
	case "floor":
		return floor(x)
	case "ceil":
		z := floor(new(big.Rat).Neg(x))
		return z.Neg(z)
	case "sign":
		return ratOfInt(x.Sign())
	case "round":
		unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(s.digits(), -s.digits()))), nil))
		if s.digits() > 0 {
			unit.Inv(unit)
		}
		n := new(big.Rat).Quo(x, unit)
		up := floor(n.Add(n.Abs(n), big.NewRat(1, 2)))
		return up.Mul(up.Mul(up, unit), ratOfInt(x.Sign()))
	case "mod":
		by := exact(s.Constants[0])
		q := new(big.Rat).Quo(x, by)
		q.SetInt(new(big.Int).Quo(q.Num(), q.Denom()))
		return q.Sub(x, q.Mul(q, by))
	case "epoch":
		return new(big.Rat).Quo(x, ratOfInt(1e9))
	}
	if s.Name == "timezone" {
		return s.inZone(x)
	}
	days, nanos := new(big.Int).DivMod(x.Num(), big.NewInt(int64(24*time.Hour)), new(big.Int))
	t := time.Unix(days.Int64()*86400, nanos.Int64()).UTC()
	_, week := t.ISOWeek()
	switch s.Name {
	case "date_trunc":
		t = truncated(t, strings.ToLower(s.Constants[0].(string)))
		z := new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9))
		return new(big.Rat).SetInt(z.Add(z, big.NewInt(int64(t.Nanosecond()))))
	case "dayofweek":
		return ratOfInt(int(t.Weekday()))
	case "isodow":
		return ratOfInt(int(t.Add(-24*time.Hour).Weekday()) + 1)
	}
	return ratOfInt(map[string]int{
		"year": t.Year(), "quarter": int(t.Month()-1)/3 + 1, "month": int(t.Month()), "day": t.Day(), "dayofyear": t.YearDay(), "week": week,
		"hour": t.Hour(), "minute": t.Minute(), "second": t.Second(),
	}[s.Name])
}

// inZone tries the offsets of a day before and a day after.
func (s *Step) inZone(x *big.Rat) *big.Rat {
	zone, _ := time.LoadLocation(s.Constants[0].(string))
	shown := func(x *big.Rat, from time.Duration) *big.Rat {
		at := new(big.Int).Div(x.Num(), big.NewInt(1e9)).Int64()
		_, offset := time.Unix(at, 0).Add(from).In(zone).Zone()
		return new(big.Rat).Add(x, new(big.Rat).Mul(ratOfInt(offset), ratOfInt(1e9)))
	}
	if s.As == "instant" {
		return shown(x, 0)
	}
	var all []*big.Rat
	for _, from := range []time.Duration{-24 * time.Hour, 24 * time.Hour} {
		offset := new(big.Rat).Sub(shown(x, from), x)
		all = append(all, new(big.Rat).Sub(x, offset))
	}
	if all[0].Cmp(all[1]) > 0 {
		all[0], all[1] = all[1], all[0]
	}
	if shown(all[1], 0).Cmp(x) != 0 && shown(all[0], 0).Cmp(x) == 0 {
		return all[0]
	}
	return all[1]
}

// digits returns how many digits behind the point round keeps.
func (s *Step) digits() int {
	if len(s.Constants) == 0 {
		return 0
	}
	return int(exact(s.Constants[0]).Num().Int64())
}

// rounded rounds as other engines do: in doubles, by a power of ten.
func rounded(f float64, digits int) float64 {
	whole := math.Round(f * math.Pow(10, float64(digits)))
	if digits > 0 && math.Abs(whole) < 1<<52 { // the exact product
		r := new(big.Rat).SetFloat64(math.Abs(f))
		r.Mul(r, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))).Add(r, big.NewRat(1, 2))
		whole = math.Copysign(float64(new(big.Int).Div(r.Num(), r.Denom()).Int64()), f)
	}
	out := whole / math.Pow(10, float64(digits))
	if digits < 0 {
		out = math.Round(f/math.Pow(10, float64(-digits))) * math.Pow(10, float64(-digits))
	}
	if math.IsInf(out, 0) || math.IsNaN(out) {
		return f
	}
	return out
}

func ratOfInt(n int) *big.Rat { return big.NewRat(int64(n), 1) }

// truncated returns the begin of the unit of time that a moment is in.
func truncated(t time.Time, unit string) time.Time {
	year, month, day := t.Date()
	hour, minute, second, nano := t.Hour(), t.Minute(), t.Second(), t.Nanosecond()
	switch strings.TrimSuffix(unit, "s") {
	case "microsecond":
		nano -= nano % 1e3
	case "millisecond":
		nano -= nano % 1e6
	case "second":
		nano = 0
	case "minute":
		second, nano = 0, 0
	case "hour":
		minute, second, nano = 0, 0, 0
	case "day":
		hour, minute, second, nano = 0, 0, 0, 0
	case "week":
		day -= int(t.Add(-24 * time.Hour).Weekday())
		hour, minute, second, nano = 0, 0, 0, 0
	default:
		months := map[string]int{"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
		at := 12*year + int(month) - 1
		at -= (at%months + months) % months
		return time.Date(0, time.Month(at+1), 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(year, month, day, hour, minute, second, nano, time.UTC)
}

// ofText is call for strings, which are lists of characters here.
func (s *Step) ofText(text string) any {
	all := characters(text)
	number := func(i int) int { return int(exact(s.Constants[i]).Num().Int64()) }
	constant := func(i int) string { return s.Constants[i].(string) }
	// between returns the characters from one on, up to another.
	between := func(from, to int) string {
		from, to = min(max(from, 0), len(all)), min(max(to, 0), len(all))
		return strings.Join(all[from:max(from, to)], "")
	}
	switch s.Name {
	case "strpos":
		for i := range all {
			if strings.HasPrefix(strings.Join(all[i:], ""), constant(0)) {
				return int64(i + 1)
			}
		}
		if constant(0) == "" {
			return int64(1)
		}
		return int64(0)
	case "||":
		return constant(0) + text + constant(1)
	case "length":
		return int64(len(all))
	case "octet_length":
		return int64(len(text))
	case "lower", "upper":
		out := ""
		for _, c := range all {
			out += inCase(c, s.Name == "upper")
		}
		return out
	case "substr":
		from := number(0) - 1
		if from < -1 {
			from += len(all) + 1
		}
		if len(s.Constants) == 1 {
			return between(from, len(all))
		}
		return between(min(from, from+number(1)), max(from, from+number(1)))
	case "left":
		if number(0) < 0 {
			return between(0, len(all)+number(0))
		}
		return between(0, number(0))
	case "right":
		if number(0) < 0 {
			return between(-number(0), len(all))
		}
		return between(len(all)-number(0), len(all))
	case "replace":
		if constant(0) == "" {
			return text
		}
		return strings.Join(strings.Split(text, constant(0)), constant(1))
	case "split_part":
		parts := all
		if constant(0) != "" {
			parts = strings.Split(text, constant(0))
		}
		at := number(1)
		if at < 0 {
			at += len(parts) + 1
		}
		if at < 1 || at > len(parts) {
			return ""
		}
		return parts[at-1]
	}
	has := func(c string) bool {
		if len(s.Constants) == 0 {
			return unicode.Is(unicode.Zs, []rune(c)[0])
		}
		return slices.Contains(characters(constant(0)), c)
	}
	from, to := 0, len(all)
	for s.Name != "rtrim" && from < to && has(all[from]) {
		from++
	}
	for s.Name != "ltrim" && from < to && has(all[to-1]) {
		to--
	}
	return between(from, to)
}
