package s3

import (
	"context"
	"sync"

	winnowio "github.com/winnow-scan/winnow/adapters/beam"
	s3scan "github.com/winnow-scan/winnow/adapters/s3"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Options are those of the client, which is made for the first name. They belong into an init
// function, as workers do not run what main does:
//
//	func init() { s3.Options.RequesterPays = true }
var Options s3scan.Options

// The client lasts as long as the process.
func init() {
	client := sync.OnceValues(func() (*s3scan.Client, error) {
		return s3scan.NewClient(context.Background(), Options)
	})
	winnowio.Register("s3", winnowio.Store{
		Open: func(ctx context.Context, name string) (fetch.Source, error) {
			c, err := client()
			if err != nil {
				return nil, err
			}
			return c.Open(ctx, name)
		},
		List: func(ctx context.Context, pattern string) ([]string, error) {
			c, err := client()
			if err != nil {
				return nil, err
			}
			objects, err := c.List(ctx, pattern)
			names := make([]string, len(objects))
			for i, o := range objects {
				names[i] = o.Name()
			}
			return names, err
		},
	})
}
