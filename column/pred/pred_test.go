package pred

import (
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// passes asks t of one string.
func passes(t *Test, s string) bool {
	v := &vector.Vector{Type: vector.Type{Physical: vector.ByteArray}}
	first := build.Extend(v, 1)
	v.Views[first] = bits.Make([]byte(s), build.AddBuffer(v, []byte(s)), 0)
	sel := []uint64{1}
	t.Filter(sel, v)
	return sel[0] == 1
}

// asRegexp is what a LIKE pattern means.
func asRegexp(pattern string, escape rune) *regexp.Regexp {
	out, escaped := "(?s)^", false
	for _, r := range pattern {
		switch {
		case escaped:
			out += regexp.QuoteMeta(string(r))
			escaped = false
		case r == escape && escape != 0:
			escaped = true
		case r == '%':
			out += ".*"
		case r == '_':
			out += "."
		default:
			out += regexp.QuoteMeta(string(r))
		}
	}
	if escaped {
		out += regexp.QuoteMeta(string(escape))
	}
	return regexp.MustCompile(out + "$")
}

func TestLike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	word := func(alphabet string, most int) string {
		letters, out := []rune(alphabet), ""
		for range r.IntN(most + 1) {
			out += string(letters[r.IntN(len(letters))])
		}
		return out
	}
	kinds := map[Kind]int{}
	for range 20_000 {
		pattern := word("abé%%_\\", 7)
		escape := []rune{0, '\\'}[r.IntN(2)]
		test, want := LikePattern([]byte(pattern), escape), asRegexp(pattern, escape)
		kinds[test.Kind]++
		for range 5 {
			s := word("abé\\", 9)
			if got := passes(test, s); got != want.MatchString(s) {
				t.Fatalf("%q LIKE %q, escape %q: %v", s, pattern, escape, got)
			}
		}
	}
	for _, k := range []Kind{Equal, Prefix, Suffix, Contains, Like} {
		if kinds[k] == 0 {
			t.Errorf("no pattern became a test of kind %d", k)
		}
	}
}

func TestLikeBytes(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"_", "\xff", true}, {"__", "\xff\xfe", true}, {"_", "é", true}, {"__", "é", false},
		{"%", "", true}, {"", "", true}, {"", "a", false}, {"_%", "", false}, {"a%b%c", "aXbYc", true},
		{"a%a", "a", false}, {"%a%a%", "a", false}, {"ab%ba", "aba", false}, {"100\\%", "100%", true},
	} {
		if got := passes(LikePattern([]byte(c.pattern), '\\'), c.text); got != c.want {
			t.Errorf("%q LIKE %q is %v", c.text, c.pattern, got)
		}
	}
}

// ints returns a vector of integers.
func ints(values ...int64) *vector.Vector {
	v := &vector.Vector{Type: vector.Type{Physical: vector.Int64}}
	build.Extend(v, len(values))
	copy(v.Int64s, values)
	return v
}

func TestUnsigned(t *testing.T) {
	edges := []uint64{0, 1, 2, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32 - 1, math.MaxUint32}
	wide := append(edges, math.MaxInt64-1, math.MaxInt64, math.MaxInt64+1, math.MaxUint64-1, math.MaxUint64)
	check := func(width int, lo, hi, x uint64) {
		stored := int64(x)
		if width == 32 {
			stored = int64(int32(uint32(x)))
		}
		for _, negate := range []bool{false, true} {
			test := Unsigned(width, lo, hi)
			if negate {
				test.Negate = !test.Negate
			}
			sel := []uint64{1}
			test.Filter(sel, ints(stored))
			if want := (lo <= x && x <= hi) != negate; (sel[0] == 1) != want {
				t.Errorf("%d bits: %d in [%d, %d], negated %v: %v", width, x, lo, hi, negate, sel[0] == 1)
			}
		}
	}
	for _, lo := range wide {
		for _, hi := range wide {
			for _, x := range wide {
				check(64, lo, hi, x)
				if x <= math.MaxUint32 {
					check(32, lo, hi, x)
				}
			}
		}
	}
}

func TestDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	random := func() []byte {
		b := make([]byte, r.IntN(4))
		for i := range b {
			b[i] = []byte{0, 0xff, 0x7f, 0x80, 1, byte(r.Uint32())}[r.IntN(6)]
		}
		return b
	}
	number := func(b []byte) *big.Int {
		x := new(big.Int).SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return x
	}
	for range 50_000 {
		a, b := random(), random()
		if got, want := CompareDecimals(a, b), number(a).Cmp(number(b)); got != want {
			t.Fatalf("%x against %x: %d, want %d", a, b, got, want)
		}
	}
}

