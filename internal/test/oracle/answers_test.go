package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/scanner"
)

// answers asks what needs no batches: how many rows a scan has, which, and the
// ends of a column among them.
type answers struct {
	plan
	of place // whose ends are asked; its sql is "" if none are
}

func (g *writer) newAnswers(c condition, passes []bool) *answers {
	a := &answers{plan: *g.newPlan(c, passes)}
	a.Unnest = ""
	if p := pick(g.r, g.w.places...); p.leaf != nil && !p.length && p.keys == nil && p.kind.name != "i96" && p.family != unordered {
		a.of = p
	}
	return a
}

func (a *answers) judge(w *world) error {
	if err := a.answer(w); err != nil {
		return fmt.Errorf("answers: %s\nfilter as bound: %s\n%w", brief(strings.Join(a.about, "; ")), brief(a.Filter.String()), err)
	}
	return nil
}

func (a *answers) answer(w *world) error {
	ctx, o := a.context(), a.Options
	if n, err := w.file.Count(ctx, o); err != nil || n != int64(len(a.want)) {
		return fmt.Errorf("Count is %d, %w; %d rows pass", n, err, len(a.want))
	}
	estimate, err := w.file.Estimate(ctx, o)
	if err != nil {
		return fmt.Errorf("Estimate: %w", err)
	}
	r, n := estimate.Rows, int64(len(a.want))
	cut := o.Limit > 0 || o.Limited || o.Offset > 0 || len(o.Runtime) > 0 // which estimates ignore
	if n > r.AtMost || n < r.AtLeast && !cut || r.Expected < r.AtLeast || r.Expected > r.AtMost {
		return fmt.Errorf("Estimate is %+v; %d rows pass", r, n)
	}
	set, err := w.file.Passing(ctx, o)
	if err != nil {
		return fmt.Errorf("Passing: %w", err)
	}
	var rows []int
	for g, ranges := range set {
		for _, r := range ranges {
			for row := r.From; row < r.To; row++ {
				rows = append(rows, w.starts[g]+int(row))
			}
		}
	}
	if !slices.Equal(rows, a.want) {
		return fmt.Errorf("Passing is %v, not %v", set, a.want)
	}
	if a.of.sql == "" {
		return nil
	}
	for _, end := range []struct {
		name string
		ask  func(context.Context, string, scanner.Options) (vector.Scalar, error)
		sign int
	}{{"Min", w.file.Min, 1}, {"Max", w.file.Max, -1}} {
		v, err := end.ask(ctx, a.of.sql, o)
		if err != nil {
			return fmt.Errorf("%s of %s: %w", end.name, a.of.sql, err)
		}
		field := vector.Field{Name: "v", Type: v.Type(), Nullable: true}
		got, err := appendRows(nil, &vector.Batch{Fields: []vector.Field{field}, Columns: []*vector.Vector{v.Vector(1)}, Len: 1})
		if err != nil {
			return err
		}
		if want := a.end(w, end.sign); string(got) != want && string(got) != negativeZero(want) {
			return fmt.Errorf("%s of %s is %sand should be %s", end.name, a.of.sql, got, want)
		}
	}
	return nil
}

// negativeZero is the other text that a zero of floats has.
func negativeZero(text string) string {
	return strings.NewReplacer(":0}", ":-0}", ":-0}", ":0}").Replace(text)
}

// end returns the least value of all rows wanted, or with sign -1 the greatest.
func (a *answers) end(w *world, sign int) string {
	var best, shown any
	n := w.leaves[a.of.leaf.index].Node
	for _, row := range a.want {
		g := w.groupOf(row)
		var values []any
		top := w.schema[a.of.operand.Path[0]]
		written(top, w.groups[g][row-w.starts[g]].(gen.Record)[top.Name], n, &values)
		for _, v := range values {
			means := a.of.means(v)
			if means == nil {
				continue // UNKNOWN
			}
			if f, isFloat := doubleOf(means); isFloat && f != f {
				continue
			}
			if best == nil || lesser(means, best)*sign < 0 {
				best, shown = means, v
			}
		}
	}
	text, err := gen.AppendJSON(nil, gen.Optional("", n.Type).As(n.Logical).Len(n.Length), shown)
	if err != nil {
		panic(err) // gen has written the value
	}
	return `{"v":` + string(text) + "}\n"
}

func lesser(a, b any) int {
	order, _ := naive.Order(a, b)
	return order
}

// written gathers the values of a leaf that stand below n.
func written(n *gen.Node, v any, leaf *gen.Node, values *[]any) {
	switch v := v.(type) {
	case nil:
	case []any:
		item := n
		if n.Repetition != gen.Many {
			item = n.Children[0].Children[0]
		}
		for _, i := range v {
			written(item, i, leaf, values)
		}
	case []gen.KV:
		for _, i := range v {
			written(n.Children[0].Children[0], i.Key, leaf, values)
			written(n.Children[0].Children[1], i.Value, leaf, values)
		}
	case gen.Record:
		for _, c := range n.Children {
			written(c, v[c.Name], leaf, values)
		}
	default:
		if n == leaf {
			*values = append(*values, v)
		}
	}
}
