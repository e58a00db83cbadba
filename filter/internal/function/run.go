package function

import (
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Results holds what calls return for a vector, and the memory for it.
type Results struct {
	vectors [2]*vector.Vector // of the last call and of the one before
	there   []uint64          // the slots that are asked for and no NULLs
	arena   []byte
}

// NewResults returns memory for results.
func NewResults() *Results { return &Results{vectors: [2]*vector.Vector{{}, {}}} }

// Of returns what calls return for the values whose bits are set in sel. It is valid until the next call.
func (r *Results) Of(calls []Call, v *vector.Vector, sel []uint64) *vector.Vector {
	r.arena, r.there = r.arena[:0], append(r.there[:0], sel[:bits.Words(v.Len)]...)
	for _, c := range calls {
		if len(v.Validity) > 0 {
			bits.And(r.there, v.Validity[:len(r.there)])
		}
		if c.wide != nil {
			v = c.wide(v, r.there)
			continue
		}
		r.vectors[0], r.vectors[1] = r.vectors[1], r.vectors[0]
		out := r.vectors[0]
		build.Reset(out, c.Type(v.Type))
		build.Extend(out, v.Len)
		c.run(r, out, v, r.there)
		switch { // NULLs stay NULL
		case len(v.Validity) > 0 && len(out.Validity) == 0:
			out.Validity = append(out.Validity, v.Validity...)
		case len(v.Validity) > 0:
			bits.And(out.Validity, v.Validity[:len(out.Validity)])
		}
		v = out
	}
	return v
}

// Computed is a call that returns what a function makes of a vector, of a type.
func Computed(t vector.Type, of func(v *vector.Vector) *vector.Vector) Call {
	return Call{Function: &Function{result: t}, wide: func(v *vector.Vector, _ []uint64) *vector.Vector { return of(v) }}
}

// Widening is a call that returns values of one domain as those of a wider one, as widen makes them: a value that the
// wider type lacks, such as an INT96 that is no microsecond, is NULL.
func Widening(from, to *value.Domain, widen func(v *vector.Vector, to vector.Type) *vector.Vector) Call {
	exactly := func(set *value.Subset, _ []*value.Literal) (value.Subset, bool) { return from.Narrowed(set, to), true }
	return Call{Function: &Function{result: to.Type, before: exactly}, wide: func(v *vector.Vector, sel []uint64) *vector.Vector {
		selected := *v // strings that are not selected may lack their bytes
		selected.Validity = slices.Clone(sel)
		return widen(&selected, to.Type)
	}}
}

// Joined is the domain of what Results.Joined returns.
var Joined = value.DomainOf(text)

// Joined returns the strings of one vector with those of another behind them, for the slots whose bits are
// set in sel.
func (r *Results) Joined(v, behind *vector.Vector, sel []uint64) *vector.Vector {
	out := r.vectors[0]
	build.Reset(out, text)
	build.Extend(out, v.Len)
	out.Validity = append(out.Validity, sel[:bits.Words(v.Len)]...)
	for _, part := range []*vector.Vector{v, behind} {
		if len(part.Validity) > 0 {
			bits.And(out.Validity, part.Validity[:len(out.Validity)])
		}
	}
	r.texts(out, out.Validity, func(dst []byte, i int) []byte { return append(append(dst, v.Bytes(i)...), behind.Bytes(i)...) })
	return out
}

// ofNumbers is a run with results in Int64s.
func ofNumbers(of func(dst []int64, v *vector.Vector, sel []uint64)) run {
	return func(_ *Results, out, v *vector.Vector, sel []uint64) { of(out.Int64s, v, sel) }
}

// ofTexts is a run of a function that appends the result for one string.
func ofTexts(of func(dst, b []byte) []byte) run {
	return func(r *Results, out, v *vector.Vector, sel []uint64) {
		r.texts(out, sel, func(dst []byte, i int) []byte { return of(dst, v.Bytes(i)) })
	}
}

// texts sets out to the texts that a function appends for the slots whose bits are set in sel.
func (r *Results) texts(out *vector.Vector, sel []uint64, of func(dst []byte, i int) []byte) {
	const fullBuffer = 1 << 30 // offsets are int32
	clear(out.Views)
	first := len(r.arena)
	buffer := int32(0)
	for i := bits.Next(sel, 0, out.Len); i < out.Len; i = bits.Next(sel, i+1, out.Len) {
		if len(r.arena) > fullBuffer {
			build.AddBuffer(out, r.arena[first:])
			r.arena, first = nil, 0
			buffer++
		}
		start := len(r.arena)
		r.arena = of(r.arena, i)
		b := r.arena[start:]
		if out.Views[i] = bits.Make(b, buffer, int32(start-first)); len(b) <= bits.MaxInline {
			r.arena = r.arena[:start]
		}
	}
	build.AddBuffer(out, r.arena[first:])
}

// remainder is x % constant of integers, which has the sign of x.
func remainder(constants []*value.Literal) run {
	constant, _ := integer(constants[0])
	return func(_ *Results, out, v *vector.Vector, _ []uint64) {
		unsigned := v.Type.Logical == vector.Integer && !v.Type.Signed
		switch by, ok := value.Scaled(constant, v.Type.Scale); {
		case !ok: // it is larger than any of the values
			copy(out.Int32s, v.Int32s)
			copy(out.Int64s, v.Int64s)
		case v.Type.Store() == vector.InInt32s && unsigned:
			for i, x := range v.Int32s[:v.Len] {
				out.Int32s[i] = int32(int64(uint32(x)) % by)
			}
		case v.Type.Store() == vector.InInt32s:
			for i, x := range v.Int32s[:v.Len] {
				out.Int32s[i] = int32(int64(x) % by)
			}
		case unsigned:
			for i, x := range v.Int64s[:v.Len] {
				out.Int64s[i] = int64(uint64(x) % uint64(max(by, -by)))
			}
		default:
			for i, x := range v.Int64s[:v.Len] {
				out.Int64s[i] = x % by
			}
		}
	}
}

const (
	secondsPerDay = 86400

	// farthestDay stands for all days that are even farther, so that seconds fit 64 bits.
	farthestDay = 100_000_000_000_000
)

// seconds sets dst to the seconds since 1970 of dates and timestamps, and since midnight of times.
func seconds(dst []int64, v *vector.Vector, sel []uint64) {
	switch t := v.Type; {
	case t.Logical == vector.Date:
		for i, day := range v.Int32s[:v.Len] {
			dst[i] = int64(day) * secondsPerDay
		}
	case t.IsLongMoment():
		for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
			day, nanos := t.SplitMoment(v.Bytes(i))
			dst[i] = min(max(day, -farthestDay), farthestDay)*secondsPerDay + value.FloorDiv(nanos, 1e9)
		}
	case t.Store() == vector.InInt32s: // a time in milliseconds
		floor(dst, v.Int32s[:v.Len], 1e3)
	default:
		floor(dst, v.Int64s[:v.Len], t.Unit.PerSecond())
	}
}

