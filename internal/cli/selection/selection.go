package selection

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/fault"
)

// Columns is the columns of -c, with commas between. A group stands for all
// columns within.
//
//	a.b,"odd, name"   paths, as schema.ParsePath reads them
//	c00*,a.*          patterns: * is any part of a name
//	-blob,-c9*        all others; behind paths, of these
//	v.a,v['b'][3]::INT  values within a VARIANT, perhaps cast
//
// Of several columns with one name, a path is the first; again, it is the next. Patterns and
// exceptions name all of them.
type Columns []Selector

// Selector is one part of a selection.
type Selector struct {
	Path    []string
	Pattern bool // a name in path has a * outside of quotes
	Without bool // what it names is left out

	// Within is the text of a path with brackets or a cast, as they lead into a VARIANT. Path is all of it where
	// names may be such, too, else what stands in front.
	Within string
}

// Set adds the selectors of one -c flag.
func (s *Columns) Set(text string) error {
	quoted, start := byte(0), 0
	next := Selector{}
	for i := range len(text) + 1 {
		if i < len(text) {
			switch {
			case quoted == '\'':
				if strings.HasPrefix(text[i:], "']") {
					quoted = 0
				}
			case text[i] == '\'' && quoted == 0 && strings.HasSuffix(text[:i], "[") && strings.Contains(text[i:], "']"):
				quoted = '\''
			case text[i] == '"' && quoted != '(':
				quoted ^= '"'
			case text[i] == '(' && quoted == 0 && strings.Contains(text[start:i], "::"), text[i] == ')' && quoted == '(':
				quoted ^= '('
			case text[i] == '*' && quoted == 0:
				next.Pattern = true
			case text[i] == '-' && i == start && i+1 < len(text) && text[i+1] != ',':
				next.Without, start = true, i+1
			}
			if text[i] != ',' || quoted != 0 {
				continue
			}
		}
		var err error
		next.Path, err = schema.ParsePath(text[start:i])
		if front, within := frontOf(text[start:i]); within && !next.Without && !next.Pattern {
			if next.Within = text[start:i]; err != nil {
				next.Path, err = schema.ParsePath(front)
			}
		}
		if err != nil {
			return err
		}
		*s = append(*s, next)
		start, next = i+1, Selector{}
	}
	return nil
}

// frontOf returns what stands in front of the first bracket or cast of a path, and whether there is one.
func frontOf(path string) (front string, within bool) {
	front, _, bracket := strings.Cut(path, "[")
	front, _, cast := strings.Cut(front, "::")
	return front, bracket || cast
}

