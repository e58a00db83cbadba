package project

import (
	"cmp"
	"errors"
	"strconv"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
)

// ErrMismatch is matched by errors about columns that a host wants with a type to which
// they cannot be converted.
var ErrMismatch = errors.New("column is not as wanted")

// Mismatch is the error for a wanted column, with the names that lead to it. It
// matches ErrMismatch.
type Mismatch struct {
	Path    []string
	What    string
	Missing bool // the file lacks the column: the error matches schema.ErrNoColumn, too
}

func (m *Mismatch) Error() string { return m.What }
func (m *Mismatch) Is(target error) bool {
	return target == ErrMismatch || m.Missing && target == schema.ErrNoColumn
}

// NoColumn is the text of an error that matches schema.ErrNoColumn.
type NoColumn string

func (e NoColumn) Error() string        { return string(e) }
func (e NoColumn) Is(target error) bool { return target == schema.ErrNoColumn }

// mismatch returns the error for w if the file has n.
func (w *Want) mismatch(n *schema.Node, have vector.Layout) error {
	return &Mismatch{Path: []string{w.Name}, What: "the file has " + Described(have, n.Type) + ", " + w.Describe() + " is wanted"}
}

// childless returns the error for a wanted list without an item, or a map without a key.
func (w *Want) childless() error {
	return &Mismatch{Path: []string{w.Name}, What: w.Describe() + " is wanted with " + strconv.Itoa(len(w.Children)) + " children"}
}

// Describe returns the layout or type of w, for errors.
func (w *Want) Describe() string { return Described(w.Layout, w.Type) }

// Described returns a layout, or the type of a leaf, as text for errors.
func Described(l vector.Layout, t vector.Type) string {
	nested := map[vector.Layout]string{vector.Struct: "a struct", vector.List: "a list", vector.Map: "a map"}
	return cmp.Or(nested[l], t.String())
}

// Within adds the name of the parent to a Mismatch.
func Within(name string, err error) error {
	var m *Mismatch
	if !errors.As(err, &m) {
		return err
	}
	return &Mismatch{append([]string{name}, m.Path...), m.What, m.Missing}
}

// AtRow adds the number of a row to an error of Convert.
func AtRow(row int64, err error) error {
	var m *Mismatch
	if !errors.As(err, &m) {
		return err
	}
	return &Mismatch{Path: m.Path, What: "row " + strconv.FormatInt(row, 10) + ": " + m.What}
}
