package scanner

import (
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/thrift"
)

// Min returns the least value of a column of all files, as File.Min does of one.
// Columns of paths have one in each file with a row. A file that lacks the column has none.
// The value is as it is in the first file that is opened, those of others are widened to that.
func (fs *Files) Min(ctx context.Context, column string, o Options) (*vector.Vector, error) {
	return fs.extreme(ctx, column, o, least)
}

// Max is as Min is, for the greatest value.
func (fs *Files) Max(ctx context.Context, column string, o Options) (*vector.Vector, error) {
	return fs.extreme(ctx, column, o, greatest)
}

func (fs *Files) extreme(ctx context.Context, path string, o Options, of side) (*vector.Vector, error) {
	names, err := schema.ParsePath(path)
	if err != nil {
		return nil, err
	}
	o.Unnest, o.Select, o.Want = "", nil, nil
	w := &walk{files: fs, ctx: ctx, opts: o, offset: o.Offset, left: o.Limit, ahead: true}
	var best *vector.Vector
	var by pageindex.Column
	err = w.each(func(f *File, o Options) error {
		var v *vector.Vector
		if table := w.table(names[0]); table >= 0 && len(names) == 1 {
			v = w.tables[table].rows(w.number, 1)
			v.Form = vector.Flat
			o.Limit = 1
			if n, err := f.Count(ctx, o); n == 0 || err != nil {
				return err
			}
		} else if best != nil && f.schema.Find(names[0]) == nil {
			return nil
		} else if v, err = f.extreme(ctx, path, &o, of); err != nil {
			return err
		}
		if best == nil {
			best, by = v, pageindex.ColumnOf(&schema.Node{Name: path, Kind: schema.Leaf, Type: v.Type}, thrift.OrderOfType)
			return nil
		}
		convert, ok := project.ConversionOf(v.Type, best.Type)
		if !ok {
			return f.mismatch(&project.Mismatch{Path: names, What: v.Type.String() + " here, " + best.Type.String() + " in files before"})
		}
		if v.IsNull(0) {
			return nil
		}
		v, _, err := convert.Convert(v)
		if err != nil {
			return f.wrap(-1, path, -1, err)
		}
		if best.IsNull(0) || int(of)*by.Compare(v.PlainValue(0), best.PlainValue(0)) > 0 {
			best = v
		}
		return nil
	})
	if err == nil && best == nil {
		best = vector.FromPlain(vector.Type{Physical: vector.Int32, Logical: vector.Null}, nil)
	}
	return best, err
}

// Top returns the first rows of an order of all files, as File.Top does of one. Files are
// looked at one after the other, for rows in front of those found so far; then
// those that have such rows are opened once more. The column of the order is one of all
// files, of the same type, and none of their paths.
func (fs *Files) Top(ctx context.Context, by Order, o Options) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		inner := o
		inner.Offset, inner.Limit = 0, 0
		w := &walk{files: fs, ctx: ctx, opts: inner}
		x := &ranking{}
		options := map[int]Options{}
		err := w.each(func(f *File, one Options) (err error) {
			if names, err := schema.ParsePath(by.By); err == nil && w.table(names[0]) >= 0 {
				return errors.New("rows of several files have no order by a column of their paths")
			}
			one.Offset, one.Limit = o.Offset, o.Limit
			options[w.number] = one
			x.file = w.number
			x, err = f.rank(ctx, by, one, x)
			return err
		})
		if err != nil {
			yield(nil, err)
			return
		}
		x.handOut(o, func(file int, rows vector.RowSet) iter.Seq2[*vector.Batch, error] {
			return func(yield func(*vector.Batch, error) bool) {
				f, err := fs.file(ctx, fs.names[file])
				if err != nil {
					yield(nil, err)
					return
				}
				defer f.Close()
				w.number, w.fields = file, nil
				for b, err := range f.Scan(ctx, options[file].only(rows)) {
					if err == nil {
						w.complete(b)
					}
					if !yield(b, err) {
						return
					}
				}
			}
		}, yield)
	}
}

// Partitions returns n iterators over parts of what Scan would return, as
// File.Partitions does: all of them take row groups of one file until there are no more, and go
// on to the next.
func (fs *Files) Partitions(ctx context.Context, o Options, n int) []iter.Seq2[*vector.Batch, error] {
	n = max(1, n)
	if o.Memory == nil {
		o.Memory = o.newMemory()
	}
	t := &tour{walk: walk{files: fs, ctx: ctx, opts: o, offset: o.Offset, left: o.Limit, ahead: true}, parts: n}
	all := make([]iter.Seq2[*vector.Batch, error], n)
	for i := range all {
		all[i] = func(yield func(*vector.Batch, error) bool) {
			for at := 0; ; at++ {
				s, err := t.stop(at)
				if err != nil {
					yield(nil, err)
				}
				if s == nil || !s.part(i, yield) {
					return
				}
			}
		}
	}
	return all
}

// tour is a walk that partitions take together.
type tour struct {
	mu    sync.Mutex
	walk  walk
	parts int
	begun bool
	over  bool // there are no more files
	stops []*stop
}

// stop is a file on a tour: open while a partition is there.
type stop struct {
	tour  *tour
	walk  walk // as it was then
	opts  Options
	share *share
	file  *File // nil: closed
	parts []iter.Seq2[*vector.Batch, error]
	users int
	done  bool // all of it was taken
}

// stop returns a file for one more partition, nil behind the last.
func (t *tour) stop(at int) (s *stop, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun {
		t.begun = true
		err = t.walk.start()
	}
	for err == nil && at >= len(t.stops) && !t.over {
		err = t.add()
	}
	if err != nil {
		t.over = true
		return nil, err
	}
	if at >= len(t.stops) {
		return nil, nil
	}
	s = t.stops[at]
	if s.file == nil && !s.done { // those who were here broke off
		if s.file, err = t.walk.files.file(t.walk.ctx, t.walk.files.names[s.walk.number]); err != nil {
			return nil, err
		}
		s.parts = s.file.partitions(t.walk.ctx, s.opts, t.parts, s.share)
	}
	s.users++
	return s, nil
}

// add goes to the next file.
func (t *tour) add() error {
	w := &t.walk
	name, err := w.next()
	if name == "" || err != nil {
		t.over = true
		return err
	}
	f, err := w.files.file(w.ctx, name)
	if err != nil {
		return err
	}
	o, none, err := w.optionsFor(f)
	if err != nil || none {
		f.Close()
		return err
	}
	s := &stop{tour: t, walk: *w, opts: o, share: f.newShare(&o), file: f}
	s.parts = f.partitions(w.ctx, o, t.parts, s.share)
	t.stops = append(t.stops, s)
	return nil
}

// part hands out what one partition takes of the file. It returns false if that
// is the end for it.
func (s *stop) part(i int, yield func(*vector.Batch, error) bool) (more bool) {
	defer func() {
		s.tour.mu.Lock()
		defer s.tour.mu.Unlock()
		s.done = s.done || more
		if s.users--; s.users == 0 && s.file != nil {
			s.file.Close()
			s.file = nil
		}
	}()
	w := s.walk
	for b, err := range s.parts[i] { // none, if all was taken: the file may be closed
		if err == nil {
			w.complete(b)
		}
		if !yield(b, err) || err != nil {
			return false
		}
	}
	return true
}
