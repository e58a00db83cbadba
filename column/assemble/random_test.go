package assemble

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/internal/test/validate"
)

// randomNode returns a schema of any shape, named so that every rule of lists
// has its turn.
func randomNode(r *rand.Rand, name string, depth int) *gen.Node {
	repetition := gen.Repetition(r.IntN(3))
	if depth == 0 || r.IntN(4) == 0 {
		n := &gen.Node{Name: name, Repetition: repetition}
		switch r.IntN(5) {
		case 0:
			n.Type = gen.Int64
		case 1:
			n.Type, n.Logical = gen.ByteArray, gen.StringType()
		case 2:
			n.Type = gen.Boolean
		case 3:
			n.Type = gen.Double
		case 4:
			n.Type, n.Length = gen.FixedLenByteArray, 3
		}
		return n
	}
	n := &gen.Node{Name: name, Repetition: repetition}
	if r.IntN(2) == 0 {
		for i := range r.IntN(4) {
			n.Children = append(n.Children, randomNode(r, fmt.Sprint("f", i), depth-1))
		}
		if len(n.Children) == 0 && depth%2 == 0 { // empty groups are rare
			n.Children = append(n.Children, randomNode(r, "f", 0))
		}
		return n
	}
	body := &gen.Node{Name: []string{"list", "array", name + "_tuple", "bag"}[r.IntN(4)], Repetition: gen.Many}
	n.Logical = gen.ListType()
	fields := 1 + r.IntN(2)
	if r.IntN(3) == 0 {
		n.Logical, body.Name = gen.MapType(), "key_value"
	}
	for i := range fields {
		child := randomNode(r, fmt.Sprint("e", i), depth-1)
		if n.Logical.Kind == gen.KindMap && child.Repetition == gen.Many {
			child.Repetition = gen.Maybe
		}
		body.Children = append(body.Children, child)
	}
	if n.Logical.Kind == gen.KindList && r.IntN(6) == 0 {
		body = randomNode(r, "element", 0)
		body.Repetition = gen.Many
	}
	n.Children = []*gen.Node{body}
	return n
}

// isEmpty reports whether no leaf lies below n. What there is of n is not
// written then: groups are there, lists are empty.
func isEmpty(n *gen.Node) bool {
	for _, c := range n.Children {
		if !isEmpty(c) {
			return false
		}
	}
	return n.Type == gen.Group
}

func randomField(r *rand.Rand, n *gen.Node) any {
	switch {
	case n.Repetition == gen.Many && isEmpty(n):
		return []any{}
	case n.Repetition == gen.Many:
		return randomItems(r, func() any { return randomValue(r, n) })
	case n.Repetition == gen.Maybe && r.IntN(3) == 0 && !isEmpty(n):
		return nil
	}
	return randomValue(r, n)
}

func randomItems(r *rand.Rand, item func() any) []any {
	items := []any{}
	for range r.IntN(4) {
		items = append(items, item())
	}
	return items
}

func randomValue(r *rand.Rand, n *gen.Node) any {
	switch n.Type {
	case gen.Int64:
		return r.Int64() >> r.IntN(64)
	case gen.ByteArray:
		return strings.Repeat("é\"", r.IntN(8))
	case gen.Boolean:
		return r.IntN(2) == 0
	case gen.Double:
		return float64(r.IntN(1000)) / 8
	case gen.FixedLenByteArray:
		return fmt.Sprint(100 + r.IntN(900))
	}
	if len(n.Children) == 1 && n.Children[0].Repetition == gen.Many {
		body := n.Children[0]
		switch n.Logical.Kind {
		case gen.KindMap:
			kvs := []gen.KV{}
			for range r.IntN(4) * min(1, len(gen.Leaves([]*gen.Node{body}))) {
				kv := gen.KV{Key: randomField(r, body.Children[0])}
				if len(body.Children) > 1 {
					kv.Value = randomField(r, body.Children[1])
				}
				kvs = append(kvs, kv)
			}
			return kvs
		case gen.KindList:
			if body.Type == gen.Group && len(body.Children) == 0 {
				break
			}
			if isEmpty(body) {
				return []any{}
			}
			wrapped := body.Type == gen.Group && len(body.Children) == 1 && body.Children[0].Repetition != gen.Many &&
				body.Name != "array" && body.Name != n.Name+"_tuple"
			return randomItems(r, func() any {
				if wrapped {
					return randomField(r, body.Children[0])
				}
				return randomValue(r, body)
			})
		}
	}
	rec := gen.Record{}
	for _, c := range n.Children {
		rec[c.Name] = randomField(r, c)
	}
	return rec
}

