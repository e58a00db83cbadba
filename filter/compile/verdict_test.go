package compile

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// checkVerdicts makes bounds of the rows, as writers do and worse, and holds
// what they are said to prove against the rows that pass.
func checkVerdicts(t *testing.T, r *rand.Rand, w *world, p *Program, sel []uint64, replay string, counts map[string]int) {
	passed := bits.Count(sel, 0, len(w.rows))
	check := func(v Verdict, passed int, what any) {
		counts[v.String()]++
		if v == None && passed > 0 || v == All && passed < len(w.rows) {
			t.Fatalf("%s\nprogram %s\nverdict %s on %v: %d of %d rows pass", replay, p, v, what, passed, len(w.rows))
		}
	}
	for range 3 {
		known := map[*schema.Node]*Bounds{}
		bounds := func(leaf *schema.Node) *Bounds {
			if known[leaf] == nil {
				known[leaf] = w.bounds(r, leaf)
			}
			return known[leaf]
		}
		check(judge(p.Root, bounds), passed, "the whole")
		for _, test := range testsOf(p) {
			own := make([]uint64, len(sel))
			bits.SetRange(own, 0, len(w.rows))
			w.test(test, own)
			check(test.Verdict(bounds(test.Leaf)), bits.Count(own, 0, len(w.rows)), test)
		}
	}
	for _, c := range p.Computes() {
		if c.judge != nil {
			known := map[*schema.Node]*Bounds{}
			bounds := func(leaf *schema.Node) *Bounds {
				if known[leaf] == nil {
					known[leaf] = w.bounds(r, leaf)
				}
				return known[leaf]
			}
			own := &Program{Root: &Node{Op: OpCompute, Compute: c}}
			v := c.Verdict(bounds)
			counts["columns "+v.String()]++
			check(v, bits.Count(w.run(own), 0, len(w.rows)), c)
		}
	}
	for _, test := range testsOf(p) {
		checkMask(t, w, test, replay)
		checkKeys(t, w, test, replay, counts)
	}
}

func judge(n *Node, bounds func(*schema.Node) *Bounds) Verdict {
	v := Some
	switch n.Op {
	case OpTrue:
		return All
	case OpFalse:
		return None
	case OpTest:
		return n.Test.Verdict(bounds(n.Test.Leaf))
	case OpCompute:
		return n.Compute.Verdict(bounds)
	case OpComplement:
		return judge(n.Args[0], bounds).Not()
	case OpAnd:
		v = All
		for _, a := range n.Args {
			v = v.And(judge(a, bounds))
		}
	case OpOr:
		v = None
		for _, a := range n.Args {
			v = v.Or(judge(a, bounds))
		}
	}
	return v
}

func (w *world) bounds(r *rand.Rand, leaf *schema.Node) *Bounds {
	b := &Bounds{Levels: make([]int64, leaf.MaxDef+1)}
	var vals []*datum
	raws := w.data(leaf)
	for i, e := range w.shred(leaf) {
		b.Slots++
		b.Levels[e.def]++
		switch {
		case e.def < leaf.MaxDef || leaf.Type.Logical == vector.Null:
			b.Nulls++
		case raws[i].float != nil && math.IsNaN(*raws[i].float):
			b.NaNs++
		default:
			vals = append(vals, raws[i])
		}
	}
	if len(vals) > 0 && r.IntN(6) > 0 {
		order := func(a, b *datum) int {
			if a.truth != nil {
				return int(a.plain[0]) - int(b.plain[0])
			}
			o, _ := naive.Order(a.literal().Literal, b.literal().Literal)
			return o
		}
		b.HasMin, b.HasMax = r.IntN(8) > 0, r.IntN(8) > 0
		b.MinExact, b.MaxExact, b.Sure = true, true, r.IntN(4) > 0
		b.Min, b.Max = slices.MinFunc(vals, order).plain, slices.MaxFunc(vals, order).plain
		if vals[0].float != nil && vals[0].rat == nil { // zeros of the other sign
			b.Min, b.Max = flipZero(r, leaf.Type, b.Min), flipZero(r, leaf.Type, b.Max)
		}
		if vals[0].text != nil && leaf.Type.Physical == vector.ByteArray && r.IntN(2) == 0 {
			if len(b.Min) > 1 {
				b.Min, b.MinExact = b.Min[:1], false
			}
			if len(b.Max) > 1 && b.Max[0] < 0xff {
				b.Max, b.MaxExact = []byte{b.Max[0] + 1}, false
			}
		}
	}
	if leaf.Type.Physical != vector.Float && leaf.Type.Physical != vector.Double && leaf.Type.Logical != vector.Float16 {
		b.NaNs = pick(r, 0, Unknown)
	} else if r.IntN(3) == 0 {
		b.NaNs = Unknown
	}
	if r.IntN(5) == 0 {
		b.Nulls = Unknown
	}
	if r.IntN(5) == 0 {
		b.Slots = Unknown
	}
	if r.IntN(2) == 0 {
		b.Levels = nil
	}
	if r.IntN(30) == 0 && leaf.Type.Physical != vector.ByteArray { // bounds that lie in a way that shows
		b.HasMin, b.Min = true, []byte{1, 2, 3, 4, 5}
	}
	return b
}

