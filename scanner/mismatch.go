package scanner

import (
	"errors"
	"strconv"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
)

// ErrMismatch is matched by errors about columns that are not, and cannot be
// made, what a host wants.
var ErrMismatch = errors.New("column is not as wanted")

// mismatch is the error for a wanted column, with the names that lead to it.
type mismatch struct {
	path    []string
	what    string
	missing bool // there is no such column
}

func (m *mismatch) Error() string { return m.what }
func (m *mismatch) Is(target error) bool {
	return target == ErrMismatch || m.missing && target == ErrNoColumn
}

// mismatch is the error for w where the file has n.
func (w *Want) mismatch(n *schema.Node, have vector.Layout) error {
	return &mismatch{path: []string{w.Name}, what: "the file has " + described(have, n.Type) + ", " + w.describe() + " is wanted"}
}

// childless is the error for a list without item, or the like.
func (w *Want) childless() error {
	return &mismatch{path: []string{w.Name}, what: w.describe() + " is wanted with " + strconv.Itoa(len(w.Children)) + " children"}
}

func (w *Want) describe() string { return described(w.Layout, w.Type) }

func described(l vector.Layout, t vector.Type) string {
	switch l {
	case vector.Struct:
		return "a struct"
	case vector.List:
		return "a list"
	case vector.Map:
		return "a map"
	}
	return t.String()
}

// within adds the name of what the wanted column is in.
func within(name string, err error) error {
	var m *mismatch
	if !errors.As(err, &m) {
		return err
	}
	return &mismatch{append([]string{name}, m.path...), m.what, m.missing}
}

// mismatch adds the file to err.
func (f *File) mismatch(err error) error {
	var m *mismatch
	if !errors.As(err, &m) {
		return f.wrap(-1, "", -1, err)
	}
	for i, name := range m.path {
		if name == "" {
			m.path[i] = "item"
		}
	}
	return f.wrap(-1, schema.FormatPath(m.path), -1, err)
}
