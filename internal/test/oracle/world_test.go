package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/scanner"
)

// A world is a file, its rows, and what can be asked of them.
type world struct {
	r      *rand.Rand
	kinds  []*kind
	schema []*gen.Node
	leaves []gen.Leaf
	leafOf map[*gen.Node]*leaf

	groups  [][]any         // rows as they are written, by row group
	rows    []naive.Struct  // what they mean, through all row groups; behind the columns, their number
	starts  []int           // of each row group in rows, and the number of rows
	layouts [][]layout      // by row group and leaf
	cells   map[string]cell // rows as text, by the part of a column that is shown

	places    []place // that hold values to compare
	nullables []place // of which only IS NULL can be asked
	lists     []list  // within no other
	absent    *absent // in some worlds
	file      *scanner.File

	encryption *gen.Encryption // of the file; nil for most
	memory     *scanner.Resources
	fields     []vector.Field // of the columns
}

// leaf is a column of values and the way in which they are chosen.
type leaf struct {
	*kind
	index  int
	nulls  float64
	shape  int
	size   int // of what the shape is made
	count  int
	oddity float64 // how often a special value comes
}

// place is what a condition can be about.
type place struct {
	sql     string // of paths, with %s in the place of a quantifier
	operand naive.Operand
	builder filter.Column
	*kind
	leaf   *leaf // whose values they are, or the first below
	length bool
	keys   *leaf // of a map that has a value for each key
}

// bigWorld says which worlds have so many rows that windows end within row groups.
func bigWorld(number uint64) bool { return number%500 == 17 }

func newWorld(seed, number uint64) (*world, error) {
	w := &world{r: random(seed, number, "world"), kinds: kinds(), leafOf: map[*gen.Node]*leaf{}, cells: map[string]cell{}}
	names := []string{"a", "b", "id", "odd name", "select", "x.y", `q"q`, "ünï", "NULL", "date"}
	w.r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	columns := 1 + w.r.IntN(5)
	if bigWorld(number) {
		columns = 1 + w.r.IntN(2)
	}
	for i := range columns {
		w.schema = append(w.schema, w.column(names[i]))
	}
	w.leaves = gen.Leaves(w.schema)
	for i, l := range w.leaves {
		w.leafOf[l.Node].index = i
	}
	w.makeRows(bigWorld(number))
	for i, n := range w.schema {
		w.addPlaces(n, quote(n.Name), naive.Operand{Path: []int{i}})
	}
	if w.r.IntN(5) == 0 {
		w.addAbsent()
	}
	return w, w.write(random(seed, number, "encryption"))
}

// column returns a random column.
func (w *world) column(name string) *gen.Node {
	r := w.r
	maybe := func(n *gen.Node) *gen.Node {
		if r.IntN(3) == 0 {
			n.Repetition = gen.Once
		}
		return n
	}
	leaf := func(name string) *gen.Node { return w.leafNode(name) }
	group := func(name string, children ...*gen.Node) *gen.Node {
		return maybe(gen.Optional(name, gen.Group, children...))
	}
	switch r.IntN(18) {
	case 16, 17:
		return maybe(gen.Map(name, w.keyNode(), leaf("value")))
	case 0:
		return group(name, leaf("f"), leaf("odd field"))
	case 1:
		return group(name, group("in", leaf("f")), leaf("g"))
	case 2, 3:
		return maybe(gen.List(name, leaf("element")))
	case 4:
		return maybe(gen.List(name, maybe(gen.List("element", leaf("element")))))
	case 5, 6:
		return maybe(gen.List(name, group("element", leaf("price"), leaf("note"))))
	case 7:
		return maybe(gen.Map(name, w.keyNode(), leaf("value")))
	case 8:
		n := leaf(name)
		if w.leafOf[n].family != nothing { // which has no values
			n.Repetition = gen.Many
		}
		return n
	case 9:
		return group(name, maybe(gen.List("tags", leaf("element"))), leaf("f"))
	}
	return leaf(name)
}

// keyNode returns the key of a map: few distinct texts or integers.
func (w *world) keyNode() *gen.Node {
	k := w.kindOf(pick(w.r, "i32", "str"))
	n := gen.Required("key", k.typ).As(k.logical)
	w.leafOf[n] = &leaf{kind: k, shape: fewDistinct, size: pick(w.r, 1, 2, 4)}
	return n
}

func (w *world) kindOf(name string) *kind {
	return w.kinds[slices.IndexFunc(w.kinds, func(k *kind) bool { return k.name == name })]
}

