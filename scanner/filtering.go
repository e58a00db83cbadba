package scanner

import (
	"slices"
	"time"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/scanner/internal/footer"
	"github.com/winnow-scan/winnow/scanner/internal/idle"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/scanner/internal/rowfilter"
	"github.com/winnow-scan/winnow/scanner/internal/window"
	"github.com/winnow-scan/winnow/thrift"
)

// newFilter binds Options.Filter and the runtime filters to the file.
func (s *scan) newFilter() (*rowfilter.Filter, error) {
	o := rowfilter.Options{
		Knobs: s.opts.knobs, End: s.file.footerStart, NextPart: s.file.nextPart,
		RowsOf: func(rowGroup int) int64 { return s.file.footer.RowGroups[rowGroup].NumRows },
		Far:    s.queue.prefetcher != nil && !s.opts.limited() && len(s.opts.Runtime) == 0 && s.opts.Resources.largest() == 0,
	}
	if o.Far {
		s.run.windows.MaxSpan = rowfilter.FarWindow
	}
	if s.ctx.Done() != nil {
		o.Stop = func() error { return fetch.Ended(s.ctx) }
	}
	return rowfilter.New(filterHost{s}, s.opts.Filter, s.opts.Runtime, o)
}

// filterHost implements rowfilter.Host for a scan.
type filterHost struct{ scan *scan }

// Bind binds a condition, also one that is published, on the table that the scan's filter is on.
func (h filterHost) Bind(e *filter.Expr) (*compile.Program, error) {
	return h.scan.bindExpr(compile.InTableOf(h.scan.opts.Filter, e))
}

func (h filterHost) Check() error { return h.scan.check() }

func (h filterHost) Leaf(n *schema.Node) rowfilter.Leaf {
	l := h.scan.leafOf(n)
	l.filters, l.needsValues = true, true
	return l
}

func (h filterHost) Input(need compile.Need) (rowfilter.Input, error) {
	c, _, err := h.scan.newColumn(project.Output{Projected: project.ForNeed(need.Node, need.Lengths)})
	if err != nil {
		return nil, err
	}
	for _, l := range c.leaves {
		l.filters = true
	}
	return &filterInput{batchColumn: c, scan: h.scan}, nil
}

func (h filterHost) Interruptible(t *pred.Test) *pred.Test {
	return detach.CancellableTest(h.scan.ctx, t)
}

func (h filterHost) Wrap(rowGroup int, column string, err error) error {
	return h.scan.file.wrap(rowGroup, column, -1, err)
}

func (h filterHost) FunctionFailed(rowGroup int, err error) error {
	return &Error{File: h.scan.file.name, RowGroup: rowGroup, Page: -1, Offset: -1, Err: err}
}

// ReadMetadata reads parts of a row group's metadata in one call of the source.
func (h filterHost) ReadMetadata(rowGroup int, j *pageindex.Judge, needs []pageindex.Need) error {
	s := h.scan
	ranges := make([]fetch.Range, len(needs))
	for i, n := range needs {
		ranges[i] = fetch.Range{Off: n.Off, Len: n.Len}
	}
	parts, err := s.run.metadata(rowGroup, ranges)
	if err != nil {
		return s.file.wrap(rowGroup, "", -1, err)
	}
	for i, n := range needs {
		chunk := s.leafOf(n.Leaf).chunk
		b, err := chunk.openMetadata(n.Part, parts[i])
		j.Supply(n, b, chunk.wrap(n.Off, err))
	}
	return nil
}

// openMetadata returns the plain bytes of a part; an encrypted Bloom filter is read at once.
func (c *Chunk) openMetadata(p pageindex.MetadataPart, b []byte) ([]byte, error) {
	switch {
	case c.cipher == nil:
		return b, c.locked
	case p == pageindex.ColumnIndex:
		return page.Open(c.cipher, page.ColumnIndex, -1, nil, b)
	case p == pageindex.OffsetIndex:
		return page.Open(c.cipher, page.OffsetIndex, -1, nil, b)
	}
	return page.OpenBloom(c.cipher, b)
}

// The following methods implement rowfilter.Leaf.

func (l *leaf) Node() *schema.Node           { return l.node }
func (l *leaf) Pages() []thrift.PageLocation { return l.offsets }
func (l *leaf) Wrap(err error) error         { return l.wrap(err) }

func (l *leaf) Chunk(rowGroup int) (*pageindex.Chunk, int64, error) {
	err := l.bindChunk(rowGroup)
	return l.footerEntry, l.rows, err
}

func (l *leaf) Enter(from, to int64) (*column.Cursor, error) {
	if err := l.scan.run.moveTo(l, from, to); err != nil {
		return nil, err
	}
	return &l.cursor, nil
}

// filterInput is a column that a compute of the filter reads. It implements rowfilter.Input.
type filterInput struct {
	batchColumn
	scan        *scan
	inputMemory idle.Column
}

func (c *filterInput) Leaves(do func(rowfilter.Leaf)) {
	for _, l := range c.leaves {
		do(l)
	}
}

