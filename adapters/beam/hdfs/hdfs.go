package hdfs

import (
	"context"

	winnowio "github.com/winnow-scan/winnow/adapters/beam"
	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Options returns the options of the cluster with an address, for the first name that has it.
// What replaces it, as Kerberos needs, belongs into an init function: workers do not run what
// main does.
var Options = hdfsscan.FromConf

// Connections to clusters last as long as the process.
func init() {
	clusters := hdfsscan.Clusters{Options: func(address string) (hdfsscan.Options, error) { return Options(address) }}
	winnowio.Register("hdfs", winnowio.Store{
		Open: func(ctx context.Context, name string) (fetch.Source, error) { return clusters.Open(ctx, name) },
		List: clusters.Match,
	})
}
