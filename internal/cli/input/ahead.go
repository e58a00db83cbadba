package input

import (
	"context"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/lookahead"
	"github.com/winnow-scan/winnow/scanner"
)

// maxAhead bounds how many files of schemes are opened before their turn.
const maxAhead = 16

// OpenAhead opens files of schemes before visit comes to them, in its order, until end is called.
// Files that visit does not open are left out.
func (in *Files) OpenAhead(ctx context.Context, where *filter.Expr) (end func()) {
	type file struct {
		name   string
		number int
	}
	var files []file
	for number, name := range in.Names() {
		if in.Opener.scheme(name) != nil {
			files = append(files, file{name, number})
		}
	}
	if len(files) < 2 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	in.ahead = lookahead.New(maxAhead, func() func() (*File, error) {
		for len(files) > 0 {
			f := files[0]
			files = files[1:]
			if !in.excludes(ctx, where, f.number) {
				return func() (*File, error) { return in.Opener.File(ctx, f.name, f.number) }
			}
		}
		return nil
	}, func(f *File) { f.Close() })
	return func() {
		cancel()
		in.ahead.Stop()
		in.ahead = nil
	}
}

// excludes reports whether the folders of a file tell that no row passes, or why that cannot be told:
// visit does not open it.
func (in *Files) excludes(ctx context.Context, where *filter.Expr, number int) bool {
	if in.table == nil {
		return false
	}
	opens := false
	_ = in.table.At(number).With(func(context.Context, string) (*scanner.File, error) {
		opens = true
		return nil, context.Canceled
	}).Each(ctx, scanner.Options{Filter: where}, nil)
	return !opens
}

// Survey visits all files before a command does. What is wrong with one is left to be said then.
func (in *Files) Survey(ctx context.Context, where *filter.Expr, look func(context.Context, *File) error) {
	defer in.OpenAhead(ctx, where)()
	for number, name := range in.Names() {
		_ = in.Visit(ctx, where, name, number, look, nil)
	}
}
