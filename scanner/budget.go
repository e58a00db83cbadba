package scanner

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
)

// How a MemoryBudget is divided, in sixteenths. The remainder is for values being decoded
// and for the open pages of each thread.
const (
	ofWaiting = 4 // batches that wait for their turn
	ofReading = 3 // bytes read ahead
	ofAhead   = 2 // of these, bytes prefetched from a remote source
	ofBatches = 2 // batches in the making
	ofPools   = 1 // each of three kinds of memory kept for reuse
)

// budget returns a part of MemoryBudget, at most most; without a budget, most. All scans
// that share the budget share the part.
func (o *Options) budget(sixteenths, most int64) int64 {
	if o.MemoryBudget <= 0 {
		return most
	}
	return max(min(o.MemoryBudget/16*sixteenths, most), 1)
}

// perScan divides n bytes among the scans that share the budget.
func (o *Options) perScan(n int64) int64 {
	if o.MemoryBudget <= 0 {
		return n
	}
	return max(n/int64(max(o.sharers, 1)), 1)
}

// newMemory returns a Memory for scans without Options.Memory.
func (o *Options) newMemory() *Memory {
	return NewMemory(o.budget(ofPools, ownMemory))
}

// boundBatches lowers BatchRows and BatchBytes to what the budget allows.
func (s *scan) boundBatches() {
	o := &s.opts
	if o.MemoryBudget <= 0 {
		return
	}
	most := o.perScan(o.budget(ofBatches, o.batchBytes()))
	width := int64(0)
	for _, l := range s.leaves {
		if l.returned {
			width += max(int64(l.node.Type.Width()), 1)
			if l.node.Type.Store() == vector.InViews {
				width += 16
			}
		}
	}
	o.BatchBytes = int(most)
	o.BatchRows = int(max(min(most/max(width, 1), int64(o.batchRows())), 1))
}

// atPages reports whether a batch should end before row to because a page ends there and
// the batch with its last pages has reached the budget. Going on would add a second page.
func (r *groupRun) atPages(to int64) bool {
	s, sizer := r.scan, &r.batch.sizer
	if s.opts.MemoryBudget <= 0 || to < sizer.listedRows() {
		return false
	}
	bytes := sizer.held
	for i := range s.columns {
		c := &s.columns[i]
		for k, v := range c.memory.values {
			if !c.flat {
				v = &c.levels[k].Values
			}
			if n := len(v.Buffers); n > 0 {
				bytes += int64(len(v.Buffers[n-1]))
			}
		}
	}
	return bytes >= sizer.budget
}

// readAhead returns how many bytes of a chunk are read at a time; best is the number
// without a budget.
func (o *Options) readAhead(best int64, leaves int, far bool) int64 {
	if o.MemoryBudget <= 0 {
		return best
	}
	part := int64(ofReading)
	if far {
		part -= ofAhead
	}
	return min(best, max(o.perScan(o.budget(part, o.MemoryBudget))/int64(max(leaves, 1)), feed.HeaderBytes))
}
