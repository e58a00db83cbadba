package dataset

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/scanner/internal/rank"
	"github.com/winnow-scan/winnow/thrift"
)

// Top returns the first rows of an order over all files, as File.Top does for one. It
// searches one file after the other for rows that sort before those found so far; of far
// files, the first alone, and then several at the same time. Then it reopens the files with
// such rows and reads them. All files must have the column of the order, with the same type,
// unless they are United: then rows of a file that lacks it have NULL there. A column of paths is an error.
func (fs *Files) Top(ctx context.Context, by scanner.Order, o scanner.Options) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		t := &top{files: fs, by: by, opts: o, ranked: map[int]rankedFile{}}
		if err := t.rank(ctx); err != nil {
			yield(nil, err)
			return
		}
		rows, bytes := cmp.Or(max(o.BatchRows, 0), 8192), int64(cmp.Or(max(o.BatchBytes, 0), 16<<20))
		rank.Batches(t.ranking.Rows, o.Offset, rows, bytes, func(files []rank.FileRows) iter.Seq2[*vector.Batch, error] {
			return t.read(files)
		}, func(b *vector.Batch, err error) bool {
			if b != nil && fs.several {
				b.Fields = allowNulls(b.Fields, &o)
			}
			return yield(b, wrap(fs.Name(), "", err))
		})
	}
}

// top searches several files for the first rows of an order.
type top struct {
	files   *Files
	by      scanner.Order
	opts    scanner.Options
	walk    *walk
	ranked  map[int]rankedFile // those with rows
	ranking rank.Ranking
	bound   filter.Runtime // the condition that a row sorts before the last of the rows found so far
}

// rankedFile is what is known of a file that is closed.
type rankedFile struct {
	opts     scanner.Options // of a scan
	identity fetch.Identity
}

// rank finds the rows, file by file. Later files are searched only for rows that sort
// before the last of those found so far.
func (t *top) rank(ctx context.Context) error {
	o := t.opts
	if o.Offset < 0 || o.Limit < 0 {
		return optionsError(t.files.Name(), "Offset or Limit is negative")
	}
	t.ranking.Most = math.MaxInt
	if offset := min(o.Offset, math.MaxInt32); limited(&o) && o.Limit < math.MaxInt32-offset {
		t.ranking.Most = int(offset + o.Limit)
	}
	if t.ranking.Most == 0 {
		return nil
	}
	if t.by.Descending {
		t.ranking.Side = rank.Greatest
	} else {
		t.ranking.Side = rank.Least
	}
	o.Offset, o.Limit, o.Limited = 0, 0, false
	t.walk = &walk{files: t.files, ctx: ctx, opts: o}
	// The rows of the first file rule out most of the others, so it is searched before them.
	bytes := func(a *ahead, number int, x *opened) int64 {
		if number == 0 {
			return a.most // alone
		}
		return max(a.share(number, x), 1)
	}
	return answers(t.walk, bytes, t.search, t.add)
}

// search returns the first rows of a file that sort before the last of the rows found so far.
func (t *top) search(ctx context.Context, x *opened) ([]scanner.Ranked, error) {
	if names, err := schema.ParsePath(t.by.By); err == nil && t.walk.partitionOf(names[0]) >= 0 {
		return nil, optionsError(x.file.Name(), "rows of several files have no order by a column of their paths")
	}
	o := x.opts
	o.Offset, o.Limit, o.Limited = t.opts.Offset, t.opts.Limit, t.opts.Limited
	o.Runtime = append(slices.Clip(o.Runtime), &t.bound)
	if v, lacked := project.Constant(o.Constants, t.by.By); lacked && t.walk.union != nil {
		return t.unordered(ctx, x.file, o, v)
	}
	return x.file.TopRows(ctx, t.by, o)
}

// unordered returns the first rows of a file that lacks the column of the order, which is v in each.
func (t *top) unordered(ctx context.Context, f *scanner.File, o scanner.Options, v vector.Scalar) (rows []scanner.Ranked, err error) {
	if o.Offset, o.Limit, o.Limited = 0, int64(t.ranking.Most), t.ranking.Most < math.MaxInt; !o.Limited {
		o.Limit = 0
	}
	passing, err := f.Passing(ctx, o)
	for group, ranges := range passing {
		for _, r := range ranges {
			for row := r.From; row < r.To && len(rows) < t.ranking.Most; row++ {
				rows = append(rows, scanner.Ranked{RowGroup: group, Row: row, Key: v})
			}
		}
	}
	return rows, err
}

// add ranks the first rows of a file among those found so far, which are of files before it.
func (t *top) add(of *opened, rows []scanner.Ranked) error {
	if len(rows) == 0 {
		return nil
	}
	f := of.file
	t.ranked[of.index] = rankedFile{of.opts, fetch.IdentityOf(f.Source())}
	x, typ := &t.ranking, t.walk.typeOf(t.by.By, rows[0].Key.Type())
	convert, ok := project.ConversionOf(rows[0].Key.Type(), typ)
	if x.Column.Leaf == nil {
		leaf := &schema.Node{Name: t.by.By, Kind: schema.Leaf, Type: typ}
		x.Column, x.Path = pageindex.ColumnOf(leaf, thrift.OrderOfType), t.by.By
	}
	if was := x.Column.Leaf.Type; was != typ || !ok {
		return wrap(f.Name(), t.by.By, errors.New("values of type "+rows[0].Key.Type().String()+" have no order with those of files before it, which are "+was.String()))
	}
	for _, r := range rows {
		one, err := convert.Scalar(r.Key)
		if err == nil {
			err = x.Take(of.index, r.RowGroup, []int64{r.Row}, one)
		}
		if err != nil {
			return wrap(f.Name(), t.by.By, err)
		}
	}
	x.Cut()
	if e := x.InFront(); e != nil {
		if _, err := compile.Bind(e, f.Schema(), nil); err == nil { // else no literal can express the value
			t.bound.Publish(e)
		}
	}
	return nil
}

// read reopens files, and returns the given rows of them.
func (t *top) read(files []rank.FileRows) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		q := t.files.queue(t.walk.ctx, func(ctx context.Context) func() (*opened, error) {
			if len(files) == 0 {
				return nil
			}
			of := files[0]
			files = files[1:]
			return func() (*opened, error) { return t.reopen(ctx, of) }
		})
		defer func() { q.end() }()
		var err error
		if t.walk.readAhead > 0 { // several at the same time
			err = newAhead(q, t.walk.readAhead).scan((*ahead).share, yield)
		} else {
			err = q.each(func(x *opened) error {
				return x.scan(t.walk.ctx, func(b *vector.Batch) bool { return yield(b, nil) })
			})
		}
		if err != nil && err != errStop {
			yield(nil, err)
		}
	}
}

// reopen opens a file again, with options for a scan of some rows.
func (t *top) reopen(ctx context.Context, of rank.FileRows) (*opened, error) {
	f, err := t.files.file(ctx, t.files.names[of.File])
	if err != nil {
		return nil, err
	}
	was := t.ranked[of.File]
	if !fetch.IdentityOf(f.Source()).Same(was.identity) {
		f.Close()
		return nil, wrap(f.Name(), "", scanner.ErrChanged)
	}
	o := was.opts
	o.Rows, o.Filter, o.Runtime, o.Offset, o.Limit, o.Limited = of.Rows, nil, nil, 0, 0, false
	return &opened{file: f, opts: o, index: of.File}, nil
}
