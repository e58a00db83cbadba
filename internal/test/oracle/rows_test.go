package oracle

import (
	"math/rand/v2"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// How values follow one another.
const (
	ascending = iota
	descending
	clustered
	constant
	fewDistinct
	scattered
	runs
	shapes
)

func (l *leaf) next(r *rand.Rand) any {
	if l.oddity > 0 && r.Float64() < l.oddity {
		return pick(r, l.special...)
	}
	k := 0
	switch l.shape {
	case ascending:
		k = l.count*l.size/8 - 400
	case descending:
		k = 400 - l.count*l.size/8
	case constant:
		k = 3 * l.size
	case clustered:
		k = l.count/(20*l.size)*100 + r.IntN(30)
	case fewDistinct:
		k = r.IntN(l.size) * 3
	case scattered:
		k = r.IntN(8000) - 4000
	case runs:
		k = l.count / l.size * 7 % 50
	}
	l.count++
	return l.at(k % 6000)
}

// makeRows makes rows in row groups.
func (w *world) makeRows(big bool) {
	r := w.r
	rows := pick(r, 0, 1, 2, 3, 7, 20, 20, 64, 64, 100, 100, 300, 300)
	if rows > 3 {
		rows += r.IntN(rows)
	}
	switch {
	case big:
		rows = 20_000 + r.IntN(60_000)
	case r.IntN(25) == 0:
		rows = 1000 + r.IntN(3000)
	}
	w.starts = []int{0}
	for g := range pick(r, 1, 1, 2, 3) {
		n := rows - len(w.rows)
		if g == 0 && r.IntN(8) > 0 {
			n = r.IntN(n + 1)
		}
		group := make([]any, n)
		for i := range group {
			record, row := gen.Record{}, naive.Struct{}
			for _, c := range w.schema {
				v := w.value(c)
				if v != nil {
					record[c.Name] = v
				}
				row = append(row, w.meaning(c, v))
			}
			group[i] = record
			w.rows = append(w.rows, append(row, int64(len(w.rows))))
		}
		w.groups = append(w.groups, group)
		w.starts = append(w.starts, len(w.rows))
	}
}

// value returns a random value of a node as it is written.
func (w *world) value(n *gen.Node) any {
	r := w.r
	if n.Repetition == gen.Many {
		all := []any{}
		for range w.items() {
			all = append(all, w.present(n))
		}
		return all
	}
	if n.Repetition == gen.Maybe {
		nulls := 0.15
		if l := w.leafOf[n]; l != nil {
			nulls = l.nulls
		}
		if nulls > 0 && r.Float64() < nulls {
			return nil
		}
	}
	return w.present(n)
}

func (w *world) items() int { return pick(w.r, 0, 0, 1, 1, 2, 3, 3+w.r.IntN(6)) }

func (w *world) present(n *gen.Node) any {
	switch {
	case n.Type != gen.Group:
		return w.leafOf[n].next(w.r)
	case n.Logical.Kind == gen.KindList:
		all := []any{}
		for range w.items() {
			all = append(all, w.value(n.Children[0].Children[0]))
		}
		return all
	case n.Logical.Kind == gen.KindMap:
		all := []gen.KV{}
		for range w.items() {
			all = append(all, gen.KV{Key: w.value(n.Children[0].Children[0]), Value: w.value(n.Children[0].Children[1])})
		}
		return all
	}
	record := gen.Record{}
	for _, c := range n.Children {
		if v := w.value(c); v != nil {
			record[c.Name] = v
		}
	}
	return record
}

// meaning returns what a written value means.
func (w *world) meaning(n *gen.Node, v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		item := n
		if n.Repetition != gen.Many {
			item = n.Children[0].Children[0]
		}
		list := naive.List{}
		for _, i := range v {
			list = append(list, w.meaning(item, i))
		}
		return list
	case []gen.KV:
		list := naive.List{}
		for _, i := range v {
			fields := n.Children[0].Children
			list = append(list, naive.Struct{w.meaning(fields[0], i.Key), w.meaning(fields[1], i.Value)})
		}
		return list
	case gen.Record:
		s := naive.Struct{}
		for _, c := range n.Children {
			s = append(s, w.meaning(c, v[c.Name]))
		}
		return s
	}
	return w.leafOf[n].means(v)
}
