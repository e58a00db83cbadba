package scanner

import (
	"context"
	"errors"
	"iter"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Scan returns the rows that o asks for, in the file's order and in batches
// that end with their row group. A batch belongs to who gets it, and stays as
// it is until its Release, which saves time where it is called. The first error is
// the last thing that comes; batches before it are right.
//
// Nothing is read before the first batch is asked for. A loop that breaks
// leaves nothing behind. Several scans of one file may run at the same time.
func (f *File) Scan(ctx context.Context, o Options) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		if n := f.threads(&o); n > 1 {
			f.parallel(ctx, o, n, yield)
			return
		}
		s, err := f.newScan(ctx, o)
		if err != nil {
			yield(nil, err)
			return
		}
		s.run(yield)
	}
}

// Fields returns what the columns of the batches of a scan are.
func (f *File) Fields(o Options) ([]vector.Field, error) {
	s, err := f.newScan(context.Background(), o)
	if err != nil {
		return nil, err
	}
	return s.fields, nil
}

// scan is one that runs.
type scan struct {
	ctx     context.Context
	file    *File
	opts    Options
	columns []batchColumn
	unnest  *unnesting // nil: none
	fields  []vector.Field
	leaves  []*leaf
	byNode  map[*schema.Node]*leaf
	rows    vector.RowSet
	share   *share       // with scans that do the same work
	src     fetch.Source // that metadata are read from, if not from what share says
	stats   Stats
	where   *condition             // nil: every row passes
	group   int                    // the row group
	at      unit                   // all of it, or rows
	wanted  vector.Ranges          // of its rows
	known   map[fetch.Range][]byte // metadata that may be asked for again
	lost    lost                   // of the row group
	done    []int                  // row groups that are counted
	located bool                   // pages of returned columns in the row group
	sparse  bool                   // pages of the row group may have no row that passes
	windows windows
	passing passing
	bets    bets
	pace    pace
	numbers []int64 // of the batch's rows within their row group, where they are needed
	inFront rowsInFront
	memory  *batchMemory
	maps    bool         // pages may be looked at in a mapping
	views   *fetch.Views // of it, once there is one

	stoppable map[codec.ID]*codec.Set
	pool      *Memory
	shape     string // of batches
}

func (f *File) newScan(ctx context.Context, o Options) (*scan, error) {
	s := &scan{ctx: ctx, file: f, opts: o, byNode: map[*schema.Node]*leaf{}, maps: f.mapsPages(&o)}
	if o.Codecs == nil {
		s.opts.Codecs = codec.NewSet(codec.Options{Spare: encoding.Padding})
	}
	outs, err := f.outputs(&o)
	if err != nil {
		return nil, err
	}
	for _, out := range outs {
		c, err := s.newColumn(out)
		if err != nil {
			return nil, err
		}
		s.addColumn(c)
	}
	if o.RowNumber != "" {
		s.fields = append(s.fields, vector.Field{Name: o.RowNumber, Type: vector.Type{Physical: vector.Int64}})
	}
	if o.Unnest != "" {
		if err := s.addUnnesting(); err != nil {
			return nil, err
		}
	}
	if s.pool = o.Memory; s.pool == nil {
		s.pool = o.newMemory()
	}
	s.shape = shapeOf(s.columns)
	s.boundBatches()
	return s, s.bind()
}

// newColumn plans a column, with those of the scan's leaves that it needs.
func (s *scan) newColumn(out output) (batchColumn, error) {
	plan, err := assemble.New(out.part)
	if err != nil {
		return batchColumn{}, s.file.wrap(-1, "", -1, err)
	}
	c := batchColumn{output: out, plan: plan}
	c.field = out.conv.field(plan.Field())
	sources := plan.Sources()
	for _, source := range sources {
		l := s.leafOf(source.Node)
		l.values = l.values || !source.Levels
		c.leaves = append(c.leaves, l)
	}
	c.flat = out.part.Node != nil && out.part.Node.Kind == schema.Leaf && out.part.Node.MaxRep == 0
	c.levels = make([]column.Levels, len(sources))
	c.parts = make([]assemble.Leaf, len(sources))
	return c, nil
}

// addColumn makes c one of those that are handed out.
func (s *scan) addColumn(c batchColumn) {
	for _, l := range c.leaves {
		l.returned = true
	}
	s.columns = append(s.columns, c)
	s.fields = append(s.fields, c.field)
}