func (w *world) leafNode(name string) *gen.Node {
	r := w.r
	// Physical types come as often as there are tests for them, whatever their number of kinds.
	typ := pick(r, gen.Boolean, gen.Int32, gen.Int64, gen.Int96, gen.Float, gen.Double, gen.ByteArray, gen.ByteArray, gen.FixedLenByteArray, gen.FixedLenByteArray)
	k := pick(r, w.kinds...)
	for k.typ != typ {
		k = pick(r, w.kinds...)
	}
	if typ == gen.FixedLenByteArray && r.IntN(2) == 0 { // so that texts are searched in these too
		k = w.kindOf(pick(r, "fix", "fixlong"))
	}
	n := gen.Optional(name, k.typ).As(k.logical).Len(k.length)
	if n.Logical.Kind != gen.KindInterval { // which has no newer annotation
		n.Note = pick(r, gen.BothNotes, gen.BothNotes, gen.LogicalOnly)
	}
	l := &leaf{kind: k, nulls: pick(r, 0, 0, 0, 0.02, 0.3, 0.9, 1), shape: r.IntN(shapes), size: 1 + r.IntN(40)}
	alike := r.IntN(6) == 0 // so that = passes all rows
	if alike {
		l.shape, l.nulls = constant, 0
	}
	if typ == gen.Boolean && r.IntN(3) == 0 { // so that row groups are all true
		l.shape, l.size = constant, 1
	}
	if len(k.special) > 0 && !alike {
		l.oddity = pick(r, 0, 0, 0, 0, 0.01, 0.3)
	}
	switch {
	case k.family == nothing:
		l.nulls = 1
	case r.IntN(4) == 0:
		n.Repetition, l.nulls = gen.Once, 0
	}
	if k.name == "i96" && r.IntN(2) == 0 {
		n.Order = gen.Int96Order
	}
	if (k.typ == gen.Float || k.typ == gen.Double || k.name == "f16") && r.IntN(4) == 0 {
		n.Order = gen.IEEE754Order
	}
	w.leafOf[n] = l
	return n
}

// addPlaces finds what can be asked of n and what is below it.
func (w *world) addPlaces(n *gen.Node, sql string, o naive.Operand) {
	add := func(p place) {
		p.sql, p.operand, p.builder = sql, o, filter.Col(sql)
		w.places = append(w.places, p)
	}
	first := n
	for first.Type == gen.Group {
		first = first.Children[0]
	}
	isList := n.Repetition == gen.Many || n.Logical.Kind == gen.KindList || n.Logical.Kind == gen.KindMap
	if o.Lists == 0 && (isList || n.Type == gen.Group) {
		w.nullables = append(w.nullables, place{sql: sql, operand: o, builder: filter.Col(sql), kind: w.leafOf[first].kind, leaf: w.leafOf[first]})
	}
	if o.Lists == 0 && isList {
		w.lists = append(w.lists, list{n, sql, o.Path})
		length := o
		length.Length = true
		w.places = append(w.places, place{sql: "length(" + sql + ")", operand: length, builder: filter.Col(sql).Length(), kind: w.kindOf("i64"), leaf: w.leafOf[first], length: true})
	}
	if n.Repetition == gen.Many || n.Logical.Kind == gen.KindList {
		o.Lists++
	}
	switch {
	case n.Type != gen.Group:
		add(place{kind: w.leafOf[n].kind, leaf: w.leafOf[n]})
	case n.Logical.Kind == gen.KindList:
		w.addPlaces(n.Children[0].Children[0], sql, o)
	case n.Logical.Kind == gen.KindMap:
		key, value := n.Children[0].Children[0], n.Children[0].Children[1]
		if o.Lists == 0 {
			add(place{kind: w.leafOf[value].kind, leaf: w.leafOf[value], keys: w.leafOf[key]})
		}
		o.Lists++
		for i, c := range []*gen.Node{key, value} {
			below := o
			below.Path = append(append([]int(nil), o.Path...), i)
			w.addPlaces(c, sql+"."+c.Name, below)
		}
	default:
		for i, c := range n.Children {
			below := o
			below.Path = append(append([]int(nil), o.Path...), i)
			w.addPlaces(c, sql+"."+quote(c.Name), below)
		}
	}
}

// quote writes a name as WHERE and schema.ParsePath read it.
func quote(name string) string {
	if strings.ContainsAny(name, ` ."`) || strings.EqualFold(name, "null") {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

func (w *world) String() string {
	var b strings.Builder
	for i, l := range w.leaves {
		fmt.Fprintf(&b, "%s %s:", strings.Join(l.Path, "."), w.leafOf[l.Node].name)
		for g := range w.groups {
			fmt.Fprintf(&b, " [%s]", w.layouts[g][i].describe(w.starts[g+1]-w.starts[g]))
		}
		b.WriteByte('\n')
	}
	if w.encryption != nil {
		fmt.Fprintf(&b, "encrypted: %+v\n", *w.encryption)
	}
	return b.String()
}
