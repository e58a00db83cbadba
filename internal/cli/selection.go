package cli

import (
	"fmt"

	"github.com/winnow-scan/winnow/column/schema"
)

// selection is the columns of -c: paths as schema.ParsePath reads them, with
// commas between. A group stands for all columns within.
type selection [][]string

func (s *selection) String() string { return "" }

// Set adds the paths of one -c flag.
func (s *selection) Set(text string) error {
	quoted := false
	start := 0
	for i := range len(text) + 1 {
		if i < len(text) && text[i] == '"' {
			quoted = !quoted
		}
		if i < len(text) && (text[i] != ',' || quoted) {
			continue
		}
		path, err := schema.ParsePath(text[start:i])
		if err != nil {
			return err
		}
		*s = append(*s, path)
		start = i + 1
	}
	return nil
}

// paths returns the selection as a scan takes it, nil for all columns.
func (s selection) paths() []string {
	var paths []string
	for _, p := range s {
		paths = append(paths, schema.FormatPath(p))
	}
	return paths
}

// nodes returns the selected nodes, none if all are selected.
func (s selection) nodes(in *schema.Schema) ([]*schema.Node, error) {
	var nodes []*schema.Node
	for _, path := range s {
		n := in.Find(path...)
		if n == nil {
			return nil, noColumn(in, path)
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// noColumn is the error for a column that does not exist. It suggests one that does.
func noColumn(in *schema.Schema, path []string) error {
	text := schema.FormatPath(path)
	_, err := in.Lookup(text)
	var known []string
	for i := 1; i < in.Len(); i++ {
		known = append(known, in.Node(i).String())
	}
	if near := nearest(text, known); near != "" {
		return fmt.Errorf("schema: no column %s; did you mean %s?", text, near)
	}
	return fmt.Errorf("schema: %w", err)
}

// leaves returns the ordinals of the selected columns, in the file's order.
func (s selection) leaves(in *schema.Schema) ([]int, error) {
	nodes, err := s.nodes(in)
	if err != nil {
		return nil, err
	}
	var leaves []int
	for i := range in.Leaves() {
		wanted := len(s) == 0
		for _, n := range nodes {
			wanted = wanted || n.FirstLeaf <= i && i < n.EndLeaf
		}
		if wanted {
			leaves = append(leaves, i)
		}
	}
	return leaves, nil
}