// bind settles which rows are asked, and what of.
func (s *scan) bind() (err error) {
	o := s.opts
	if o.Plan != nil {
		if err := o.Plan.check(s.file, &o); err != nil {
			return err
		}
	}
	s.share = s.file.newShare(&o)
	if o.asks() {
		o.Offset, o.Limit = 0, 0
		if s.where, err = s.newCondition(); err != nil {
			return err
		}
	}
	s.rows, err = s.file.rows(&o)
	return err
}

// errStop says that the caller wants no more.
var errStop = errors.New("stop")

func (s *scan) run(yield func(*vector.Batch, error) bool) {
	defer s.close()
	defer s.share.ahead.use(s)()
	s.prepare()
	err := s.eachGroup(func(i int) error { return s.rowGroup(i, yield) })
	if err != nil && err != errStop {
		yield(nil, err)
	}
}

func (s *scan) close() {
	defer s.closeViews()
	defer s.giveReaders()
	total := s.opts.Stats
	if total == nil {
		return
	}
	if s.where != nil {
		s.stats.Tests = s.where.tests()
	}
	s.stats.Columns = s.columnStats()
	total.add(&s.stats)
}

// giveReaders lets go of what leaves were read with.
func (s *scan) giveReaders() {
	for _, l := range s.leaves {
		if l.chunkReader != nil {
			s.pool.giveReader(l.node, l.chunkReader)
			l.chunkReader = nil
		}
	}
}

// readAhead returns how many bytes a leaf reads at a time: less where there are many.
func (s *scan) readAhead() int64 {
	const all, least, most = 64 << 20, 64 << 10, 1 << 20
	return s.opts.readAhead(min(max(all/int64(max(len(s.leaves), 1)), least), most), len(s.leaves), s.share.ahead != nil)
}

// rowGroup hands out the rows of a row group.
func (s *scan) rowGroup(i int, yield func(*vector.Batch, error) bool) error {
	if err := s.startGroup(i); err != nil {
		return err
	}
	defer s.leaveGroup()
	for s.more() {
		var b *vector.Batch
		err := s.guarded(func() (err error) {
			b, err = s.nextBatch(i)
			return err
		})
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		s.stats.Batches++
		s.stats.Rows += int64(b.Len)
		if s.opts.Stats != nil {
			for _, v := range b.Columns {
				s.stats.Bytes += delivered(v)
			}
		}
		if !yield(b, nil) {
			return errStop
		}
	}
	return nil
}

// nextBatch returns rows of a row group, nil if none is left.
func (s *scan) nextBatch(rowGroup int) (*vector.Batch, error) {
	n, err := s.gather()
	if err != nil {
		return nil, err
	}
	if n == 0 {
		s.pool.give(s.memory)
		return nil, nil
	}
	return s.batch(rowGroup, n)
}

// startGroup settles which rows of a row group are looked at. Chunks are opened
// when something is read of them.
func (s *scan) startGroup(i int) error {
	s.enterGroup(i)
	s.wanted = s.rows[i]
	if s.opts.Stats != nil {
		s.lost = lost{Unwanted: vector.All(s.file.footer.RowGroups[i].NumRows).AndNot(s.wanted)}
	}
	if s.at.of != nil {
		for _, l := range s.leaves {
			if pages := s.at.of.offsets[l.node]; pages != nil {
				s.place(l, pages)
			}
		}
	}
	if s.where != nil {
		if err := s.where.startGroup(); err != nil {
			return err
		}
	}
	if len(s.wanted) > 0 || s.opts.Stats != nil {
		if err := s.find(); err != nil {
			return err
		}
	}
	s.located, s.sparse = false, s.where != nil && s.share.ahead != nil
	s.pace.leaves, s.pace.rows = s.pace.leaves[:0], 0
	s.passing.left, s.passing.border = 0, 0
	s.windows.start(s.wanted)
	return nil
}

// enterGroup forgets the metadata of another row group.
func (s *scan) enterGroup(i int) {
	if s.group != i {
		s.group, s.known = i, nil
	}
}

// find has the leaves look at the footer's entries of their chunks.
func (s *scan) find() error {
	for _, l := range s.leaves {
		if err := l.find(s.file, s.group); err != nil {
			return err
		}
	}
	if s.where != nil {
		s.where.price()
	}
	return nil
}

func (s *scan) leaveGroup() {
	for _, l := range s.leaves {
		l.leave()
	}
	s.account()
	s.forgetPages()
}