// Plain returns the paths that are names alone, and no patterns, of columns to show.
func (s Columns) Plain() (paths [][]string) {
	for _, c := range s {
		if !c.Pattern && !c.Without && c.Within == "" {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// Paths returns the selection as a scan takes it, nil for all columns. Folders are
// the names of the columns that the file has by its folders.
func (s Columns) Paths(in *schema.Schema, folders []string) (paths []string, err error) {
	if !slices.ContainsFunc(s, func(c Selector) bool { return c.Pattern || c.Without }) { // the scan says what is wrong with paths
		for _, c := range s {
			paths = append(paths, cmp.Or(c.Within, schema.FormatPath(c.Path)))
		}
		return paths, nil
	}
	columns, err := s.Resolve(in, folders)
	for _, c := range columns {
		if top := c.top(); len(c.path) > 1 && len(namesakesOf(top)) > 1 {
			return nil, fmt.Errorf("-c: several columns have the name %s: patterns and exceptions may name them, not parts of them", schema.FormatPath([]string{top.Name}))
		}
		paths = append(paths, cmp.Or(c.within, schema.FormatPath(c.path)))
	}
	return paths, err
}

// Nodes returns the selected nodes, none if all are selected.
func (s Columns) Nodes(in *schema.Schema) (nodes []*schema.Node, err error) {
	columns, err := s.Resolve(in, nil)
	for _, c := range columns {
		nodes = append(nodes, c.Node)
	}
	return nodes, err
}

// selected is a column that a selection names.
type selected struct {
	path   []string
	Node   *schema.Node // nil for a column of folders
	within string       // the text of a path into the VARIANT that Node is; "": all of Node
}

// top returns the column that the selected part belongs to, nil for a column of folders.
func (c *selected) top() *schema.Node {
	n := c.Node
	for n != nil && n.Parent.Parent != nil {
		n = n.Parent
	}
	return n
}

// Resolve returns the columns that a selection names in a file, none for all.
func (s Columns) Resolve(in *schema.Schema, folders []string) (columns []selected, err error) {
	leaveOut, has, mentions := map[*schema.Node]bool{}, map[*schema.Node]bool{}, map[*schema.Node]int{}
	var outFolders []string
	for _, c := range s {
		found, err := c.find(in, folders)
		if err != nil {
			return nil, err
		}
		if n := found[0].Node; n != nil && !c.Pattern && !c.Without {
			if mentions[n]++; mentions[n] > 1 {
				all := namesakesOf(n)
				found[0].Node = all[min(mentions[n], len(all))-1]
			}
		}
		for _, f := range found {
			switch {
			case c.Without && f.Node == nil:
				outFolders = append(outFolders, f.path[0])
			case c.Without:
				leaveOut[f.Node] = true
			case !c.Pattern || f.Node == nil || !has[f.Node]: // a pattern names nothing twice
				has[f.Node] = true
				columns = append(columns, f)
			}
		}
	}
	if len(leaveOut) == 0 && len(outFolders) == 0 {
		return columns, nil
	}
	if !slices.ContainsFunc(s, func(c Selector) bool { return !c.Without }) {
		all := Selector{Path: []string{"*"}, Pattern: true}
		columns, _ = all.find(in, folders)
	}
	var left []selected
	for _, c := range columns {
		if c.Node != nil {
			left = appendWithout(left, c, leaveOut)
		} else if !slices.Contains(outFolders, c.path[0]) {
			left = append(left, c)
		}
	}
	if len(left) == 0 {
		return nil, errors.New("schema: -c leaves no column")
	}
	return left, nil
}

// appendWithout appends a column, or what is left of it without some nodes.
func appendWithout(all []selected, c selected, without map[*schema.Node]bool) []selected {
	for n := c.Node; n != nil; n = n.Parent {
		if without[n] {
			return all
		}
	}
	for out := range without {
		if c.Node.FirstLeaf <= out.FirstLeaf && out.EndLeaf <= c.Node.EndLeaf && c.Node.Kind != schema.Leaf {
			for _, child := range c.Node.Children {
				all = appendWithout(all, selected{path: child.Path(), Node: child}, without)
			}
			return all
		}
	}
	return append(all, c)
}

// find returns the columns that a selector names, at least one.
func (c *Selector) find(in *schema.Schema, folders []string) (found []selected, err error) {
	if !c.Pattern {
		if n := findNode(in, c.Path); n != nil && c.Without {
			for _, n := range namesakesOf(n) {
				found = append(found, selected{path: c.Path, Node: n})
			}
			return found, nil
		} else if n != nil {
			return []selected{{path: c.Path, Node: n}}, nil
		} else if n = c.variant(in); n != nil && !c.Without {
			return []selected{{n.Path(), n, cmp.Or(c.Within, schema.FormatPath(c.Path))}}, nil
		}
		if slices.Contains(folders, c.Path[0]) {
			return []selected{{path: c.Path}}, nil
		}
		return nil, NoColumn(in, c.Path)
	}
	var walk func(n *schema.Node, path []string)
	walk = func(n *schema.Node, path []string) {
		at := len(path)
		for _, field := range fieldsOf(n) {
			if !Matches(c.Path[at], field.Name) {
				continue
			}
			if at+1 < len(c.Path) {
				walk(field, append(slices.Clone(path), field.Name))
			} else if !slices.Contains(folders, field.Name) || at > 0 {
				found = append(found, selected{path: field.Path(), Node: field})
			}
		}
	}
	walk(in.Root(), nil)
	for _, name := range folders {
		if len(c.Path) == 1 && Matches(c.Path[0], name) {
			found = append(found, selected{path: []string{name}})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no column matches %s", strings.Join(c.Path, "."))
	}
	return found, nil
}

// variant returns the VARIANT that a path leads into, nil if there is none.
func (c *Selector) variant(in *schema.Schema) *schema.Node {
	front, _ := frontOf(cmp.Or(c.Within, schema.FormatPath(c.Path)))
	names, _ := schema.ParsePath(front)
	for ; len(names) > 0; names = names[:len(names)-1] {
		if n := findNode(in, names); n != nil && n.Type.Logical == vector.Variant {
			return n
		}
	}
	return nil
}

// findNode returns the node at a path, which may leave out what is repeated in
// lists and maps, as that of a scan may; nil if there is none.
func findNode(in *schema.Schema, path []string) *schema.Node {
	if n := in.Find(path...); n != nil {
		return n
	}
	n := in.Root()
	for _, name := range path {
		fields := fieldsOf(n)
		i := slices.IndexFunc(fields, func(f *schema.Node) bool { return f.Name == name })
		if i < 0 {
			return nil
		}
		n = fields[i]
	}
	return n
}

// namesakesOf returns the nodes that have the path of a node, in the file's order.
func namesakesOf(n *schema.Node) (all []*schema.Node) {
	if n.Parent == nil {
		return []*schema.Node{n}
	}
	for _, parent := range namesakesOf(n.Parent) {
		for _, c := range parent.Children {
			if c.Name == n.Name {
				all = append(all, c)
			}
		}
	}
	return all
}

// fieldsOf returns the fields of a struct, of the items of a list, of a map.
func fieldsOf(n *schema.Node) []*schema.Node {
	switch n.Kind {
	case schema.List:
		if item := n.Item(); item != nil {
			return fieldsOf(item)
		}
	case schema.Map:
		return n.Children[0].Children
	}
	return n.Children
}

// Matches reports whether a name is one of a pattern, in which * is any text.
func Matches(pattern, name string) bool {
	first, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, first)
	if !ok {
		return false
	}
	parts := strings.Split(rest, "*")
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		if _, name, ok = strings.Cut(name, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(name, last)
}

// NoColumn is the error for a column that does not exist. It suggests one that does.
func NoColumn(in *schema.Schema, path []string) error {
	text := schema.FormatPath(path)
	_, err := in.Lookup(text)
	var known []string
	for i := 1; i < in.Len(); i++ {
		known = append(known, in.Node(i).String())
	}
	for _, name := range known {
		if name != text && strings.ReplaceAll(name, `"`, "") == text {
			return fmt.Errorf("no column %s; there is %s, in double quotes", text, name)
		}
	}
	if near := fault.Nearest(text, known); near != "" {
		if strings.EqualFold(text, near) {
			return fmt.Errorf("no column %s; there is %s, and case matters", text, near)
		}
		return fmt.Errorf("no column %s; did you mean %s?", text, near)
	}
	return err
}

// Leaves returns the ordinals of the selected columns, in the file's order.
func (s Columns) Leaves(in *schema.Schema) ([]int, error) {
	nodes, err := s.Nodes(in)
	if err != nil {
		return nil, err
	}
	wanted := make([]bool, len(in.Leaves()))
	for _, n := range nodes {
		for i := n.FirstLeaf; i < n.EndLeaf; i++ {
			wanted[i] = true
		}
	}
	var leaves []int
	for i := range wanted {
		if wanted[i] || len(s) == 0 {
			leaves = append(leaves, i)
		}
	}
	return leaves, nil
}
