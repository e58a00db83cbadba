package build

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// keepTypes has a type for each store.
var keepTypes = []vector.Type{
	{Physical: vector.Boolean}, {Physical: vector.Int32}, {Physical: vector.Int64}, {Physical: vector.Float}, {Physical: vector.Double}, {Physical: vector.Int96},
	{Physical: vector.ByteArray}, {Physical: vector.FixedLenByteArray, Length: 5},
}

// keepVector has n slots, all different but for bits.
func keepVector(t vector.Type, form vector.Form, n int) *vector.Vector {
	v := &vector.Vector{Type: t}
	Reset(v, t)
	v.Form = form
	Extend(v, n)
	for i := range n {
		switch store := t.Store(); {
		case form == vector.Dictionary:
			v.Codes[i] = uint32(i)
		case store == vector.InBools:
			bits.Copy(v.Bools, i, []uint64{uint64(i*i) % 7 & 1}, 0, 1)
		case store == vector.InInt32s:
			v.Int32s[i] = int32(i)
		case store == vector.InInt64s:
			v.Int64s[i] = int64(i) << 32
		case store == vector.InFloats:
			v.Floats[i] = float32(i)
		case store == vector.InDoubles:
			v.Doubles[i] = float64(i)
		case store == vector.InViews:
			v.Views[i] = bits.MakeInline(fmt.Append(nil, i))
		default:
			copy(v.Fixed[i*t.Width():], fmt.Sprintf("%*d", t.Width(), i))
		}
	}
	return v
}

func keepSlot(v *vector.Vector, i int) string {
	switch store := v.Type.Store(); {
	case v.Form == vector.Dictionary:
		return fmt.Sprint(v.Codes[i])
	case store == vector.InBools:
		return fmt.Sprint(bits.Get(v.Bools, i))
	case store == vector.InInt32s:
		return fmt.Sprint(v.Int32s[i])
	case store == vector.InInt64s:
		return fmt.Sprint(v.Int64s[i])
	case store == vector.InFloats:
		return fmt.Sprint(v.Floats[i])
	case store == vector.InDoubles:
		return fmt.Sprint(v.Doubles[i])
	}
	return string(v.Bytes(i))
}

// TestPack compares with slots that are picked one by one.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for try := range 2000 {
		typ, form := keepTypes[r.IntN(len(keepTypes))], vector.Form(r.IntN(2))
		first, n := r.IntN(100), r.IntN(600)
		v, was := keepVector(typ, form, first+n), keepVector(typ, form, first+n)
		sel, p := make([]uint64, bits.Words(n)+1), []float64{0, 0.05, 0.5, 0.95, 1}[r.IntN(5)]
		var want []string
		for i := range first {
			want = append(want, keepSlot(was, i))
		}
		for i := range n {
			if r.Float64() < p {
				bits.Set(sel, i)
				want = append(want, keepSlot(was, first+i))
			}
		}
		Pack(v, first, n, sel)
		if v.Len != len(want) {
			t.Fatalf("try %d, %v, %d from %d: %d slots, want %d", try, typ, n, first, v.Len, len(want))
		}
		for i, w := range want {
			if got := keepSlot(v, i); got != w {
				t.Fatalf("try %d, %v, %d from %d: slot %d is %s, want %s", try, typ, n, first, i, got, w)
			}
		}
	}
}

// BenchmarkPack has so many percent of the values kept, scattered.
func BenchmarkPack(b *testing.B) {
	const n = 4096
	for _, typ := range keepTypes {
		for _, percent := range []int{1, 10, 50, 90, 99} {
			b.Run(fmt.Sprintf("type=%v/percent=%d", typ, percent), func(b *testing.B) {
				v, sel := keepVector(typ, vector.Flat, n), make([]uint64, bits.Words(n))
				r := rand.New(rand.NewPCG(1, 2))
				for i := range n {
					if r.IntN(100) < percent {
						bits.Set(sel, i)
					}
				}
				b.SetBytes(n * 8)
				for b.Loop() {
					Pack(v, 0, n, sel)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
			})
		}
	}
}
