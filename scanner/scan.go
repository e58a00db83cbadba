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
	rows    vector.RowSet
	windows windows
	pace    pace
	numbers []int64 // of the batch's rows within their row group, where they are needed
	memory  *batchMemory
	scratch scratch
}

func (f *File) newScan(ctx context.Context, o Options) (*scan, error) {
	s := &scan{ctx: ctx, file: f, opts: o, rows: f.rows(&o)}
	if o.Codecs == nil {
		s.opts.Codecs = codec.NewSet(codec.Options{Spare: encoding.Padding})
	}
	outs, err := f.outputs(&o)
	if err != nil {
		return nil, err
	}
	byNode := map[*schema.Node]*leaf{}
	for _, out := range outs {
		if err := s.addColumn(out, byNode); err != nil {
			return nil, err
		}
	}
	if o.RowNumber != "" {
		s.fields = append(s.fields, vector.Field{Name: o.RowNumber, Type: vector.Type{Physical: vector.Int64}})
	}
	if o.Unnest != "" {
		err = s.addUnnesting(byNode)
	}
	return s, err
}

// addColumn plans a column and opens what its leaves need.
func (s *scan) addColumn(out output, byNode map[*schema.Node]*leaf) error {
	plan, err := assemble.New(out.part)
	if err != nil {
		return s.file.wrap(-1, "", -1, err)
	}
	c := batchColumn{output: out, plan: plan}
	c.field = out.conv.field(plan.Field())
	sources := plan.Sources()
	for _, source := range sources {
		l := byNode[source.Node]
		if l == nil {
			l = &leaf{node: source.Node}
			byNode[source.Node] = l
			s.leaves = append(s.leaves, l)
		}
		c.leaves = append(c.leaves, l)
	}
	c.flat = out.part.Node != nil && out.part.Node.Kind == schema.Leaf && out.part.Node.MaxRep == 0
	c.levels = make([]column.Levels, len(sources))
	c.parts = make([]assemble.Leaf, len(sources))
	s.columns = append(s.columns, c)
	s.fields = append(s.fields, c.field)
	return nil
}

// errStop says that the caller wants no more.
var errStop = errors.New("stop")

func (s *scan) run(yield func(*vector.Batch, error) bool) {
	defer s.close()
	for i := range s.rows {
		var err error
		switch n := s.file.footer.RowGroups[i].NumRows; {
		case len(s.rows[i]) > 0:
			err = s.rowGroup(i, yield)
		case n > 0:
			s.skipped(i) // nobody wants them
		default:
			s.skipped(i)
			err = s.file.checkGroup(i)
		}
		if err != nil {
			if err != errStop {
				yield(nil, err)
			}
			return
		}
	}
}

// skipped counts the chunks of a row group that is not read.
func (s *scan) skipped(rowGroup int) {
	if s.opts.Stats == nil {
		return
	}
	for _, l := range s.leaves {
		if c, err := s.file.Chunk(rowGroup, l.node.FirstLeaf); err == nil {
			l.skipped += max(c.Meta.CompressedSize, 0)
		}
	}
}

func (s *scan) close() {
	for _, l := range s.leaves {
		l.close()
		if s.opts.Stats != nil {
			l.addTo(s.opts.Stats.column(l.node))
		}
	}
}

// readAhead returns how many bytes a leaf reads at a time: less where there are many.
func (s *scan) readAhead() int64 {
	const all, least, most = 64 << 20, 64 << 10, 1 << 20
	return min(max(all/int64(max(len(s.leaves), 1)), least), most)
}

// rowGroup hands out the rows of a row group.
func (s *scan) rowGroup(i int, yield func(*vector.Batch, error) bool) error {
	rows := s.rows[i]
	if err := context.Cause(s.ctx); err != nil {
		return s.file.wrap(i, "", -1, err)
	}
	// Chunks check it too, but a file without columns has none.
	if err := s.file.checkGroup(i); err != nil {
		return err
	}
	for _, l := range s.leaves {
		if err := l.open(s.ctx, s.file, i, rows, &s.opts, s.readAhead(), &s.scratch); err != nil {
			return err
		}
	}
	s.pace.start(s)
	s.windows.start(rows)
	for len(s.windows.left) > 0 {
		n, err := s.gather(i)
		if err != nil {
			return err
		}
		b, err := s.batch(i, n)
		if err != nil {
			return err
		}
		if s.opts.Stats != nil {
			s.opts.Stats.Batches++
			s.opts.Stats.Rows += int64(b.Len)
		}
		if !yield(b, nil) {
			return errStop
		}
	}
	return nil
}

// gather reads window after window until there is enough for a batch. It
// returns the number of rows.
func (s *scan) gather(rowGroup int) (n int, err error) {
	s.memory = s.scratch.take(len(s.columns))
	for i := range s.columns {
		s.columns[i].startBatch(&s.memory.columns[i])
	}
	s.numbers = s.numbers[:0]
	s.pace.before = 0
	for most := s.opts.batchRows(); n < most && len(s.windows.left) > 0; {
		if err := context.Cause(s.ctx); err != nil {
			return n, s.file.wrap(rowGroup, "", -1, err)
		}
		from, to, sel := s.windows.next(min(most-n, s.pace.rows), s.pace.limit())
		for _, l := range s.leaves {
			l.cursor.Advance(from)
			l.cursor.Window(to)
		}
		for i := range s.columns {
			if err := s.columns[i].read(sel); err != nil {
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
		if s.pace.full(s.columns) {
			break
		}
	}
	return n, nil
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
