package winnowio

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"

	"github.com/winnow-scan/winnow/adapters/beam/internal/prismtest"
	"github.com/winnow-scan/winnow/filter"
)

func init() {
	register.Function1x1(textOf)
	register.DoFn3x0[context.Context, row, func(string)](&slowFn{})
}

// textOf is what tests compare of a row.
func textOf(r row) string { return sorted([]row{r})[0] }

// logged is what is logged while tests run: Beam's workers send it to the runner, which hands
// it to slog.
var logged logs

type logs struct {
	slog.Handler
	mu    sync.Mutex
	lines []string
}

func (l *logs) Enabled(context.Context, slog.Level) bool { return true }
func (l *logs) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *logs) WithGroup(string) slog.Handler            { return l }

func (l *logs) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, r.Message)
	return nil
}

// about returns the lines that contain a text.
func (l *logs) about(text string) (found []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.lines {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

// A hundred files, filtered: each row that passes comes once, and the counters are those of all scans.
func TestPrismManyFiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var want []row
	total := 0
	for i := range 100 {
		s := shape{groups: 1 + rng.IntN(8), rows: 80, page: 5 + rng.IntN(20), noIndex: i%7 == 0}
		f := s.write(t, rng, int64(1000*i))
		memory.put(t, fmt.Sprintf("%02d.parquet", i), f.data)
		for _, r := range f.rows {
			total++
			if r.Part == 3 && r.ID >= 40_000 {
				want = append(want, r)
			}
		}
	}
	p, s := beam.NewPipelineWithRoot()
	rows := Read[row](s, "test://"+t.Name()+"/*.parquet", Options{
		Filter:     filter.And(filter.Col("part").Eq(3), filter.Col("id").Ge(40_000)),
		SplitBytes: 2000,
	})
	passert.EqualsList(s, beam.ParDo(s, textOf, rows), sorted(want))
	counters := prismtest.Run(t, p)
	if counters["rows"] != int64(len(want)) || counters["pages_unread"] == 0 || counters["pages_decoded"] == 0 || counters["requested_bytes"] == 0 {
		t.Errorf("of %d rows %d pass, counters %v", total, len(want), counters)
	}
}

// busy counts the bundles of slowFn that work at a time.
var busy struct{ now, most atomic.Int64 }

// slowFn waits at each 50th row.
type slowFn struct{}

func (*slowFn) ProcessElement(ctx context.Context, r row, emit func(string)) {
	if r.ID%50 == 0 {
		most := busy.now.Add(1)
		for {
			seen := busy.most.Load()
			if most <= seen || busy.most.CompareAndSwap(seen, most) {
				break
			}
		}
		time.Sleep(400 * time.Millisecond)
		busy.now.Add(-1)
	}
	emit(textOf(r))
}

// One row group with an offset index, and what follows is slow: Prism splits what is being read, and
// reads on in several bundles at a time. The splits are counted and logged.
func TestPrismSplits(t *testing.T) {
	f := shape{groups: 1, rows: 1, page: 10}.write(t, rand.New(rand.NewPCG(3, 4)), 0)
	for len(f.rows) < 500 {
		f = shape{groups: 1, rows: 1000, page: 10}.write(t, rand.New(rand.NewPCG(3, uint64(len(f.rows)))), 0)
	}
	name := memory.put(t, "one.parquet", f.data)
	p, s := beam.NewPipelineWithRoot()
	texts := beam.ParDo(s, &slowFn{}, Read[row](s, name, Options{}))
	passert.EqualsList(s, texts, sorted(f.rows))
	counters := prismtest.Run(t, p)
	if counters["splits"] == 0 || counters["rows"] < int64(len(f.rows)) {
		t.Errorf("counters %v, %d rows", counters, len(f.rows))
	}
	lines := logged.about("winnowio: " + name + " was split")
	t.Logf("%d rows, %d splits, %d bundles at once: %s", len(f.rows), counters["splits"], busy.most.Load(), strings.Join(lines, "\n"))
	if len(lines) == 0 {
		t.Error("no split is logged")
	}
	if busy.most.Load() < 2 {
		t.Error("no two parts of the file were read at a time")
	}
}
