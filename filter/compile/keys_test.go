package compile

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/thrift"
)

// randomKeys makes keys of values of a column of a family, added in any way. w.keys
// has the values.
func (w *world) randomKeys(r *rand.Rand, family string) *filter.Keys {
	k := filter.NewKeys(1 << 12) // room enough that nothing else passes
	w.keys = nil
	var leaves []*schema.Node
	for _, leaf := range w.schema.Leaves()[:2*len(leafKinds())] {
		if familyName(w.kinds[leaf]) == family && w.pools[leaf] != nil {
			leaves = append(leaves, leaf)
		}
	}
	for range r.IntN(3) {
		leaf := leaves[r.IntN(len(leaves))]
		if r.IntN(2) == 0 {
			v := w.vectorOf(leaf)
			for i := range w.rows {
				if f := w.at(i, leaf); !f.null {
					w.keys = append(w.keys, []*datum{f.leaf})
				}
			}
			k.AddColumns(inForm(r, v))
			continue
		}
		for range r.IntN(4) {
			d := w.pools[leaf](r)
			if d.rat == nil && d.float != nil {
				d.narrow = 0 // a Go float is a double
			}
			w.keys = append(w.keys, []*datum{d})
			switch {
			case d.text != nil && family == "text" && r.IntN(2) == 0:
				k.AddString(*d.text)
			case d.text != nil:
				k.AddBytes([]byte(*d.text))
			case d.rat != nil && family == "number" && d.rat.IsInt() && d.rat.Num().IsInt64():
				k.AddInt64(d.rat.Num().Int64())
			default:
				k.Add(goValue(d, family))
			}
		}
	}
	return k
}

// goValue returns a datum as a host has it.
func goValue(d *datum, family string) any {
	switch {
	case d == nil:
		return nil
	case d.truth != nil:
		return *d.truth
	case d.text != nil:
		return []byte(*d.text)
	case d.rat == nil:
		return *d.float
	case family == "moment":
		days, nanos := new(big.Int).DivMod(d.rat.Num(), big.NewInt(value.NanosPerDay), new(big.Int))
		return time.Unix(days.Int64()*86400, nanos.Int64())
	case family == "time":
		return filter.TimeOfDay(time.Duration(d.rat.Num().Int64()))
	case d.rat.IsInt():
		return d.rat.Num()
	}
	return filter.Decimal(d.rat.FloatString(4))
}

// columnOf returns the column that an operand is.
func columnOf(o *tree.Operand) filter.Column {
	c := filter.Col(schema.FormatPath(o.Path))
	switch {
	case o.Quantifier == tree.AnyItem:
		c = c.Any()
	case o.Quantifier == tree.AllItems:
		c = c.All()
	case o.Length:
		c = c.Length()
	case o.Key != nil:
		c = c.Key(*o.Key)
		for _, name := range o.Field {
			c = c.Field(schema.FormatPath([]string{name.Text}))
		}
	}
	return c
}

// inForm returns the same slots in another form, if there is one.
func inForm(r *rand.Rand, v *vector.Vector) *vector.Vector {
	if r.IntN(2) == 0 || v.Len == 0 || v.Nulls() > 0 {
		return v
	}
	d := &vector.Vector{Type: v.Type, Form: vector.Dictionary, Len: v.Len, Dict: v}
	for i := range v.Len {
		d.Codes = append(d.Codes, uint32(v.Len-1-i))
	}
	return d
}

