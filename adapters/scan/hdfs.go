package main

import (
	"context"

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
				return nil, err // not f, which is a source, if a nil one
			}
			return f, nil
		},
		Match: clusters.Match,
	}
}
