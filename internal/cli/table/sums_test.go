package table

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// addendCase is a type and how a test makes values of it.
type addendCase struct {
	name string
	t    vector.Type
	// set puts a random value into slot i of a flat vector, and returns it, without a
	// decimal's scale.
	set func(rng *rand.Rand, v *vector.Vector, i int) *big.Rat
}

func addendCases() []addendCase {
	decimal := func(physical vector.Physical, length, scale int32) vector.Type {
		return vector.Type{Physical: physical, Length: length, Logical: vector.Decimal, Precision: 9, Scale: scale}
	}
	setInt32 := func(value func(x int32) int64) func(*rand.Rand, *vector.Vector, int) *big.Rat {
		return func(rng *rand.Rand, v *vector.Vector, i int) *big.Rat {
			v.Int32s[i] = int32(rng.Uint32())
			return new(big.Rat).SetInt64(value(v.Int32s[i]))
		}
	}
	setInt64 := func(rng *rand.Rand, v *vector.Vector, i int) *big.Rat {
		v.Int64s[i] = math.MaxInt64 - int64(rng.IntN(3)) // so that few overflow
		if rng.IntN(3) == 0 {
			v.Int64s[i] = int64(rng.Uint64())
		}
		return new(big.Rat).SetInt64(v.Int64s[i])
	}
	setBytes := func(rng *rand.Rand, v *vector.Vector, i int) *big.Rat {
		b := make([]byte, v.Type.Length)
		if v.Type.Physical == vector.ByteArray {
			b = make([]byte, rng.IntN(20))
		}
		for k := range b {
			b[k] = byte(rng.Uint32())
		}
		if v.Type.Physical == vector.ByteArray {
			v.Views[i] = bits.Make(b, build.AddBuffer(v, b), 0)
		} else {
			copy(v.Fixed[i*len(b):], b)
		}
		value := new(big.Int)
		for k, x := range b {
			value.Lsh(value, 8)
			if k == 0 {
				value.Add(value, big.NewInt(int64(int8(x))))
			} else {
				value.Add(value, big.NewInt(int64(x)))
			}
		}
		return new(big.Rat).SetInt(value)
	}
	integer := func(physical vector.Physical, bits uint8, signed bool) vector.Type {
		return vector.Type{Physical: physical, Logical: vector.Integer, Bits: bits, Signed: signed}
	}
	same := func(x int32) int64 { return int64(x) }
	return []addendCase{
		{"INT32", vector.Type{Physical: vector.Int32}, setInt32(same)},
		{"INT(8)", integer(vector.Int32, 8, true), setInt32(func(x int32) int64 { return int64(int8(x)) })},
		{"UINT(16)", integer(vector.Int32, 16, false), setInt32(func(x int32) int64 { return int64(uint16(x)) })},
		{"UINT(32)", integer(vector.Int32, 32, false), setInt32(func(x int32) int64 { return int64(uint32(x)) })},
		{"INT64", vector.Type{Physical: vector.Int64}, setInt64},
		{"UINT(64)", integer(vector.Int64, 64, false), func(rng *rand.Rand, v *vector.Vector, i int) *big.Rat {
			v.Int64s[i] = -1 - int64(rng.IntN(3))
			return new(big.Rat).SetInt(new(big.Int).SetUint64(uint64(v.Int64s[i])))
		}},
		{"DECIMAL in INT32", decimal(vector.Int32, 0, 3), setInt32(same)},
		{"DECIMAL in INT64", decimal(vector.Int64, 0, 2), setInt64},
		{"DECIMAL in 16 bytes", decimal(vector.FixedLenByteArray, 16, 30), setBytes},
		{"DECIMAL in bytes", decimal(vector.ByteArray, 0, 1), setBytes},
		{"FLOAT16", vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Float16}, func(rng *rand.Rand, v *vector.Vector, i int) *big.Rat {
			exponent, mantissa, sign := 1+rng.IntN(30), rng.IntN(1<<10), rng.IntN(2)
			binary.LittleEndian.PutUint16(v.Fixed[2*i:], uint16(sign<<15|exponent<<10|mantissa))
			return new(big.Rat).SetFloat64(math.Ldexp(float64(1<<10+mantissa), exponent-25) * float64(1-2*sign))
		}},
		{"FLOAT", vector.Type{Physical: vector.Float}, func(rng *rand.Rand, v *vector.Vector, i int) *big.Rat {
			v.Floats[i] = float32(rng.IntN(1000)) / 10
			return new(big.Rat).SetFloat64(float64(v.Floats[i]))
		}},
		{"DOUBLE", vector.Type{Physical: vector.Double}, func(rng *rand.Rand, v *vector.Vector, i int) *big.Rat {
			for v.Doubles[i] = math.NaN(); math.IsNaN(v.Doubles[i]) || math.IsInf(v.Doubles[i], 0); {
				v.Doubles[i] = math.Float64frombits(rng.Uint64())
				switch rng.IntN(4) {
				case 0: // a tenth is none of binary fractions
					v.Doubles[i] = float64(rng.IntN(1000)-500) / 10
				case 1: // less than the least normal one
					v.Doubles[i] = math.Float64frombits(rng.Uint64() >> 12)
				}
			}
			return new(big.Rat).SetFloat64(v.Doubles[i])
		}},
	}
}