func TestFloats(t *testing.T) {
	nan, inf, negative := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	values := []float64{nan, -inf, inf, 0, negative, 1, -1, math.MaxFloat64, math.SmallestNonzeroFloat64}
	v := &vector.Vector{Type: vector.Type{Physical: vector.Double}}
	build.Extend(v, len(values))
	copy(v.Doubles, values)
	for _, lo := range values {
		for _, hi := range values {
			for _, negate := range []bool{false, true} {
				between, in := Floats(lo, hi), InFloats([]float64{lo, hi})
				between.Negate, in.Negate = negate, negate
				a, b := []uint64{1<<len(values) - 1}, []uint64{1<<len(values) - 1}
				between.Filter(a, v)
				in.Filter(b, v)
				for i, x := range values {
					if want := (lo <= x && x <= hi) != negate; bits.Get(a, i) != want {
						t.Errorf("%v in [%v, %v], negated %v: %v", x, lo, hi, negate, !want)
					}
					if want := (x == lo || x == hi) != negate; bits.Get(b, i) != want {
						t.Errorf("%v among %v, %v, negated %v: %v", x, lo, hi, negate, !want)
					}
				}
			}
		}
	}
}

// TestOtherType asks what does not fit the column: nothing passes.
func TestOtherType(t *testing.T) {
	for _, test := range []*Test{Floats(0, 1), Strings(nil, nil), InFloats([]float64{1}), InStrings([][]byte{{1}}), Text(Prefix, nil), {}} {
		sel := []uint64{3}
		test.Filter(sel, ints(0, 1))
		if sel[0] != 0 {
			t.Errorf("kind %d of another type passes integers", test.Kind)
		}
	}
}

// Loops over words agree with operators on single values, at every length and
// with any rows left.
func TestLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		n := r.IntN(200)
		ints, doubles := &vector.Vector{}, &vector.Vector{}
		build.Reset(ints, vector.Type{Physical: vector.Int64})
		build.Reset(doubles, vector.Type{Physical: vector.Double})
		build.Extend(ints, n)
		build.Extend(doubles, n)
		values := []int64{math.MinInt64, math.MaxInt64, -1, 0, 1, 63, 64, 65, 1000}
		for i := range n {
			ints.Int64s[i] = values[r.IntN(len(values))]
			doubles.Doubles[i] = []float64{math.NaN(), math.Inf(-1), math.Inf(1), math.Copysign(0, -1), 1, 2}[r.IntN(6)]
		}
		lo, hi := values[r.IntN(len(values))], values[r.IntN(len(values))]
		flo, fhi := float64(r.IntN(3)), float64(r.IntN(3))
		in := []int64{values[r.IntN(len(values))], 5, 66}
		if r.IntN(2) == 0 {
			in = in[1:]
		}
		for name, tc := range map[string]struct {
			test *Test
			v    *vector.Vector
			pass func(i int) bool
		}{
			"ints":    {Ints(lo, hi), ints, func(i int) bool { return lo <= ints.Int64s[i] && ints.Int64s[i] <= hi }},
			"doubles": {Floats(flo, fhi), doubles, func(i int) bool { return flo <= doubles.Doubles[i] && doubles.Doubles[i] <= fhi }},
			"set":     {InInts(in), ints, func(i int) bool { return slices.Contains(in, ints.Int64s[i]) }},
		} {
			sel := make([]uint64, bits.Words(n)+1)
			for i := range sel {
				sel[i] = r.Uint64() | r.Uint64()&uint64(r.IntN(2)-1)
			}
			want := slices.Clone(sel)
			for i := range n {
				if !tc.pass(i) {
					bits.Clear(want, i)
				}
			}
			if tc.test.Filter(sel, tc.v); !slices.Equal(sel, want) {
				t.Fatalf("%s of %d values: %x, want %x", name, n, sel, want)
			}
		}
	}
}

func BenchmarkNarrow(b *testing.B) {
	v := &vector.Vector{}
	build.Reset(v, vector.Type{Physical: vector.Int64})
	build.Extend(v, 8192)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range v.Int64s[:v.Len] {
		v.Int64s[i] = r.Int64N(200_000)
	}
	var in []int64
	for range 1000 {
		in = append(in, r.Int64N(200_000))
	}
	for name, test := range map[string]*Test{"range": Ints(5000, 50_000), "set": InInts(in)} {
		b.Run("test="+name, func(b *testing.B) {
			sel := make([]uint64, bits.Words(v.Len))
			b.SetBytes(int64(v.Len) * 8)
			for b.Loop() {
				bits.SetRange(sel, 0, v.Len)
				test.Filter(sel, v)
			}
		})
	}
}
