package main

import (
	"context"
	"errors"
	"sync"

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	"github.com/winnow-scan/winnow/internal/cli"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// hdfsScheme returns the scheme hdfs. Its files share a connection to their cluster, which lasts
// as long as the program.
func hdfsScheme() cli.Scheme {
	var clusters hdfsClusters
	return cli.Scheme{
		Name: "hdfs",
		Open: func(ctx context.Context, name string) (fetch.Source, error) {
			c, path, err := clusters.of(name)
			if err != nil {
				return nil, err
			}
			f, err := c.Open(ctx, path)
			if err != nil {
				return nil, withoutName(err)
			}
			return f, nil
		},
		Match: func(ctx context.Context, arg string) ([]string, error) {
			c, path, err := clusters.of(arg)
			if err != nil {
				return nil, err
			}
			paths, err := c.Match(ctx, path)
			if err != nil {
				return nil, withoutName(err)
			}
			prefix := arg[:len(arg)-len(path)]
			for i, path := range paths {
				paths[i] = prefix + path
			}
			return paths, nil
		},
	}
}

// hdfsClusters are the clusters that a program has named, by address.
type hdfsClusters struct {
	mu     sync.Mutex
	opened map[string]*hdfsscan.Cluster
}

// of returns the cluster and the path that a URL names.
func (c *hdfsClusters) of(url string) (*hdfsscan.Cluster, string, error) {
	address, path, err := hdfsscan.ParseURL(url)
	if err != nil {
		return nil, "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opened[address] == nil {
		o, err := hdfsscan.FromConf(address)
		if err != nil {
			return nil, "", err
		}
		if c.opened == nil {
			c.opened = map[string]*hdfsscan.Cluster{}
		}
		c.opened[address] = hdfsscan.NewCluster(o)
	}
	return c.opened[address], path, nil
}

// withoutName leaves out the name of the file, which package cli adds.
func withoutName(err error) error {
	if e := (*hdfsscan.Error)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
