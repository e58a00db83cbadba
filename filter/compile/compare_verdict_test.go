package compile

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
)

// TestColumnsVerdict: what bounds on both columns of a comparison prove.
func TestColumnsVerdict(t *testing.T) {
	w := newWorld(t, random(1), 0)
	ints := func(lo, hi int32) Bounds {
		return Bounds{Min: le32(lo), Max: le32(hi), HasMin: true, HasMax: true, Sure: true, Slots: 10}
	}
	longs := func(lo, hi int64) Bounds {
		return Bounds{Min: le64(lo), Max: le64(hi), HasMin: true, HasMax: true, Sure: true, Slots: 10}
	}
	doubles := func(lo, hi float64) Bounds {
		return longs(int64(math.Float64bits(lo)), int64(math.Float64bits(hi)))
	}
	texts := func(lo, hi string) Bounds {
		return Bounds{Min: []byte(lo), Max: []byte(hi), HasMin: true, HasMax: true, Sure: true, Slots: 10}
	}
	with := func(b Bounds, change func(*Bounds)) Bounds { change(&b); return b }
	for _, c := range []struct {
		where string
		x, y  Bounds
		want  Verdict
	}{
		{"i32 < i64", ints(1, 5), longs(6, 9), All},
		{"i32 < i64", ints(1, 6), longs(6, 9), Some},
		{"i32 <= i64", ints(1, 6), longs(6, 9), All},
		{"i32 > i64", ints(1, 6), longs(6, 9), None},
		{"i32 >= i64", ints(1, 6), longs(6, 9), Some},
		{"i32 >= i64", ints(1, 5), longs(6, 9), None},
		{"i32 = i64", ints(1, 5), longs(6, 9), None},
		{"i32 <> i64", ints(1, 5), longs(6, 9), All},
		{"i32 = i64", ints(6, 6), longs(6, 6), All},
		{"i32 <> i64", ints(6, 6), longs(6, 6), None},
		{"NOT i32 < i64", ints(1, 5), longs(6, 9), None},
		{"(i32 < i64) IS NOT TRUE", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.Nulls = 1 }), Some},
		{"(i32 > i64) IS NOT TRUE", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.Nulls = 1 }), All},
		{"i32 < i64", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.Nulls = 1 }), Some},
		{"i32 < i64", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.Nulls = Unknown }), Some},
		{"i32_r < i64_r", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.Nulls = Unknown }), All},
		{"i32 > i64", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.Nulls = Unknown }), None},
		{"i32 < i64", ints(1, 5), Bounds{Slots: 10, Nulls: 10}, None},
		{"i32 < i64", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.Sure = false }), Some},
		{"i32 > i64", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.Sure = false }), None},
		{"i32 < i64", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.HasMin = false }), Some},
		{"i32 < i64", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.HasMax = false }), All},
		{"i32 >= i64", ints(1, 5), with(longs(6, 9), func(b *Bounds) { b.HasMax = false }), None},
		{"i32 <= i64", ints(1, 5), with(longs(5, 9), func(b *Bounds) { b.HasMax = false }), All},
		{"i32 < i64", ints(1, 5), with(longs(5, 9), func(b *Bounds) { b.HasMax = false }), Some},
		{"i64 > i32", with(longs(6, 9), func(b *Bounds) { b.HasMax = false }), ints(1, 5), All},
		{"i64 = i32", with(longs(6, 9), func(b *Bounds) { b.HasMin = false }), ints(10, 12), None},
		{"i64 < i32", with(longs(6, 9), func(b *Bounds) { b.HasMin = false }), ints(9, 12), Some},
		{"i64 <= i32", with(longs(6, 9), func(b *Bounds) { b.HasMin = false }), ints(9, 12), All},
		{"i64 <= i32", with(longs(6, 9), func(b *Bounds) { b.HasMin, b.HasMax = false, false }), ints(9, 12), Some},
		{"i64 - i32 > 0", with(longs(6, 9), func(b *Bounds) { b.HasMax = false }), ints(1, 5), Some},
		{"str < bin", with(texts("", "b"), func(b *Bounds) { b.HasMin = false }), with(texts("c", ""), func(b *Bounds) { b.HasMax = false }), All},
		{"i32 < u32", ints(1, 5), ints(6, 9), All},
		{"i32 > f64", ints(1, 5), doubles(5, 9), None},
		{"i64 + i64 > 5", longs(3, 9), longs(0, 0), All}, // 3 + 3
		{"i64 * i64 > 85070591730234615865843651857942052864", longs(-1<<63, 0), longs(0, 0), None},
		{"f64 - f64_r > 1", doubles(math.Inf(1), math.Inf(1)), doubles(math.Inf(1), math.Inf(1)), Some}, // NaN
		{"f64 * f64_r <= DOUBLE 'Infinity'", doubles(1, math.Inf(1)), doubles(-1, 1), Some},             // infinity * 0 is NaN
		{"(f64 * f64_r <= DOUBLE 'Infinity') IS NOT TRUE", doubles(1, math.Inf(1)), doubles(-1, 1), Some},
		{"f64 * f64_r * f64_r <= DOUBLE 'Infinity'", doubles(1e200, 1e201), doubles(-1e200, 1e200), Some},
		{"f64 * DOUBLE 'Infinity' * f64_r >= DOUBLE '-Infinity'", doubles(-1, 1), doubles(1, 2), Some},
		{"f64 + f64_r > 1", doubles(1, math.Inf(1)), doubles(1, math.Inf(1)), All},
		{"f64 / f64_r > 1", doubles(4, 4), doubles(2, 2), Some},
		{"i32 > f64", ints(1, 5), doubles(5.5, 9), None},
		{"date < tms", ints(1, 1), longs(86400_001, 86400_002), All},
		{"d32 < dfix", ints(1, 5), ints(6, 9), Some}, // bounds of a wrong length
		{"str < bin", texts("a", "b"), texts("b\x00", "c"), All},
		{"str > bin", texts("a", "b"), texts("b", "c"), None},
		{"f64 < f64_r", doubles(1, 2), doubles(3, 4), All},
		{"f64 < f64_r", doubles(1, 2), with(doubles(3, 4), func(b *Bounds) { b.NaNs = Unknown }), Some},
		{"f64 > f64_r", doubles(1, 2), with(doubles(3, 4), func(b *Bounds) { b.NaNs = Unknown }), None},
		{"f64 <> f64_r", doubles(1, 2), with(doubles(3, 4), func(b *Bounds) { b.NaNs = 3 }), All},
		{"f64 = f64_r", doubles(0, 0), doubles(math.Copysign(0, -1), 0), All},
	} {
		p, err := bindText(c.where, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		compute := p.Root.Compute
		var left *schema.Node
		got := compute.Verdict(func(leaf *schema.Node) *Bounds {
			if left == nil || leaf == left {
				left = leaf
				return &c.x
			}
			return &c.y
		})
		if got != c.want {
			t.Errorf("%s, %+v and %+v: %v, want %v", c.where, c.x, c.y, got, c.want)
		}
		if v := compute.Verdict(func(*schema.Node) *Bounds { return nil }); v != Some {
			t.Errorf("%s of nothing known: %v", c.where, v)
		}
	}
	p, err := bindText("length(tags) > i32", w.schema)
	if err != nil {
		t.Fatal(err)
	}
	if v := p.Root.Compute.Verdict(func(leaf *schema.Node) *Bounds {
		if leaf.Name != "i32" {
			t.Error("bounds of lengths")
		}
		return nil
	}); v != Some {
		t.Errorf("of lengths: %v", v)
	}
}

// TestColumnsVerdictRandom holds verdicts on two columns against their rows.
func TestColumnsVerdictRandom(t *testing.T) {
	counts := map[string]int{}
	for i := range 300 {
		r := rand.New(rand.NewPCG(21, uint64(i)))
		w := newWorld(t, r, pick(r, 1, 1, 2, 3))
		g := &writer{r, w}
		for range 20 {
			text := g.columns()
			if r.IntN(3) == 0 {
				text = "NOT (" + text + ")"
			}
			if r.IntN(3) == 0 {
				text = "(" + text + ") IS " + pick(r, "", "NOT ") + pick(r, "TRUE", "FALSE")
			}
			p, err := bindText(text, w.schema)
			if err != nil {
				t.Fatal(err)
			}
			checkVerdicts(t, r, w, p, w.run(p), "case "+strconv.Itoa(i)+": "+text, counts)
		}
	}
	t.Log(counts)
	for _, v := range []string{"none", "all", "some"} {
		if counts["columns "+v] < 20 {
			t.Errorf("verdict %s: %d times only", v, counts["columns "+v])
		}
	}
}
