package pageindex

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
)

// No row that passes is ever ruled out, none that does not is ever let pass,
// whatever the file has of indexes.
func TestJudgeAgainstRows(t *testing.T) {
	files := dtest.Rounds(t, 200)
	var pruned, passed, bloom, broken, total int64
	var again Judge
	for seed := range uint64(files) {
		r := rand.New(rand.NewPCG(seed, 6))
		rows := randomRows(r)
		f := randomFile(r, rows)
		s := sampleOf(t, f)
		shredded, err := gen.Shred(f.Schema, rows)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			c := randomCondition(r, r.IntN(3))
			p := s.bind(t, c.text)
			g := s.group(0)
			o := Options{NoStatistics: r.IntN(4) == 0, NoIndex: r.IntN(6) == 0, NoBloom: r.IntN(4) == 0}
			if r.IntN(3) == 0 {
				from := r.Int64N(g.Rows)
				g.Wanted = vector.Ranges{{From: from, To: from + 1 + r.Int64N(g.Rows-from)}}
			}
			if r.IntN(50) == 0 {
				g.Wanted = nil
			}
			j := newJudge(p, g, o)
			if seed%2 == 0 {
				j = &again
				j.Start(p, g, o)
			}
			s.supply(t, j)
			wanted := g.Wanted
			none, all := j.Of(p.Root)
			for i, row := range rows {
				pass := c.of(row.(gen.Record)) == 1
				switch row := int64(i); {
				case pass && none.Contains(row), !pass && all.Contains(row),
					j.Rows().Contains(row) != (wanted.Contains(row) && !none.Contains(row)):
					t.Fatalf("seed %d: %s: row %d passes: %v; none %v, all %v, rows %v of %v\nprogram %v", seed, c.text, i, pass, none, all, j.Rows(), wanted, p)
				}
			}
			checkNodes(t, j, p.Root, shredded, s.schema.Leaves(), len(rows))
			n := j.Pruned()
			if n.Statistics+n.PageIndex+n.Bloom != wanted.Len()-j.Rows().Len() {
				t.Fatalf("seed %d: %s: pruned %+v, none %v, wanted %v", seed, c.text, n, none, wanted)
			}
			pruned, passed, bloom, broken, total = pruned+n.PageIndex, passed+all.Len(), bloom+n.Bloom, broken+int64(len(n.Invalid)), total+g.Rows
		}
	}
	t.Logf("of %d rows %d are pruned by page indexes, %d by Bloom filters, %d are sure to pass; %d invalid indexes", total, pruned, bloom, passed, broken)
	if pruned*30 < total || passed*30 < total || bloom*100 < total || broken < int64(files) {
		t.Error("too little of that")
	}
}

// checkNodes holds what is said of a node and those below against the rows. It
// returns which rows pass; nil if the node computes something.
func checkNodes(t *testing.T, j *Judge, n *compile.Node, data []gen.Data, leaves []*schema.Node, rows int) []bool {
	none, all := j.Of(n)
	out := make([]bool, rows)
	switch n.Op {
	case compile.OpCompute:
		return nil // the whole condition is held against the rows
	case compile.OpTest:
		if c, err := j.group.Chunk(n.Test.Leaf); c != nil && err == nil && !j.options.NoStatistics {
			if v, undecided := c.Verdict(n.Test, j.group.Rows); v == compile.Some && !undecided && len(none)+len(all) > 0 {
				t.Fatalf("%v: the footer says that nothing else proves more; none %v, all %v", n.Test, none, all)
			}
		}
		for i, leaf := range leaves {
			if leaf == n.Test.Leaf {
				out = passing(n.Test, data[i], rows)
			}
		}
	default:
		for i := range out {
			out[i] = n.Op == compile.OpTrue || n.Op == compile.OpAnd || n.Op == compile.OpComplement
		}
		for _, a := range n.Args {
			of := checkNodes(t, j, a, data, leaves, rows)
			if of == nil || out == nil {
				out = nil
				continue
			}
			for i, pass := range of {
				switch n.Op {
				case compile.OpAnd:
					out[i] = out[i] && pass
				case compile.OpOr:
					out[i] = out[i] || pass
				case compile.OpComplement:
					out[i] = !pass
				}
			}
		}
	}
	for i, pass := range out {
		if pass && none.Contains(int64(i)) || !pass && all.Contains(int64(i)) {
			t.Fatalf("%v: row %d passes: %v; none %v, all %v", &compile.Program{Root: n}, i, pass, none, all)
		}
	}
	return out
}

// passing returns which rows pass a test, by what package pred says of it.
func passing(t *compile.Test, d gen.Data, rows int) []bool {
	p, leaf := t.Pred, t.Leaf
	out := make([]bool, 0, rows)
	value, pass, started := 0, false, false
	slots := d.Slots()
	for i := 0; i <= slots; i++ {
		if i == slots || d.Rep == nil || d.Rep[i] == 0 {
			if started {
				out = append(out, pass)
			}
			if i == slots {
				break
			}
			started, pass = true, p.All
		}
		def := leaf.MaxDef
		if d.Def != nil {
			def = int(d.Def[i])
		}
		item := leaf.MaxRep == 0 || def >= itemLevel(leaf) // not a NULL or empty list
		var ok bool
		switch {
		case p.Kind == pred.Null && p.Level > 0:
			ok, item = def < p.Level != p.Negate, true
		case p.Kind == pred.Null:
			ok = def < leaf.MaxDef != p.Negate
		case def == leaf.MaxDef:
			ok = passesOne(p, leaf.Type, d.Values, value)
		}
		if def == leaf.MaxDef {
			value++
		}
		if item {
			if p.All {
				pass = pass && ok
			} else {
				pass = pass || ok
			}
		}
	}
	return out
}

