package scanner

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/scanner/internal/slots"
)

// leastBatch is how many bytes a batch may have, whatever other scans hold.
const leastBatch = 64 << 10

// holdings are the memory that a scan uses, and what it holds of its Resources: of bytes from the
// first unit to close; without a limit, the holders are nil.
type holdings struct {
	pool        *idleMemory
	batchBudget *budget.Holder // the batch in the making
	readBudget  *budget.Holder // bytes of open chunks
	dictBudget  *budget.Holder // dictionaries
	worker      budget.Worker  // what the scan needs at least
	turn        slots.Turn     // of its goroutine, in units
}

// joinBudget states what the scan needs for a row group. The first time it waits until that is
// admitted, and gives the scan its holders.
func (s *scan) joinBudget(group int) error {
	b := s.opts.Resources.made().bytes
	if b == nil {
		return nil
	}
	admitted := false
	s.turn.Away(s.ctx, func() { admitted = s.worker.Admit(s.ctx, s.minimum(group)) })
	if !admitted {
		return s.check()
	}
	if s.batchBudget == nil {
		s.batchBudget, s.readBudget, s.dictBudget = b.Join(budget.Making), b.Join(budget.Reading), b.Join(budget.Minima)
	}
	return nil
}

// mayClaim reports whether the scan may claim a unit, and waits until it may.
func (s *scan) mayClaim() bool {
	left := func() bool { return int(s.queue.nextUnit.Load()) < s.units() }
	return s.worker.Scan == nil || s.worker.Claim(s.ctx, s.minimum(s.nextGroup()), left)
}

// nextGroup returns the row group of the next unit, or else of the last; -1 if there are none.
func (s *scan) nextGroup() int { return s.unit(min(int(s.queue.nextUnit.Load()), s.units()-1)).group }

// minimum returns how many bytes the scan needs to go on in a row group, by its footer:
// a batch, and of each column a page and the dictionary, as they are in the file and decoded.
func (s *scan) minimum(group int) int64 {
	const usualPage, most = 1 << 20, 1 << 40
	n := int64(leastBatch)
	if group < 0 || s.file.checkGroup(group) != nil {
		return n
	}
	for _, l := range s.leaves {
		if l.bindChunk(group) != nil {
			continue
		}
		m := &l.chunk.Meta
		packed, whole := min(max(m.CompressedSize, 1), most), min(max(m.UncompressedSize, 1), most)
		n += (packed + whole) / max(dataPages(m.EncodingStats), (packed+usualPage-1)/usualPage)
		if d := min(m.DataPageOffset-m.DictionaryOffset, packed); m.HasDictionaryOffset && d > 0 && (l.needsValues || l.filters) {
			if l.node.Type.Store() == vector.InViews {
				whole *= 2 // a view, too, of 16 bytes: as many as usual strings have
			}
			n += d + int64(float64(d)*(float64(whole)/float64(packed)))
		}
	}
	return n
}

// leaveBudget gives back all that the scan holds, dictionaries of its readers and bytes read ahead among it.
func (s *scan) leaveBudget() {
	for _, l := range s.leaves {
		if l.chunkReader != nil {
			l.pages.Release()
			l.held = 0
		}
	}
	s.sequential.Close()
	s.batchBudget.Leave()
	s.readBudget.Leave()
	s.dictBudget.Leave()
	s.worker.Leave()
	s.batchBudget, s.readBudget, s.dictBudget = nil, nil, nil
}

// boundBatch takes the bytes of the next batch from the budget, and returns how many rows and
// bytes it may have.
func (s *scan) boundBatch() (rows int, bytes int64) {
	rows, bytes = s.opts.batchRows(), s.opts.batchBytes()
	if s.batchBudget == nil {
		return rows, bytes
	}
	s.batchBudget.GiveAll()
	bytes = s.batchBudget.TakeUpTo(leastBatch, bytes)
	width := int64(1)
	for _, l := range s.leaves {
		if l.returned {
			width += max(int64(l.node.Type.Width()), 1)
			if l.node.Type.Store() == vector.InViews {
				width += 16
			}
		}
	}
	return int(max(min(bytes/width, int64(rows)), 1)), bytes
}

// fullAtPage reports whether a batch should end before row to because a page ends there and
// the batch with its last pages has reached the budget. Going on would add a second page.
func (r *unitRun) fullAtPage(to int64) bool {
	s, sizer := r.scan, &r.batch.sizer
	if s.batchBudget == nil || to < sizer.ListedRows() {
		return false
	}
	bytes := sizer.Held
	for i := range s.columns {
		c := &s.columns[i]
		for k, v := range c.memory.Values {
			if c.nesting != nil {
				v = &c.nesting.levels[k].Values
			}
			if n := len(v.Buffers); n > 0 {
				bytes += int64(len(v.Buffers[n-1]))
			}
		}
	}
	return bytes >= sizer.Budget
}
