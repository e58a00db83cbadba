package oracle

import (
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// A part is what a path of Options.Select shows of a column.
type part struct {
	path string
	node *gen.Node // the column with what is shown of it
}

// A cell is a part's text in all rows.
type cell struct {
	key  string // "name":
	text []string
	some []bool // of the items of a list: whether there are any
}

// parts returns what can be shown of a column: all of it, or one field.
func parts(n *gen.Node) []part {
	all := []part{{quote(n.Name), n}}
	switch {
	case n.Type != gen.Group || n.Logical.Kind == gen.KindMap:
	case n.Logical.Kind == gen.KindList:
		item := n.Children[0].Children[0]
		if item.Type != gen.Group || item.Logical.Kind != gen.KindNone {
			break
		}
		for _, f := range item.Children {
			list, middle, one := *n, *n.Children[0], *item
			list.Children, middle.Children, one.Children = []*gen.Node{&middle}, []*gen.Node{&one}, []*gen.Node{f}
			all = append(all, part{quote(n.Name) + "." + quote(f.Name), &list})
		}
	default:
		for _, f := range n.Children {
			one := *n
			one.Children = []*gen.Node{f}
			all = append(all, part{quote(n.Name) + "." + quote(f.Name), &one})
		}
	}
	return all
}

func (w *world) cell(p part) cell {
	if c, ok := w.cells[p.path]; ok {
		return c
	}
	name, err := gen.AppendJSON(nil, gen.Required("", gen.ByteArray).As(gen.StringType()), p.node.Name)
	c := cell{key: string(name) + ":"}
	for _, group := range w.groups {
		for _, row := range group {
			var text []byte
			if err == nil {
				text, err = gen.AppendJSON(nil, p.node, row.(gen.Record)[p.node.Name])
			}
			c.text = append(c.text, string(text))
		}
	}
	if err != nil {
		panic(err) // gen has written these very values
	}
	w.cells[p.path] = c
	return c
}

// line is a row of a scan as it should come.
func line(dst []byte, cells []cell, row int) []byte {
	dst = append(dst, '{')
	for i, c := range cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, c.key...), c.text[row]...)
	}
	return append(dst, '}')
}