// floor divides by a number of units a second. Divisors that the compiler knows take a fifth of the time.
func floor[T int32 | int64](dst []int64, all []T, by int64) {
	dst = dst[:len(all)]
	switch by {
	case 1e3:
		for i, x := range all {
			dst[i] = value.FloorDiv(int64(x), 1e3)
		}
	case 1e6:
		for i, x := range all {
			dst[i] = value.FloorDiv(int64(x), 1e6)
		}
	default:
		for i, x := range all {
			dst[i] = value.FloorDiv(int64(x), 1e9)
		}
	}
}

// modulo is never negative.
func modulo(x, by int64) int64 { return x - by*value.FloorDiv(x, by) }

// ofSeconds counts units of so many seconds within a day, of which so many are the next one.
func ofSeconds(unit, most uint32) func([]*value.Literal) run {
	return bound(ofNumbers(func(dst []int64, v *vector.Vector, sel []uint64) {
		seconds(dst, v, sel)
		for i, x := range dst[:v.Len] {
			dst[i] = int64(uint32(modulo(x, secondsPerDay)) / unit % most)
		}
	}))
}

// ofDays calls a function for the day of each moment, given as days since 1970.
func ofDays(of func(day int64) int64) func([]*value.Literal) run {
	return bound(ofNumbers(func(dst []int64, v *vector.Vector, sel []uint64) {
		seconds(dst, v, sel)
		last, result := int64(-1), of(-1)
		for i, x := range dst[:v.Len] {
			if day := value.FloorDiv(x, secondsPerDay); day != last {
				last, result = day, of(day)
			}
			dst[i] = result
		}
	}))
}

func quarter(day int64) int64      { return (month(day) + 2) / 3 }
func dayOfWeek(day int64) int64    { return modulo(day+4, 7) } // 1970-01-01 was a Thursday
func isoDayOfWeek(day int64) int64 { return modulo(day+3, 7) + 1 }

func month(day int64) int64 {
	_, m, _ := value.Civil(day)
	return m
}

func dayOfMonth(day int64) int64 {
	_, _, d := value.Civil(day)
	return d
}

func dayOfYear(day int64) int64 {
	year, _, _ := value.Civil(day)
	return day - value.NewYear(year) + 1
}

// week returns the number of a week by ISO 8601: it belongs to the year that its Thursday is in.
func week(day int64) int64 {
	thursday := day - isoDayOfWeek(day) + 4
	return (dayOfYear(thursday)-1)/7 + 1
}