// more reports whether rows of the row group may be left.
func (s *scan) more() bool {
	return s.passing.left > 0 || s.share.most.Load() > 0 && len(s.windows.left) > 0
}

// enter makes [from, to) the window of a leaf.
func (s *scan) enter(l *leaf, from, to int64) error {
	if !l.open {
		if err := l.openAt(s); err != nil {
			return err
		}
	} else if !l.sought && s.seeks() {
		if err := s.findPages([]*leaf{l}); err != nil {
			return err
		}
	}
	l.cursor.Advance(from)
	l.cursor.Window(to)
	return nil
}

// gather reads window after window until there is enough for a batch, or no
// row is left. It returns the number of rows.
func (s *scan) gather() (n int, err error) {
	s.memory = s.pool.take(s.shape, len(s.columns))
	for i := range s.columns {
		s.columns[i].startBatch(&s.memory.columns[i])
	}
	s.numbers = s.numbers[:0]
	s.pace.before = 0
	for most := s.opts.batchRows(); n < most && s.more(); {
		from, to, sel, err := s.next(most - n)
		if err != nil || from == to {
			return n, err
		}
		for i := range s.columns {
			c := &s.columns[i]
			for _, l := range c.leaves {
				if err := s.enter(l, from, to); err != nil {
					return n, err
				}
			}
			if err := s.check(); err != nil {
				return n, err
			}
			if err := c.read(sel); err != nil {
				return n, err
			}
		}
		if s.opts.RowNumber != "" || s.converts() {
			s.number(from, to, sel)
		}
		if sel == nil {
			n += int(to - from)
		} else {
			n += sel.Count()
		}
		if s.pace.full(s.columns) || s.atPages(to) || !s.where.idles() && s.pace.rest(most-n) {
			break
		}
	}
	return n, nil
}

// next returns a window with at most n rows to read, and which of its rows
// those are, nil if all; or an empty one if no row is left.
func (s *scan) next(n int) (from, to int64, sel *vector.Selection, err error) {
	if err := s.check(); err != nil {
		return 0, 0, nil, err
	}
	idle, err := s.where.idle()
	if err != nil {
		return 0, 0, nil, err
	}
	if !idle {
		if err := s.where.next(); err != nil || s.passing.left == 0 {
			return 0, 0, nil, err
		}
	}
	if !s.located && s.seeks() {
		s.located = true
		if err := s.findPages(s.returned()); err != nil {
			return 0, 0, nil, err
		}
	}
	if s.pace.rows == 0 {
		for i := range s.columns {
			for _, l := range s.columns[i].leaves {
				if err := s.enter(l, l.at(), l.at()); err != nil {
					return 0, 0, nil, err
				}
			}
		}
		s.pace.start(s)
	}
	if n = min(n, s.pace.rows); idle {
		from, to, sel = s.windows.next(n, s.where.idleUntil(s.pace.limit(s.windows.left[0].From)))
		return from, to, sel, nil
	}
	if s.passing.next == 0 {
		s.askTogether()
	}
	from, to, sel = s.passing.take(n, s.pace.limit(s.passing.row()))
	return from, to, sel, nil
}

// returned returns the leaves of the columns that are handed out.
func (s *scan) returned() (all []*leaf) {
	for _, l := range s.leaves {
		if l.returned {
			all = append(all, l)
		}
	}
	return all
}

// expect tells the columns that are handed out which rows of a window will be
// asked for, so that pages are not decompressed beyond the last of them.
func (s *scan) expect(sel *vector.Selection, from int64) {
	for _, l := range s.leaves {
		if l.returned && l.open {
			l.cursor.Expect(sel, from)
		}
	}
}

// check returns an error once nobody waits for the scan any more.
func (s *scan) check() error {
	if err := fetch.Ended(s.ctx); err != nil {
		return s.file.wrap(s.group, "", -1, err)
	}
	return nil
}

// converts reports whether an error may have to name a row.
func (s *scan) converts() bool {
	for i := range s.columns {
		if s.columns[i].conv != nil {
			return true
		}
	}
	return false
}

// number adds the ordinals of a window's rows.
func (s *scan) number(from, to int64, sel *vector.Selection) {
	for row := from; row < to; row++ {
		if i := int(row - from); sel == nil || sel.Bits[i/64]>>(i%64)&1 != 0 {
			s.numbers = append(s.numbers, row)
		}
	}
}