// oneColumn returns a batch of a column of random values and NULLs, and the sum of the
// values, nil if there are none. Its rows from the first to the last are the column's.
func (c *addendCase) oneColumn(rng *rand.Rand, field vector.Field, form vector.Form) (*vector.Batch, *big.Rat) {
	flat := build.New(&field)
	stored := []*big.Rat{}
	for i := range 1 + rng.IntN(20) {
		if form == vector.Flat && rng.IntN(4) == 0 {
			build.AppendNulls(flat, 1)
			stored = append(stored, nil)
			continue
		}
		build.Extend(flat, 1)
		stored = append(stored, c.set(rng, flat, i))
		if form == vector.Constant {
			break
		}
	}
	v, chosen := flat, stored
	switch form {
	case vector.Dictionary:
		v, chosen = &vector.Vector{Type: c.t, Form: form, Len: 30, Dict: flat, Validity: []uint64{rng.Uint64()}}, nil
		for i := range v.Len {
			code := rng.IntN(flat.Len)
			v.Codes = append(v.Codes, uint32(code))
			if bits.Get(v.Validity, i) {
				chosen = append(chosen, stored[code])
			}
		}
	case vector.Constant:
		flat.Form, flat.Len = form, 1+rng.IntN(9)
		for range flat.Len - 1 {
			chosen = append(chosen, stored[0])
		}
	}
	var sum *big.Rat
	for _, x := range chosen {
		if x != nil {
			if sum == nil {
				sum = new(big.Rat)
			}
			sum.Add(sum, x)
		}
	}
	return &vector.Batch{Fields: []vector.Field{field}, Len: v.Len, Columns: []*vector.Vector{v}}, sum
}

// sumOf returns the sum that a table shows below batches, in both forms.
func sumOf(t *testing.T, field vector.Field, batches ...*vector.Batch) string {
	t.Helper()
	var texts [2]string
	for i, vertical := range []bool{false, true} {
		var out strings.Builder
		w := NewRowTable(&out, Screen{}, Shape{Sums: true, Vertical: vertical})
		err := w.Columns("a.parquet", []vector.Field{field})
		for _, b := range batches {
			err = errors.Join(err, w.Rows(b, 0, b.Len))
		}
		if err = errors.Join(err, w.Finish()); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if note := lines[len(lines)-1]; !strings.HasSuffix(note, "; sums of the rows shown") || len(lines) < 3 {
			t.Fatalf("the last line is %q", note)
		}
		texts[i] = strings.TrimSpace(lines[len(lines)-2])
		if above := lines[len(lines)-3]; vertical != (above == "— sums —") || !vertical && strings.Trim(above, " ─") != "" {
			t.Errorf("%q is above the sums", above)
		}
	}
	if want := "x  " + texts[0]; texts[1] != want {
		t.Errorf("%q one below the other, not %q", texts[1], want)
	}
	return texts[0]
}

