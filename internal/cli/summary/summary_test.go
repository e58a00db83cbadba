package summary

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

func TestSketchErrsLittle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 10, 100, 3000, 10_000, 20_000, 100_000, 500_000} {
		var s, left, right sketch
		base := rng.Int64()
		for i := range n {
			hash := hashKey(base + int64(i)*7)
			if i%2 == 0 {
				hash = hashBytes([]byte(fmt.Sprint("value ", i, base)))
			}
			s.add(hash)
			s.add(hash)
			if i%3 == 0 {
				left.add(hash)
			} else {
				right.add(hash)
			}
		}
		if left.merge(&right); left != s {
			t.Errorf("%d: parts give another sketch", n)
		}
		if got := s.estimate(); math.Abs(float64(got-int64(n))) > 0.06*float64(n)+1 {
			t.Errorf("%d different values are %d", n, got)
		}
	}
}

func TestHashesDiffer(t *testing.T) {
	seen := map[uint64]string{}
	text := strings.Repeat("ab", 20)
	for i := range len(text) + 1 {
		for j := range i {
			for _, s := range []string{text[:j], text[:j] + "\x00", text[:j] + "\x01" + text[j:i]} {
				h := hashBytes([]byte(s))
				if before, ok := seen[h]; ok && before != s {
					t.Fatalf("%q and %q have one hash", before, s)
				}
				seen[h] = s
			}
		}
	}
}

// Values that come often are found among many that come once, whichever part sees them.
func TestFrequentFindsWhatComesOften(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	parts := [2]*Column{newColumn(nil, vector.Type{Physical: vector.Int64}), newColumn(nil, vector.Type{Physical: vector.Int64})}
	want := map[int64]int64{}
	for i := range 400_000 {
		key := rng.Int64N(1e15)
		if i%2 == 0 {
			key = -1 - int64(math.Pow(rng.Float64(), 3)*20)
			want[key]++
		}
		c := parts[i%7%2]
		c.addKeys(&block{keys: []int64{key}})
	}
	parts[0].Slots = 400_000
	parts[0].merge(parts[1])
	top := parts[0].keys.top(3, func(a, b int64) int { return int(a - b) })
	if parts[0].keys.hopeless || len(top) != 3 {
		t.Fatalf("%+v", top)
	}
	for i, v := range top {
		if v.key != int64(-1-i) || v.count > want[v.key] || v.count < want[v.key]*99/100 {
			t.Errorf("value %d comes %d times, not %d", v.key, v.count, want[v.key])
		}
	}
	if n, exact := parts[0].Distinct(); exact || n < 180_000 || n > 220_000 {
		t.Errorf("%d different ones, exact: %v", n, exact)
	}
	// Where most come once, it gives up.
	c := newColumn(nil, vector.Type{Physical: vector.Int64})
	for range 100_000 {
		c.addKeys(&block{keys: []int64{rng.Int64()}})
	}
	if !c.keys.hopeless || c.keys.counts != nil {
		t.Errorf("%d are counted", len(c.keys.counts))
	}
}

func TestHistogramKeepsItsNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for round := range dtest.Rounds(t, 300) {
		scale := math.Pow(10, float64(rng.IntN(40)-20))
		var all []float64
		var h, other, whole histogram
		for range 1 + rng.IntN(20) {
			numbers, weights := make([]float64, 1+rng.IntN(50)), []int64(nil)
			for i := range numbers {
				numbers[i] = (rng.NormFloat64() + float64(rng.IntN(3))) * scale
				all = append(all, numbers[i])
			}
			if rng.IntN(3) == 0 {
				for _, x := range numbers {
					weights = append(weights, 2)
					all = append(all, x)
				}
			}
			whole.add(numbers, weights)
			if rng.IntN(2) == 0 {
				h.add(numbers, weights)
			} else {
				other.add(numbers, weights)
			}
		}
		if h.merge(&other); h != whole {
			t.Fatalf("round %d: parts have %+v, the whole %+v", round, h, whole)
		}
		low, high := all[0], all[0]
		for _, x := range all {
			low, high = min(low, x), max(high, x)
		}
		if low == high {
			continue
		}
		const n = 8
		var want [n]float64
		for _, x := range all {
			want[min(int((x-low)/(high-low)*n), n-1)]++
		}
		got, sum := h.between(low, (high-low)/n, n), 0.0
		apart := 0.0
		for i := range got {
			sum += got[i]
			apart += math.Abs(got[i] - want[i])
		}
		if math.Abs(sum-float64(len(all))) > 1e-6*float64(len(all)) {
			t.Fatalf("round %d: %v of %d numbers", round, sum, len(all))
		}
		// Bins that a border divides, and merged ones, put few numbers elsewhere.
		if apart > 0.15*float64(len(all))+4 {
			t.Fatalf("round %d: %v, not %v", round, got, want)
		}
	}
	var h histogram
	h.add([]float64{-math.MaxFloat64, math.MaxFloat64, 1}, nil)
	if got := h.between(h.least, h.most/4-h.least/4, 4); !slices.Equal(got, []float64{1, 0, 1, 1}) {
		t.Errorf("numbers whose distance is no float: %v", got)
	}
}

