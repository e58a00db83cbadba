package filter

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
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

// TestRuntimeOfKeys: scans bind what is published and ask columns, while the
// host makes the next keys.
func TestRuntimeOfKeys(t *testing.T) {
	const scans, each = 3, 100
	s := oneColumn(t, kind("i64"))
	publish := func(r *Runtime, i int) {
		k := NewKeys(2)
		k.AddInt64(int64(i))
		k.AddInt64(-1)
		r.Publish(Col("x").InKeys(k))
	}
	var r Runtime
	publish(&r, 0)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range each {
			publish(&r, i)
		}
	})
	for range scans {
		wg.Go(func() {
			for range each {
				e, version := r.Snapshot()
				p, err := Bind(e, s, nil)
				if err != nil {
					t.Error(err)
					return
				}
				v := &vector.Vector{}
				v.Reset(s.Leaves()[0].Type)
				for _, x := range []int64{-1, max(int64(version)-2, 0)} {
					appendPlain(v, le64(x), false)
				}
				sel := []uint64{0b11}
				if p.Root.Test.Pred.Filter(sel, v); sel[0] != 0b11 {
					t.Errorf("version %d: %b", version, sel[0])
				}
			}
		})
	}
	wg.Wait()
}
