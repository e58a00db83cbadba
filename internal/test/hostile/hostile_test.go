package hostile

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

var only = flag.Int("case", -1, "run this case alone, and say what it is")

const (
	deadline  = 10 * time.Second // of a case that takes a millisecond
	allowance = 64 << 20
)

// kinds are the parts that get mutated, each as often as it stands here.
func kinds() []string {
	return []string{"footer", "footer", "page header", "page header", "page body", "page body", "column index", "offset index", "bloom"}
}

// A subject is a sample with its parts.
type subject struct {
	sample
	parts map[string][]part
}

// A specimen is a file made from a case's number.
type specimen struct {
	number int
	from   string // sample, part and mutations
	bytes  []byte
	part   part
}

func (s specimen) String() string {
	return fmt.Sprintf("case %d (go test ./internal/test/hostile -case=%d): %s", s.number, s.number, s.from)
}

func specimenOf(subjects []subject, number int) specimen {
	r := rand.New(rand.NewPCG(uint64(number), 0x5ca1ab1e))
	for {
		kind := kinds()[r.IntN(len(kinds()))]
		s := subjects[r.IntN(len(subjects))]
		if len(s.parts[kind]) == 0 {
			continue
		}
		p := s.parts[kind][r.IntN(len(s.parts[kind]))]
		o := s.parts[kind][r.IntN(len(s.parts[kind]))]
		changed, log := mutate(r, s.bytes[p.from:p.to], s.bytes[o.from:o.to])
		return specimen{
			number: number,
			from:   fmt.Sprintf("%s, %s at %d: %s", s.name, p.kind, p.from, log),
			bytes:  splice(s.bytes, p, changed),
			part:   p,
		}
	}
}

// splice puts changed in the place of the part. A footer that has its trailer
// behind it gets a trailer that fits; indexes keep their places in the file.
func splice(file []byte, p part, changed []byte) []byte {
	switch {
	case p.kind == "footer" && p.to < int64(len(file)):
		out := slices.Concat(file[:p.from], changed)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(changed)))
		return append(out, file[len(file)-4:]...)
	case p.kind == "column index" || p.kind == "offset index" || p.kind == "bloom":
		out := slices.Clone(file)
		copy(out[p.from:p.to], changed)
		return out
	}
	return slices.Concat(file[:p.from], changed, file[p.to:])
}

func subjects(t testing.TB) []subject {
	t.Helper()
	var all []subject
	for _, s := range samples(t) {
		all = append(all, subject{s, parts(t, s)})
	}
	return all
}

func TestMutations(t *testing.T) {
	all := subjects(t)
	first, last := 0, dtest.Rounds(t, 5000)
	if *only >= 0 {
		first, last = *only, *only+1
	}
	var tally tally
	for number := first; number < last; number++ {
		s := specimenOf(all, number)
		if *only >= 0 {
			t.Log(s)
		}
		tally.add(run(t, s, readAll))
	}
	t.Log(&tally)
	if *only < 0 && (tally.refused < last/10 || tally.values == 0) {
		t.Error("mutations hardly matter, or nothing was read: the readers were not reached")
	}
}

// An outcome is what came of a case.
type outcome struct {
	err       error // the first
	values    int   // read before that
	allocated uint64
	took      time.Duration
	s         specimen
}

// run reads the specimen. A reader that hangs cannot be stopped, so the
// process ends then.
func run(t testing.TB, s specimen, read func([]byte, part) (int, error)) (o outcome) {
	t.Helper()
	o.s = s
	watch := time.AfterFunc(deadline, func() {
		stacks := make([]byte, 64<<10)
		fmt.Fprintf(os.Stderr, "%s: not done after %v\n%s\n", s, deadline, stacks[:runtime.Stack(stacks, true)])
		os.Exit(1)
	})
	defer watch.Stop()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v\n%s", s, p, debug.Stack())
		}
	}()

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	o.values, o.err = read(s.bytes, s.part)
	o.took = time.Since(start)
	runtime.ReadMemStats(&after)

	o.allocated = after.TotalAlloc - before.TotalAlloc
	if o.allocated > uint64(len(s.bytes))+allowance {
		t.Errorf("%s: %d MiB allocated for a file of %d bytes", s, o.allocated>>20, len(s.bytes))
	}
	return o
}

// A tally says what the cases came to.
type tally struct {
	cases, refused int
	values         int64
	slowest, most  outcome
}

func (t *tally) add(o outcome) {
	t.cases++
	t.values += int64(o.values)
	if o.err != nil {
		t.refused++
	}
	if o.took > t.slowest.took {
		t.slowest = o
	}
	if o.allocated > t.most.allocated {
		t.most = o
	}
}

func (t *tally) String() string {
	return fmt.Sprintf("%d cases, %d refused, %d values read\nslowest: %v, %v\nmost memory: %d KiB for %d KiB, %v",
		t.cases, t.refused, t.values, t.slowest.took, t.slowest.s, t.most.allocated>>10, len(t.most.s.bytes)>>10, t.most.s)
}

// failures stands in for a test whose failures are wanted.
type failures struct {
	testing.TB
	seen []string
}

func (f *failures) Helper()                      {}
func (f *failures) Errorf(s string, args ...any) { f.seen = append(f.seen, fmt.Sprintf(s, args...)) }

func TestRunSeesPanicsAndMemory(t *testing.T) {
	var kept [][]byte
	for want, read := range map[string]func([]byte, part) (int, error){
		"panic: broken": func([]byte, part) (int, error) { panic("broken") },
		"65 MiB allocated for a file of 9 bytes": func([]byte, part) (int, error) {
			for range 65 {
				kept = append(kept[:0], make([]byte, 1<<20)) // dropped at once: all of it counts
			}
			return len(kept), nil
		},
	} {
		f := &failures{TB: t}
		run(f, specimen{bytes: make([]byte, 9)}, read)
		if len(f.seen) != 1 || !strings.Contains(f.seen[0], want) {
			t.Errorf("want %q, have %q", want, f.seen)
		}
	}
}

// What is refused must be refused because of the mutations.
func TestSamplesAreSound(t *testing.T) {
	all := map[string]int{}
	for _, s := range subjects(t) {
		for kind, parts := range s.parts {
			all[kind] += len(parts)
		}
		if s.name == "index_garbage.parquet" || s.name == "index_place.parquet" {
			continue // their indexes are bad, which is what they are for
		}
		if values, err := readAll(s.bytes, part{leaf: -1}); err != nil || values == 0 && s.name != "schema_no_columns.parquet" {
			t.Errorf("%s: %d values, %v", s.name, values, err)
		}
	}
	for _, kind := range kinds() {
		if all[kind] < 100 {
			t.Errorf("%d parts are a %s", all[kind], kind)
		}
	}
	t.Log(all)
}
