package main

import (
	"context"
	"errors"

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	"github.com/winnow-scan/winnow/internal/cli"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// hdfsScheme returns the scheme hdfs. Its files share a connection to their cluster, which lasts
// as long as the program.
func hdfsScheme() cli.Scheme {
	var clusters hdfsscan.Clusters
	return cli.Scheme{
		Name: "hdfs",
		Open: func(ctx context.Context, name string) (fetch.Source, error) {
			f, err := clusters.Open(ctx, name)
			if err != nil {
				return nil, withoutName(err)
			}
			return f, nil
		},
		Match: func(ctx context.Context, arg string) ([]string, error) {
			names, err := clusters.Match(ctx, arg)
			return names, withoutName(err)
		},
	}
}

// withoutName leaves out the name of the file, which package cli adds.
func withoutName(err error) error {
	if e := (*hdfsscan.Error)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
