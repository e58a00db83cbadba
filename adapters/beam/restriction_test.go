package winnowio

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/winnow-scan/winnow/adapters/beam/internal/restriction"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// Whatever is split, where and when, and whatever fails and is done again: each row that
// passes is emitted once. Of a file there are splits before it is opened, between row groups,
// of restrictions that wait, of those that are read, and once they are read. A worker fails at
// any row; its work is then done again as it was given to it, and what was split off it is
// forgotten, or what it still had is, and that stays.
func TestEachRowOnce(t *testing.T) {
	log.SetLogger(quiet{})
	rng := rand.New(rand.NewPCG(35, 6))
	const files = 100
	names, want := make([]string, files), make([][]row, files)
	for i := range files {
		s := shape{groups: 1 + rng.IntN(24), rows: 1 + rng.IntN(60), page: 1 + rng.IntN(12), noIndex: i%5 == 0, shuffled: i%3 == 0, repeated: i%4 == 0}
		f := s.write(t, rng, int64(rng.IntN(1000)))
		names[i], want[i] = memory.put(t, fmt.Sprint(i, ".parquet"), f.data), f.rows
	}
	seen := sequence{}
	for round := range dtest.Rounds(t, 1000) {
		file := rng.IntN(files)
		s := sequence{t: t, rng: rng, name: names[file]}
		passes := s.choose(want[file])
		s.run()
		if !reflect.DeepEqual(sorted(s.out), sorted(passes)) {
			t.Fatalf("round %d, %s: %d rows, want %d", round, s.name, len(s.out), len(passes))
		}
		seen.count(&s)
	}
	t.Logf("%d splits within row groups, %d between them, %d of unopened files; %d failures", seen.inGroup, seen.between, seen.unopened, seen.failed)
	if min(seen.inGroup, seen.between, seen.unopened, seen.failed) < 10 {
		t.Error("some kinds are too rare to tell anything")
	}
}

// quiet logs nothing. Workers that Prism starts set a logger of their own.
type quiet struct{}

func (quiet) Log(context.Context, log.Severity, int, string) {}

// sequence is one file that is read by workers which split and fail.
type sequence struct {
	t    *testing.T
	rng  *rand.Rand
	name string
	fn   readFn
	todo []restriction.Restriction
	out  []row

	inGroup, between, unopened, failed int
}

func (s *sequence) count(o *sequence) {
	s.inGroup, s.between, s.unopened, s.failed = s.inGroup+o.inGroup, s.between+o.between, s.unopened+o.unopened, s.failed+o.failed
}

// choose chooses a filter and the size of splits, and returns the rows that pass.
func (s *sequence) choose(rows []row) (passes []row) {
	o := Options{SplitBytes: 1 + int64(s.rng.IntN(4000))}
	pass := func(row) bool { return true }
	switch s.rng.IntN(4) {
	case 0:
		part := int32(s.rng.IntN(7))
		o.Filter, pass = filter.Col("part").Eq(part), func(r row) bool { return r.Part == part }
	case 1:
		from := rows[s.rng.IntN(len(rows))].ID
		o.Filter, pass = filter.Col("id").Ge(from), func(r row) bool { return r.ID >= from }
	case 2:
		o.Filter, pass = filter.Col("note").IsNull(), func(r row) bool { return r.Note == nil }
	}
	q, err := o.travel()
	if err != nil {
		s.t.Fatal(err)
	}
	base, err := newBase(q, reflect.TypeFor[row]())
	if err != nil {
		s.t.Fatal(err)
	}
	s.fn = readFn{base}
	for _, r := range rows {
		if pass(r) {
			passes = append(passes, r)
		}
	}
	return passes
}

func (s *sequence) run() {
	s.t.Helper()
	whole, err := s.fn.CreateInitialRestriction(s.t.Context(), s.name)
	if err != nil {
		s.t.Fatal(err)
	}
	if s.todo, err = s.fn.SplitRestriction(s.t.Context(), s.name, whole); err != nil {
		s.t.Fatal(err)
	}
	for len(s.todo) > 0 {
		i := s.rng.IntN(len(s.todo))
		r := s.todo[i]
		s.todo = slices.Delete(s.todo, i, i+1)
		if s.rng.IntN(4) == 0 { // a split of what nobody reads yet
			before := s.fn.CreateTracker(s.travelled(r))
			if lost, ok := s.split(before.TrySplit, s.rng.Float64(), &s.unopened); ok {
				s.todo, r = append(s.todo, lost), before.GetRestriction().(restriction.Restriction)
			}
		}
		s.work(s.travelled(r))
	}
}

