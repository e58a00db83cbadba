package input

import (
	"context"
	"errors"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// Web returns the schemes http and https. Their files share connections.
func Web() []Scheme {
	client := web.NewClient()
	open := func(ctx context.Context, name string) (fetch.Source, error) {
		f, err := web.Open(ctx, name, web.Options{Client: client})
		if e := (*web.Error)(nil); errors.As(err, &e) {
			place := *e
			place.Name = "" // which InFile adds
			return nil, &place
		}
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	return []Scheme{{Name: "https", Open: open}, {Name: "http", Open: open}}
}

// Scheme is a place for files that are not on this machine. Its files have names
// like s3://bucket/key.parquet.
type Scheme struct {
	Name string // what stands before "://"

	// Open opens a file. If the source is an io.Closer, it is closed after use. Several
	// files may be opened at the same time.
	Open func(ctx context.Context, name string) (fetch.Source, error)
	// Match returns the names that an argument stands for, which may be a
	// pattern. If it is nil, each argument is the name of a file.
	Match func(ctx context.Context, arg string) ([]string, error)
}