// A field of a NULL struct is NULL, whatever stands in its own slot; lists have the
// slots of their items.
func TestNestedNulls(t *testing.T) {
	leaf := vector.Field{Name: "x", Type: vector.Type{Physical: vector.Int64}}
	s := vector.Field{Name: "s", Layout: vector.Struct, Type: vector.Type{Physical: vector.Group}, Nullable: true, Children: []vector.Field{leaf}}
	l := vector.Field{Name: "l", Layout: vector.List, Type: vector.Type{Physical: vector.Group}, Children: []vector.Field{leaf}}
	fields := []vector.Field{s, l}
	number := func(values ...int64) *vector.Vector {
		v := build.New(&leaf)
		at := build.Extend(v, len(values))
		copy(v.Int64s[at:], values)
		return v
	}
	b := &vector.Batch{Fields: fields, Len: 3, Columns: []*vector.Vector{
		{Layout: vector.Struct, Len: 3, Validity: []uint64{0b101}, Children: []*vector.Vector{number(4, 99, 6)}},
		{Layout: vector.List, Len: 3, Offsets: []int32{0, 2, 2, 5}, Children: []*vector.Vector{number(1, 2, 3, 3, 3)}},
	}}
	table := New(fields)
	if table.Add(b) {
		t.Error("a batch without dictionaries is held")
	}
	table.Finish()
	x, item := table.Columns[0], table.Columns[1]
	if mean, _ := x.Mean(); x.Slots != 3 || x.Nulls != 1 || mean != 5 || x.high != 6 {
		t.Errorf("struct: %d slots, %d NULLs, mean %v, at most %d", x.Slots, x.Nulls, mean, x.high)
	}
	if top := item.Top(1); item.Slots != 5 || item.Nulls != 0 || top[0].Plain[0] != 3 || top[0].Count != 3 {
		t.Errorf("list: %d slots, %d NULLs, %v", item.Slots, item.Nulls, top)
	}
}

// shown is all that a column says of its values, by name: what its exported fields hold, and what its
// exported methods return that ask for nothing.
func shown(c *Column) map[string]string {
	said := map[string]string{"Slots, Nulls, NaNs": fmt.Sprint(c.Slots, c.Nulls, c.NaNs), "Top": fmt.Sprint(c.Top(3)), "Histogram": fmt.Sprintf("%.9v", c.Histogram(8))}
	v := reflect.ValueOf(c)
	for i := range v.NumMethod() {
		if v.Method(i).Type().NumIn() == 0 {
			for _, result := range v.Method(i).Call(nil) {
				format := "%v "
				if result.CanFloat() {
					format = "%.9g " // of a mean, digits that do not depend on the order
				}
				said[v.Type().Method(i).Name] += fmt.Sprintf(format, result)
			}
		}
	}
	return said
}