// travelled returns r as another worker gets it.
func (s *sequence) travelled(r restriction.Restriction) restriction.Restriction {
	b, err := encodeRestriction(r)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err = decodeRestriction(b)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// errFails is what a worker that fails panics with.
type errFails struct{}

// work reads a restriction as a worker does, and splits it meanwhile.
func (s *sequence) work(r restriction.Restriction) {
	s.t.Helper()
	rt := s.fn.CreateTracker(r)
	var rows []row
	var residuals []restriction.Restriction
	trySplit := func(fraction float64, kind *int) {
		if lost, ok := s.split(rt.TrySplit, fraction, kind); ok {
			residuals = append(residuals, lost)
		}
	}
	failed := func() (failed bool) {
		defer func() {
			if e := recover(); e != nil {
				if _, failed = e.(errFails); !failed {
					panic(e)
				}
			}
		}()
		if s.rng.IntN(8) == 0 {
			trySplit(s.rng.Float64(), &s.unopened)
		}
		err := s.fn.ProcessElement(s.t.Context(), rt, s.name, func(x beam.X) {
			rows = append(rows, x.(row))
			switch s.rng.IntN(100) {
			case 0:
				panic(errFails{})
			case 1:
				trySplit(0, nil) // a checkpoint
			case 2, 3, 4, 5, 6, 7, 8, 9:
				trySplit(s.rng.Float64(), nil)
			}
			if done, left := rt.GetProgress(); done < 0 || left < 0 {
				s.t.Fatalf("%v done, %v left", done, left)
			}
		})
		if err != nil {
			s.t.Fatalf("%s: %v", s.name, err)
		}
		return false
	}()
	switch {
	case !failed:
		trySplit(s.rng.Float64(), nil)
		if !rt.IsDone() || rt.GetError() != nil {
			s.t.Fatalf("%s: the tracker is not done, or has error %v", s.name, rt.GetError())
		}
		if _, left := rt.GetProgress(); left != 0 {
			s.t.Fatalf("%s: %v are left", s.name, left)
		}
		s.out, s.todo = append(s.out, rows...), append(s.todo, residuals...)
	case s.rng.IntN(2) == 0: // all of it once more
		s.failed++
		s.todo = append(s.todo, r)
	default: // what was split off is already elsewhere
		s.failed++
		s.todo = append(append(s.todo, residuals...), rt.GetRestriction().(restriction.Restriction))
	}
}

// split splits, checks what every split must be, and counts it as of a kind: nil is one of an
// open file.
func (s *sequence) split(try func(float64) (any, any, error), fraction float64, kind *int) (lost restriction.Restriction, ok bool) {
	s.t.Helper()
	primary, residual, err := try(fraction)
	if err != nil {
		s.t.Fatal(err)
	}
	if residual == nil {
		return lost, false
	}
	kept, lost := primary.(restriction.Restriction), residual.(restriction.Restriction)
	if kept.To != lost.From || lost.From.Compare(lost.To) >= 0 || kept.Bytes < 0 || lost.Bytes < 0 {
		a, _ := json.Marshal([]restriction.Restriction{kept, lost})
		s.t.Fatalf("split into %s", a)
	}
	if kind == nil {
		kind = &s.between
		if lost.From.Row > 0 {
			kind = &s.inGroup
		}
	}
	*kind++
	return lost, true
}

// sorted returns the texts of rows, sorted.
func sorted(rows []row) []string {
	texts := make([]string, len(rows))
	for i, r := range rows {
		note := "NULL"
		if r.Note != nil {
			note = *r.Note
		}
		texts[i] = fmt.Sprint(r.ID, r.Part, note)
	}
	slices.Sort(texts)
	return texts
}
