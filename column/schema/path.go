package schema

import (
	"errors"
	"strconv"
	"strings"
)

// ParsePath splits a column's path at its dots. A name with dots, quotes or
// spaces around it is put in double quotes, and quotes in it are doubled:
//
//	a.b.c            a, b, c
//	"odd.name".x     odd.name, x
//	"say ""hi"""     say "hi"
//	""               one name without characters
func ParsePath(text string) ([]string, error) {
	var path []string
	for rest := text; ; {
		name, after, err := cutName(rest)
		if err != "" {
			return nil, errors.New("path " + strconv.Quote(text) + ", byte " + strconv.Itoa(len(text)-len(after)) + ": " + err)
		}
		path = append(path, name)
		if after == "" {
			return path, nil
		}
		rest = after[1:] // after the dot
	}
}

// cutName cuts the first name off a path. after starts with the dot after the
// name or is empty. If fault is not empty, after starts at the byte that is at fault.
func cutName(s string) (name, after, fault string) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, `."`)
		switch {
		case end < 0:
			end = len(s)
		case s[end] == '"':
			return "", s[end:], "quote within a name"
		}
		if end == 0 {
			return "", s, "name is missing"
		}
		return s[:end], s[end:], ""
	}
	for rest := s[1:]; ; {
		end := strings.IndexByte(rest, '"')
		if end < 0 {
			return "", s, "quote is not closed"
		}
		name += rest[:end]
		switch rest = rest[end+1:]; {
		case rest == "" || rest[0] == '.':
			return name, rest, ""
		case rest[0] != '"':
			return "", rest, "dot is missing"
		}
		name += `"`
		rest = rest[1:]
	}
}

// FormatPath returns path as ParsePath reads it, with quotes where needed.
func FormatPath(path []string) string {
	var b strings.Builder
	for i, name := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		if plainName(name) {
			b.WriteString(name)
		} else {
			b.WriteString(`"` + strings.ReplaceAll(name, `"`, `""`) + `"`)
		}
	}
	return b.String()
}

// plainName reports whether FormatPath writes name without quotes. ParsePath needs
// them only around dots and quotes, but commas separate the paths of a
// projection, and spaces and control characters would be misread in a line of text.
func plainName(name string) bool {
	for _, r := range name {
		if r <= ' ' || r == '.' || r == '"' || r == ',' || r == 0x7f {
			return false
		}
	}
	return name != ""
}

// wide is the number of children above which a child is looked up in Schema.index
// instead of by comparing each name.
const wide = 16

// childName is the key of Schema.index.
type childName struct {
	parent *Node
	name   string
}

// Find returns the node at path below the root, nil if there is none. The path
// may leave out the repeated group in the middle of a list or map. Of several
// children with the same name, Find returns the first. Safe for concurrent use.
func (s *Schema) Find(path ...string) *Node {
	n := s.Root()
	for _, name := range path {
		if n = s.step(n, name); n == nil {
			return nil
		}
	}
	return n
}

// step returns the node that name leads to from n: a child of n, or of the
// repeated group in n. nil if there is none.
func (s *Schema) step(n *Node, name string) *Node {
	if c := s.child(n, name); c != nil || n.Kind != List && n.Kind != Map {
		return c
	}
	if body := n.Children[0]; n.Kind == Map || n.Rule == 5 {
		return s.child(body, name)
	}
	return nil
}

// child returns the first child of n with this name, nil if there is none.
func (s *Schema) child(n *Node, name string) *Node {
	if len(n.Children) <= wide {
		for _, c := range n.Children {
			if c.Name == name {
				return c
			}
		}
		return nil
	}
	s.indexOnce.Do(s.makeIndex)
	return s.index[childName{n, name}]
}

// makeIndex fills index with the children of wide nodes. It goes from the last
// to the first, so that the first of several with the same name stays.
func (s *Schema) makeIndex() {
	n := 0
	for i := range s.nodes {
		if c := len(s.nodes[i].Children); c > wide {
			n += c
		}
	}
	s.index = make(map[childName]*Node, n)
	for i := len(s.nodes) - 1; i > 0; i-- {
		if c := &s.nodes[i]; len(c.Parent.Children) > wide {
			s.index[childName{c.Parent, c.Name}] = c
		}
	}
}

// ErrNoColumn is matched by errors about paths that lead to no column of a schema.
var ErrNoColumn = errors.New("no such column")

// noColumn is an error with this text that matches ErrNoColumn.
type noColumn string

func (e noColumn) Error() string        { return string(e) }
func (e noColumn) Is(target error) bool { return target == ErrNoColumn }

// Lookup is Find with a path written as ParsePath reads it. If there is no node, the
// error matches ErrNoColumn. Safe for concurrent use.
func (s *Schema) Lookup(path string) (*Node, error) {
	names, err := ParsePath(path)
	if err != nil {
		return nil, err
	}
	n := s.Root()
	for i, name := range names {
		next := s.step(n, name)
		if next == nil {
			text := "no column " + FormatPath(names[:i+1])
			if i > 0 {
				text += ": " + n.String() + " has " + fieldsOf(n)
			}
			return nil, noColumn(text)
		}
		n = next
	}
	return n, nil
}

// fieldsOf lists up to eight names that a path may go on with after n.
func fieldsOf(n *Node) string {
	if n.Kind == Map || n.Kind == List && n.Rule == 5 {
		n = n.Children[0]
	}
	if len(n.Children) == 0 {
		return "no fields"
	}
	var names []string
	for i, c := range n.Children {
		if i == 8 {
			names = append(names, "…")
			break
		}
		names = append(names, FormatPath([]string{c.Name}))
	}
	return strings.Join(names, ", ")
}
