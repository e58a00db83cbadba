package summary

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// summed returns the summary of values in the PLAIN encoding, each so often as its weight says,
// in two tables that are merged.
func summed(t *testing.T, r *rand.Rand, of vector.Type, values [][]byte, weights []int) *Column {
	t.Helper()
	field := vector.Field{Name: "x", Type: of, Nullable: true}
	var tables [2]*Table
	for half := range tables {
		tables[half] = New([]vector.Field{field})
		add := func(v *vector.Vector) {
			tables[half].Add(&vector.Batch{Fields: []vector.Field{field}, Len: v.Len, Columns: []*vector.Vector{v}})
		}
		flat, dict := build.New(&field), build.New(&field)
		var codes []int
		for i, plain := range values {
			if i%2 != half {
				continue
			}
			s, err := vector.PlainOf(of, plain)
			if err != nil {
				t.Fatal(err)
			}
			one := s.Vector(1)
			one.Flatten()
			switch r.IntN(3) {
			case 0:
				add(s.Vector(weights[i]))
			case 1:
				build.AppendSlots(dict, one, 0, 1)
				for range weights[i] {
					codes = append(codes, dict.Len-1)
				}
			default:
				for range weights[i] {
					build.AppendSlots(flat, one, 0, 1)
				}
			}
		}
		coded := build.New(&field)
		build.UseDictionary(coded, dict)
		for _, code := range codes {
			coded.Codes[build.Extend(coded, 1)] = uint32(code)
		}
		add(flat)
		add(coded)
		tables[half].Finish()
	}
	tables[0].Merge(tables[1])
	return tables[0].Columns[0]
}

func le(width int, x int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(x))[:width] }

func bigEndian(width int, x *big.Int) []byte {
	if x.Sign() < 0 {
		x = new(big.Int).Add(x, new(big.Int).Lsh(big.NewInt(1), uint(8*width)))
	}
	return x.FillBytes(make([]byte, width))
}

// TestWholeMeansAreExact: against sums without an end.
func TestWholeMeansAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	stamp := vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Nanos}
	digits := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
	julian := func(x int64) []byte {
		day := int64(math.Floor(float64(x/1e9) / 86400))
		return append(le(8, x-day*86400e9), le(4, day+2440588)...)
	}
	for _, c := range []struct {
		name   string
		of     vector.Type
		number func() *big.Int
		plain  func(x *big.Int) []byte
	}{
		{"nanoseconds", stamp, func() *big.Int { return big.NewInt(1_717_200_000_000_000_000 + r.Int64N(1000)) }, func(x *big.Int) []byte { return le(8, x.Int64()) }},
		{"all int64", vector.Type{Physical: vector.Int64}, func() *big.Int { return big.NewInt(int64(r.Uint64())) }, func(x *big.Int) []byte { return le(8, x.Int64()) }},
		{"uint64", vector.Type{Physical: vector.Int64, Logical: vector.Integer, Bits: 64}, func() *big.Int { return new(big.Int).SetUint64(math.MaxUint64 - r.Uint64N(9)) }, func(x *big.Int) []byte { return le(8, int64(x.Uint64())) }},
		{"dates", vector.Type{Physical: vector.Int32, Logical: vector.Date}, func() *big.Int { return big.NewInt(19000 + r.Int64N(9)) }, func(x *big.Int) []byte { return le(4, x.Int64()) }},
		{"times", vector.Type{Physical: vector.Int64, Logical: vector.Time, Unit: vector.Nanos}, func() *big.Int { return big.NewInt(r.Int64N(86400e9)) }, func(x *big.Int) []byte { return le(8, x.Int64()) }},
		{"decimals", vector.Type{Physical: vector.FixedLenByteArray, Length: 16, Logical: vector.Decimal, Precision: 38, Scale: 2}, func() *big.Int {
			x := new(big.Int).Mul(digits, big.NewInt(r.Int64N(99)-50))
			return x.Add(x, big.NewInt(r.Int64N(1000)))
		}, func(x *big.Int) []byte { return bigEndian(16, x) }},
		{"short decimals", vector.Type{Physical: vector.ByteArray, Logical: vector.Decimal, Precision: 9, Scale: 2}, func() *big.Int { return big.NewInt(r.Int64N(1e9) - 5e8) }, func(x *big.Int) []byte { return bigEndian(4, x) }},
		{"INT96", vector.Type{Physical: vector.Int96}, func() *big.Int { return big.NewInt(1_717_200_000_000_000_000 - r.Int64N(1e9)) }, func(x *big.Int) []byte { return julian(x.Int64()) }},
	} {
		for range dtest.Rounds(t, 20) {
			sum, n := new(big.Int), int64(0)
			var values [][]byte
			var weights []int
			for range 1 + r.IntN(30) {
				x, weight := c.number(), 1+r.IntN(3)
				values, weights = append(values, c.plain(x)), append(weights, weight)
				sum.Add(sum, new(big.Int).Mul(x, big.NewInt(int64(weight))))
				n += int64(weight)
			}
			got := summed(t, r, c.of, values, weights)
			want := new(big.Rat).SetFrac(sum, big.NewInt(n))
			nearest, _ := want.Float64()
			if mean, ok := got.Mean(); !ok || mean != nearest {
				t.Errorf("%s: mean %v, %v, want %v", c.name, mean, ok, nearest)
			}
			if c.of.Logical == vector.Decimal {
				continue
			}
			whole, _ := new(big.Int).SetString(want.FloatString(0), 10) // halves away from zero
			plain := got.WholeMean()
			if down := c.plain(new(big.Int).Add(whole, big.NewInt(1))); !slices.Equal(plain, c.plain(whole)) && !(want.Sign() < 0 && new(big.Rat).Sub(new(big.Rat).SetInt(whole), want).Cmp(big.NewRat(-1, 2)) == 0 && slices.Equal(plain, down)) {
				t.Errorf("%s: %x is the whole mean, want %s", c.name, plain, whole)
			}
		}
	}
}