// TestInKeys holds conditions with keys against the naive evaluator, and their
// verdicts and masks against the rows.
func TestInKeys(t *testing.T) {
	counts := map[string]int{}
	hits := map[string]int{}
	for i := range 600 {
		r := rand.New(rand.NewPCG(11, uint64(i)))
		w := newWorld(t, r, pick(r, 1, 2, 5, 20, 70))
		g := &writer{r, w}
		c := g.column()
		if c.kind == "nil" {
			continue
		}
		k := w.randomKeys(r, familyName(c.kind))
		column, err := filter.Parse(c.text + " IS NULL") // reads any operand
		if err != nil {
			t.Fatal(err)
		}
		is := columnOf(&treeOf(column).Left).InKeys(k)
		e := is
		switch r.IntN(4) {
		case 0, 1:
			other, err := filter.Parse(g.condition(1))
			if err != nil {
				t.Fatal(err)
			}
			e = pick(r, filter.And, filter.Or)(e, other)
		case 2:
			e = e.IsTrue()
		}
		p, err := Bind(e, w.schema, nil)
		if err != nil {
			t.Fatalf("case %d: %s: %v", i, e, err)
		}
		sel := w.run(p)
		for row := range w.rows {
			want := record{w, row}.eval(treeOf(e)) == naive.True
			// Decimals are told from FLOATs by their bounds at most.
			loose := c.kind == "f32" || c.kind == "f16" || strings.HasPrefix(c.kind, "d") && c.kind != "d64" && c.kind != "date"
			if got := bits.Get(sel, row); got != want && (want || !loose) {
				t.Fatalf("case %d: %s, %d keys of %s\nprogram %s\nrow %d: %v", i, e, k.Len(), c.kind, p, row, got)
			}
			if len(w.keys) > 0 && (record{w, row}).eval(treeOf(is)) == naive.True {
				hits[c.kind]++
			}
		}
		checkVerdicts(t, r, w, p, sel, "case "+strconv.Itoa(i)+": "+e.String(), counts)
	}
	t.Log(counts, hits)
	for _, c := range leafKinds() {
		if c.name != "nil" && hits[c.name] == 0 {
			t.Errorf("no row of kind %s has passed", c.name)
		}
	}
	for _, v := range []string{"none", "all", "some"} {
		if counts[v] == 0 {
			t.Errorf("verdict %s never came", v)
		}
	}
}

