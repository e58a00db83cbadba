package compile

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
)

// What takes long to bind is many conditions, many values, or long ones.
func TestLong(t *testing.T) {
	x := filter.Col("x")
	var none *filter.Expr
	deep := x.Eq(1)
	many := []*filter.Expr{deep}
	for range 2000 {
		deep, many = filter.Not(deep), append(many, deep)
	}
	long := strings.Repeat("x", 100_000)
	for _, c := range []struct {
		e    *filter.Expr
		long bool
	}{
		{none, false}, {x.Eq(1), false}, {x.InKeys(filter.NewKeys(1_000_000)), false}, {filter.In(x, make([]int, 900)), false},
		{filter.In(x, make([]int, 1100)), true}, {filter.And(many[:400]...), true}, {deep, true}, {filter.Or(many[:20]...), false},
		{x.Eq(long), true}, {x.Like(long), true}, {x.In("a", long), true}, {x.Between("a", long), true},
	} {
		if Long(c.e) != c.long {
			t.Errorf("%.50s: long is %v, want %v", c.e, !c.long, c.long)
		}
	}
}

// TestConjoin: the rows that pass all, by the very nodes of each.
func TestConjoin(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		w := newWorld(t, r, pick(r, 1, 5, 70))
		g := &writer{r, w}
		want := make([]uint64, bits.Words(len(w.rows)))
		bits.SetRange(want, 0, len(w.rows))
		var programs []*Program
		nodes := map[*Node]bool{}
		for range r.IntN(4) {
			if r.IntN(4) == 0 {
				programs = append(programs, nil)
				continue
			}
			p, err := bindText(g.condition(r.IntN(3)), w.schema)
			if err != nil {
				t.Fatal(err)
			}
			programs = append(programs, p)
			p.Root.walk(func(n *Node) { nodes[n] = true })
			for i, x := range w.run(p) {
				want[i] &= x
			}
		}
		all := Conjoin(programs...)
		if got := w.run(all); !slices.Equal(got, want) {
			t.Fatalf("%v together %s: %x, want %x", programs, all, got, want)
		}
		all.Root.walk(func(n *Node) {
			if !nodes[n] && n != all.Root {
				t.Fatalf("%s is none of the nodes of %v", n, programs)
			}
		})
	}
}

func TestConjoinShape(t *testing.T) {
	w := newWorld(t, random(1), 1)
	bind := func(text string) *Program {
		t.Helper()
		p, err := bindText(text, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	two, one := bind("i32 = 1 AND i64 = 2"), bind("f64 = 3 OR d32 = 4")
	together := Conjoin(two, nil, bind("TRUE"), one)
	if len(together.Root.Args) != 3 || together.Root.Args[0] != two.Root.Args[0] || together.Root.Args[1] != two.Root.Args[1] || together.Root.Args[2] != one.Root {
		t.Errorf("%s has other nodes", together)
	}
	if p := Conjoin(nil, one); p.Root != one.Root {
		t.Errorf("%s has another root", p)
	}
	if p := Conjoin(); p.Root.Op != OpTrue {
		t.Errorf("nothing together is %s", p)
	}
	if p := Conjoin(two, bind("FALSE"), one); p.Root.Op != OpFalse {
		t.Errorf("with FALSE it is %s", p)
	}
}

func TestLeaves(t *testing.T) {
	w := newWorld(t, random(1), 1)
	for _, c := range []struct{ where, want string }{
		{"TRUE", ""},
		{"i32 = 1 AND (f64 > 2 OR i32 IS NULL) AND i32 < i64", "i32 f64 i64"},
		{"length(tags) > 1", "tags.list.element"},
		{"length(attrs) > 1", "attrs.key_value.key"},
		{"attrs['k'] IS NULL", "attrs.key_value.key attrs.key_value.value"},
		{"length(attrs) > 1 AND attrs['k'] IS NULL", "attrs.key_value.key attrs.key_value.value"},
		{"deep IS NULL AND ANY(deep) IS NOT NULL", "deep.list.element.list.element"},
		{"s IS NOT NULL", `s."odd name"`},
		{"bare IS NOT NULL AND length(bare) = 0", "bare"},
	} {
		p, err := bindText(c.where, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, n := range p.Leaves() {
			names = append(names, n.String())
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s asks %s, want %s", c.where, got, c.want)
		}
	}
	p, err := Bind(filter.Func("f", nil, filter.Col("s")), w.schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Leaves(); len(got) != 2 || got[0].Name != "odd name" || got[1].Name != "b" {
		t.Errorf("a function of a struct asks %v", got)
	}
}

// Computes returns what is computed from several columns or from nested ones.
func (p *Program) Computes() (all []*Compute) {
	p.Root.walk(func(n *Node) {
		if n.Compute != nil {
			all = append(all, n.Compute)
		}
	})
	return all
}
