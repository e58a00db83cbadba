package scanner

import (
	"errors"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// ErrMismatch is matched by errors about columns that a host wants with a type to which
// they cannot be converted.
var ErrMismatch = project.ErrMismatch

// mismatch adds the file to err.
func (f *File) mismatch(err error) error {
	var m *project.Mismatch
	if !errors.As(err, &m) {
		return f.wrap(-1, "", -1, err)
	}
	for i, name := range m.Path {
		if name == "" {
			m.Path[i] = "item"
		}
	}
	return f.wrap(-1, schema.FormatPath(m.Path), -1, err)
}