// The sum of a column is that of its values, whatever their form.
func TestSums(t *testing.T) {
	for _, c := range addendCases() {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(31, 7))
			for range dtest.Rounds(t, 200) {
				field := vector.Field{Name: "x", Type: c.t, Nullable: true}
				var batches []*vector.Batch
				var want *big.Rat
				for range 1 + rng.IntN(3) {
					b, sum := c.oneColumn(rng, field, vector.Form(rng.IntN(3)))
					batches = append(batches, b)
					if want == nil {
						want = sum
					} else if sum != nil {
						want = new(big.Rat).Add(want, sum)
					}
				}
				shown := sumOf(t, field, batches...)
				switch {
				case want == nil:
					if shown != "NULL" {
						t.Fatalf("%q is the sum of no value", shown)
					}
				case c.t.Logical == vector.Float16 || c.t.Physical == vector.Float || c.t.Physical == vector.Double:
					nearest, _ := want.Float64()
					if got, err := strconv.ParseFloat(strings.ReplaceAll(shown, "Infinity", "Inf"), 64); err != nil || got != nearest {
						t.Fatalf("%s, %v, not %v", shown, err, nearest)
					}
				default:
					scale := int64(c.t.Scale)
					want = new(big.Rat).Quo(want, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(scale), nil)))
					if text := want.FloatString(int(scale)); shown != text {
						t.Fatalf("%s, not %s", shown, text)
					}
				}
			}
		})
	}
}

// What is not finite stays so, and a sum that passes the largest double and comes
// back is finite.
func TestSumsOfDoublesAtTheirEnds(t *testing.T) {
	inf, most := math.Inf(1), math.MaxFloat64
	for _, c := range []struct {
		want   string
		values []float64
	}{
		{"NaN", []float64{1, math.NaN(), 2}},
		{"Infinity", []float64{inf, 1, inf, -most}},
		{"-Infinity", []float64{-inf, most, most}},
		{"NaN", []float64{inf, -inf}},
		{"2", []float64{most, most, 2, -most, -most}},
		{"Infinity", []float64{most, most}},
		{"5e-324", []float64{5e-324, 1e300, -1e300}},
		{"0", []float64{math.Copysign(0, -1)}},
		{"1", []float64{.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}},
	} {
		field := vector.Field{Name: "x", Type: vector.Type{Physical: vector.Double}}
		b := &vector.Batch{Fields: []vector.Field{field}, Len: len(c.values), Columns: []*vector.Vector{build.New(&field)}}
		build.Extend(b.Columns[0], b.Len)
		copy(b.Columns[0].Doubles, c.values)
		if got := sumOf(t, field, b); got != c.want {
			t.Errorf("%v: %s, not %s", c.values, got, c.want)
		}
	}
}

// Files whose columns are of other types have tables and sums of their own, others share them.
func TestSumsOfFiles(t *testing.T) {
	field := func(t vector.Type) []vector.Field { return []vector.Field{{Name: "x", Type: t}} }
	cents := vector.Type{Physical: vector.Int32, Logical: vector.Decimal, Precision: 9, Scale: 2}
	text := vector.Type{Physical: vector.ByteArray, Logical: vector.String}
	for _, c := range []struct {
		types  []vector.Type
		tables int
	}{
		{[]vector.Type{{Physical: vector.Int32}, {Physical: vector.Int64}, {Physical: vector.Int32}}, 1},
		{[]vector.Type{{Physical: vector.Float}, {Physical: vector.Double}}, 1},
		{[]vector.Type{cents, cents, {Physical: vector.Int32}}, 2},
		{[]vector.Type{{Physical: vector.Double}, {Physical: vector.Int64}}, 2},
		{[]vector.Type{{Physical: vector.Int64}, text, text}, 2},
	} {
		var out strings.Builder
		w := NewRowTable(&out, Screen{}, Shape{Sums: true})
		for _, typ := range c.types {
			if err := w.Columns("a.parquet", field(typ)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "0 rows;"); n != c.tables {
			t.Errorf("%v: %d tables, not %d", c.types, n, c.tables)
		}
	}
}