func flipZero(r *rand.Rand, typ vector.Type, plain []byte) []byte {
	for i, c := range plain {
		if c != 0 && !(i == len(plain)-1 && c == 0x80) {
			return plain
		}
	}
	plain = slices.Clone(plain)
	if r.IntN(2) == 0 {
		plain[len(plain)-1] ^= 0x80
	}
	return plain
}

// data returns the values of the entries of a leaf, nil where there is none.
func (w *world) data(leaf *schema.Node) (out []*datum) {
	var path []*schema.Node
	for n := leaf; n.Parent != nil; n = n.Parent {
		path = append([]*schema.Node{n}, path...)
	}
	var down func(v raw, at []*schema.Node)
	down = func(v raw, at []*schema.Node) {
		if len(at) == 0 {
			out = append(out, v.leaf)
			return
		}
		f := v.fields[childIndex(at[0])]
		switch {
		case f.null || at[0].Repetition == schema.Repeated && len(f.many) == 0:
			out = append(out, nil)
		case at[0].Repetition == schema.Repeated:
			for _, o := range f.many {
				down(o, at[1:])
			}
		default:
			down(f, at[1:])
		}
	}
	for _, row := range w.rows {
		down(row, path)
	}
	return out
}

// passing returns which of a column's values pass t, which is not of Kind Null.
func passing(t *Test, values *vector.Vector) []uint64 {
	sel := make([]uint64, bits.Words(values.Len))
	bits.SetRange(sel, 0, values.Len)
	t.Pred.Filter(sel, values)
	return sel
}

// checkMask takes all values of a leaf for its dictionary.
func checkMask(t *testing.T, w *world, test *Test, replay string) {
	dict := &vector.Vector{}
	build.Reset(dict, test.Leaf.Type)
	for _, e := range w.shred(test.Leaf) {
		if e.def == test.Leaf.MaxDef {
			appendPlain(dict, e.plain, false)
		}
	}
	if test.Pred.Kind == pred.Null {
		return
	}
	mask := passing(test, dict)
	for i := range dict.Len {
		one := &vector.Vector{}
		build.Reset(one, test.Leaf.Type)
		build.AppendSlots(one, dict, i, i+1)
		if alone := passing(test, one); bits.Get(mask, i) != bits.Get(alone, 0) {
			t.Fatalf("%s\nmask of %v: entry %d alone says %v", replay, test, i, bits.Get(alone, 0))
		}
	}
}

// checkKeys asks a Bloom filter of each row whether it may pass.
func checkKeys(t *testing.T, w *world, test *Test, replay string, counts map[string]int) {
	keys, ok := test.Keys()
	if !ok {
		return
	}
	var hashes []uint64
	for _, k := range keys {
		if hashes, ok = bloom.AppendHashes(hashes, test.Leaf.Type, k); !ok {
			return
		}
	}
	counts["keys"]++
	rows := make([]uint64, bits.Words(len(w.rows)))
	bits.SetRange(rows, 0, len(w.rows))
	w.test(test, rows)
	has := map[int]bool{}
	for _, e := range w.shred(test.Leaf) {
		if e.def == test.Leaf.MaxDef && slices.Contains(hashes, bloom.Hash(e.plain)) {
			has[e.row] = true
		}
	}
	for row := range w.rows {
		if bits.Get(rows, row) && !has[row] {
			t.Fatalf("%s\nkeys %x of %v: row %d passes without", replay, keys, test, row)
		}
	}
}

