package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
)

// scanUnit yields the batches of the wanted rows of a unit. It returns errStop when
// yield returns false.
func (r *groupRun) scanUnit(at unit, wanted vector.Ranges, yield func(*vector.Batch, error) bool) error {
	s := r.scan
	if err := r.start(at, wanted); err != nil {
		return err
	}
	defer r.finish()
	for r.mayHaveRows() {
		var b *vector.Batch
		err := s.catchFaults(func() (err error) {
			b, err = r.nextBatch()
			return err
		})
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if !s.file.far { // else each response is checked, and to ask for the state may be a request
			if err := s.file.unchanged(at.group, nil); err != nil {
				b.Release() // it may have bytes of the new state
				return err
			}
		}
		s.stats.Batches++
		s.stats.Rows += int64(b.Len)
		if s.opts.Stats != nil {
			for _, v := range b.Columns {
				s.stats.Bytes += build.ShownBytes(v)
			}
		}
		if !yield(b, nil) {
			return errStop
		}
	}
	return nil
}

// nextBatch returns the next batch of the unit, nil if no row is left.
func (r *groupRun) nextBatch() (*vector.Batch, error) {
	n, err := r.gather()
	if err != nil {
		return nil, err
	}
	if n == 0 {
		r.scan.pool.giveBatch(r.batch.memory)
		return nil, nil
	}
	return r.makeBatch(n)
}

// gather reads window after window until the batch is full or no row is left. It
// returns the number of rows in the batch.
func (r *groupRun) gather() (n int, err error) {
	s, batch := r.scan, &r.batch
	batch.memory = s.pool.takeBatch(s.shape, len(s.columns))
	for i := range s.columns {
		s.columns[i].startBatch(&batch.memory.Columns[i])
	}
	batch.numbers = batch.numbers[:0]
	batch.sizer.Held = 0
	for most := s.boundBatch(); n < most && r.mayHaveRows(); {
		from, to, sel, err := r.nextWindow(most - n)
		if err != nil || from == to {
			return n, err
		}
		if n == 0 {
			batch.rows.From = from
		}
		batch.rows.To = to
		if err := r.read(from, to, sel); err != nil {
			return n, err
		}
		if sel == nil {
			n += int(to - from)
		} else {
			n += sel.Count()
		}
		if s.batchFull() || r.atPages(to) || r.phase != gatherUntested && batch.sizer.TooFew(most-n) {
			break
		}
	}
	return n, nil
}

// read appends the selected rows of a window to the columns of the batch.
func (r *groupRun) read(from, to int64, sel *column.Selection) error {
	s := r.scan
	for i := range s.columns {
		c := &s.columns[i]
		for _, l := range c.leaves {
			if err := r.moveTo(l, from, to); err != nil {
				return err
			}
		}
		if err := s.check(); err != nil {
			return err
		}
		if err := c.read(sel); err != nil {
			return err
		}
	}
	if s.opts.RowNumber != "" || s.converts() {
		r.batch.numbers = appendRows(r.batch.numbers, from, to, sel)
	}
	return nil
}

// appendRows appends the ordinals of the selected rows of a window.
func appendRows(rows []int64, from, to int64, sel *column.Selection) []int64 {
	for row := from; row < to; row++ {
		if i := int(row - from); sel == nil || sel.Bits[i/64]>>(i%64)&1 != 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// eachWindow calls do for each window of a row group's wanted rows that pass, when l's
// cursor is at the window. sel selects these rows; nil selects all rows of the window.
func (r *groupRun) eachWindow(group int, wanted vector.Ranges, l *leaf, do func(from, to int64, sel *column.Selection) error) error {
	if err := r.start(unit{group: group}, wanted); err != nil {
		return err
	}
	defer r.finish()
	for some := true; some && r.mayHaveRows(); {
		err := r.scan.catchFaults(func() error {
			from, to, sel, err := r.nextWindow(defaultBatchRows)
			if some = from < to; err != nil || !some {
				return err
			}
			if err := r.moveTo(l, from, to); err != nil {
				return err
			}
			return do(from, to, sel)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
