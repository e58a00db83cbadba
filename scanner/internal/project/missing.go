package project

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
)

// Missing adds the columns that a file of schema s lacks of those that are wanted by name,
// as constants: their defaults, or NULL.
func Missing(s *schema.Schema, wants []Want, to filter.Constants) { missing(s, nil, wants, to) }

func missing(s *schema.Schema, path []string, wants []Want, to filter.Constants) {
	for i := range wants {
		w := &wants[i]
		at := append(path[:len(path):len(path)], w.Name)
		there, text := s.Find(at...) != nil, schema.FormatPath(at)
		switch {
		case there || to[text] != nil:
		case w.Default == nil:
			to[text] = &vector.Vector{Type: w.Type, Layout: w.Layout}
		case w.Layout == vector.Leaf && len(path) == 0: // below a struct, it is where the struct is not NULL
			to[text] = w.Default
		}
		if w.Layout == vector.Struct && (there || w.Default == nil) {
			missing(s, at, w.Children, to)
		}
	}
}
