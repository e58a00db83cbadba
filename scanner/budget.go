package scanner

import (
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
)

// Budget bounds the bytes that several scans hold together: bytes that were read and not
// decoded yet, batches in the making or waiting for their turn, and memory that is kept for
// reuse. Safe for concurrent use.
//
// Each of these uses has a share of the bytes, which the scans divide evenly, whatever
// their number. A scan without room reads less ahead and makes smaller batches. Its
// goroutines that are ahead of the host wait: until the host takes batches, or other scans
// end or go on. The context ends such a wait.
//
// No scan waits for what it needs to return its next batch, so scans cannot block each
// other, and batches that the host holds cannot block any: they do not count. For
// that, the scans may exceed the budget. Each goroutine of a scan may have one page of each
// column and a batch of 64 KiB, or one row; a scan with Threads, one batch that waits; and a
// scan that prefetches, one call of its source. Decoded pages, dictionaries and metadata
// do not count either, nor does a Memory of the host's. But a page or dictionary
// that alone is larger than the budget is an error that matches ErrMemory.
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
	// The memory for reuse takes three more sixteenths: of batches, page bodies and read
	// bytes. The others are for values being decoded and the open pages of each thread.
	limits := [budget.Uses]int64{budget.Waiting: share(4), budget.Prefetching: share(2), budget.Reading: share(2), budget.Making: share(2)}
	return &Budget{bytes, budget.New(limits), NewMemory(min(share(1), ownMemory))}
}

// Used returns how many bytes the scans hold now, and how many they held at most, without
// the memory that is kept for reuse.
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
}

// joinBudget gives the scan its holders, once.
func (s *scan) joinBudget() {
	if b := s.opts.Budget.shared(); b != nil && s.batchBudget == nil {
		s.batchBudget, s.readBudget = b.Join(budget.Making), b.Join(budget.Reading)
	}
}

// leaveBudget gives back all that the scan holds.
func (s *scan) leaveBudget() {
	s.batchBudget.Leave()
	s.readBudget.Leave()
	s.batchBudget, s.readBudget = nil, nil
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
