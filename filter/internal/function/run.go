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
	arena   []byte
}

// NewResults returns memory for results.
func NewResults() *Results { return &Results{vectors: [2]*vector.Vector{{}, {}}} }

// Of returns what calls return for the values whose bits are set in sel, which are not NULL. It
// is valid until the next call.
func (r *Results) Of(calls []Call, v *vector.Vector, sel []uint64) *vector.Vector {
	r.arena = r.arena[:0]
	for _, c := range calls {
		if c.run.wide != nil {
			v = c.run.wide(v, sel)
			continue
		}
		r.vectors[0], r.vectors[1] = r.vectors[1], r.vectors[0]
		out := r.vectors[0]
		build.Reset(out, c.Type(v.Type))
		build.Extend(out, v.Len)
		switch {
		case c.run.numbers != nil:
			c.run.numbers(out.Int64s, v, sel)
		case c.run.same != nil:
			c.run.same(out, v, sel)
		case c.run.spelled:
			r.texts(nil, &speller{v.Type, v.Type.Text()}, nil, out, v, sel)
		default:
			r.texts(c.run.text, nil, nil, out, v, sel)
		}
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
	return Call{Function: &Function{result: t}, run: run{wide: func(v *vector.Vector, _ []uint64) *vector.Vector { return of(v) }}}
}

// Widening is a call that returns values of one domain as those of a wider one, as widen makes them: a value that the
// wider type lacks, such as an INT96 that is no microsecond, is NULL.
func Widening(from, to *value.Domain, widen func(v *vector.Vector, to vector.Type) *vector.Vector) Call {
	exactly := func(set *value.Subset, _ []*value.Literal) (value.Subset, bool) { return from.Narrowed(set, to), true }
	return Call{Function: &Function{result: to.Type, before: exactly}, run: run{wide: func(v *vector.Vector, sel []uint64) *vector.Vector {
		selected := *v // strings that are not selected may lack their bytes
		selected.Validity = slices.Clone(sel[:bits.Words(v.Len)])
		if len(v.Validity) > 0 { // what an earlier call returned has NULLs
			bits.And(selected.Validity, v.Validity[:len(selected.Validity)])
		}
		return widen(&selected, to.Type)
	}}}
}

// Joined is the domain of what Results.Joined returns.
var Joined = value.DomainOf(text)

// Joined returns the strings of one vector with those of another behind them, for the slots whose bits are
// set in sel, of the first of which none is NULL.
func (r *Results) Joined(v, behind *vector.Vector, sel []uint64) *vector.Vector {
	out := r.vectors[0]
	build.Reset(out, text)
	build.Extend(out, v.Len)
	out.Validity = append(out.Validity, sel[:bits.Words(v.Len)]...)
	if len(behind.Validity) > 0 {
		bits.And(out.Validity, behind.Validity[:len(out.Validity)])
	}
	r.texts(nil, nil, behind, out, v, out.Validity)
	return out
}

// texts sets out to what a function returns for the strings of v, to what a speller writes for its values, or
// to its strings with those of another vector behind them.
func (r *Results) texts(text func(dst, b []byte) []byte, s *speller, behind, out, v *vector.Vector, sel []uint64) {
	const fullBuffer = 1 << 30 // offsets are int32
	clear(out.Views)
	first := len(r.arena)
	buffer := int32(0)
	for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
		if len(r.arena) > fullBuffer {
			build.AddBuffer(out, r.arena[first:])
			r.arena, first = nil, 0
			buffer++
		}
		start := len(r.arena)
		if behind != nil {
			r.arena = append(append(r.arena, v.Bytes(i)...), behind.Bytes(i)...)
		} else if s != nil {
			r.arena = s.append(r.arena, v, i)
		} else {
			r.arena = text(r.arena, v.Bytes(i))
		}
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
	return run{same: func(out, v *vector.Vector, _ []uint64) {
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
	}}
}
