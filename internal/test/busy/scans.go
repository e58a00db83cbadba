package busy

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
)

const (
	groups    = 10
	groupRows = 75_000
	allRows   = groups * groupRows
)

// File is a file of 48 MB: ten row groups of pages of 2,500 rows, in which id ascends.
var File = sync.OnceValues(func() ([]byte, error) {
	r := rand.New(rand.NewPCG(46, 1))
	file := gen.File{All: gen.Column{PageRows: []int{2500}, Stats: gen.MinMax | gen.NullCount}}
	for i := range 8 {
		file.Schema = append(file.Schema, gen.Required([]string{"id", "c1", "c2", "c3", "c4", "c5", "c6", "c7"}[i], gen.Int64))
	}
	for g := range groups {
		columns := make([]gen.Column, len(file.Schema))
		for i := range columns {
			values := make([]int64, groupRows)
			for k := range values {
				if values[k] = r.Int64(); i == 0 {
					values[k] = int64(g*groupRows + k)
				}
			}
			columns[i].Data = &gen.Data{Values: values}
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Columns: columns})
	}
	return file.Write()
})

// Check scans File, which open opens behind the server: all of it, twice, then ten rows alone, and beside a
// scan of all. It fails if an answer is wrong, or if it took many requests or bytes beside those of the best fixed
// setting for a store that serves atOnce requests at once.
func Check(t *testing.T, s *Server, atOnce int, open func() *scanner.File) {
	best := BestFixed(atOnce, s.Latency, s.Bandwidth, s.Size)
	s.Take()
	f := open()
	full := func() { scan(t, f, nil, allRows) }
	for i := range 2 {
		full()
		took := s.Take()
		t.Logf("scan %d: %+v; the best fixed setting has %d requests of %d bytes", i, took, best.Requests, best.Bytes)
		most := 2 * best.Requests
		if i == 0 {
			most += 2 // for what it finds out by a clock that others share
		}
		if took.Requests > most || took.Refused > 2*best.Requests || took.Bytes > s.Size+s.Size/50 {
			t.Errorf("scan %d: %+v", i, took)
		}
	}
	lookups := func() {
		var all sync.WaitGroup
		for i := range 10 {
			where, err := filter.Parse(fmt.Sprint("id = ", i*allRows/10+5))
			if err != nil {
				t.Error(err)
			}
			all.Go(func() { scan(t, f, where, 1) })
		}
		all.Wait()
	}
	// Each lookup has eight pages, one more to find the row, and the indexes. Refused ones are asked for again. How
	// much is worth reading beside them is learnt by the clock, too.
	lookups()
	dtest.OnceOfFour(t, func() error {
		s.Take()
		lookups()
		alone := s.Take()
		var beside sync.WaitGroup
		beside.Go(full)
		lookups()
		beside.Wait()
		both := s.Take()
		t.Logf("ten lookups: %+v, beside a scan %+v", alone, both)
		if alone.Requests > 10*24 || alone.Bytes > 4<<20 {
			return fmt.Errorf("ten lookups: %+v", alone)
		}
		if both.Requests > 10*24+2*best.Requests || both.Bytes > 4<<20+s.Size+s.Size/50 {
			return fmt.Errorf("ten lookups and a scan: %+v", both)
		}
		return nil
	})
}

// scan scans a file, and fails unless it has a number of rows.
func scan(t *testing.T, f *scanner.File, where *filter.Expr, want int) {
	rows := 0
	for b, err := range f.Scan(t.Context(), scanner.Options{Filter: where}) {
		if err != nil {
			t.Error(err)
			return
		}
		rows += b.Len
		b.Release()
	}
	if rows != want {
		t.Errorf("%d rows, want %d", rows, want)
	}
}
