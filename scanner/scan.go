package scanner

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/scanner/internal/rowfilter"
)

// Scan returns the rows that o selects, in the file's order. No batch has rows of two row
// groups. The caller owns each batch. It is valid until its Release, which is optional and
// saves time. An error ends the iteration; the batches before it are correct.
//
// Nothing is read before the loop starts. A loop that breaks releases all that the scan
// holds. Several scans of one file may run at the same time.
func (f *File) Scan(ctx context.Context, o Options) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		o := o
		w := f.watch(ctx, &o)
		defer w.end(nil)
		yield = w.yields(yield)
		if n := f.threads(&o); n > 1 {
			f.parallel(ctx, o, n, yield)
			return
		}
		s, err := f.newScan(ctx, o)
		if err != nil {
			yield(nil, err)
			return
		}
		s.yieldBatches(yield)
	}
}

// Fields returns the fields of a scan's batches, without reading any page.
func (f *File) Fields(ctx context.Context, o Options) ([]vector.Field, error) {
	s, err := f.newScan(ctx, o)
	if err != nil {
		return nil, err
	}
	return s.fields, nil
}

// projection is the columns of the batches.
type projection struct {
	columns      []batchColumn
	unnest       *unnesting // nil: none
	dictionaries project.Dictionaries
	fields       []vector.Field
}

// scan is a bound scan. Its fields are set when it is made, or hold for all of it; run has
// the state of one unit.
type scan struct {
	projection
	ctx     context.Context
	file    *File
	opts    Options
	leaves  []*leaf // of columns and filters; a runtime filter may add some
	byNode  map[*schema.Node]*leaf
	rows    vector.RowSet
	filter  *rowfilter.Filter // nil: every row passes
	queue   *workQueue        // with the scans that divide the work
	planner fetch.Source      // the metadata source of a prefetcher's planner; nil for a scan that reads pages
	run     unitRun

	sequential feed.Sequential // of local files
	mapping    mapping
	local      bool // the file can be mapped, and is read with a copy
	codecs     detach.Codecs
	holdings
	shape string // of batches
	stats Stats
	done  []int // row groups whose pages are counted
}

func (f *File) newScan(ctx context.Context, o Options) (*scan, error) {
	if k, ok := knobs.From(ctx); ok {
		o.knobs = k
	}
	if err := o.check(); err != nil {
		return nil, f.wrap(-1, "", -1, err)
	}
	s := &scan{ctx: ctx, file: f, opts: o}
	s.run.scan, s.run.group = s, -1
	if _, s.local = f.Source().(fetch.Viewer); s.local && !o.knobs.NoMapping {
		s.mapping.allowed = true
		s.sequential.Most = sequentialBytes
	}
	s.pool = f.memoryFor(&o)
	s.codecs = detach.Codecs{Ctx: ctx, Set: s.pool.codecs}
	if s.codecs.Set == nil || len(o.Codecs) > 0 {
		s.codecs.Set = codec.NewSet(codec.Options{Spare: encoding.Padding, More: o.Codecs})
	}
	var unnested []*schema.Node
	if o.Unnest != "" {
		var err error
		if unnested, err = f.nodesAlong(o.Unnest, &o); err != nil {
			return nil, err
		}
	}
	outs, err := f.outputs(&o, unnested)
	if err != nil {
		return nil, err
	}
	if s.dictionaries, err = project.BindDictionaries(f.schema, f.names(&o), o.Dictionaries); err != nil {
		return nil, f.wrap(-1, "", -1, err)
	}
	s.columns, s.fields = make([]batchColumn, 0, len(outs)), make([]vector.Field, 0, len(outs))
	s.byNode = make(map[*schema.Node]*leaf, len(outs))
	for _, out := range outs {
		c, field, err := s.newColumn(out)
		if err != nil {
			return nil, err
		}
		s.addColumn(c, field)
	}
	if err := s.addOrigins(); err != nil {
		return nil, err
	}
	if o.Unnest != "" {
		if err := s.addUnnesting(outs, unnested); err != nil {
			return nil, err
		}
	}
	if err := s.dictionaries.Check(o.Constants); err != nil {
		return nil, f.wrap(-1, "", -1, err)
	}
	if o.ranked != nil {
		s.rankBy(o.ranked)
	}
	s.shape = shapeOf(s.columns)
	return s, s.bind()
}

// addOrigins adds the columns of RowNumber and FileName.
func (s *scan) addOrigins() error {
	for _, c := range []struct {
		option, name string
		typ          vector.Type
	}{
		{"RowNumber", s.opts.RowNumber, vector.Type{Physical: vector.Int64}},
		{"FileName", s.opts.FileName, vector.Type{Physical: vector.ByteArray, Logical: vector.String}},
	} {
		if c.name == "" {
			continue
		}
		taken := s.file.schema.Find(c.name) != nil
		for i := range s.fields {
			taken = taken || s.fields[i].Name == c.name
		}
		if taken {
			return s.file.wrap(-1, "", -1, optionsError(c.option+" "+strconv.Quote(c.name)+" is the name of a column"))
		}
		s.fields = append(s.fields, vector.Field{Name: c.name, Type: c.typ, Dictionary: s.dictionaries.Named(c.name)})
	}
	return nil
}