// TestVerdict: what bounds prove, and what they do not, where it is not plain; TestVerdicts of internal/test/oracle has the rest.
func TestVerdict(t *testing.T) {
	ints := func(lo, hi int32) Bounds {
		return Bounds{Min: le32(lo), Max: le32(hi), HasMin: true, HasMax: true, Sure: true, Slots: 10}
	}
	with := func(b Bounds, change func(*Bounds)) Bounds { change(&b); return b }
	floats := Bounds{Min: le64(int64(math.Float64bits(1))), Max: le64(int64(math.Float64bits(2))), HasMin: true, HasMax: true, Sure: true, Slots: 10}
	text := Bounds{Min: []byte("abc"), Max: []byte("abc"), HasMin: true, HasMax: true, MinExact: true, MaxExact: true, Sure: true, Slots: 10}
	for _, c := range []struct {
		kind, where string
		b           Bounds
		want        Verdict
	}{
		{"i32", "x IN (1, 2, 9)", ints(3, 8), None},
		{"i32", "x < 9", with(ints(3, 8), func(b *Bounds) { b.Sure = false }), Some},
		{"i32", "x < 3", with(ints(3, 8), func(b *Bounds) { b.Sure = false }), None},
		{"i32", "x < 9", with(ints(3, 8), func(b *Bounds) { b.Nulls = 1 }), Some},
		{"i32", "x < 9", with(ints(3, 8), func(b *Bounds) { b.Nulls = Unknown }), Some},
		{"i32", "x < 9 OR x IS NULL", with(ints(3, 8), func(b *Bounds) { b.Nulls = 10 }), None}, // the test without NULL
		{"i32", "x < 9", with(ints(3, 8), func(b *Bounds) { b.HasMax = false }), Some},
		{"i32", "x < 3", with(ints(3, 8), func(b *Bounds) { b.HasMax = false }), None},
		{"i32", "x < 3", with(ints(3, 8), func(b *Bounds) { b.Min = []byte{1} }), Some},
		{"i32", "x < 3", ints(8, 3), Some},
		{"i32", "x IS NULL", Bounds{Slots: 10, Nulls: 10}, All},
		{"i32", "x IS NOT NULL", Bounds{Slots: 10, Nulls: 10}, None},
		{"i32", "x IS NOT NULL", Bounds{Slots: Unknown, Nulls: Unknown}, Some},
		{"i32", "x > 5", Bounds{Slots: 10, Nulls: 10}, None},
		{"f64", "x > 0", floats, All},
		{"f64", "x > 0", with(floats, func(b *Bounds) { b.NaNs = Unknown }), Some},
		{"f64", "x > 0", with(floats, func(b *Bounds) { b.NaNs = 1 }), Some},
		{"f64", "NOT x > 2", with(floats, func(b *Bounds) { b.NaNs = Unknown }), All}, // NaN passes too
		{"f64", "x <= 2", with(floats, func(b *Bounds) { b.NaNs = Unknown }), Some},
		{"f64", "NOT x <= 0", with(floats, func(b *Bounds) { b.NaNs = Unknown }), All},
		{"f64", "x > 2", with(floats, func(b *Bounds) { b.NaNs = Unknown }), None},
		{"f64", "x > 2", with(floats, func(b *Bounds) { b.Max = le64(int64(math.Float64bits(math.NaN()))) }), Some},
		{"f64", "x > 0", Bounds{Slots: 10, NaNs: 10}, None},
		{"f64", "NOT x > 0", Bounds{Slots: 10, NaNs: 10}, All},
		{"f64", "x::VARCHAR = 'nan'", Bounds{Slots: 10, NaNs: 10}, Some},
		{"f64", "x < 0", with(floats, func(b *Bounds) { b.Min = make([]byte, 8) }), None},
		{"str", "x LIKE 'ab%'", text, All},
		{"str", "x LIKE 'b%c'", text, None},
		{"str", "x LIKE 'a%c'", text, All},
		{"str", "x LIKE 'a%d'", text, None},
		{"str", "x LIKE 'a%c'", with(text, func(b *Bounds) { b.MinExact = false }), Some},
		{"str", "x LIKE 'a%c'", with(text, func(b *Bounds) { b.MaxExact = false }), Some},
		{"str", "x LIKE 'a%c'", with(text, func(b *Bounds) { b.Max = []byte("abd") }), Some},
		{"str", "x >= 'ab'", with(text, func(b *Bounds) { b.Min, b.MinExact = []byte("ab"), false }), All},
		{"str", "x > 'ab'", with(text, func(b *Bounds) { b.Min, b.MinExact = []byte("ab"), false }), Some},
	} {
		p, err := bindText(c.where, oneColumn(t, kind(c.kind)))
		if err != nil {
			t.Fatal(err)
		}
		if got := testsOf(p)[0].Verdict(&c.b); got != c.want {
			t.Errorf("%s, %s, %+v: %v, want %v", c.kind, c.where, c.b, got, c.want)
		}
	}
	w := newWorld(t, random(1), 0)
	for _, c := range []struct {
		where string
		b     Bounds
		want  Verdict
	}{
		// deep: levels 0 NULL, 1 [], 2 [NULL], 3 [[]], 4 [[NULL]], 5 a value.
		{"deep IS NULL", Bounds{Slots: 9, Nulls: 9}, Some},
		{"deep IS NULL", Bounds{Slots: 9, Nulls: 0}, None},
		{"deep IS NULL", Bounds{Slots: 9, Nulls: 9, Levels: []int64{9, 0, 0, 0, 0, 0}}, All},
		{"deep IS NULL", Bounds{Slots: 9, Nulls: 9, Levels: []int64{0, 1, 8, 0, 0, 0}}, None},
		{"deep IS NOT NULL", Bounds{Slots: 9, Nulls: 9, Levels: []int64{0, 1, 8, 0, 0, 0}}, All},
		{"deep IS NOT NULL", Bounds{Slots: 9, Nulls: 9, Levels: []int64{1, 0, 8, 0, 0, 0}}, Some},
		{"deep IS NULL", Bounds{Slots: 9, Nulls: 9, Levels: []int64{9, -1, 0, 0, 0, 0}}, Some},
	} {
		p, err := bindText(c.where, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		if got := testsOf(p)[0].Verdict(&c.b); got != c.want {
			t.Errorf("%s, %+v: %v, want %v", c.where, c.b, got, c.want)
		}
	}
}

func TestVerdictAllocatesNothing(t *testing.T) {
	b := Bounds{Min: []byte("abc"), Max: []byte("abd"), HasMin: true, HasMax: true, Sure: true, Slots: 10}
	for _, where := range []string{"x IN ('a', 'abcd', 'b')", "x > 'abc'", "x LIKE 'ab%d'", "x IS NULL"} {
		p, err := bindText(where, oneColumn(t, kind("str")))
		if err != nil {
			t.Fatal(err)
		}
		test := testsOf(p)[0]
		if n := testing.AllocsPerRun(10, func() { test.Verdict(&b) }); n != 0 {
			t.Errorf("%s: %v allocations", where, n)
		}
	}
}

func TestBounded(t *testing.T) {
	none := Bounds{}
	sure := Bounds{Min: []byte("ab"), Max: []byte("ac"), HasMin: true, HasMax: true, Sure: true}
	half, doubtful := sure, sure
	half.HasMax, doubtful.Sure = false, false
	for _, c := range []struct {
		where string
		all   *Bounds
		want  bool
	}{
		{"x > 'a'", &none, true}, {"x <> 'a'", &none, true}, {"x IN ('a', 'b')", &none, true},
		{"x LIKE 'a%b'", &none, true}, {"x NOT LIKE 'a%'", &none, true},
		{"x LIKE '%a%'", &none, false}, {"x NOT LIKE 'a%b'", &none, false}, {"x LIKE '_a'", &none, false},
		{"x IS NULL", &none, false}, {"x IS NOT NULL", &none, false},
		{"x LIKE 'a%b'", &sure, false}, {"x LIKE 'ab%b'", &sure, true}, {"x > 'a'", &sure, true}, {"x IS NULL", &sure, false},
		{"x LIKE 'a%b'", &half, true}, {"x LIKE 'a%b'", &doubtful, true},
	} {
		p, err := bindText(c.where, oneColumn(t, kind("str")))
		if err != nil {
			t.Fatal(err)
		}
		if got := testsOf(p)[0].Bounded(c.all); got != c.want {
			t.Errorf("%s, %+v: %v", c.where, c.all, got)
		}
	}
}
