package answer

import (
	"context"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// unite makes the files one table of the columns that any of them has. It returns these, nil if no file can be read, and
// those that -c names.
func unite(ctx context.Context, in *input.Files, o *command.Options) (u *dataset.Union, selected []string, err error) {
	u = new(dataset.Union)
	in.Survey(ctx, o.Where.Expr, func(ctx context.Context, f *input.File) error {
		fields, err := f.File.Fields(ctx, scanner.Options{})
		if err == nil {
			u.Add(f.Name(), fields)
		}
		return err
	})
	s, err := u.Schema()
	if err != nil || s.Len() == 1 {
		return nil, nil, err
	}
	table := &input.File{Table: in.Unite(u)}
	if selected, err = o.Columns.Paths(s, table.Folders()); err == nil {
		_, err = u.Fields(ctx, scanner.Options{Select: selected, Filter: o.Where.Expr, Constants: table.Constants()})
	}
	return u, selected, err
}
