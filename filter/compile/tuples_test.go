package compile

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/keys"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// randomTuples makes keys of several columns, of rows of the world, of values from
// different rows, and of others. w.keys has the tuples.
func (w *world) randomTuples(t *testing.T, r *rand.Rand, places []place, operands []tree.Operand) *filter.Keys {
	const room = 1 << 12 // enough that nothing else passes
	parts := []*filter.Keys{filter.NewKeys(room), filter.NewKeys(room)}
	w.keys = nil
	for range r.IntN(4) {
		k := pick(r, parts...)
		if vectors := w.leavesOf(places); vectors != nil && r.IntN(2) == 0 {
			for i := range w.rows {
				var tuple []*datum
				for _, o := range operands {
					tuple = append(tuple, record{w, i}.operand(o))
				}
				w.addTuple(tuple)
			}
			at := r.IntN(len(vectors))
			if v := inForm(r, vectors[at]); v.Form == vector.Dictionary {
				slices.Reverse(v.Codes) // the same slots, by codes that count up
				vectors[at] = v
			}
			k.AddColumns(vectors...)
			continue
		}
		for range 1 + r.IntN(4) {
			var tuple []*datum
			var values []any
			row := r.IntN(len(w.rows))
			for i, o := range operands {
				d := record{w, row}.operand(o)
				switch pool := w.pools[places[i].leaf]; {
				case r.IntN(3) == 0:
					d = record{w, r.IntN(len(w.rows))}.operand(o)
				case pool != nil && r.IntN(6) == 0:
					d = pool(r)
				}
				if d != nil && d.rat == nil && d.float != nil {
					d = floatDatum(*d.float, 0, nil) // a Go float is a double
				}
				tuple, values = append(tuple, d), append(values, goValue(d, familyName(places[i].kind)))
			}
			w.addTuple(tuple)
			k.Add(values...)
		}
	}
	parts[0].Merge(parts[1])
	b, err := parts[0].MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if r.IntN(2) == 0 {
		return parts[0]
	}
	var again filter.Keys
	if err := again.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	return &again
}

func (w *world) addTuple(tuple []*datum) {
	if !slices.Contains(tuple, nil) {
		w.keys = append(w.keys, tuple)
	}
}

// leavesOf returns the vectors of columns, nil unless all are leaves outside of lists and
// maps.
func (w *world) leavesOf(places []place) (all []*vector.Vector) {
	for _, p := range places {
		if p.leaf == nil || p.leaf.MaxRep > 0 {
			return nil
		}
		all = append(all, w.vectorOf(p.leaf))
	}
	return all
}

// TestInKeysOfSeveral holds keys of two and three columns against the naive evaluator:
// struct fields, values of maps and lengths among them; and their verdicts.
func TestInKeysOfSeveral(t *testing.T) {
	counts := map[string]int{}
	passed, each := 0, 0 // rows that are a key; rows whose values are in keys, each in another one
	for i := range 300 {
		r := rand.New(rand.NewPCG(12, uint64(i)))
		w := newWorld(t, r, pick(r, 1, 2, 5, 20, 70, 130))
		g := &writer{r, w}
		var places []place
		var operands []tree.Operand
		var columns []filter.Column
		for range 2 + r.IntN(2) {
			c := g.column()
			for strings.Contains(c.text, "ANY(") || strings.Contains(c.text, "ALL(") || c.kind == "nil" && r.IntN(4) > 0 {
				c = g.column()
			}
			e, err := filter.Parse(c.text + " IS NULL") // reads any operand
			if err != nil {
				t.Fatal(err)
			}
			places, operands, columns = append(places, c), append(operands, treeOf(e).Left), append(columns, columnOf(&treeOf(e).Left))
		}
		k := w.randomTuples(t, r, places, operands)
		is := filter.InKeys(k, columns...)
		e := is
		switch r.IntN(5) {
		case 0:
			other, err := filter.Parse(g.condition(1))
			if err != nil {
				t.Fatal(err)
			}
			e = pick(r, filter.And, filter.Or)(e, other)
		case 1:
			e = e.IsTrue()
		case 2:
			e = filter.Not(e.IsFalse())
		}
		p, err := Bind(e, w.schema, nil)
		if err != nil {
			t.Fatalf("case %d: %s: %v", i, e, err)
		}
		sel := w.run(p)
		for row := range w.rows {
			want := record{w, row}.eval(treeOf(e)) == naive.True
			if got := bits.Get(sel, row); got != want {
				t.Fatalf("case %d: %s, %d keys\nprogram %s\nrow %d: %v", i, e, k.Len(), p, row, got)
			}
			if (record{w, row}).eval(treeOf(is)) == naive.True {
				passed++
			} else if (record{w, row}).eachInKeys(treeOf(is)) {
				each++
			}
		}
		checkVerdicts(t, r, w, p, sel, "case "+strconv.Itoa(i)+": "+e.String(), counts)
	}
	if passed < 400 || each < 50 || counts["none"] == 0 || counts["some"] == 0 {
		t.Errorf("%d rows were keys, of %d only each value was in one; verdicts %v", passed, each, counts)
	}
}

