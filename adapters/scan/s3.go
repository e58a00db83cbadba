package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	s3scan "github.com/winnow-scan/winnow/adapters/s3"
	"github.com/winnow-scan/winnow/internal/cli"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// s3Scheme returns the scheme s3. What the environment says about it is read with its first name.
func s3Scheme() cli.Scheme {
	client := sync.OnceValues(func() (*s3scan.Client, error) {
		return s3scan.NewClient(context.Background(), s3scan.FromEnvironment(os.Getenv))
	})
	var listed sync.Map // s3scan.Object by name
	return cli.Scheme{
		Name: "s3",
		Match: func(ctx context.Context, arg string) ([]string, error) {
			c, err := client()
			if err != nil {
				return nil, err
			}
			objects, err := c.List(ctx, arg)
			names := make([]string, len(objects))
			for i, o := range objects {
				names[i] = o.Name()
				listed.Store(names[i], o)
			}
			return names, ofS3(err)
		},
		Open: func(ctx context.Context, name string) (fetch.Source, error) {
			c, err := client()
			if err != nil {
				return nil, err
			}
			if o, ok := listed.Load(name); ok {
				f, err := c.OpenObject(ctx, o.(s3scan.Object))
				return f, ofS3(err)
			}
			f, err := c.Open(ctx, name)
			return f, ofS3(err)
		},
	}
}

// ofS3 returns an error with what helps against it, if anything does.
func ofS3(err error) error {
	if errors.Is(err, s3scan.ErrNoCredentials) {
		return fmt.Errorf("%w; AWS_SKIP_SIGNATURE=true reads public buckets", err)
	}
	return err
}