// newColumn plans a column of the batches, and its field, and adds the leaves that it reads
// to the scan.
func (s *scan) newColumn(out project.Output) (batchColumn, vector.Field, error) {
	if out.Within != nil {
		return s.newPathColumn(out.Within)
	}
	c := batchColumn{node: out.Projected.Node, conversion: out.Conversion}
	if field, flat := assemble.Flat(&out.Projected); flat {
		l := s.leafOf(c.node)
		l.needsValues, c.leaves = true, []*leaf{l}
		field.Dictionary = s.dictionaries.Leaf(c.node)
		return c, c.conversion.Field(field), nil
	}
	plan, err := assemble.New(out.Projected)
	if err != nil {
		return c, vector.Field{}, s.file.wrap(-1, "", -1, err)
	}
	s.dictionaries.Mark(plan)
	sources := plan.Sources()
	for _, source := range sources {
		l := s.leafOf(source.Node)
		l.needsValues = l.needsValues || !source.Levels
		c.leaves = append(c.leaves, l)
	}
	c.nesting = &nesting{plan: plan, levels: make([]column.Levels, len(sources)), parts: make([]assemble.Leaf, len(sources))}
	return c, c.conversion.Field(plan.Field()), nil
}

// addColumn adds c, whose field is given, to the columns of the batches.
func (s *scan) addColumn(c batchColumn, field vector.Field) {
	for _, l := range c.leaves {
		l.returned = true
	}
	s.columns = append(s.columns, c)
	s.fields = append(s.fields, field)
}

// bind resolves the row set and binds the filter to the file's schema.
func (s *scan) bind() (err error) {
	o := s.opts
	if o.Plan != nil {
		if err := o.Plan.check(s.file, &o); err != nil {
			return err
		}
	}
	s.claimFrom(s.file.newQueue(&o))
	if b := o.Resources.made().bytes; b != nil {
		s.worker.Scan = &budget.Scan{Budget: b}
	}
	if o.hasFilter() {
		o.Offset, o.Limit, o.Limited = 0, 0, false
		if s.filter, err = s.newFilter(); err != nil {
			return err
		}
	}
	s.rows, err = s.file.rows(&o)
	return err
}

// sequentialBytes bounds what is read ahead of a local file where small reads follow each other.
const sequentialBytes = 64 << 10

// errStop ends a loop whose caller needs no more.
var errStop = errors.New("stop")

// yieldBatches yields the batches of all units that the scan can claim, then an error if there
// was one.
func (s *scan) yieldBatches(yield func(*vector.Batch, error) bool) {
	defer s.close()
	defer s.prefetch()()
	s.splitUnits()
	yield = s.gives(yield)
	err := s.eachUnit(func(at unit, wanted vector.Ranges) error { return s.scanUnit(at, wanted, yield) })
	if err != nil && err != errStop {
		yield(nil, err)
	}
}

// gives returns yield, with the budget told that the host owns the batch and asks for no other, and
// without a worker meanwhile.
func (s *scan) gives(yield func(*vector.Batch, error) bool) func(*vector.Batch, error) bool {
	return func(b *vector.Batch, err error) bool {
		s.batchBudget.GiveAll()
		s.worker.Scan.Asks(false)
		defer s.worker.Scan.Asks(true)
		worked := s.turn.Leave()
		goOn := yield(b, err)
		if worked && goOn {
			s.turn.Take(s.ctx)
		}
		return goOn
	}
}

// inUnit calls do while the scan's run is in a unit.
func (s *scan) inUnit(at unit, wanted vector.Ranges, do func(*unitRun) error) error {
	r := &s.run
	r.begin(at)
	if s.rulesOut(at, wanted) {
		s.skipGroup(at.group, ByStatistics)
		r.traceEnd()
		return nil
	}
	if err := r.narrowUnit(wanted); err != nil {
		return err
	}
	defer func() {
		if last := r.finish(); last {
			s.done = append(s.done, at.group)
		}
	}()
	if len(r.wanted) == 0 {
		return nil
	}
	return do(r)
}

// rulesOut reports whether the statistics of chunks rule out a unit that is a row group, all of whose rows are wanted.
func (s *scan) rulesOut(at unit, wanted vector.Ranges) bool {
	whole := at.split == nil && wanted.Len() == s.file.footer.RowGroups[at.group].NumRows
	return s.filter != nil && s.opts.Plan == nil && whole && s.filter.RulesOut(at.group)
}