// TestInfinitiesStandApart: mean and histogram are those of the finite numbers.
func TestInfinitiesStandApart(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	half := func(x float64) []byte {
		for code := range uint16(math.MaxUint16) {
			if f := float64(vector.HalfToFloat(code)); f == x {
				return le(2, int64(code))
			}
		}
		t.Fatal(x)
		return nil
	}
	for name, c := range map[string]struct {
		of    vector.Type
		plain func(x float64) []byte
	}{
		"FLOAT16": {vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Float16}, half},
		"FLOAT":   {vector.Type{Physical: vector.Float}, func(x float64) []byte { return le(4, int64(math.Float32bits(float32(x)))) }},
		"DOUBLE":  {vector.Type{Physical: vector.Double}, func(x float64) []byte { return le(8, int64(math.Float64bits(x))) }},
	} {
		var values [][]byte
		var weights []int
		add := func(x float64, weight int) { values, weights = append(values, c.plain(x)), append(weights, weight) }
		for x := range 20 {
			add(float64(x)/2, 3)
		}
		add(math.Inf(1), 2)
		add(math.Inf(-1), 1)
		nan := le(8, int64(math.Float64bits(math.NaN())))
		if name == "FLOAT" {
			nan = le(4, 0x7fc00000)
		} else if name == "FLOAT16" {
			nan = le(2, 0x7e00)
		}
		values, weights = append(values, nan), append(weights, 5)
		got := summed(t, r, c.of, values, weights)
		negative, positive := got.Infinite()
		if mean, ok := got.Mean(); negative != 1 || positive != 2 || got.NaNs != 5 || !ok || mean != 4.75 {
			t.Errorf("%s: %d and %d infinite, %d NaN, mean %v", name, negative, positive, got.NaNs, mean)
		}
		h := got.Histogram(12)
		if h == nil || len(h.Counts) != 10 || slices.Max(h.Counts) != 6 || slices.Min(h.Counts) != 6 {
			t.Fatalf("%s: %v", name, h)
		}
		if !slices.Equal(h.Bounds[1], c.plain(1)) || !slices.Equal(h.Bounds[10], c.plain(9.5)) {
			t.Errorf("%s: bounds %x", name, h.Bounds)
		}
	}
	most := math.MaxFloat64
	got := summed(t, r, vector.Type{Physical: vector.Double}, [][]byte{le(8, int64(math.Float64bits(most))), le(8, int64(math.Float64bits(-most))), le(8, int64(math.Float64bits(most)))}, []int{3, 1, 2})
	if mean, ok := got.Mean(); !ok || math.Abs(mean-most/6*4) > most*1e-15 {
		t.Errorf("mean %v of the greatest numbers", mean)
	}
	if h := got.Histogram(4); h == nil || !slices.Equal(h.Counts, []float64{1, 0, 0, 5}) {
		t.Errorf("%v of the greatest numbers", h)
	}
	for _, values := range [][][]byte{{le(8, 0), le(8, 1)}, {le(8, 0), le(8, 1), le(8, 2), le(8, 3)}} {
		if h := summed(t, r, vector.Type{Physical: vector.Double}, values, []int{2, 1, 1, 1}).Histogram(20); h != nil {
			t.Errorf("%v of the least numbers, which have no parts", h)
		}
	}
}

