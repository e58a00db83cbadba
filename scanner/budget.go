package scanner

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
)

// How a MemoryBudget is parted, in sixteenths. The rest is for what is decoded
// at the moment, and for the pages that each thread has open.
const (
	ofWaiting = 4 // batches that were made before it is their turn
	ofReading = 3 // bytes that were read ahead
	ofAhead   = 2 // of those, what a source far away is asked for in advance
	ofBatches = 2 // those that are being made
	ofPools   = 1 // each of three kinds of memory that waits for its next use
)

// budget returns a part of the budget of all scans that share it, at most most.
func (o *Options) budget(sixteenths, most int64) int64 {
	if o.MemoryBudget <= 0 {
		return most
	}
	return max(min(o.MemoryBudget/16*sixteenths, most), 1)
}

// parted returns n, bytes for all scans that share the budget, for one of them.
func (o *Options) perScan(n int64) int64 {
	if o.MemoryBudget <= 0 {
		return n
	}
	return max(n/int64(max(o.sharers, 1)), 1)
}

// newMemory returns the Memory of scans whose host has none.
func (o *Options) newMemory() *Memory {
	return NewMemory(o.budget(ofPools, ownMemory))
}

// boundBatches lets a batch have as many rows and bytes as the budget bears.
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

// atPages reports whether a batch should end with row to, where pages end, so
// that it does not hold two of a column if it holds enough.
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

// readAhead returns how much of a chunk is read at a time, given what is best
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
