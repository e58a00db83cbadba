package winnowio

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/winnow-scan/winnow/adapters/beam/internal/restriction"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// As Beam has it, one DoFn reads several restrictions at a time, and of each a goroutine asks for
// progress and splits while another one claims and emits. Each row comes once; go test -race looks on.
func TestParallel(t *testing.T) {
	log.SetLogger(quiet{})
	rng := rand.New(rand.NewPCG(35, 7))
	splits := 0
	for round := range dtest.Rounds(t, 40) {
		f := shape{groups: 1 + rng.IntN(12), rows: 200, page: 1 + rng.IntN(12)}.write(t, rng, 0)
		name := memory.put(t, fmt.Sprint(round, ".parquet"), f.data)
		part := int32(rng.IntN(7))
		o := Options{SplitBytes: 1000 + int64(rng.IntN(4000)), Filter: filter.Col("part").Ne(part)}
		q, err := o.travel()
		if err != nil {
			t.Fatal(err)
		}
		b, err := newBase(q, reflect.TypeFor[row]())
		if err != nil {
			t.Fatal(err)
		}
		w := workers{t: t, name: name, fn: readFn{b}}
		whole, err := w.fn.CreateInitialRestriction(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := w.fn.SplitRestriction(t.Context(), name, whole)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range parts {
			w.start(r, rng.Uint64())
		}
		w.working.Wait()
		want := slices.DeleteFunc(slices.Clone(f.rows), func(r row) bool { return r.Part == part })
		if !reflect.DeepEqual(sorted(w.out), sorted(want)) {
			t.Fatalf("round %d: %d rows, want %d", round, len(w.out), len(want))
		}
		splits += w.splits
	}
	t.Logf("%d splits", splits)
	if splits < 20 {
		t.Error("too few to tell anything")
	}
}

// workers read the restrictions of a file at the same time.
type workers struct {
	t       *testing.T
	name    string
	fn      readFn
	working sync.WaitGroup

	mu     sync.Mutex
	out    []row
	splits int
}

// start begins to read r in one goroutine, and to split it in another. What is split off is read
// in the same way.
func (w *workers) start(r restriction.Restriction, seed uint64) {
	rt, done := w.fn.CreateTracker(r), make(chan struct{})
	w.working.Go(func() {
		defer close(done)
		var rows []row
		err := w.fn.ProcessElement(w.t.Context(), rt, w.name, func(x beam.X) { rows = append(rows, x.(row)) })
		if err != nil || rt.GetError() != nil || !rt.IsDone() {
			w.t.Errorf("%v, %v, done is %v", err, rt.GetError(), rt.IsDone())
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.out = append(w.out, rows...)
	})
	w.working.Go(func() { w.split(rt, seed, done) })
}

// split asks for progress and splits, a few times at most, until the restriction is read.
func (w *workers) split(rt *sdf.LockRTracker, seed uint64, done chan struct{}) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for left := 4; ; {
		select {
		case <-done:
			return
		case <-time.After(50 * time.Microsecond):
		}
		if read, remaining := rt.GetProgress(); read < 0 || remaining < 0 {
			w.t.Errorf("%v read, %v remaining", read, remaining)
		}
		if left == 0 || rng.IntN(4) > 0 {
			continue
		}
		left--
		_, residual, err := rt.TrySplit(rng.Float64())
		if err != nil {
			w.t.Error(err)
		}
		if residual != nil {
			w.mu.Lock()
			w.splits++
			w.mu.Unlock()
			w.start(residual.(restriction.Restriction), rng.Uint64())
		}
	}
}