// TestHistogramsHaveNoFalseDips: equally many of each number of a grid are bars of one height,
// in parts that begin with numbers of the grid.
func TestHistogramsHaveNoFalseDips(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 3))
	types := []struct {
		of    vector.Type
		plain func(x int64) []byte
		steps []int64
	}{
		{vector.Type{Physical: vector.Int32}, func(x int64) []byte { return le(4, x) }, []int64{1, 2, 60}},
		{vector.Type{Physical: vector.Int32, Logical: vector.Date}, func(x int64) []byte { return le(4, x) }, []int64{1, 7}},
		{vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Nanos}, func(x int64) []byte { return le(8, x) }, []int64{1, 86400e9}},
		{vector.Type{Physical: vector.Int64, Logical: vector.Integer, Bits: 64}, func(x int64) []byte { return le(8, x) }, []int64{1, 10}},
		{vector.Type{Physical: vector.FixedLenByteArray, Length: 12, Logical: vector.Decimal, Scale: 2, Precision: 20}, func(x int64) []byte { return bigEndian(12, big.NewInt(x)) }, []int64{1, 100}},
		{vector.Type{Physical: vector.Int96}, func(x int64) []byte {
			day := int64(math.Floor(float64(x) / 86400e9))
			return append(le(8, x-day*86400e9), le(4, day+2440588)...)
		}, []int64{3600e9}},
		{vector.Type{Physical: vector.Double}, func(x int64) []byte { return le(8, int64(math.Float64bits(float64(x)/100))) }, []int64{1, 5, 100}},
		{vector.Type{Physical: vector.Float}, func(x int64) []byte { return le(4, int64(math.Float32bits(float32(float64(x)/100)))) }, []int64{1, 10, 100}},
	}
	check := func(size int, each int) {
		c := types[r.IntN(len(types))]
		step, first := c.steps[r.IntN(len(c.steps))], r.Int64N(100_000)
		if c.of.Bits == 0 {
			first -= 50_000
		}
		if c.of.Physical == vector.Int96 {
			first *= 3600e9
		}
		var values [][]byte
		var weights []int
		for i := range size {
			values, weights = append(values, c.plain(first+int64(i)*step)), append(weights, each)
		}
		got := summed(t, r, c.of, values, weights)
		for _, n := range []int{12, 32} {
			h := got.Histogram(n)
			if h == nil || len(h.Counts) > n || len(h.Counts) < min(size, n/3) || len(h.Bounds) != len(h.Counts)+1 {
				t.Fatalf("%d numbers of %v in %d parts: %v", size, c.of, n, h)
			}
			sum := 0.0
			for _, count := range h.Counts {
				sum += count
			}
			tolerance := 1e-9
			if size > maxCounted {
				tolerance = 0.02
			}
			heights := h.Heights()
			if lost := math.Abs(sum - float64(size*each)); lost > 1e-6*sum || slices.Min(heights) < slices.Max(heights)*(1-tolerance) {
				t.Fatalf("%d numbers of %v, step %d, in %d parts: %v high, %v missing", size, c.of, step, n, heights, lost)
			}
			if size > maxCounted {
				continue
			}
			per := (size + len(h.Counts) - 1) / len(h.Counts)
			for i, bound := range h.Bounds {
				if want := c.plain(first + int64(min(i*per, size-1))*step); !slices.Equal(bound, want) {
					t.Fatalf("%d numbers of %v, step %d, from %d, in %d parts: part %d begins with %x, want %x", size, c.of, step, first, n, i, bound, want)
				}
			}
		}
	}
	for range dtest.Rounds(t, 400) {
		check(2+r.IntN(120), 1+r.IntN(4))
	}
	for range dtest.Rounds(t, 3) {
		check(maxCounted*2+r.IntN(20_000), 1)
	}
}
