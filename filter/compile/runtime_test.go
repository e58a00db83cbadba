package compile

import (
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/filter"
)

// TestRuntimeOfKeys: scans bind what is published and ask columns, while the
// host makes the next keys.
func TestRuntimeOfKeys(t *testing.T) {
	const scans, each = 3, 100
	s := oneColumn(t, kind("i64"))
	publish := func(r *filter.Runtime, i int) {
		k := filter.NewKeys(2)
		k.AddInt64(int64(i))
		k.AddInt64(-1)
		r.Publish(filter.Col("x").InKeys(k))
	}
	var r filter.Runtime
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
				build.Reset(v, s.Leaves()[0].Type)
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