// assembleRows returns the rows of columns as JSON.
func assembleRows(plans []*Plan, old []*vector.Vector, columns []column, rows int, dictionary bool) (lines []string, err error) {
	b := vector.Batch{Len: rows}
	for i, p := range plans {
		var leaves []Leaf
		for _, s := range p.Sources() {
			leaves = append(leaves, columns[s.Node.FirstLeaf].leaf(s.Node.Type, dictionary))
		}
		v, err := p.Assemble(old[i], leaves, rows)
		if err != nil {
			return nil, err
		}
		old[i] = v
		b.Fields, b.Columns = append(b.Fields, p.Field()), append(b.Columns, v)
	}
	if err := validate.Batch(&b); err != nil {
		panic(err)
	}
	w := vector.JSONRows(b.Fields)
	w.Use(&b)
	for i := range rows {
		line, err := w.Append(nil, i)
		if err != nil {
			return nil, err
		}
		lines = append(lines, string(line))
	}
	return lines, nil
}

func plansOf(t testing.TB, s *schema.Schema) (plans []*Plan) {
	t.Helper()
	for _, n := range s.Root().Children {
		p, err := New(Whole(n))
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, p)
	}
	return plans
}

// Random rows of random schemas are written by gen, which has its own idea of
// their JSON, and read by the naive assembly and by this one.
func TestRandomSchemas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	mutants, refused := 0, 0
	for round := range dtest.Rounds(t, 200) {
		var nodes []*gen.Node
		for i := range 1 + r.IntN(2) {
			nodes = append(nodes, randomNode(r, fmt.Sprint("c", i), r.IntN(5)))
		}
		if len(gen.Leaves(nodes)) == 0 {
			continue
		}
		plans := plansOf(t, schemaOf(t, nodes))
		leaves := gen.Leaves(nodes)
		var rows []any
		for range r.IntN(150) {
			rec := gen.Record{}
			for _, n := range nodes {
				rec[n.Name] = randomField(r, n)
			}
			rows = append(rows, rec)
		}
		data, err := gen.Shred(nodes, rows)
		if err != nil {
			t.Fatal(err)
		}
		columns := columnsOf(data)
		want, err := records(nodes, columns, len(rows))
		if err != nil {
			t.Fatal(err)
		}
		f := gen.File{Schema: nodes, RowGroups: []gen.RowGroup{{Rows: rows}}}
		lines, err := f.JSONLines()
		if err != nil {
			t.Fatal(err)
		}
		compare(t, round, strings.Split(string(lines), "\n")[:len(rows)], nil, want)
		old := make([]*vector.Vector, len(plans))
		got, err := assembleRows(plans, old, columns, len(rows), false)
		compare(t, round, got, err, want)
		// In batches whose memory is used again.
		for from := 0; from < len(rows); {
			to := min(from+1+r.IntN(70), len(rows))
			part := make([]column, len(columns))
			for i := range part {
				part[i] = columns[i].head(from, to, int(leaves[i].MaxDef))
			}
			got, err := assembleRows(plans, old, part, to-from, r.IntN(2) == 0)
			compare(t, round, got, err, want[from:to])
			from = to
		}
		// With a fault.
		for range 5 {
			mutant := append([]column(nil), columns...)
			if !mutate(r, leaves, mutant) {
				break
			}
			want, wantErr := records(nodes, mutant, len(rows))
			got, err := assembleRows(plans, make([]*vector.Vector, len(plans)), mutant, len(rows), false)
			if mutants++; wantErr != nil {
				if refused++; err == nil {
					t.Fatalf("round %d: no error where naive assembly says: %v", round, wantErr)
				}
				continue
			}
			compare(t, round, got, err, want)
		}
	}
	if refused < 100 || mutants-refused < 100 {
		t.Errorf("%d of %d mutants refused: too few of one kind", refused, mutants)
	}
}

func records(nodes []*gen.Node, columns []column, rows int) ([]string, error) {
	var all []naive.Column
	for i := range columns {
		all = append(all, columns[i].naive())
	}
	return naive.Records(elements(nodes), all, rows)
}

func compare(t *testing.T, round int, got []string, err error, want []string) {
	t.Helper()
	if err != nil {
		t.Fatalf("round %d: %v", round, err)
	}
	if len(got) != len(want) {
		t.Fatalf("round %d: %d rows, want %d", round, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("round %d, row %d:\ngot  %s\nwant %s", round, i, got[i], want[i])
		}
	}
}

// mutate changes one level, at an entry of a random column, or drops an entry.
func mutate(r *rand.Rand, leaves []gen.Leaf, columns []column) bool {
	i := r.IntN(len(columns))
	c := columns[i]
	if len(c.def) == 0 {
		return false
	}
	at := r.IntN(len(c.def))
	c.def, c.rep = bytes.Clone(c.def), bytes.Clone(c.rep)
	switch k := r.IntN(4); {
	case k == 0 && len(c.rep) > 0:
		c.rep[at] = uint8(r.IntN(int(leaves[i].MaxRep) + 1))
	case k == 1:
		c.def = append(c.def[:at], c.def[at+1:]...)
		if len(c.rep) > 0 {
			c.rep = append(c.rep[:at], c.rep[at+1:]...)
		}
	default:
		c.def[at] = uint8(r.IntN(int(leaves[i].MaxDef) + 1))
	}
	columns[i] = c
	return true
}
