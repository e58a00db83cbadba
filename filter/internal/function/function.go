package function

import (
	"strings"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Kind says which values a function takes.
type Kind uint8

const (
	Texts    Kind = iota // strings
	Moments              // dates and timestamps
	Clocks               // these and times
	Numbers              // numbers of all types
	Integers             // integers, and decimals in INT32 or INT64
	Scalars              // all that a cast makes a text of
	Spelled              // these, and strings
)

var kindNames = [...]string{Texts: "strings", Moments: "dates and timestamps", Clocks: "dates, timestamps and times", Numbers: "numbers", Integers: "integers and decimals in 32 or 64 bits; CAST others to DECIMAL(18, 2)",
	Scalars: "numbers but FLOATs, booleans, dates, times, timestamps and UUIDs",
	Spelled: "strings, numbers but FLOATs, booleans, dates, times, timestamps and UUIDs"}

func (k Kind) String() string { return kindNames[k] }

// Has reports whether a domain's values are of a kind.
func (k Kind) Has(d *value.Domain) bool {
	family := value.FamilyOf(d)
	switch k {
	case Texts:
		return family == value.ByteStrings
	case Moments:
		return family == value.Moments
	case Clocks:
		return family == value.Moments || family == value.Times
	case Scalars:
		return family != value.Unordered && family != value.ByteStrings && (d.Kind != value.OfFloats || d.Type.Physical == vector.Double)
	case Spelled:
		return family == value.ByteStrings || Scalars.Has(d)
	case Integers:
		return family == value.Numbers && (d.Kind == value.OfInts || d.Kind == value.OfUints)
	}
	return family == value.Numbers
}

// Function is a row of the table.
type Function struct {
	Name    string
	Aliases []string // other names that the text may have
	Takes   Kind
	Inverse value.Inverse // how a condition on the result becomes one on the value; NoInverse: the function is run

	// Constants are what stands beside the value, a letter for each: t for a text, i for an
	// integer, n for one that is not 0, u for a unit of time, z for a time zone. Those behind a question
	// mark may be left out.
	Constants string
	First     bool // the constants stand in front of the value in a call
	Sign      bool // its name stands between texts: one constant in front of the value, one behind it

	result vector.Type // of what is run; that of the values where it takes Integers
	bind   func(constants []*value.Literal) run
	before superset                             // nil: any value may have any result
	growth func(constants []*value.Literal) int // how many times as long as a value the result may be; nil: once
}

// run computes a function: it sets out, which is of the result's type and may get NULLs, for slots that are
// no NULLs.
type run func(r *Results, out, v *vector.Vector, sel []uint64)

var (
	text   = vector.Type{Physical: vector.ByteArray, Logical: vector.String}
	number = vector.Type{Physical: vector.Int64}
)

// table has all functions. Names are those of DuckDB where it has them.
var table = []*Function{
	{Name: "lower", Aliases: []string{"lcase"}, result: text, bind: folded(false), before: mayFold(false)},
	{Name: "upper", Aliases: []string{"ucase"}, result: text, bind: folded(true), before: mayFold(true)},
	{Name: "length", Aliases: []string{"len", "char_length", "character_length", "cardinality", "array_length"}, result: number, bind: sizes(utf8.RuneCount)},
	{Name: "octet_length", Aliases: []string{"strlen"}, result: number, bind: sizes(func(b []byte) int { return len(b) })},
	{Name: "substr", Aliases: []string{"substring"}, Constants: "i?i", result: text, bind: substr, before: mayBeginFirst},
	{Name: "left", Constants: "i", result: text, bind: left, before: mayBegin},
	{Name: "right", Constants: "i", result: text, bind: right},
	{Name: "trim", Constants: "?t", result: text, bind: trimmed(true, true)},
	{Name: "ltrim", Constants: "?t", result: text, bind: trimmed(true, false)},
	{Name: "rtrim", Constants: "?t", result: text, bind: trimmed(false, true), before: mayBegin},
	{Name: "replace", Constants: "tt", result: text, bind: replaced, growth: replacedGrowth},
	{Name: "strpos", Aliases: []string{"instr"}, Constants: "t", result: number, bind: position},
	{Name: "split_part", Constants: "ti", result: text, bind: splitPart},
	{Name: "||", Takes: Spelled, Constants: "tt", Sign: true, result: text, bind: joined, growth: joinedGrowth},

	{Name: "year", Takes: Moments, Inverse: value.Years},
	{Name: "date_trunc", Aliases: []string{"datetrunc"}, Takes: Moments, Inverse: value.Truncation, Constants: "u", First: true},
	{Name: "epoch", Takes: Moments, Inverse: value.Seconds},
	{Name: "timezone", Takes: Moments, Inverse: value.InZone, Constants: "z", First: true},
	{Name: "quarter", Takes: Moments, result: number, bind: ofDays(quarter)},
	{Name: "month", Takes: Moments, result: number, bind: ofDays(month)},
	{Name: "day", Aliases: []string{"dayofmonth"}, Takes: Moments, result: number, bind: ofDays(dayOfMonth)},
	{Name: "dayofweek", Aliases: []string{"dow", "weekday"}, Takes: Moments, result: number, bind: ofDays(dayOfWeek)},
	{Name: "isodow", Takes: Moments, result: number, bind: ofDays(isoDayOfWeek)},
	{Name: "dayofyear", Aliases: []string{"doy"}, Takes: Moments, result: number, bind: ofDays(dayOfYear)},
	{Name: "week", Aliases: []string{"weekofyear"}, Takes: Moments, result: number, bind: ofDays(week)},
	{Name: "hour", Takes: Clocks, result: number, bind: ofSeconds(3600, 24)},
	{Name: "minute", Takes: Clocks, result: number, bind: ofSeconds(60, 60)},
	{Name: "second", Takes: Clocks, result: number, bind: ofSeconds(1, 60)},

	{Name: "abs", Takes: Numbers, Inverse: value.Absolute},
	{Name: "floor", Takes: Numbers, Inverse: value.Floor},
	{Name: "ceil", Aliases: []string{"ceiling"}, Takes: Numbers, Inverse: value.Ceiling},
	{Name: "sign", Takes: Numbers, Inverse: value.Sign},
	{Name: "round", Takes: Numbers, Inverse: value.Rounded, Constants: "?i"},
	{Name: "mod", Takes: Integers, Constants: "n", bind: remainder},
}

// Named returns the function with a name, in any case, nil if there is none.
func Named(name string) *Function {
	for _, f := range table {
		if strings.EqualFold(f.Name, name) {
			return f
		}
		for _, alias := range f.Aliases {
			if strings.EqualFold(alias, name) {
				return f
			}
		}
	}
	return nil
}

// Names returns the names of all functions, for error messages.
func Names() (names []string) {
	for _, f := range table {
		names = append(append(names, f.Name), f.Aliases...)
	}
	return names
}

// Check returns the error's text for the constants of a call, "" if they are right.
func (f *Function) Check(constants []*value.Literal) string {
	needed, more, _ := strings.Cut(f.Constants, "?")
	if len(constants) < len(needed) || len(constants) > len(needed)+len(more) {
		return f.Name + " takes other arguments: " + f.Usage()
	}
	for i, l := range constants {
		n, isInteger := integer(l)
		kind := (needed + more)[i]
		number := kind == 'i' || kind == 'n'
		switch {
		case l.Kind == value.LitNull:
		case number && l.Kind == value.LitNumber && !isInteger:
			return f.Name + " takes whole numbers of 64 bits: " + f.Usage()
		case number && !isInteger, !number && l.Kind != value.LitString:
			return f.Name + " takes other arguments: " + f.Usage()
		case kind == 'n' && n == 0:
			return "division by zero"
		case kind == 'u' && !value.IsTruncation(l.Text):
			return "no unit of time: " + value.Abbreviated(l.Text) + ": there are " + value.Truncations
		case kind == 'z' && value.ZoneError(l.Text) != "":
			return value.ZoneError(l.Text)
		}
	}
	return ""
}

// Usage returns how a call of a function is written.
func (f *Function) Usage() string {
	arguments := []string{"value"}
	for _, c := range strings.Replace(f.Constants, "?", "", 1) {
		arguments = append(arguments, map[rune]string{'i': "1", 'n': "10", 't': "'text'", 'u': "'month'", 'z': "'Europe/Berlin'"}[c])
	}
	if f.First {
		arguments = append(arguments[1:], arguments[0])
	}
	return f.Name + "(" + strings.Join(arguments, ", ") + ")"
}

// integer returns a constant as a number; ok is false where it is no integer of 64 bits.
func integer(l *value.Literal) (n int64, ok bool) {
	if l.Kind != value.LitNumber {
		return 0, false
	}
	r := l.Number.Rat()
	return r.Num().Int64(), r.IsInt() && r.Num().IsInt64()
}

// Type returns the type of what a function returns for values of a type.
func (f *Function) Type(of vector.Type) vector.Type {
	if f.Takes == Integers { // mod
		return of
	}
	return f.result
}

// Call is a function with its constants.
type Call struct {
	*Function
	Constants []*value.Literal

	run  run                                                 // nil where Inverse says what the function does
	wide func(v *vector.Vector, sel []uint64) *vector.Vector // in place of run
}

// With returns the call of a function with constants that Check takes.
func (f *Function) With(constants ...*value.Literal) Call {
	c := Call{Function: f, Constants: constants}
	if f.bind != nil {
		c.run = f.bind(constants)
	}
	return c
}

// OfConstant returns what a call returns for a constant. The text is the error if there is none, else "".
func (c *Call) OfConstant(l *value.Literal) (*value.Literal, string) {
	var s vector.Scalar
	n, isInteger := integer(l)
	switch {
	case l.Kind == value.LitNull || l.Kind == value.LitBad:
		return l, ""
	case c.Inverse != value.NoInverse:
		switch out := c.Inverse.Of(l, c.Constants); {
		case out != nil && out.InRange():
			return out, ""
		case out != nil:
			return nil, "a date that is out of range"
		}
		return nil, c.Name + " takes " + c.Takes.String() + ", not " + l.Kind.String()
	case c.Takes == Texts && l.Kind != value.LitString:
		return nil, "a string is expected, not " + l.Kind.String()
	case c.Takes == Texts && len(l.Text)*c.Growth() > longest && c.Growth() > 1:
		return nil, c.Name + " of a constant makes more than 1 MiB of text"
	case c.Takes == Texts:
		s = vector.StringOf(l.Text)
	case c.Takes == Integers && isInteger:
		s, _ = vector.IntOf(number, n)
	case (c.Takes == Moments || c.Takes == Clocks) && (l.Kind == value.LitDate || l.Kind == value.LitStamp || l.Kind == value.LitTime && c.Takes == Clocks):
		moment := vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Millis}
		s, _ = vector.IntOf(moment, l.Days*secondsPerDay*1000+l.Nanos/1e6)
	default:
		return nil, c.Name + " of " + l.Kind.String() + " is not supported: write its result"
	}
	v := s.Vector(1)
	v.Flatten()
	out := NewResults().Of([]Call{*c}, v, []uint64{1})
	if out.Type.Physical == vector.Int64 {
		return value.Of(out.Int64s[0]), ""
	}
	return value.Of(string(out.Bytes(0))), ""
}