// eachInKeys reports whether each value of a row is in some key, as if its column was
// tested alone.
func (x record) eachInKeys(e *tree.Condition) bool {
	for i, o := range append([]tree.Operand{e.Left}, e.Right...) {
		if x.inKeys(x.operand(o), i).Eval(nil) != naive.True {
			return false
		}
	}
	return true
}

func TestTupleErrors(t *testing.T) {
	w := newWorld(t, random(1), 1)
	of := func(key ...any) *filter.Keys {
		k := filter.NewKeys(10)
		k.Add(key...)
		return k
	}
	mixed := of(1, "x")
	mixed.Add(1)
	uneven := filter.NewKeys(10)
	uneven.AddColumns(&vector.Vector{Len: 1, Int32s: []int32{1}}, &vector.Vector{Len: 2, Int32s: []int32{1, 2}})
	merged := of(1, 2)
	merged.Merge(of(1))
	broken := of(1)
	broken.Merge(mixed)
	i32, str := filter.Col("i32"), filter.Col("str")
	for _, c := range []struct {
		e    *filter.Expr
		want string
	}{
		{filter.Not(filter.InKeys(of(1, "x"), i32, str)), "filter: InKeys cannot be negated: other values than keys pass it too"},
		{filter.InKeys(of(1, "x"), i32, str).IsFalse(), "filter: InKeys cannot be negated: other values than keys pass it too"},
		{filter.InKeys(of(1, "x"), i32), "filter: keys of 2 values are compared with 1"},
		{filter.InKeys(of(1), i32, str), "filter: keys of 1 values are compared with 2"},
		{filter.InKeys(of(1)), "filter: InKeys without a column"},
		{filter.InKeys(of(), i32), "filter: keys of 0 values"},
		{filter.InKeys(of(1, 2), i32, str), "filter: str cannot be compared with the keys: it is BYTE_ARRAY STRING"},
		{filter.InKeys(of("x", "x"), i32, str), "filter: i32 cannot be compared with the keys: it is INT32"},
		{filter.InKeys(mixed, i32, str), "filter: keys of 1 values are added to keys of 2"},
		{filter.InKeys(merged, i32, str), "filter: keys of 1 values are added to keys of 2"},
		{filter.InKeys(broken, i32), "filter: keys of 1 values are added to keys of 2"},
		{filter.InKeys(uneven, i32, str), "filter: columns of 1 and 2 keys"},
		{filter.InKeys(of(1, struct{}{}), i32, str), "filter: a value has a Go type that is none of those a filter takes"},
		{filter.InKeys(of(1, "x"), i32, filter.Col("tags")), "filter: tags is a list: say ANY(tags) or ALL(tags)"},
		{filter.InKeys(of(1, "x"), i32, filter.Col("tags").Any()), "filter: keys of several values are compared with single values, not with the items of a list"},
		{filter.InKeys(of(1, "x"), filter.Col("s"), str), "filter: s is a struct: name one of its fields"},
		{filter.InKeys(of(1, "x"), filter.Col("attrs"), str), "filter: attrs is a map: say attrs['key']"},
		{filter.InKeys(of(1, "x"), filter.Col("none"), str), "filter: no column none; there is ons"},
	} {
		if _, err := Bind(c.e, w.schema, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.e, err, c.want)
		}
	}
	for _, e := range []*filter.Expr{
		filter.InKeys(new(filter.Keys), i32, str), filter.InKeys(of(nil, "x"), i32, str), filter.InKeys(of(1, "x"), filter.Col("nil"), str),
	} {
		if p, err := Bind(e, w.schema, nil); err != nil || p.Root.Op != OpFalse {
			t.Errorf("%s: %v, %v", e, p, err)
		}
	}
}