// TestKeysVerdict: what the least and the greatest key tell of a page.
func TestKeysVerdict(t *testing.T) {
	ints := func(lo, hi int32) Bounds {
		return Bounds{Min: le32(lo), Max: le32(hi), HasMin: true, HasMax: true, MinExact: true, MaxExact: true, Sure: true, Slots: 10}
	}
	doubles := func(lo, hi float64) Bounds {
		return Bounds{Min: le64(int64(math.Float64bits(lo))), Max: le64(int64(math.Float64bits(hi))), HasMin: true, HasMax: true, Sure: true, Slots: 10}
	}
	texts := func(lo, hi string) Bounds {
		return Bounds{Min: []byte(lo), Max: []byte(hi), HasMin: true, HasMax: true, MinExact: true, MaxExact: true, Sure: true, Slots: 10}
	}
	for _, c := range []struct {
		kind string
		keys []any
		b    Bounds
		want Verdict
	}{
		{"i32", []any{5, 100}, ints(101, 200), None},
		{"i32", []any{5, 100}, ints(-7, 4), None},
		{"i32", []any{5, 100}, ints(6, 99), Some},
		{"i32", []any{5, 100}, ints(100, 101), Some},
		{"i32", []any{5, 100}, ints(7, 7), None},
		{"i32", []any{5, 100}, ints(5, 5), All},
		{"i32", []any{5.5, 99.5}, ints(100, 101), Some}, // rounded to whole numbers
		{"i32", []any{5.5, 99.5}, ints(101, 102), None},
		{"i32", []any{int64(1 << 40)}, ints(0, math.MaxInt32), None},
		{"i32", []any{5, 1e300}, ints(6, 7), Some},
		{"i32", []any{5, 1e300}, ints(3, 4), None},
		{"i32", []any{5, -1e300}, ints(3, 4), Some},
		{"i32", []any{nil}, ints(3, 4), None},
		{"i32", []any{math.NaN()}, ints(3, 4), None},
		{"d32", []any{5}, ints(499, 499), None}, // 4.99
		{"d32", []any{5}, ints(400, 499), None},
		{"d32", []any{5}, ints(400, 500), Some},
		{"f64", []any{5, 7}, doubles(7.5, 9), None},
		{"f64", []any{5, 7}, doubles(7, 9), Some},
		{"str", []any{"b", "d"}, texts("a", "azz"), None},
		{"str", []any{"b", "d"}, texts("d\x00", "e"), None},
		{"str", []any{"b", "d"}, texts("c", "c"), None},
		{"str", []any{"b", "d"}, texts("d", "d"), All},
		{"str", []any{"", "d"}, texts("", "a"), Some},
		{"date", []any{filter.Date(1970, 1, 10)}, ints(10, 20), None},
		{"date", []any{filter.Date(1970, 1, 10)}, ints(9, 20), Some},
		{"date", []any{filter.Date(1970, 1, 10)}, ints(0, 8), None},
		{"date", []any{time.Unix(86400*9+1, 0)}, ints(9, 9), None}, // no midnight
	} {
		for made, k := range map[string]*filter.Keys{"NewKeys": filter.NewKeys(1000), "zero": new(filter.Keys)} {
			for _, v := range c.keys {
				k.Add(v)
			}
			p, err := Bind(filter.Col("x").InKeys(k), oneColumn(t, kind(c.kind)), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := None
			if p.Root.Op == OpTest {
				got = p.Root.Test.Verdict(&c.b)
			}
			if got != c.want {
				t.Errorf("%s, %s keys %v, %+v: %v, want %v", c.kind, made, c.keys, c.b, got, c.want)
			}
		}
	}
}

func TestKeysErrors(t *testing.T) {
	w := newWorld(t, random(1), 1)
	of := func(values ...any) *filter.Keys {
		k := filter.NewKeys(10)
		for _, v := range values {
			k.Add(v)
		}
		return k
	}
	list := filter.NewKeys(1)
	list.AddColumns(&vector.Vector{Layout: vector.List, Offsets: []int32{0}})
	for _, c := range []struct {
		e    *filter.Expr
		want string
	}{
		{filter.Not(filter.Col("i32").InKeys(of(1))), "filter: InKeys cannot be negated: other values than keys pass it too"},
		{filter.Col("i32").InKeys(of(1)).IsFalse(), "filter: InKeys cannot be negated: other values than keys pass it too"},
		{filter.Not(filter.Col("tags").Any().InKeys(of(1)).IsTrue()), "filter: InKeys cannot be negated: other values than keys pass it too"},
		{filter.Col("i32").InKeys(of("x")), "filter: i32 cannot be compared with the keys: it is INT32"},
		{filter.Col("i32").InKeys(of(1, "x")), "filter: i32 cannot be compared with the keys: it is INT32"},
		{filter.Col("uuid").InKeys(of("01234567-89ab-cdef-0123-456789abcdef")), "filter: uuid cannot be compared with the keys: it is FIXED_LEN_BYTE_ARRAY(16) UUID"},
		{filter.Col("date").InKeys(of(5)), "filter: date cannot be compared with the keys: it is INT32 DATE"},
		{filter.Col("i32").InKeys(of(1, struct{}{})), "filter: a value has a Go type that is none of those a filter takes"},
		{filter.Col("i32").InKeys(list), "filter: keys are values, not structs or lists"},
		{filter.Col("attrs").InKeys(of(1)), "filter: attrs is a map: say attrs['key']"},
	} {
		if _, err := Bind(c.e, w.schema, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.e, err, c.want)
		}
	}
	for _, e := range []*filter.Expr{
		filter.Col("i32").InKeys(of(1)).IsTrue(),
		filter.Not(filter.Not(filter.Col("i32").InKeys(of(1)))),
		filter.Not(filter.Col("i32").InKeys(of(1)).IsFalse()),
		filter.Col("uuid").InKeys(of([]byte("0123456789abcdef"))),
		filter.Col("i32").InKeys(of()),
		filter.Col("str").InKeys(of(nil)),
		filter.Col("nil").InKeys(of(1)),
	} {
		if _, err := Bind(e, w.schema, nil); err != nil {
			t.Errorf("%s: %v", e, err)
		}
	}
}

