package hdfsscan

import (
	"context"
	"sync"
)

// Clusters find files by URLs that ParseURL takes. Each cluster is connected to once. Safe for
// concurrent use.
type Clusters struct {
	// Options returns the options of the cluster with an address. Nil: FromConf.
	Options func(address string) (Options, error)

	mu        sync.Mutex
	byAddress map[string]*Cluster
}

// Open opens the file with a URL, as Cluster.Open does.
func (c *Clusters) Open(ctx context.Context, url string) (*File, error) {
	cluster, path, err := c.find(url)
	if err != nil {
		return nil, err
	}
	return cluster.Open(ctx, path)
}

// Match returns the URLs of the files that one with a pattern stands for, as Cluster.Match finds
// them.
func (c *Clusters) Match(ctx context.Context, url string) ([]string, error) {
	cluster, path, err := c.find(url)
	if err != nil {
		return nil, err
	}
	names, err := cluster.Match(ctx, path)
	if err != nil {
		return nil, err
	}
	prefix := url[:len(url)-len(path)]
	for i, name := range names {
		names[i] = prefix + name
	}
	return names, nil
}

// find returns the cluster and the path of a URL.
func (c *Clusters) find(url string) (*Cluster, string, error) {
	address, path, err := ParseURL(url)
	if err != nil {
		return nil, "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cluster := c.byAddress[address]; cluster != nil {
		return cluster, path, nil
	}
	options := c.Options
	if options == nil {
		options = FromConf
	}
	o, err := options(address)
	if err != nil {
		return nil, "", err
	}
	if c.byAddress == nil {
		c.byAddress = map[string]*Cluster{}
	}
	cluster := NewCluster(o)
	c.byAddress[address] = cluster
	return cluster, path, nil
}