// TestTuplesOfConstants: the value of one column is known for the whole file, or of both.
func TestTuplesOfConstants(t *testing.T) {
	k := filter.NewKeys(100)
	k.Add(2024, 5)
	k.Add(2023, 6)
	constant := func(v int64) vector.Scalar {
		s, err := vector.IntOf(vector.Type{Physical: vector.Int32}, v)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := oneColumn(t, kind("i32"))
	bind := func(constants filter.Constants, columns ...string) *Program {
		var all []filter.Column
		for _, c := range columns {
			all = append(all, filter.Col(c))
		}
		e := filter.InKeys(k, all...)
		p, err := Bind(e, s, constants)
		if err != nil {
			t.Fatal(err)
		}
		excluded, err := Excludes(e, constants)
		if err != nil || excluded != (p.Root.Op == OpFalse) {
			t.Errorf("%v: excluded %t, %v, by a program %s", constants, excluded, err, p)
		}
		return p
	}
	for _, c := range []struct {
		year, month int64
		want        Op
	}{{2024, 5, OpTrue}, {2024, 6, OpFalse}, {2023, 6, OpTrue}, {2022, 5, OpFalse}} {
		if p := bind(filter.Constants{"year": constant(c.year), "month": constant(c.month)}, "year", "month"); p.Root.Op != c.want {
			t.Errorf("%+v: %s", c, p)
		}
	}
	if p := bind(filter.Constants{"year": constant(2022)}, "year", "x"); p.Root.Op != OpFalse {
		t.Errorf("2022: %s", p)
	}
	p := bind(filter.Constants{"year": constant(2024)}, "year", "x")
	x := &vector.Vector{}
	build.Reset(x, vector.Type{Physical: vector.Int32})
	for _, v := range []int32{5, 6, 7} {
		appendPlain(x, le32(v), false)
	}
	build.AppendNulls(x, 1)
	sel := []uint64{15}
	for _, n := range p.Root.Args {
		switch n.Op {
		case OpTest:
			n.Test.slot.filter(sel, x)
		case OpCompute:
			if err := n.Compute.Filter(sel, 4, []*vector.Vector{x}); err != nil {
				t.Error(err)
			}
		}
	}
	if sel[0] != 1 {
		t.Errorf("%s: %04b", p, sel[0])
	}
}

// BenchmarkTuples tests rows of two columns for keys, about half of which are there.
func BenchmarkTuples(b *testing.B) {
	const rows = 16 << 10
	for _, names := range [][2]string{{"i64", "i64"}, {"i32", "f64"}, {"i64", "str"}} {
		b.Run("kinds="+names[0]+","+names[1], func(b *testing.B) {
			r := random(5)
			k := filter.NewKeys(rows)
			hashers, columns := make([]keys.Hasher, 2), make([]*vector.Vector, 2)
			some := make([]*vector.Vector, 2)
			for i, name := range names {
				leaf := oneColumn(b, kind(name)).Leaves()[0]
				columns[i], some[i] = &vector.Vector{}, &vector.Vector{}
				build.Reset(columns[i], leaf.Type)
				build.Reset(some[i], leaf.Type)
				for range rows {
					appendPlain(columns[i], randomPlain(r, leaf), false)
				}
				build.AppendSlots(some[i], columns[i], 0, rows/2)
				hashers[i] = keys.HasherOf(value.DomainOf(leaf.Type))
			}
			k.AddColumns(some...)
			set := treeOf(filter.InKeys(k, filter.Col("a"), filter.Col("b"))).Keys
			sel := make([]uint64, rows/64)
			b.ReportAllocs()
			for b.Loop() {
				bits.SetRange(sel, 0, rows)
				set.KeepTuples(hashers, columns, rows, sel)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}

// TestNoKeys: a value among no keys is FALSE, NULL among them is NULL.
func TestNoKeys(t *testing.T) {
	none, w := filter.NewKeys(0), newWorld(t, random(5), 200)
	for _, c := range []struct {
		e    *filter.Expr
		null bool // whether rows pass where str is NULL
	}{
		{filter.Col("str").InKeys(none), false},
		{filter.Not(filter.Col("str").InKeys(none).IsFalse()), true},
		{filter.Not(filter.Col("str").Lower().InKeys(none).IsFalse()), true},
		{filter.InKeys(none, filter.Col("str"), filter.Col("str").Lower()), false},
		{filter.Not(filter.InKeys(none, filter.Col("str"), filter.Col("str").Lower()).IsFalse()), true},
	} {
		p, err := Bind(c.e, w.schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		sel := w.run(p)
		for row := range w.rows {
			if got, want := bits.Get(sel, row), c.null && w.at(row, w.schema.Find("str")).null; got != want {
				t.Errorf("%s of row %d: %v", c.e, row, got)
				break
			}
		}
	}
}
