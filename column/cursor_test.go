package column

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/validate"
)

// TestCursor reads random columns through random windows and selections, and
// holds every row against what was written.
func TestCursor(t *testing.T) {
	n := dtest.Rounds(t, 200)
	var cur Cursor
	var chunk Chunk
	var kept []batch
	var of *sample
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 1))
		s, err := randomSample(r)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for try := range 3 {
			now, err := s.walk(r, &cur, &chunk, try == 0)
			if err != nil {
				t.Fatalf("seed %d, try %d: %s: %v", seed, try, s.what, err)
			}
			for _, b := range kept {
				if err := b.check(of); err != nil {
					t.Fatalf("seed %d, try %d: %s: after another chunk: %v", seed, try, of.what, err)
				}
			}
			kept, of = now, s
		}
	}
}

// walk goes through the column once, and returns some of what it read. With whole it reads all rows of all windows.
func (s *sample) walk(r *rand.Rand, cur *Cursor, chunk *Chunk, whole bool) ([]batch, error) {
	s.file.pages.IgnoreCRC = r.IntN(2) == 0 // else ReadAt has nothing to do
	src, bytes, err := s.file.source(0, 0, r.IntN(2) == 0)
	if err != nil {
		return nil, err
	}
	if err := chunk.Reset(src); err != nil {
		return nil, err
	}
	cur.Close()
	feed, o := &memory{chunk: bytes, spoil: true}, Options{Codes: r.IntN(2) == 0, NoValues: r.IntN(6) == 0, Force: randomForce(r)}
	if r.IntN(2) == 0 {
		o.ReadAt = feed.readAt
	}
	cur.Open(chunk, feed, o)
	size := []int{1, 7, 64, 100, 1024}[r.IntN(5)]
	if s.rows() > 1000 && size < 64 {
		size = 64
	}
	var kept []batch
	for cur.At() < src.Rows {
		n := min(int64(1+r.IntN(size)), src.Rows-cur.At())
		if whole {
			n = min(int64(size), src.Rows-cur.At())
		}
		if !whole && r.IntN(4) == 0 {
			cur.Window(cur.At() + n)
			if r.IntN(2) == 0 {
				cur.Advance(cur.At() + n)
				continue
			}
		}
		if !whole && r.IntN(4) == 0 {
			// A smaller window, or a larger one, from the same row.
			m := min(1+r.Int64N(2*n), src.Rows-cur.At())
			cur.Window(cur.At() + m)
			b := batch{at: int(cur.At()), sel: randomSelection(r, int(m), false), n: int(m)}
			if err := b.read(s, cur, r.IntN(2) == 0); err != nil {
				return nil, err
			}
			if err := b.check(s); err != nil {
				return nil, err
			}
		}
		cur.Window(cur.At() + n)
		for range 1 + r.IntN(2) {
			sel := randomSelection(r, int(n), whole)
			if r.IntN(3) == 0 {
				expectSomething(r, cur, sel, src.Rows)
			}
			b := batch{at: int(cur.At()), sel: sel, n: int(n)}
			if err := b.read(s, cur, r.IntN(2) == 0); err != nil {
				return nil, err
			}
			if err := b.check(s); err != nil {
				return nil, err
			}
			switch r.IntN(8) {
			case 0:
				kept = append(kept, b)
			case 1, 2, 3, 4:
				cur.Release(b.values()) // spoilt at once, with the tag invariants
			}
		}
		if !whole && n > 1 && r.IntN(3) == 0 {
			n = 1 + r.Int64N(n)
		}
		cur.Advance(cur.At() + n)
	}
	cur.Close()
	if err := closed(cur, &src); err != nil {
		return nil, err
	}
	for _, b := range kept {
		if err := b.check(s); err != nil {
			return nil, fmt.Errorf("after the cursor has gone on: %w", err)
		}
	}
	return kept, nil
}

func randomSelection(r *rand.Rand, n int, whole bool) *Selection {
	if whole || r.IntN(4) == 0 {
		return nil
	}
	sel := new(Selection)
	sel.Clear(n)
	switch r.IntN(4) {
	case 0: // none, or one
		if i := r.IntN(n + 1); i < n {
			sel.SetRange(i, i+1)
		}
	case 1: // runs
		for i := 0; i < n; {
			from := i + r.IntN(n-i+1)
			to := from + r.IntN(n-from+1)
			sel.SetRange(from, to)
			i = to + 1
		}
	default:
		p := r.Float64()
		for i := range n {
			if r.Float64() < p {
				sel.SetRange(i, i+1)
			}
		}
	}
	return sel
}

// batch is what was read of a window.
type batch struct {
	at, n  int
	sel    *Selection
	flat   *vector.Vector
	levels *Levels
	bare   bool // without values
}

