package hostile

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Mutated files are asked as hosts ask: with conditions, threads, limits, in a
// mapping. What comes must be sound, and an error must say where and what kind it is.
func TestScansOfMutations(t *testing.T) {
	all := subjects(t)
	first, last := 0, dtest.Rounds(t, 1250)
	if *only >= 0 {
		first, last = *only, *only+1
	}
	path := filepath.Join(t.TempDir(), "specimen.parquet")
	var tally tally
	for number := first; number < last; number++ {
		s := specimenOf(all, number)
		if *only >= 0 {
			t.Log(s)
		}
		tally.add(run(t, s, func(file []byte, p part) (int, error) {
			q := question{r: rand.New(rand.NewPCG(uint64(number), 0xa5c)), part: p}
			for range 2 {
				q.ask(file, path)
			}
			for _, wrong := range q.wrong {
				t.Errorf("%s: %s", s, wrong)
			}
			return q.values, q.err
		}))
	}
	t.Log(&tally)
	if *only < 0 && (tally.refused < last/10 || tally.values == 0) {
		t.Error("mutations hardly matter, or nothing was read")
	}
}

// A question is what is asked of a file, and what comes of it.
type question struct {
	r      *rand.Rand
	part   part
	values int
	err    error    // the first
	wrong  []string // what must not be
}

func (q *question) note(err error) {
	if err == nil {
		return
	}
	if q.err == nil {
		q.err = err
	}
	var e *scanner.Error
	switch {
	case !errors.As(err, &e):
		q.wrong = append(q.wrong, fmt.Sprintf("%T: %v", err, err))
	case !errors.Is(err, scanner.ErrCorrupt) && !errors.Is(err, scanner.ErrUnsupported) && !errors.Is(err, scanner.ErrEncrypted):
		q.wrong = append(q.wrong, "of no kind: "+err.Error())
	case e.File == "" || q.part.leaf >= 0 && (e.RowGroup < 0 || e.Column == "") && (q.part.kind == "page header" || q.part.kind == "page body"):
		q.wrong = append(q.wrong, "nobody knows where: "+err.Error())
	}
}

func (q *question) ask(file []byte, path string) {
	ctx, r := context.Background(), q.r
	open := func() (*scanner.File, error) { return withKeys().OpenSource(ctx, path, fetch.FromBytes(file)) }
	if r.IntN(2) == 0 {
		if err := os.WriteFile(path, file, 0o600); err != nil {
			panic(err)
		}
		open = func() (*scanner.File, error) { return withKeys().Open(ctx, path) }
	}
	f, err := open()
	if err != nil {
		q.note(err)
		return
	}
	defer f.Close()
	leaves := f.Schema().Leaves()
	if len(leaves) == 0 {
		return
	}
	leaf := leaves[r.IntN(len(leaves))]
	name, values := schema.FormatPath(leaf.Path()), columnOf(f, leaf)
	o, k := randomOptions(r, f.Schema())
	ctx = knobs.With(ctx, k)
	switch r.IntN(8) {
	case 0:
		n, err := f.Count(ctx, o)
		q.note(err)
		q.values += int(n)
	case 1:
		_, err := f.Passing(ctx, o)
		q.note(err)
	case 2:
		if least := f.Min; values.Ordered() {
			if r.IntN(2) == 0 {
				least = f.Max
			}
			v, err := least(ctx, name, o)
			if q.note(err); err == nil {
				q.sound(validate.Vector(v.Vector(1)))
			}
		}
	case 3:
		if o.Limit = 1 + r.Int64N(50); values.Ordered() && leaf.MaxRep == 0 {
			q.batches(f.Top(ctx, scanner.Order{By: name, Descending: r.IntN(2) == 0}, o))
		}
	case 4:
		for _, part := range f.Partitions(ctx, o, 2) {
			q.batches(part)
		}
	default:
		q.batches(f.Scan(ctx, o))
	}
}

// batches looks at batches when the next one is there, releases some and leaves at times.
func (q *question) batches(all iter.Seq2[*vector.Batch, error]) {
	var held *vector.Batch
	for b, err := range all {
		if q.note(err); err != nil {
			return
		}
		if q.values += b.Len; held != nil {
			q.sound(validate.Batch(held))
			if q.r.IntN(2) == 0 {
				held.Release()
			}
		}
		if held = b; q.r.IntN(10) == 0 {
			return
		}
	}
}

func (q *question) sound(err error) {
	if err != nil {
		q.wrong = append(q.wrong, err.Error())
	}
}

func randomOptions(r *rand.Rand, s *schema.Schema) (scanner.Options, knobs.Knobs) {
	some := func() bool { return r.IntN(4) == 0 }
	choice := func() column.Choice {
		return []column.Choice{0, 0, column.Always, column.Never}[r.IntN(4)]
	}
	o := scanner.Options{
		Filter: randomFilter(r, s), BatchRows: []int{0, 7, 1000}[r.IntN(3)], Threads: r.IntN(3), MaxPageBytes: 16 << 20,
		IgnoreCRC: r.IntN(2) == 0, Dictionaries: map[string]vector.DictionaryUse{"": vector.DictionaryUse(r.IntN(3))},
	}
	k := knobs.Knobs{
		NoStatistics: some(), NoPageIndex: some(), NoBloom: some(), NoDictionaries: some(), NoMapping: some(),
		Column:  column.Force{Gather: choice(), Codes: choice(), Mask: choice(), Keep: choice(), Stop: choice(), Copy: choice(), Eager: some()},
		MinPart: r.IntN(2) * r.IntN(50), Window: r.IntN(2) * r.IntN(50),
	}
	if some() {
		o.ReadAhead = 1 << r.IntN(20)
	}
	if some() {
		o.Offset, o.Limit = r.Int64N(100), r.Int64N(100)
	}
	return o, k
}

// randomFilter returns conditions that the columns allow, or none.
func randomFilter(r *rand.Rand, s *schema.Schema) (all *filter.Expr) {
	leaves := s.Leaves()
	for range r.IntN(40) {
		leaf := leaves[r.IntN(len(leaves))]
		path := schema.FormatPath(leaf.Path())
		if leaf.MaxRep > 0 {
			path = []string{"ANY", "ALL"}[r.IntN(2)] + "(" + path + ")"
		}
		literal := []string{"3", "-12.5", "'row 5'", "TRUE", "DATE '2001-01-01'", "TIMESTAMP '2005-01-01 10:00:00'", "TIME '10:00:00'", "X'00ff'"}[r.IntN(8)]
		e, err := filter.Parse(path + []string{" = ", " <> ", " < ", " >= "}[r.IntN(4)] + literal)
		if err == nil {
			_, err = compile.Bind(e, s, nil)
		}
		switch {
		case err != nil: // of another type
		case all == nil:
			all = e
		case r.IntN(2) == 0:
			all = filter.And(all, e)
		default:
			all = filter.Or(all, e)
		}
	}
	return all
}