// Each way to add to the zero Keys finds what was added, and that alone.
func TestZeroKeys(t *testing.T) {
	w := newWorld(t, random(1), 1)
	vector := &vector.Vector{Type: vector.Type{Physical: vector.Int64}, Len: 2, Int64s: []int64{7, 9}}
	for name, add := range map[string]func(*filter.Keys){
		"AddInt64":   func(k *filter.Keys) { k.AddInt64(7) },
		"Add":        func(k *filter.Keys) { k.Add(7.0) },
		"Add big":    func(k *filter.Keys) { k.Add(big.NewInt(7)) },
		"AddColumns": func(k *filter.Keys) { k.AddColumns(vector) },
	} {
		k := new(filter.Keys)
		add(k)
		p, err := Bind(filter.Col("i32").InKeys(k), w.schema, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		for value, want := range map[int32]Verdict{7: All, 8: None} {
			b := Bounds{Min: le32(value), Max: le32(value), HasMin: true, HasMax: true, MinExact: true, MaxExact: true, Sure: true, Slots: 1}
			if got := p.Root.Test.Verdict(&b); got != want {
				t.Errorf("%s: %d is %v, want %v", name, value, got, want)
			}
		}
		if _, err := Bind(filter.Col("str").InKeys(k), w.schema, nil); err == nil {
			t.Errorf("%s: numbers are compared with strings", name)
		}
	}
	k := new(filter.Keys)
	k.AddString("b")
	k.AddBytes([]byte("d"))
	if k.Len() != 2 {
		t.Errorf("%d strings", k.Len())
	}
	if _, err := Bind(filter.Col("str").InKeys(k), w.schema, nil); err != nil {
		t.Error(err)
	}
	if p, err := Bind(filter.Col("str").InKeys(new(filter.Keys)), w.schema, nil); err != nil || p.Root.Op == OpTest || p.Root.Op == OpTrue {
		t.Errorf("no keys: %v, %v", p, err)
	}
}

// TestKeysOfConstants: columns that a file lacks, and those that its path tells.
func TestKeysOfConstants(t *testing.T) {
	k := filter.NewKeys(100)
	k.AddInt64(2024)
	year, _ := vector.IntOf(vector.Type{Physical: vector.Int32}, 2024)
	other, _ := vector.IntOf(vector.Type{Physical: vector.Int64}, 2023)
	null := vector.NullOf(vector.Type{Physical: vector.Int64})
	for want, constant := range map[Op]vector.Scalar{OpTrue: year, OpFalse: other} {
		p, err := Bind(filter.Col("year").InKeys(k), oneColumn(t, kind("i32")), filter.Constants{"year": constant})
		if err != nil || p.Root.Op != want {
			t.Errorf("%v, %v, want %v", p, err, want)
		}
	}
	p, err := Bind(filter.Col("year").InKeys(k), oneColumn(t, kind("i32")), filter.Constants{"year": null})
	if err != nil || p.Root.Op != OpFalse {
		t.Errorf("NULL: %v, %v", p, err)
	}
}

// BenchmarkKeys asks columns of each store for their keys.
func BenchmarkKeys(b *testing.B) {
	const rows, keys = 16 << 10, 100_000
	for _, name := range []string{"i32", "i64", "u64", "f64", "d32", "tus", "dfix", "str"} {
		b.Run("kind="+name, func(b *testing.B) {
			r := random(5)
			k := filter.NewKeys(keys)
			var column column
			for _, c := range leafKinds() {
				if c.name == name {
					column = c
				}
			}
			s := oneColumn(b, column.e)
			v := &vector.Vector{}
			build.Reset(v, s.Leaves()[0].Type)
			for range rows {
				appendPlain(v, randomPlain(r, s.Leaves()[0]), false)
			}
			k.AddColumns(v)
			for range keys {
				switch value.FamilyOf(value.DomainOf(v.Type)) {
				case value.Numbers:
					k.AddInt64(r.Int64())
				case value.ByteStrings:
					k.AddString(strconv.FormatUint(r.Uint64(), 36))
				default:
					k.Add(time.Unix(r.Int64N(1<<33), 0))
				}
			}
			p, err := Bind(filter.Col("x").InKeys(k), s, nil)
			if err != nil {
				b.Fatal(err)
			}
			sel := make([]uint64, rows/64)
			b.ReportAllocs()
			for b.Loop() {
				bits.SetRange(sel, 0, rows)
				p.Root.Test.Pred.Filter(sel, v)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/value")
		})
	}
}

func randomPlain(r *rand.Rand, leaf *schema.Node) []byte {
	switch leaf.Type.Store() {
	case vector.InInt32s:
		return le32(r.Int32())
	case vector.InInt64s:
		return le64(r.Int64())
	case vector.InDoubles:
		return le64(int64(math.Float64bits(float64(r.IntN(1 << 30)))))
	case vector.InFixed:
		return le64(r.Int64())[:leaf.Type.Width()]
	}
	return []byte(strconv.FormatUint(r.Uint64(), 36))
}

// TestKeysOfDecimals: decimals equal the FLOATs that are nearest to them, in either direction
// and after a journey, and Go floats are exact.
func TestKeysOfDecimals(t *testing.T) {
	single := func(values ...float32) *vector.Vector {
		return &vector.Vector{Type: vector.Type{Physical: vector.Float}, Len: len(values), Floats: values}
	}
	decimals := func(values ...int64) *vector.Vector {
		return &vector.Vector{Type: vector.Type{Physical: vector.Int64, Logical: vector.Decimal, Precision: 18, Scale: 2}, Len: len(values), Int64s: values}
	}
	ofDecimals, ofSingles, ofDoubles := filter.NewKeys(4), filter.NewKeys(4), filter.NewKeys(4)
	ofDecimals.Add(filter.Decimal("0.1"))
	ofDecimals.AddColumns(decimals(1677721901))
	atBound := filter.NewKeys(1)
	atBound.Add(filter.Decimal("16777217.0"))
	ofSingles.AddColumns(single(0.1, 1<<24))
	ofDoubles.Add(0.1)
	for _, c := range []struct {
		keys   *filter.Keys
		values *vector.Vector
		want   uint64
	}{
		{ofDecimals, single(0.1, 16777220, -1, 1<<25), 0b0011},
		{ofSingles, decimals(10, 1677721650), 0b11},
		{atBound, single(1<<24, 1<<24-1, 1<<24+2), 0b001},
		{ofDoubles, single(0.1), 0},
	} {
		b, err := c.keys.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		sent := new(filter.Keys)
		if err := sent.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		e := thrift.SchemaElement{HasType: true, Type: thrift.TypeFloat}
		if c.values.Type.Physical == vector.Int64 {
			e = thrift.SchemaElement{HasType: true, Type: thrift.TypeInt64, Logical: thrift.LogicalType{Kind: thrift.LogicalDecimal, Precision: 18, Scale: 2}}
		}
		p, err := Bind(filter.Col("x").InKeys(sent), oneColumn(t, e), nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Root.Op != OpTest {
			t.Fatalf("program %s", p)
		}
		if got := passing(p.Root.Test, c.values); got[0] != c.want {
			t.Errorf("of %v pass %b, want %b", c.values, got[0], c.want)
		}
	}
}

// TestKeysOfFolded: keys are compared with what functions of strings return, alone and in tuples.
func TestKeysOfFolded(t *testing.T) {
	one, two := filter.NewKeys(8), filter.NewKeys(8)
	one.AddString("ab")
	two.Add("ab", "AB")
	w := newWorld(t, random(5), 200)
	lower, upper := filter.Col("str").Lower(), filter.Col("str").Upper()
	for _, e := range []*filter.Expr{lower.InKeys(one), filter.InKeys(two, lower, upper)} {
		p, err := Bind(e, w.schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		sel := w.run(p)
		found := map[string]bool{}
		for row := range w.rows {
			v := w.at(row, w.schema.Find("str"))
			want := !v.null && strings.ToLower(*v.leaf.text) == "ab"
			if got := bits.Get(sel, row); got != want {
				t.Errorf("%s of row %d: %v", e, row, got)
			}
			if want {
				found[*v.leaf.text] = true
			}
		}
		if !found["ab"] || !found["AB"] {
			t.Errorf("rows with %v only", found)
		}
	}
}
