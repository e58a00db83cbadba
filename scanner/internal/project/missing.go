package project

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
)

// Missing adds the columns that are wanted by name and missing from schema s to constants:
// their defaults, or NULL.
func Missing(s *schema.Schema, wants []Want, to filter.Constants) { missing(s, nil, wants, to) }

// missingNamed is Missing for columns that a host finds by position or field id; names
// has the columns that the file has. It ignores fields of structs.
func missingNamed(s *schema.Schema, names compile.Names, wants []Want, to filter.Constants) {
	for i := range wants {
		w := &wants[i]
		if text := schema.FormatPath([]string{w.Name}); names[s.Root()][w.Name] == nil && !known(to, text) {
			if to[text] = w.Default; w.Default.IsNull() || w.Layout != vector.Leaf {
				to[text] = w.null()
			}
		}
	}
}

func missing(s *schema.Schema, path []string, wants []Want, to filter.Constants) {
	for i := range wants {
		w := &wants[i]
		at := append(path[:len(path):len(path)], w.Name)
		n, text := s.Find(at...), schema.FormatPath(at)
		there := n != nil && !w.isNullIn(n)
		switch {
		case there || known(to, text):
		case w.Default.IsNull():
			to[text] = w.null()
		case w.Layout == vector.Leaf && len(path) == 0: // below a struct, it is where the struct is not NULL
			to[text] = w.Default
		}
		if w.Layout == vector.Struct && (there || w.Default.IsNull()) {
			missing(s, at, w.Children, to)
		}
	}
}

func known(constants filter.Constants, path string) bool {
	_, ok := constants[path]
	return ok
}

// null returns NULL as a value of w.
func (w *Want) null() vector.Scalar {
	f := w.field()
	return build.Null(&f, 1).Scalar(0)
}
