package scanner

import (
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/window"
	"github.com/winnow-scan/winnow/thrift"
)

// nextBatch reads rows until a batch is full or no row of the unit is left, and returns the batch, nil
// if there are none.
func (r *unitRun) nextBatch() (*vector.Batch, error) {
	current, err := r.advance()
	if _, done := current.(finished); done || err != nil {
		return nil, err
	}
	s, batch, n := r.scan, &r.batch, 0
	r.unverified = true
	batch.memory = s.pool.batches.Take(s.shape, len(s.columns))
	for i := range s.columns {
		s.columns[i].startBatch(&batch.memory.Columns[i])
	}
	batch.numbers = batch.numbers[:0]
	most, bytes := s.boundBatch()
	batch.sizer.StartBatch(bytes)
	for {
		rows, err := r.nextRows(current, most-n)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			batch.rows.From = rows.From
		}
		batch.rows.To = rows.To
		if err := r.read(rows); err != nil {
			return nil, err
		}
		n += rows.Count()
		_, filtered := current.(*tested)
		if n == most || r.batchFull() || r.fullAtPage(rows.To) || filtered && batch.sizer.TooFew(most-n) {
			return r.makeBatch(n)
		}
		if current, err = r.advance(); err != nil {
			return nil, err
		}
		if _, done := current.(finished); done {
			return r.makeBatch(n)
		}
	}
}

// nextRows returns the next rows to read in the current state, tested or untested, of which at least one
// and at most n are selected: a piece of the survivors, or a window of untested rows.
func (r *unitRun) nextRows(current state, n int) (window.Rows, error) {
	if r.needsOffsets() {
		if err := r.readOffsetIndexes(r.returnedWithoutOffsets()); err != nil {
			return window.Rows{}, err
		}
	}
	sizer := &r.batch.sizer
	if sizer.Rows == 0 {
		if err := r.openReturned(); err != nil {
			return window.Rows{}, err
		}
	}
	n = min(n, sizer.Rows)
	if t, filtered := current.(*tested); filtered {
		if !t.Begun() {
			r.prefetchSurvivors(t)
		}
		return t.NextPiece(n, sizer.WindowEnd(t.Row())), nil
	}
	return r.windows.NextWindow(n, min(r.untested.until, sizer.WindowEnd(r.windows.Remaining[0].From))), nil
}

// openReturned opens the chunks of the returned columns and chooses the size of windows.
func (r *unitRun) openReturned() error {
	s := r.scan
	for i := range s.columns {
		for _, l := range s.columns[i].leaves {
			if !l.open {
				if err := r.open(l); err != nil {
					return err
				}
			}
		}
	}
	var varying []window.Varying
	for _, l := range s.leaves {
		if (l.returned || l.within) && (l.node.MaxRep > 0 || l.node.Type.Store() == vector.InViews) {
			//every:encoding batch size but PLAIN RLE BIT_PACKED PLAIN_DICTIONARY RLE_DICTIONARY DELTA_BINARY_PACKED DELTA_LENGTH_BYTE_ARRAY BYTE_STREAM_SPLIT ALP (rows add no more than their page has)
			byPages := l.node.MaxRep == 0 && !l.within && !slices.Contains(l.chunk.Meta.Encodings, thrift.EncodingDeltaByteArray)
			bytes := l.chunk.Meta.UncompressedSize
			if width := int64(l.node.Type.Width()); width > 0 && l.node.MaxRep == 0 { // prefixes may be shared
				bytes = max(bytes, width*min(l.rows, math.MaxInt64/width))
			}
			v := window.Varying{Bytes: bytes, Rows: l.rows, ByPages: byPages}
			if l.returned { // others are opened when they are read
				v.Cursor = &l.cursor
			}
			varying = append(varying, v)
		}
	}
	most := int64(0)
	if s.batchBudget != nil {
		most = leastBatch
	}
	r.batch.sizer.Start(s.opts.batchRows(), most, varying)
	return nil
}

// read appends the selected rows to the columns of the batch.
func (r *unitRun) read(rows window.Rows) error {
	s := r.scan
	for i := range s.columns {
		c := &s.columns[i]
		for _, l := range c.leaves {
			if err := r.moveTo(l, rows.From, rows.To); err != nil {
				return err
			}
		}
		if err := s.check(); err != nil {
			return err
		}
		if err := c.read(rows); err != nil {
			return err
		}
	}
	if s.opts.RowNumber != "" || s.converts() {
		r.batch.numbers = appendNumbers(r.batch.numbers, rows)
	}
	return nil
}

// appendNumbers appends the ordinals of the selected rows.
func appendNumbers(numbers []int64, rows window.Rows) []int64 {
	for row := rows.From; row < rows.To; row++ {
		if i := int(row - rows.From); rows.Sel == nil || rows.Sel.Bits[i/64]>>(i%64)&1 != 0 {
			numbers = append(numbers, row)
		}
	}
	return numbers
}

// batchFull reports whether the batch in the making has reached its budget of bytes.
func (r *unitRun) batchFull() bool {
	sizer := &r.batch.sizer
	if !sizer.MayExceed() {
		return false
	}
	bytes := int64(0)
	for i := range r.scan.columns {
		bytes += r.scan.columns[i].bytes()
	}
	return sizer.Full(bytes)
}
