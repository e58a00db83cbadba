package scanner

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/internal/window"
)

// Count returns how many rows a scan with options o would return. It reads the columns
// of Filter where metadata do not decide, and the list of Unnest; without either, the
// footer is enough, as it is for IS NULL and IS NOT NULL where it has the numbers of NULLs.
// Runtime filters are ignored, since the rows that they drop depend on timing. Count uses
// Threads.
func (f *File) Count(ctx context.Context, o Options) (rows int64, err error) {
	defer f.watch(ctx, &o).end(&err)
	s, err := f.newAnswer(ctx, &o)
	if err != nil {
		return 0, err
	}
	switch {
	case o.Unnest != "":
		s.yieldBatches(func(b *vector.Batch, fault error) bool {
			if err = fault; b != nil {
				rows += int64(b.Len)
				b.Release()
			}
			return err == nil
		})
	case s.filter == nil:
		err = s.eachUnit(func(at unit, wanted vector.Ranges) error {
			n := wanted.Len()
			if n > math.MaxInt64-rows {
				return f.wrap(at.group, "", -1, corrupt.At(-1, "footer: row groups of more rows than can be added up"))
			}
			rows += n
			return nil
		})
	default:
		if rows, err = s.countByNulls(); err != nil {
			return 0, err
		}
		err = s.eachPassing(func(_ int, passed window.Rows) {
			n := passed.To - passed.From
			if passed.Sel != nil {
				n = int64(passed.Sel.Count())
			}
			rows += min(n, math.MaxInt64-rows)
		})
	}
	return rows, err
}

// countByNulls returns how many rows pass in row groups where the number of NULLs tells, and
// leaves these row groups out of the wanted rows.
func (s *scan) countByNulls() (rows int64, err error) {
	if s.opts.limited() || s.opts.Offset > 0 {
		return 0, nil
	}
	s.queue.answered = map[int]bool{}
	for i, wanted := range s.rows {
		if !wanted.Covers(0, max(s.file.footer.RowGroups[i].NumRows, 1)) {
			continue
		}
		n, known, err := s.filter.Count(i)
		if err != nil {
			return 0, err
		}
		if known && n <= math.MaxInt64-rows {
			rows, s.rows[i], s.queue.answered[i] = rows+n, nil, true
			s.skipGroup(i, ByStatistics)
		}
	}
	if len(s.queue.answered) > 0 {
		s.opts.Rows = s.rows // of scans that share the work
	}
	return rows, nil
}

// Passing returns the rows that pass o's Filter, of those in Rows and Split,
// without the first Offset of them and at most Limit. A later scan with them as Rows
// needs no filter. Runtime filters and Unnest are ignored.
func (f *File) Passing(ctx context.Context, o Options) (set vector.RowSet, err error) {
	defer f.watch(ctx, &o).end(&err)
	o.Unnest = ""
	s, err := f.newAnswer(ctx, &o)
	if err != nil {
		return nil, err
	}
	set = make(vector.RowSet, len(s.rows))
	if s.filter == nil {
		for i, rows := range s.rows {
			set[i] = slices.Clone(rows) // row groups may share them
		}
		return set, s.eachUnit(func(unit, vector.Ranges) error { return nil })
	}
	err = s.eachPassing(func(group int, passed window.Rows) {
		rows, later := set[group], vector.Ranges(nil)
		if n := len(rows); n > 0 && rows[n-1].To > passed.From { // of another thread
			rows, later = nil, rows
		}
		if sel := passed.Sel; sel == nil {
			rows = rows.Append(passed.From, passed.To)
		} else {
			for from, to := bits.NextRun(sel.Bits, 0, sel.N); from < sel.N; from, to = bits.NextRun(sel.Bits, to, sel.N) {
				rows = rows.Append(passed.From+int64(from), passed.From+int64(to))
			}
		}
		if set[group] = rows; later != nil {
			set[group] = rows.Or(later)
		}
	})
	if err != nil {
		return nil, err
	}
	return set, nil
}

// newAnswer binds a scan without columns, except the list of Unnest, and without runtime
// filters.
func (f *File) newAnswer(ctx context.Context, o *Options) (*scan, error) {
	o.noColumns, o.Runtime, o.RowNumber, o.FileName, o.Dictionaries = true, nil, "", "", nil
	return f.newScan(ctx, *o)
}

// eachPassing calls do for each window with survivors, and for rows that pass without a test,
// however many they are. With Threads these come from several scans, and calls never overlap.
// The scan must have a filter.
func (s *scan) eachPassing(do func(group int, passed window.Rows)) error {
	s.queue.scans = s.file.threads(&s.opts)
	s.splitUnits()
	threads := min(s.queue.scans, s.units())
	if threads <= 1 {
		return s.eachPassingOf(do)
	}
	scans, err := s.sharedBy(s.ctx, s.opts, threads-1)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	return together(append(scans, s), func(s *scan) error {
		return s.eachPassingOf(func(group int, passed window.Rows) {
			mu.Lock()
			defer mu.Unlock()
			do(group, passed)
		})
	})
}

// eachPassingOf is eachPassing for the units that s claims.
func (s *scan) eachPassingOf(do func(group int, passed window.Rows)) error {
	defer s.close()
	defer s.prefetch()()
	return s.eachUnit(func(at unit, wanted vector.Ranges) error {
		return s.eachState(at, wanted, func(r *unitRun, current state) error {
			switch current := current.(type) {
			case *tested:
				do(at.group, current.Rows())
				current.Clear()
			case *untested:
				rows := r.windows.NextRange(current.until)
				do(at.group, window.Rows{From: rows.From, To: rows.To})
			}
			return nil
		})
	})
}