// itemLevel is the level from which on there is an item, be it NULL.
func itemLevel(leaf *schema.Node) int {
	for n := leaf; n.Parent != nil; n = n.Parent {
		if n.Repetition == schema.Repeated {
			return n.MaxDef
		}
	}
	return 0
}

func passesOne(p *pred.Test, typ vector.Type, values any, i int) bool {
	v := &vector.Vector{}
	build.Reset(v, typ)
	build.Extend(v, 1)
	switch values := values.(type) {
	case []int32:
		v.Int32s[0] = values[i]
	case []int64:
		v.Int64s[0] = values[i]
	case []float64:
		v.Doubles[0] = values[i]
	case []string:
		v.Views[0] = bits.MakeInline([]byte(values[i]))
	}
	sel := []uint64{1}
	p.Filter(sel, v)
	return sel[0] == 1
}

// What a page's header says of a test is true of the page's rows.
func TestPageVerdict(t *testing.T) {
	seen := map[compile.Verdict]int{}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		rows := randomRows(r)
		f := randomFile(r, rows)
		columns := f.RowGroups[0].Columns
		for i := range columns {
			columns[i] = gen.Column{
				Index:    gen.NoIndex,
				PageRows: []int{1 + r.IntN(30)},
				Truncate: columns[i].Truncate,
				Shape: gen.Shape{Version: 1 + r.IntN(2), PageStats: pick(r, gen.NoStats, gen.NullCount, gen.MinMax,
					gen.MinMax|gen.NullCount|gen.NaNCount|gen.Exactness, gen.Deprecated|gen.NullCount)},
			}
		}
		w, err := f.Build()
		if err != nil {
			t.Fatal(err)
		}
		shredded, err := gen.Shred(f.Schema, rows)
		if err != nil {
			t.Fatal(err)
		}
		s := openSample(t, w.Bytes)
		for range 20 {
			c := randomTest(r)
			for _, test := range testsOf(s.bind(t, c.text).Root) {
				for i, leaf := range s.schema.Leaves() {
					if leaf == test.Leaf {
						column := ColumnOf(leaf, orderOf(s, i))
						pass := passing(test, shredded[i], len(rows))
						checkPages(t, &column, test, w.Bytes, w.Pages[0][i], pass, columns[i].PageRows[0], seen)
					}
				}
			}
		}
	}
	if seen[compile.None] < 1000 || seen[compile.All] < 1000 || seen[compile.Some] < 1000 {
		t.Errorf("too little is seen: %v", seen)
	}
}

func checkPages(t *testing.T, c *Column, test *compile.Test, file []byte, pages []gen.Span, pass []bool, each int, seen map[compile.Verdict]int) {
	for _, at := range pages {
		var h thrift.PageHeader
		if _, err := thrift.ReadPageHeader(file[at.Start:], &h); err != nil {
			t.Fatal(err)
		}
		v := compile.Some
		if h.HasStatistics {
			v = c.PageVerdict(test, &h.Statistics, int64(h.NumValues))
		}
		seen[v]++
		n := min(each, len(pass))
		for i, pass := range pass[:n] {
			if pass && v == compile.None || !pass && v == compile.All {
				t.Fatalf("%v: verdict %v, row %d of a page passes: %v; %+v", test.Pred, v, i, pass, h)
			}
		}
		pass = pass[n:]
	}
}

func TestPageVerdictDoubts(t *testing.T) {
	s := sampleOf(t, ascending(nil))
	ints := &thrift.Statistics{MinValue: i64(3), MaxValue: i64(8), HasNullCount: true}
	half := &thrift.Statistics{MinValue: f64(3), MaxValue: f64(8), HasNullCount: true, NullCount: 2}
	all, none := &thrift.Statistics{HasNullCount: true, NullCount: 10}, &thrift.Statistics{HasNullCount: true}
	items := &thrift.Statistics{MinValue: i32(3), MaxValue: i32(8), HasNullCount: true}
	for _, test := range []struct {
		where string
		stats *thrift.Statistics
		want  compile.Verdict
	}{
		{"up < 9", ints, compile.All},
		{"up < 3", ints, compile.None},
		{"half IS NULL", half, compile.Some},
		{"half IS NULL", all, compile.All},
		{"half IS NULL", none, compile.None},
		{"half > 9", half, compile.None},
		{"half > 9", all, compile.None},
		{"ANY(tags) > 9", items, compile.None},
		{"ANY(tags) < 9", items, compile.Some}, // that there are no nulls is not sure
		{"tags IS NULL", items, compile.Some},
	} {
		p := testsOf(s.bind(t, test.where).Root)[0]
		c := ColumnOf(p.Leaf, thrift.OrderOfType)
		if got := c.PageVerdict(p, test.stats, 10); got != test.want {
			t.Errorf("%s, %+v: %v, want %v", test.where, test.stats, got, test.want)
		}
	}
}

// testsOf returns the tests of leaves below a node, in the order of the expression.
func testsOf(n *compile.Node) (all []*compile.Test) {
	if n.Test != nil {
		all = append(all, n.Test)
	}
	for _, a := range n.Args {
		all = append(all, testsOf(a)...)
	}
	return all
}
