package feed

import (
	"testing"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
)

// What scans wrap around a source keeps its identity and cost.
func TestWrappersKeepTraits(t *testing.T) {
	want := fetch.Traits{Identity: fetch.Identity{Name: "x", Size: 3, Tag: "y"}, Latency: time.Second, Bandwidth: 5}
	src := fetch.WithTraits(fetch.FromBytes([]byte("abc")), want)
	ahead := NewPrefetcher(src, new(ioplan.Meter), 100, true, nil, nil, 1)
	for name, wrapped := range map[string]fetch.Source{
		"Merged": ioplan.Merged{Source: src}, "CancellableSource": detach.CancellableSource{Source: src},
		"Source": ahead.Source(0, nil, 0, nil), "PlanningSource": ahead.PlanningSource(0),
	} {
		if got := wrapped.Traits(); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
