package answer

import (
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// unite returns the columns that -c names of those that any file has, nil if no file can be read.
func unite(ctx context.Context, in *input.Files, o *command.Options) ([]scanner.Want, error) {
	var u dataset.Union
	var names []string
	var folders []vector.Field
	known := filter.Constants{}
	in.Survey(ctx, o.Where.Expr, func(ctx context.Context, f *input.File) error {
		fields, err := f.File.Fields(ctx, scanner.Options{})
		if err != nil {
			return err
		}
		if u.Add(f.Name(), fields); f.Table != nil && names == nil {
			names, folders = f.Folders(), f.Table.Columns()
		}
		return nil
	})
	for _, f := range folders {
		known[schema.FormatPath([]string{f.Name})] = vector.NullOf(f.Type)
	}
	s, err := u.Schema()
	if err != nil || s.Len() == 1 {
		return nil, err
	}
	query := scanner.Options{Filter: o.Where.Expr, Constants: known}
	if query.Select, err = o.Columns.Paths(s, names); err != nil {
		return nil, err
	}
	fields, err := u.Fields(ctx, query)
	if query.Select == nil { // folders come last, as in a scan of files with the same columns
		isFolder := func(f vector.Field) bool { return slices.Contains(names, f.Name) }
		fields = append(slices.DeleteFunc(fields, isFolder), folders...)
	}
	return scanner.Wants(fields), err
}
