package bench

import (
	"encoding/binary"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// SumUp returns the answer that batches are. Columns have the names that they
// were asked for by; where parts of one column make one, that of the column.
func SumUp(batches []*vector.Batch, project []string) *Answer {
	a := &Answer{Sums: map[string]Sum{}}
	for _, name := range project {
		a.Sums[name] = Sum{}
	}
	for _, b := range batches {
		a.Rows += int64(b.Len)
		for i, v := range b.Columns {
			name := b.Fields[i].Name
			if len(project) == len(b.Columns) {
				name = project[i]
			}
			s := a.Sums[name]
			s.add(v, v.Len, nil)
			a.Sums[name] = s
		}
	}
	return a
}

// add adds the leaf values of the first n slots of v. Slots that live leaves
// out are of structs that are NULL; nil leaves out none.
func (s *Sum) add(v *vector.Vector, n int, live []uint64) {
	if v.Form == vector.Constant {
		one := *v
		one.Form, one.Len = vector.Flat, 1
		var each Sum
		each.add(&one, 1, nil)
		times := ones(live, n)
		s.N += times * each.N
		s.Total += float64(times) * each.Total
		return
	}
	live = both(live, v.Validity, n)
	switch v.Layout {
	case vector.Struct:
		for _, child := range v.Children {
			s.add(child, n, live)
		}
	case vector.List, vector.Map: // one that is NULL has no items
		for _, child := range v.Children {
			s.add(child, int(v.Offsets[n]), nil)
		}
	case vector.Leaf:
		s.leaf(v, n, live)
	}
}

func (s *Sum) leaf(v *vector.Vector, n int, live []uint64) {
	s.N += ones(live, n)
	if v.Form == vector.Dictionary {
		entries := numbers(v.Dict, v.Dict.Len)
		for i, code := range v.Codes[:n] {
			if has(live, i) {
				s.Total += entries[code]
			}
		}
		return
	}
	for i, x := range numbers(v, n) {
		if has(live, i) {
			s.Total += x
		}
	}
}

// numbers returns what the first n slots of a flat leaf add to a sum.
func numbers(v *vector.Vector, n int) []float64 {
	out := make([]float64, n)
	unsigned := v.Type.Logical == vector.Integer && !v.Type.Signed
	switch v.Type.Store() {
	case vector.InBools:
		for i := range out {
			if bits.Get(v.Bools, i) {
				out[i] = 1
			}
		}
	case vector.InInt32s:
		for i, x := range v.Int32s[:n] {
			if out[i] = float64(x); unsigned {
				out[i] = float64(uint32(x))
			}
		}
	case vector.InInt64s:
		for i, x := range v.Int64s[:n] {
			if out[i] = float64(x); unsigned {
				out[i] = float64(uint64(x))
			} else if v.Type.Logical == vector.Timestamp {
				out[i] = micros(x, v.Type.Unit)
			}
		}
	case vector.InFloats:
		for i, x := range v.Floats[:n] {
			out[i] = float64(x)
		}
	case vector.InDoubles:
		copy(out, v.Doubles[:n])
	default:
		for i := range out {
			if v.IsNull(i) {
				continue
			}
			out[i] = numberOf(v.Type, v.Bytes(i))
		}
	}
	return out
}

// numberOf returns what bytes add to a sum: decimals and halves their number, all else its length.
// The scale of decimals is left out, as it is of those in integers.
func numberOf(t vector.Type, b []byte) float64 {
	switch {
	case t.Logical == vector.Float16 && len(b) == 2:
		return float64(vector.HalfToFloat(binary.LittleEndian.Uint16(b)))
	case t.Logical == vector.Decimal && len(b) > 0:
		x := float64(int8(b[0]))
		for _, c := range b[1:] {
			x = x*256 + float64(c)
		}
		return x
	}
	return float64(len(b))
}

func micros(x int64, unit vector.Unit) float64 {
	switch unit {
	case vector.Millis:
		return float64(x) * 1000
	case vector.Nanos:
		return float64(x / 1000)
	}
	return float64(x)
}

// has reports whether a bitmap has a slot; an empty one has all.
func has(bitmap []uint64, i int) bool { return len(bitmap) == 0 || bits.Get(bitmap, i) }

// ones counts the first n slots that a bitmap has.
func ones(bitmap []uint64, n int) int64 {
	if len(bitmap) == 0 {
		return int64(n)
	}
	return int64(bits.Count(bitmap, 0, n))
}

// both returns the slots that two bitmaps have.
func both(a, b []uint64, n int) []uint64 {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := slices.Clone(a[:bits.Words(n)])
	bits.And(out, b[:len(out)])
	return out
}