func (c *filterInput) Read(rows window.Rows) (*vector.Vector, error) {
	c.startBatch(&c.inputMemory)
	for _, l := range c.leaves {
		if err := c.scan.run.moveTo(l, rows.From, rows.To); err != nil {
			return nil, err
		}
	}
	if err := c.read(rows); err != nil {
		return nil, err
	}
	v, _, err := c.vector(rows.Count())
	return v, c.scan.file.wrap(c.scan.run.group, c.name(), -1, err)
}

func (c *filterInput) Release() {
	for _, v := range c.inputMemory.Values {
		c.scan.pool.bodies.Release(v)
	}
}

// bindExpr binds an expression to the file's schema. A long one is bound in a goroutine, so
// that a cancelled scan need not wait for it.
func (s *scan) bindExpr(e *filter.Expr) (*compile.Program, error) {
	names := s.file.names(&s.opts)
	constants := project.Constants(s.file.schema, names, projectWants(s.opts.Want), project.Match(s.opts.By), s.opts.Constants)
	var p *compile.Program
	var err error
	bind := func() { p, err = compile.BindNamed(e, s.file.schema, names, constants) }
	if s.ctx.Done() == nil || !compile.Long(e) {
		bind()
	} else if ended := detach.Run(s.ctx, bind); ended != nil {
		return nil, s.file.wrap(-1, "", -1, ended)
	}
	return p, s.file.wrap(-1, "", -1, err)
}

// maxCancelledStats bounds how many conditions a cancelled scan reports: naming
// thousands of them would delay its return.
const maxCancelledStats = 1000

// conditionStats returns the counters of a filter's conditions.
func conditionStats(f *rowfilter.Filter, cancelled bool) (all []ConditionStats) {
	f.Costs(func(condition *compile.Node, c rowfilter.Cost) bool {
		all = append(all, ConditionStats{Condition: condition.String(), In: c.In, Out: c.Out, Time: c.Time})
		return !cancelled || len(all) < maxCancelledStats
	})
	return all
}

// reasonOf returns the Reason of rows that a part of the metadata rules out.
func reasonOf(p pageindex.MetadataPart) Reason {
	switch p {
	case pageindex.ChunkStatistics:
		return ByStatistics
	case pageindex.BloomHeader, pageindex.BloomBlock:
		return ByBloom
	}
	return ByPageIndex
}

// metadataGap is the largest gap between parts of indexes and Bloom filters that are read as one: a read costs about
// as much as its bytes.
const metadataGap = 4 << 10

// metadata reads parts of indexes and Bloom filters. If the scan has runtime filters, it
// caches them for the row group: each newly published filter is judged by them again.
func (r *unitRun) metadata(rowGroup int, ranges []fetch.Range) ([][]byte, error) {
	s := r.scan
	r.unverified = true
	if r.group != rowGroup {
		r.group, r.metadataCache = rowGroup, nil
	}
	var src fetch.Source = observed{s.source(nil), func(_ int, bytes int64, _ time.Duration, _ error) { s.stats.Metadata += bytes }}
	if s.queue.prefetcher == nil { // a Prefetcher merges its own reads
		src = ioplan.Merged{Source: src, Gaps: ioplan.GapsBelow(metadataGap + 1)}
	}
	src = s.file.metadata.Over(ioplan.Sparing{Source: src, Known: s.file.indexes.Get})
	if len(s.opts.Runtime) == 0 {
		return src.ReadRanges(s.ctx, ranges, nil)
	}
	if r.metadataCache == nil {
		r.metadataCache = map[fetch.Range][]byte{}
	}
	kept := ioplan.Sparing{Source: src, Known: func(x fetch.Range) []byte { return r.metadataCache[x] }}
	parts, err := kept.ReadRanges(s.ctx, ranges, nil)
	for i, b := range parts {
		r.metadataCache[ranges[i]] = b
	}
	return parts, err
}

// nextPart returns the offset of the first part of the file after off: a page, an index, a
// Bloom filter or the footer. It bounds Bloom filters of old writers, whose length the
// footer lacks. The first call parses the footer's entries of all chunks.
func (f *File) nextPart(off int64) int64 {
	f.findParts.Do(func() { f.partStarts = f.partOffsets() })
	if i, _ := slices.BinarySearch(f.partStarts, off+1); i < len(f.partStarts) {
		return f.partStarts[i]
	}
	return f.footerStart
}

// partOffsets returns, in ascending order, the offsets of all parts that the footer names.
func (f *File) partOffsets() []int64 {
	var parts []int64
	var c thrift.ColumnChunk
	for i := range f.footer.RowGroups {
		for leaf := range f.schema.Leaves() {
			if f.footer.Chunk(i, leaf, &c) != nil {
				continue // a scan of that chunk says why
			}
			m := &c.Meta
			for _, off := range [...]int64{m.DictionaryOffset, m.DataPageOffset, m.BloomFilterOffset, c.ColumnIndexOffset, c.OffsetIndexOffset} {
				if off >= footer.MagicSize && off < f.footerStart {
					parts = append(parts, off)
				}
			}
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}
