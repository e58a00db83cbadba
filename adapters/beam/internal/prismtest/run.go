package prismtest

import (
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
)

// Run runs a pipeline on Prism, which the caller's imports register, and returns its counters.
func Run(t *testing.T, p *beam.Pipeline) map[string]int64 {
	t.Helper()
	result, err := beam.Run(t.Context(), "prism", p)
	if err != nil {
		t.Fatal(err)
	}
	counters := map[string]int64{}
	for _, c := range result.Metrics().Query(func(m metrics.SingleResult) bool { return m.Namespace() == "winnowio" }).Counters() {
		counters[c.Name()] += c.Result()
	}
	return counters
}