func (b *batch) read(s *sample, cur *Cursor, levels bool) error {
	t := s.file.schema.Leaves()[0].Type
	if b.bare = cur.opts.NoValues; s.leaf.MaxRep > 0 || levels || b.bare {
		b.levels = new(Levels)
		b.levels.Reset(t)
		return cur.ReadLevels(b.sel, b.levels)
	}
	b.flat = new(vector.Vector)
	build.Reset(b.flat, t)
	return cur.Read(b.sel, b.flat)
}

func (b *batch) values() *vector.Vector {
	if b.flat != nil {
		return b.flat
	}
	return &b.levels.Values
}

func (b *batch) check(s *sample) error {
	var slots []int
	for i := range b.n {
		if b.sel == nil || b.sel.Bits[i/64]>>(i%64)&1 != 0 {
			for k := s.first[b.at+i]; k < s.first[b.at+i+1]; k++ {
				slots = append(slots, k)
			}
		}
	}
	if b.flat != nil {
		if b.flat.Len != len(slots) {
			return fmt.Errorf("window at %d: %d slots, want %d", b.at, b.flat.Len, len(slots))
		}
		for i, k := range slots {
			got, ok := plainOf(b.flat, i)
			if want := s.def(k) == s.leaf.MaxDef; ok != want || ok && got != s.plain[s.value[k]] {
				return fmt.Errorf("window at %d: slot %d is %q, %v", b.at, k, got, ok)
			}
		}
		return validate.Vector(b.flat)
	}
	l := b.levels
	if l.Slots != len(slots) || s.leaf.MaxRep > 0 && len(l.Rep) != len(slots) || s.leaf.MaxDef > 0 && len(l.Def) != len(slots) {
		return fmt.Errorf("window at %d: %d slots, %d and %d levels, want %d", b.at, l.Slots, len(l.Rep), len(l.Def), len(slots))
	}
	value := 0
	for i, k := range slots {
		if s.leaf.MaxRep > 0 && uint32(l.Rep[i]) != s.data.Rep[k] || s.leaf.MaxDef > 0 && uint32(l.Def[i]) != s.data.Def[k] {
			return fmt.Errorf("window at %d: levels of slot %d", b.at, k)
		}
		if s.def(k) != s.leaf.MaxDef || b.bare {
			continue
		}
		if value >= l.Values.Len {
			return fmt.Errorf("window at %d: %d values", b.at, l.Values.Len)
		}
		if got, _ := plainOf(&l.Values, value); got != s.plain[s.value[k]] {
			return fmt.Errorf("window at %d: value of slot %d is %q, want %q", b.at, k, got, s.plain[s.value[k]])
		}
		value++
	}
	if value != l.Values.Len {
		return fmt.Errorf("window at %d: %d values, want %d", b.at, l.Values.Len, value)
	}
	return nil
}

// TestPromises wants errors where metadata promises what pages do not hold.
func TestPromises(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := must[*sample](t)(randomSample(r))
		src, bytes, err := s.file.source(0, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		for name, spoil := range map[string]func(s *Source){
			"rows+1":   func(s *Source) { s.Rows++ },
			"rows-1":   func(s *Source) { s.Rows-- },
			"values+1": func(s *Source) { s.Pages.Values++ },
			"values-1": func(s *Source) { s.Pages.Values-- },
		} {
			src := src
			spoil(&src)
			if src.Rows == 0 {
				continue
			}
			var chunk Chunk
			var cur Cursor
			var l Levels
			err := chunk.Reset(src)
			if err == nil {
				cur.Open(&chunk, &memory{chunk: bytes}, Options{})
				cur.Window(src.Rows)
				l.Reset(src.Leaf.Type)
				err = cur.ReadLevels(nil, &l)
				if again := cur.ReadLevels(nil, &l); again != err {
					t.Errorf("seed %d, %s: the second error is %v", seed, name, again)
				}
			}
			var e *Error
			if !errors.As(err, &e) || errors.Is(err, io.EOF) {
				t.Errorf("seed %d, %s: %s: %v", seed, name, s.what, err)
			}
		}
	}
}

// TestWrongIndex wants errors where an offset index has other rows than pages.
func TestWrongIndex(t *testing.T) {
	tried := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := must[*sample](t)(randomSample(r))
		src, bytes, err := s.file.source(0, 0, true)
		if err != nil {
			t.Fatal(err)
		}
		if len(src.Index) < 2 {
			continue
		}
		i := 1 + r.IntN(len(src.Index)-1)
		src.Index[i].FirstRow += []int64{-1, 1}[r.IntN(2)]
		var chunk Chunk
		if chunk.Reset(src) != nil {
			continue // rows descend
		}
		tried++
		var cur Cursor
		var l Levels
		cur.Open(&chunk, &memory{chunk: bytes}, Options{})
		cur.Window(src.Rows)
		l.Reset(src.Leaf.Type)
		var e *Error
		if err := cur.ReadLevels(nil, &l); !errors.As(err, &e) {
			t.Errorf("seed %d: %s: row of page %d: %v", seed, s.what, i, err)
		}
	}
	if tried < 20 {
		t.Errorf("only %d were tried", tried)
	}
}