// A flat vector, a dictionary vector, and two halves of the same values have one summary.
func TestSummaryIsThatOfTheValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, field := range []vector.Field{
		{Type: vector.Type{Physical: vector.ByteArray, Logical: vector.String}, Nullable: true},
		{Type: vector.Type{Physical: vector.Double}, Nullable: true},
	} {
		for range dtest.Rounds(t, 50) {
			flat, coded := build.New(&field), build.New(&field)
			halves := [2]*vector.Vector{build.New(&field), build.New(&field)}
			split := rng.IntN(1 + rng.IntN(3000))
			dict := build.New(&field)
			entries := 1 + rng.IntN(6000)
			for i := range entries {
				if field.Type.Physical == vector.Double {
					x := float64(i)*1.25 - 100 // one is zero
					if i == 3 {
						x = math.NaN()
					}
					dict.Doubles[build.Extend(dict, 1)] = x
				} else {
					b := []byte(fmt.Sprint("entry ", i, strings.Repeat("!", i%97)))
					if i == 0 {
						b = nil // an empty string
					}
					dict.Views[build.Extend(dict, 1)] = bits.Make(b, build.AddBuffer(dict, b), 0)
				}
			}
			build.UseDictionary(coded, dict)
			for i := range rng.IntN(3000) {
				half := halves[min(i/max(split, 1), 1)]
				if rng.IntN(5) == 0 {
					build.AppendNulls(half, 1)
					build.AppendNulls(coded, 1)
					build.AppendNulls(flat, 1)
					continue
				}
				code := rng.IntN(entries)
				coded.Codes[build.Extend(coded, 1)] = uint32(code)
				for _, v := range []*vector.Vector{flat, half} {
					if at := build.Extend(v, 1); field.Type.Physical == vector.Double {
						v.Doubles[at] = dict.Doubles[code]
					} else {
						b := dict.Bytes(code)
						v.Views[at] = bits.Make(b, build.AddBuffer(v, b), 0)
					}
				}
			}
			columns := map[string]*Column{}
			for name, parts := range map[string][]*vector.Vector{"flat": {flat}, "dictionary": {coded}, "halves": halves[:]} {
				for _, v := range parts {
					table := New([]vector.Field{field})
					if holds := table.Add(&vector.Batch{Fields: []vector.Field{field}, Len: v.Len, Columns: []*vector.Vector{v}}); holds != (v == coded) {
						t.Fatalf("%s: held: %v", name, holds)
					}
					table.Finish()
					if c := columns[name]; c != nil {
						c.merge(table.Columns[0])
					} else {
						columns[name] = table.Columns[0]
					}
				}
			}
			want := shown(columns["flat"])
			for name, c := range columns {
				for statistic, got := range shown(c) {
					if got != want[statistic] {
						t.Fatalf("%s: %s is %s, not %s", name, statistic, got, want[statistic])
					}
				}
			}
		}
	}
}

// Each file's metadata may say what its extremes are: those of several are the extremes of all.
func TestMergeKnownExtremes(t *testing.T) {
	text := vector.Type{Physical: vector.ByteArray, Logical: vector.String}
	scalar := func(of vector.Type, plain string) vector.Scalar {
		s, err := vector.PlainOf(of, []byte(plain))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, tc := range []struct {
		of    vector.Type
		files [][2]string // least and most of each
		want  [2]string
	}{
		{text, [][2]string{{"d", "f"}, {"b", "e"}, {"c", "x"}}, [2]string{"b", "x"}},
		{vector.Type{Physical: vector.Boolean}, [][2]string{{"\x01", "\x01"}, {"\x00", "\x00"}}, [2]string{"\x00", "\x01"}},
		{vector.Type{Physical: vector.Int32}, [][2]string{{"\x05\x00\x00\x00", "\x09\x00\x00\x00"}, {"\xfe\xff\xff\xff", "\x0a\x00\x00\x00"}}, [2]string{"\xfe\xff\xff\xff", "\x0a\x00\x00\x00"}},
	} {
		var all *Table
		for i, file := range tc.files {
			table := New([]vector.Field{{Type: tc.of}})
			table.Columns[0].Expect(scalar(tc.of, file[0]), scalar(tc.of, file[1]))
			if !table.Columns[0].known {
				t.Fatalf("%v: not known", tc.of)
			}
			if i == 0 {
				all = table
			} else {
				all.Merge(table)
			}
		}
		least, most, ok := all.Columns[0].Extremes()
		if !ok || string(least) != tc.want[0] || string(most) != tc.want[1] {
			t.Errorf("%v: %x to %x, want %x", tc.of, least, most, tc.want)
		}
	}
}
