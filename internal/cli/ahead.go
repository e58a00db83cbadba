package cli

import (
	"context"

	"github.com/winnow-scan/winnow/internal/lookahead"
	"github.com/winnow-scan/winnow/scanner"
)

// maxAhead bounds how many files of schemes are opened before their turn.
const maxAhead = 16

// openAhead opens files of schemes before visit comes to them, in its order, until end is called.
// Files that visit does not open are left out.
func (in *inputs) openAhead(ctx context.Context, o *options) (end func()) {
	type file struct {
		name   string
		number int
	}
	var files []file
	number := 0
	for _, a := range in.args {
		for _, name := range a.files {
			if in.opener.scheme(name) != nil {
				files = append(files, file{name, number})
			}
			number++
		}
	}
	if len(files) < 2 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	in.ahead = lookahead.New(maxAhead, func() func() (*input, error) {
		for len(files) > 0 {
			f := files[0]
			files = files[1:]
			if !in.excludes(ctx, o, f.number) {
				return func() (*input, error) { return in.opener.input(ctx, f.name, f.number) }
			}
		}
		return nil
	}, func(f *input) { f.close() })
	return func() {
		cancel()
		in.ahead.Stop()
		in.ahead = nil
	}
}

// excludes reports whether the folders of a file tell that no row passes, or why that cannot be told:
// visit does not open it.
func (in *inputs) excludes(ctx context.Context, o *options, number int) bool {
	if in.table == nil {
		return false
	}
	opens := false
	_ = in.table.At(number).With(func(context.Context, string) (*scanner.File, error) {
		opens = true
		return nil, context.Canceled
	}).Each(ctx, scanner.Options{Filter: o.where.expr}, nil)
	return !opens
}

// open opens a file, or waits for it if that has begun. The caller closes it.
func (in *inputs) open(ctx context.Context, name string, number int) (*input, error) {
	if in.ahead != nil && in.opener.scheme(name) != nil {
		return in.ahead.Next().Wait()
	}
	return in.opener.input(ctx, name, number)
}
