package project

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
)

// Names returns a host's names of columns that it finds by position or field id; nil if it
// finds them by name.
func Names(s *schema.Schema, wants []Want, by Match, constants filter.Constants) compile.Names {
	wants = notConstant(wants, constants)
	if by == ByName || len(wants) == 0 {
		return nil
	}
	names := compile.Names{}
	addNames(names, s.Root(), wants, by)
	return names
}

// addNames adds the host's names of the wanted fields of a struct.
func addNames(names compile.Names, of *schema.Node, wants []Want, by Match) {
	here := make(map[string]*schema.Node, len(wants))
	names[of] = here
	nodes := namesakes{of: of}
	for i := range wants {
		w := &wants[i]
		n := w.find(&nodes, i, by)
		if n == nil {
			continue
		}
		if here[w.Name] == nil { // of several with a name, the first
			here[w.Name] = n
		}
		addParts(names, n, w, by)
	}
}

// addParts adds the host's names of the fields below a wanted column.
func addParts(names compile.Names, n *schema.Node, w *Want, by Match) {
	switch {
	case n.Kind == schema.Struct:
		wants := w.Children
		if n.IsBare() && len(wants) == 1 { // a repeated group without a list annotation
			wants = wants[0].Children
		}
		addNames(names, n, wants, by)
	case n.Kind == schema.List && len(w.Children) == 1:
		addParts(names, n.Item(), &w.Children[0], by)
	case n.Kind == schema.Map && len(w.Children) == 2 && n.Value() != nil:
		addParts(names, n.Value(), &w.Children[1], by)
	}
}
