package filter

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestRuntime(t *testing.T) {
	var r Runtime
	check := func(wantText string, want uint64) {
		t.Helper()
		if e, version := r.Snapshot(); e.String() != wantText || version != want {
			t.Fatalf("%s, version %d, want %s, %d", e, version, wantText, want)
		}
		if r.Newer(want) || want > 0 && !r.Newer(want-1) {
			t.Fatalf("version %d: %t, and %t that it is newer than the one before", want, r.Newer(want), r.Newer(want-1))
		}
	}
	check("TRUE", 0)
	r.Publish(Col("a").Ge(5))
	check("a >= 5", 1)
	r.Publish(Col("a").Ge(5))
	check("a >= 5", 2)
	r.Publish(nil)
	check("TRUE", 3)
}

// TestRuntimeRace publishes and reads from several goroutines: versions never
// go back, and one version is one condition.
func TestRuntimeRace(t *testing.T) {
	const writers, readers, each = 4, 4, 500
	var r Runtime
	var done atomic.Bool
	var writing, reading sync.WaitGroup
	for i := range writers {
		writing.Go(func() {
			for j := range each {
				r.Publish(Col("a").Ge(i*each + j))
			}
		})
	}
	seen := make([]map[uint64]*Expr, readers)
	for i := range readers {
		seen[i] = map[uint64]*Expr{}
		reading.Go(func() {
			var last uint64
			for !done.Load() {
				e, version := r.Snapshot()
				if version < last {
					t.Errorf("version %d behind %d", version, last)
					return
				}
				if (e == nil) != (version == 0) {
					t.Errorf("version %d is %s", version, e)
					return
				}
				last = version
				seen[i][version] = e
			}
		})
	}
	writing.Wait()
	done.Store(true)
	reading.Wait()
	if _, version := r.Snapshot(); version != writers*each {
		t.Fatalf("version %d after %d", version, writers*each)
	}
	if r.Newer(writers*each) || !r.Newer(writers*each-1) {
		t.Fatalf("%d versions, and %t, %t that there are more", writers*each, r.Newer(writers*each), r.Newer(writers*each-1))
	}
	for version, e := range seen[0] {
		for _, other := range seen[1:] {
			if o, ok := other[version]; ok && o != e {
				t.Fatalf("version %d is %s and %s", version, e, o)
			}
		}
	}
}
