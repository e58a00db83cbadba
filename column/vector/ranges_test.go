package vector

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

const universe = 40

// set is the model of Ranges: a bit for each row.
func set(r Ranges) (s uint64) {
	for _, x := range r {
		for i := x.From; i < x.To; i++ {
			s |= 1 << i
		}
	}
	return s
}

func ranges(s uint64) (r Ranges) {
	for i := range int64(universe) {
		if s>>i&1 != 0 {
			r = r.Append(i, i+1)
		}
	}
	return r
}

func checkRanges(t *testing.T, what string, r Ranges, want uint64) {
	t.Helper()
	for i, x := range r {
		if x.From >= x.To || i > 0 && r[i-1].To >= x.From {
			t.Fatalf("%s: %v", what, r)
		}
	}
	if set(r) != want {
		t.Fatalf("%s: %v, want %v", what, r, ranges(want))
	}
	if got := fmt.Sprint(ranges(want)); fmt.Sprint(r) != got {
		t.Fatalf("%s: %v, want %v", what, r, got)
	}
}

func TestRangesAreSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		x := rng.Uint64() & rng.Uint64() & (1<<universe - 1)
		y := (rng.Uint64() | rng.Uint64()) & (1<<universe - 1)
		if rng.IntN(2) == 0 {
			x, y = y, x
		}
		a, b := ranges(x), ranges(y)
		checkRanges(t, "and", a.And(b), x&y)
		checkRanges(t, "or", a.Or(b), x|y)
		checkRanges(t, "and not", a.AndNot(b), x&^y)
		from, to := rng.Int64N(universe), rng.Int64N(universe+1)
		window := set(Ranges{{from, to}})
		checkRanges(t, "clip", a.Clip(from, to), x&window)
		if a.Meets(from, to) != (x&window != 0) || a.Covers(from, to) != (x&window == window) || a.Contains(from) != (x>>from&1 != 0) {
			t.Fatalf("%v meets, covers, contains %d to %d", a, from, to)
		}
		n := rng.Int64N(universe)
		first, after := uint64(0), x
		for range n {
			first |= after & -after
			after &= after - 1
		}
		checkRanges(t, "first", a.First(n), first)
		checkRanges(t, "after", a.Skip(n), after)
		checkRanges(t, "argument", a, x)
		checkRanges(t, "argument", b, y)
		if a.Len()+b.Len() != a.And(b).Len()+a.Or(b).Len() {
			t.Fatal("lengths")
		}
	}
	checkRanges(t, "all", All(7), 127)
}

func TestRowSetsConvertToFileRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		var sizes []int64
		total := int64(0)
		for total < 30 {
			size := rng.Int64N(9) // row groups may be empty
			sizes = append(sizes, size)
			total += size
		}
		x := rng.Uint64() & (1<<universe - 1)
		inFile := x & (1<<total - 1)
		s := RowsOfFile(ranges(x), sizes)
		checkRanges(t, "round trip", s.FileRows(sizes), inFile)
		start := int64(0)
		for i, size := range sizes {
			checkRanges(t, "row group", s.Of(i), inFile>>start&(1<<size-1))
			start += size
		}
		y := rng.Uint64() & (1<<total - 1)
		o := RowsOfFile(ranges(y), sizes)
		if y>>(total-sizes[len(sizes)-1]) == 0 {
			o = o[:len(o)-1] // a set may be shorter
		}
		checkRanges(t, "and", s.And(o).FileRows(sizes), inFile&y)
		checkRanges(t, "or", s.Or(o).FileRows(sizes), inFile|y)
		checkRanges(t, "and not", s.AndNot(o).FileRows(sizes), inFile&^y)
		if n := ranges(inFile).Len(); s.Len() != n {
			t.Fatalf("%d rows, want %d", s.Len(), n)
		}
	}
}