// scanUnit yields the batches of the wanted rows of a unit. It returns errStop when
// yield returns false.
func (s *scan) scanUnit(at unit, wanted vector.Ranges, yield func(*vector.Batch, error) bool) error {
	return s.inUnit(at, wanted, func(r *unitRun) error {
		for {
			var b *vector.Batch
			err := s.catchFaults(func() (err error) {
				b, err = r.nextBatch()
				return err
			})
			if err != nil || b == nil {
				return err
			}
			if !s.file.far { // else each response is checked, and to ask for the state may be a request
				if err := s.verify(at.group, nil); err != nil {
					b.Release() // it may have bytes of the new state
					return err
				}
			}
			s.countBatch(b)
			if !yield(b, nil) {
				return errStop
			}
		}
	})
}

// verify returns err, the result of reading up to a row group, or an error if the file has changed by now,
// and bytes were used that came after it was last found unchanged. Of a local file that is not mapped
// these are copies, and s.sequential knows when they came; another source may show its own memory.
func (s *scan) verify(group int, err error) error {
	copies := s.local && s.mapping.views == nil && s.queue.prefetcher == nil
	if err == nil && !s.sequential.Took && (copies || !s.run.unverified) {
		return nil
	}
	s.run.unverified, s.sequential.Took = false, false
	now := s.file.unchanged(group, err)
	if errors.Is(now, ErrChanged) && !errors.Is(err, ErrChanged) && s.mapping.views != nil {
		if fault := s.mapping.views.Intact(); fault != nil {
			return s.file.wrap(group, "", -1, fault)
		}
	}
	return now
}

// countBatch counts a batch that the scan returns.
func (s *scan) countBatch(b *vector.Batch) {
	s.stats.Batches++
	s.stats.Rows += int64(b.Len)
	if s.opts.Stats != nil {
		s.stats.Bytes += build.ShownBytes(b.Columns...)
	}
}

// eachState calls do in each state of a unit, tested or untested, to read some rows of it.
func (s *scan) eachState(at unit, wanted vector.Ranges, do func(*unitRun, state) error) error {
	return s.inUnit(at, wanted, func(r *unitRun) (err error) {
		for done := false; !done && err == nil; {
			err = s.catchFaults(func() error {
				current, err := r.advance()
				if _, done = current.(finished); done || err != nil {
					return err
				}
				r.unverified = true
				return do(r, current)
			})
		}
		return err
	})
}

// close adds the counters to Options.Stats, and releases readers and the mapping.
func (s *scan) close() {
	defer s.mapping.close()
	defer s.leaveBudget()
	defer s.releaseReaders()
	total := s.opts.Stats
	if total == nil {
		return
	}
	if s.filter != nil {
		s.stats.Tests = conditionStats(s.filter, s.ctx.Err() != nil)
	}
	s.stats.Columns = s.columnStats()
	s.stats.Requests, s.stats.Ranges, s.stats.RequestedBytes = s.queue.calls.Swap(0), s.queue.ranges.Swap(0), s.queue.bytes.Swap(0)
	total.add(&s.stats)
}

// releaseReaders returns the readers of the leaves to the scan's memory for reuse.
func (s *scan) releaseReaders() {
	for _, l := range s.leaves {
		if l.chunkReader != nil {
			s.pool.giveReader(l.node, l.chunkReader)
			l.chunkReader = nil
		}
	}
}

// readAhead returns how many bytes a leaf reads at a time: fewer if the scan has many
// leaves.
func (s *scan) readAhead() int64 {
	const all, least, most = 64 << 20, 64 << 10, 1 << 20
	leaves := int64(max(len(s.leaves), 1))
	return min(max(all/leaves, least), most, max(s.readBudget.Share()/leaves, feed.HeaderBytes))
}

// announceRows tells the cursors of returned columns which rows of a window will be read,
// so that they do not decompress pages beyond the last of them.
func (s *scan) announceRows(sel *column.Selection, from int64) {
	for _, l := range s.leaves {
		if l.returned && l.open {
			l.cursor.Expect(sel, from)
		}
	}
}

// check returns an error once the scan's context has ended. It lets others have the goroutine's worker.
func (s *scan) check() error {
	s.turn.Yield(s.ctx)
	if err := fetch.Ended(s.ctx); err != nil {
		return s.file.wrap(s.run.group, "", -1, err)
	}
	return nil
}

// converts reports whether a column is converted, so that an error may have to name a row.
func (s *scan) converts() bool {
	return slices.ContainsFunc(s.columns, func(c batchColumn) bool { return c.conversion != nil })
}

// leafOf returns the scan's leaf of a node, and adds it if it is new.
func (s *scan) leafOf(n *schema.Node) *leaf {
	l := s.byNode[n]
	if l == nil {
		l = &leaf{scan: s, node: n, knownFrom: len(s.done)}
		s.byNode[n] = l
		s.leaves = append(s.leaves, l)
	}
	return l
}
