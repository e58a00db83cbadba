package scanner

import (
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
)

// Budget bounds the bytes that several scans hold together: bytes that were read and not
// decoded yet, batches in the making or waiting for their turn, and memory that is kept for
// reuse; and beside these the minima that scans need to go on. Safe for concurrent use.
//
// Before a scan holds more than metadata, it waits, first come first served, until the minima of
// all admitted scans have room: by the footer, a page and the dictionary of each column, and a
// batch of 64 KiB. Further goroutines of scans come last. A host that asks several scans by turns
// may wait in the middle of admitted ones: if nobody asks these for rows for a second or
// two, they do not count from then on while nobody asks.
//
// Each of the other uses has a share of the bytes, which the admitted scans divide evenly,
// whatever their number. A scan without room reads less ahead and makes smaller batches. Its
// goroutines that are ahead of the host wait: until the host takes batches, or other scans
// end or go on. The context ends such a wait.
//
// Once admitted, no scan waits for what it needs to return its next batch, so scans cannot block
// each other, and batches that the host holds cannot block any: they do not count. For
// that, the scans may exceed their shares. Each goroutine of a scan may have one page and the
// dictionary of each column and a batch of 64 KiB, or one row; a scan with Threads, one batch that
// waits; and a scan that prefetches, one call of its source. Metadata do not count, nor does a
// Memory of the host's. A page or dictionary larger than the budget is an error: ErrMemory.
type Budget struct {
	bytes  int64
	uses   *budget.Budget
	memory *Memory // of scans without Options.Memory
}

// leastBatch is how many bytes a batch may have, whatever other scans hold.
const leastBatch = 64 << 10

// NewBudget returns a Budget of a number of bytes; less than 1 counts as 1.
func NewBudget(bytes int64) *Budget {
	bytes = max(bytes, 1)
	share := func(sixteenths int64) int64 { return max(bytes/16*sixteenths, 1) }
	// The memory for reuse takes four more sixteenths: of batches, page bodies, read bytes and
	// dictionaries. The others are for values being decoded and the open pages of each thread.
	limits := [budget.Uses]int64{budget.Waiting: share(4), budget.Prefetching: share(2), budget.Reading: share(2), budget.Making: share(2), budget.Minima: bytes}
	return &Budget{bytes, budget.New(limits), NewMemory(min(share(1), ownMemory))}
}

// Used returns how many bytes the scans hold now, and how many they held at most, without
// decoded pages and the memory that is kept for reuse.
func (b *Budget) Used() (now, peak int64) { return b.uses.Used() }

// shared returns the uses of the budget; nil, which has no limits, if b is nil.
func (b *Budget) shared() *budget.Budget {
	if b == nil {
		return nil
	}
	return b.uses
}

// largest returns the size of the largest page that fits; 0 if any does.
func (b *Budget) largest() int64 {
	if b == nil {
		return 0
	}
	return b.bytes
}

// tasks returns how many goroutines beyond Threads the budget allows a scan.
func (b *Budget) tasks() int {
	const each = 32 << 20
	if b == nil {
		return math.MaxInt
	}
	return int(min(b.bytes/each, math.MaxInt32))
}

// resources are the memory that a scan uses, and what it holds of its budget from the
// first unit to close; without one, the holders are nil.
type resources struct {
	pool        *Memory
	batchBudget *budget.Holder // the batch in the making
	readBudget  *budget.Holder // bytes of open chunks
	dictBudget  *budget.Holder // dictionaries
	worker      budget.Worker  // what the scan needs at least
}

// joinBudget states what the scan needs for a row group. The first time it waits until that is
// admitted, and gives the scan its holders.
func (s *scan) joinBudget(group int) error {
	b := s.opts.Budget.shared()
	if b == nil {
		return nil
	}
	if !s.worker.Admit(s.ctx, s.minimum(group)) {
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

// leaveBudget gives back all that the scan holds, dictionaries of its readers among it.
func (s *scan) leaveBudget() {
	for _, l := range s.leaves {
		if l.chunkReader != nil {
			l.pages.Release()
			l.held = 0
		}
	}
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
