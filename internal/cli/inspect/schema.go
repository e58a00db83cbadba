package inspect

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

func Schema() *command.Command {
	return &command.Command{
		Name: "schema", Args: "FILE...",
		Summary: "show the tree of columns with types, levels and field ids",
		Detail: `
The tables' columns: the tree, with how often each node may occur; the number of
the leaf, which column chunks are counted by; its physical and its logical type,
with durations and time zones of the file's Arrow schema (ARROW:schema); the
highest definition and repetition level; the field id. Notes say what of that
schema is ignored.

JSON records, one a node: file, path (a list), name, depth, kind (leaf, struct, list, map),
repetition, column (leaves), physical_type, type_length, logical_type,
arrow_type (of ARROW:schema, in the words of Arrow's C data interface: tDu is a duration in microseconds),
max_definition_level, max_repetition_level, field_id,
list_rule (which of the format's five rules made it a list).`,
		Examples: []string{
			"schema orders.parquet",
		},
		Layout: true,
		Takes:  command.TakesSelect | command.TakesLimit,
		Run:    command.EachFile(showSchema, nil),
	}
}

func showSchema(_ context.Context, f *input.File, o *command.Options, r *output.Report) error {
	s := f.Schema()
	wanted, err := o.Columns.Nodes(s)
	if err != nil {
		return err
	}
	var nodes []*schema.Node
	for i := 1; i < s.Len(); i++ {
		if n := s.Node(i); len(wanted) == 0 || slices.ContainsFunc(wanted, func(w *schema.Node) bool { return isIn(n, w) || isIn(w, n) }) {
			nodes = append(nodes, n)
		}
	}
	shown := nodes[:o.Shown(len(nodes))]
	if r.Tables() {
		r.Heading(f.Name(), table.Plural(int64(len(s.Leaves())), "column")+", schema "+strconv.Quote(s.Root().Name))
		r.Print(schemaTable(shown))
		r.NoteHidden("", len(nodes)-len(shown), "node")
		for _, note := range f.Notes() {
			r.Say(table.Printable(note) + "\n")
		}
		return nil
	}
	for _, n := range shown {
		path, isLeaf := n.Path(), n.Kind == schema.Leaf
		r.Record("file", f.Name(), "path", path, "name", n.Name, "depth", len(path), "kind", n.Kind.String(), "repetition", n.Repetition.String(),
			"column", output.If(isLeaf, n.FirstLeaf), "physical_type", output.If(isLeaf, n.Type.Physical.String()),
			"type_length", output.If(isLeaf && n.Type.Physical == vector.FixedLenByteArray, n.Type.Length), "logical_type", output.OmitZero(n.Type.Annotation()),
			"arrow_type", output.OmitZero(cmp.Or(n.Stored, &vector.Stored{}).Format),
			"max_definition_level", n.MaxDef, "max_repetition_level", n.MaxRep, "field_id", output.If(n.HasFieldID, n.FieldID), "list_rule", output.OmitZero(n.Rule))
	}
	return nil
}

// isIn reports whether a node is another one or below it.
func isIn(n, above *schema.Node) bool {
	for n != nil && n != above {
		n = n.Parent
	}
	return n != nil
}

func schemaTable(nodes []*schema.Node) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Title: "column", MinWidth: 20}, {Title: "#", Right: true}, {Title: "repetition"},
		{Title: "physical"}, {Title: "logical", MinWidth: 8},
		{Title: "def", Right: true}, {Title: "rep", Right: true}, {Title: "id", Right: true},
	}}
	for _, n := range nodes {
		row := []any{branches(n) + cmp.Or(n.Name, `""`), "", n.Repetition.String(), "", table.Cyan.Cell(n.Stored.Annotation(n.Type)), table.Number(int64(n.MaxDef)), table.Number(int64(n.MaxRep)), ""}
		if n.Kind == schema.Leaf {
			row[1] = strconv.Itoa(n.FirstLeaf)
			row[3] = n.Type.Physical.String()
			if n.Type.Physical == vector.FixedLenByteArray {
				row[3] = "FIXED_LEN_BYTE_ARRAY(" + strconv.Itoa(int(n.Type.Length)) + ")"
			}
		} else {
			row[0] = table.Bold.Cell(row[0].(string))
			row[4] = table.Dim.Cell(strings.TrimSpace(n.Kind.String() + " " + n.Type.Annotation()))
		}
		if n.HasFieldID {
			row[7] = strconv.Itoa(int(n.FieldID))
		}
		t.Add(row...)
	}
	return t
}

// branches draws the tree in front of a node's name.
func branches(n *schema.Node) string {
	s := ""
	for ; n.Parent != nil && n.Parent.Parent != nil; n = n.Parent {
		last := n.Parent.Children[len(n.Parent.Children)-1] == n
		switch {
		case s == "" && last:
			s = "└─ "
		case s == "":
			s = "├─ "
		case last:
			s = "   " + s
		default:
			s = "│  " + s
		}
	}
	return s
}
