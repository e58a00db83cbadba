package explain

import (
	"context"
	"slices"
	"sort"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/cli/advice"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
)

// witness runs a query, and notes what advice needs to know of it.
type witness struct {
	*advice.Query
	explanation *Explanation
	samples     []advice.Packed

	rows, passing int64
	starts        []int64 // of each row group, its first row; the number of rows ends it
	blockRows     int64
	column        map[*schema.Node]int // leaf to Columns
	stats         scanner.Stats
}

// findColumns finds the columns that the query reads.
func (w *witness) findColumns() error {
	e, leaves := w.explanation, w.explanation.File.Schema().Leaves()
	groups := len(e.File.Footer().RowGroups)
	for g := range groups {
		if len(leaves) > 0 { // otherwise a short footer could ask for much memory
			if _, err := e.File.Chunk(g, len(leaves)-1); err != nil {
				return err
			}
		}
	}
	var read []advice.Column
	w.column = map[*schema.Node]int{}
	for _, leaf := range leaves {
		if use := e.use(leaf); use != "" {
			w.column[leaf] = len(read)
			read = append(read, advice.Column{Leaf: leaf, Returned: use != "filter"})
		}
	}
	w.cutBlocks(int64(len(read)))
	for c := range read {
		read[c].Touched, read[c].Chunks, read[c].Bytes = make([]int64, groups), make([]advice.Chunk, groups), make([]float64, len(w.Blocks))
	}
	w.Columns = read
	return nil
}

// cutBlocks cuts the row groups into blocks: a bounded number of them, whatever the
// footer says.
func (w *witness) cutBlocks(columns int64) {
	const rows = 1000
	most := min(max(4_000_000/max(columns, 1), 1000), 50_000)
	w.blockRows = rows * (w.rows/(rows*most) + 1)
	row := int64(0)
	for _, g := range w.explanation.File.Footer().RowGroups {
		w.starts, w.Groups = append(w.starts, row), append(w.Groups, len(w.Blocks))
		for left := g.NumRows; left > 0; left -= w.blockRows {
			w.Blocks = append(w.Blocks, min(left, w.blockRows))
		}
		row += g.NumRows
	}
	w.starts, w.Groups = append(w.starts, row), append(w.Groups, len(w.Blocks))
}

// blockOf returns the block of a row of the file, and the first row behind the block.
func (w *witness) blockOf(row int64) (block int, end int64) {
	g := sort.Search(len(w.starts)-1, func(g int) bool { return w.starts[g+1] > row })
	n := (row - w.starts[g]) / w.blockRows
	return w.Groups[g] + int(n), min(w.starts[g]+(n+1)*w.blockRows, w.starts[g+1])
}

// run runs the query, and counts what it reads of each chunk.
func (w *witness) run(ctx context.Context) error {
	e := w.explanation
	o := e.Options
	o.Stats = &w.stats
	o.Pages = func(p scanner.PageReport) {
		if c, known := w.column[p.Leaf]; known && p.Fate != scanner.Unread {
			w.Columns[c].Touched[p.RowGroup] += p.Bytes
		}
	}
	for b, err := range e.File.Scan(ctx, o) {
		if err != nil {
			return err
		}
		w.passing += int64(b.Len)
		b.Release()
	}
	w.Fetched = w.stats.Metadata
	for i := range w.stats.Columns {
		s := &w.stats.Columns[i]
		w.Fetched += s.Fetched
		if c, known := w.column[s.Leaf]; known { // reading ahead, or of headers alone, is shared out
			touched := w.Columns[c].Touched
			all := int64(0)
			for _, n := range touched {
				all += n
			}
			for g, n := range touched {
				touched[g] = int64(float64(n) / float64(max(all, 1)) * float64(s.Fetched))
			}
		}
	}
	w.FooterGroup = float64(e.File.FooterRange().Len) / float64(max(len(w.Groups)-1, 1))
	return nil
}

// readChunks notes where the bytes of a column lie, and whether all of its chunks have a page index.
func (w *witness) readChunks(ctx context.Context, c *advice.Column) error {
	f := w.explanation.File
	var offsets, columns, indexed int64 // bytes of indexes, and pages that they list
	for g := range c.Chunks {
		chunk, err := f.Chunk(g, c.Leaf.FirstLeaf)
		if err != nil {
			return err
		}
		place, _, err := chunk.Range()
		if err != nil {
			return err
		}
		x, err := rawmeta.OffsetIndex(ctx, f.File, chunk)
		if fault.IsOutsideFile(err) {
			return err
		}
		rows := w.starts[g+1] - w.starts[g]
		valid := err == nil && chunks.ValidOffsets(f, chunk, x) && len(x.Pages) > 0
		first := chunk.Meta.DataPageOffset
		pages := int64(1)
		if valid {
			first, pages = x.Pages[0].Offset, int64(len(x.Pages))
			offsets, columns, indexed = offsets+int64(max(chunk.OffsetIndexLength, 0)), columns+int64(max(chunk.ColumnIndexLength, 0)), indexed+pages
		} else if codes, plain := dictionaryPages(chunk); codes+plain > 0 {
			pages = codes + plain
		}
		first = min(max(first, place.Off), place.End())
		c.Pages += pages
		c.Chunks[g] = advice.Chunk{DataBytes: place.End() - first, Dictionary: first - place.Off, HasBloom: chunk.Meta.HasBloomFilter}
		w.HasPageIndex = w.HasPageIndex && valid && chunk.HasColumnIndex
		if !valid {
			w.spread(c, g, 0, rows, c.Chunks[g].DataBytes, pages)
			continue
		}
		for i, p := range x.Pages {
			from, to := pageindex.PageRows(x.Pages, i, rows)
			w.spread(c, g, from, to, int64(p.CompressedSize), 1)
		}
	}
	c.OffsetEntry, c.ColumnEntry = 12, 2*float64(min(max(c.Leaf.Type.Length, 8), 16))+4 // where the file has none
	if indexed > 0 {
		c.OffsetEntry = float64(offsets) / float64(indexed)
	}
	if columns > 0 {
		c.ColumnEntry = float64(columns) / float64(indexed)
	}
	return nil
}

// spread shares the bytes of some pages out among the blocks of their rows, [from, to) of a
// row group.
func (w *witness) spread(c *advice.Column, group int, from, to, bytes, pages int64) {
	each := max(float64(bytes)-advice.PageHeader*float64(pages), 0) / float64(max(to-from, 1))
	for row := w.starts[group] + from; row < w.starts[group]+to; {
		block, end := w.blockOf(row)
		end = min(end, w.starts[group]+to)
		c.Bytes[block] += each * float64(end-row)
		row = end
	}
}

// maxSteps is the number of steps up to which each is judged by itself. The rest of a longer
// filter is one step.
const maxSteps = 16

// readSteps divides the filter into steps, and notes which rows pass each.
func (w *witness) readSteps(ctx context.Context) error {
	e := w.explanation
	if e.program == nil {
		return nil
	}
	asked := map[string]int64{} // rows, by condition
	for _, t := range w.stats.Tests {
		asked[t.Condition] = t.In
	}
	type step struct {
		expr *filter.Expr
		node *compile.Node
		on   []*schema.Node
	}
	var steps []step
	for _, expr := range e.o.Where.Expr.Conjuncts() {
		program, err := compile.Bind(expr, e.File.Schema(), e.File.Constants())
		if err != nil {
			return err
		}
		on := program.Leaves()
		i := slices.IndexFunc(steps, func(s step) bool { return slices.Equal(s.on, on) })
		if i < 0 && len(steps) == maxSteps {
			i = maxSteps - 1
		}
		if i < 0 {
			steps = append(steps, step{expr, program.Root, on})
			continue
		}
		s := &steps[i]
		s.expr = filter.And(s.expr, expr)
		if program, err = compile.Bind(s.expr, e.File.Schema(), e.File.Constants()); err != nil {
			return err
		}
		s.node, s.on = program.Root, program.Leaves()
	}
	slices.SortStableFunc(steps, func(a, b step) int { // a scan asks a later step of fewer rows
		return int(max(min(asked[b.node.String()]-asked[a.node.String()], 1), -1))
	})
	bounds, err := w.readBounds(ctx)
	if err != nil {
		return err
	}
	var before []*filter.Expr
	for _, s := range steps {
		next := advice.Step{Root: s.node, Bounds: bounds}
		for _, leaf := range s.on {
			next.Columns = append(next.Columns, w.column[leaf])
		}
		before = append(before, s.expr)
		if next.Alone, err = w.rowsOf(ctx, s.expr); err != nil {
			return err
		}
		next.Left = next.Alone
		if len(before) > 1 {
			if next.Left, err = w.rowsOf(ctx, filter.And(before...)); err != nil {
				return err
			}
		}
		if next.Runs() > 1 {
			if next.Span, err = w.span(ctx, s.expr, s.on[0]); err != nil {
				return err
			}
		}
		w.Steps = append(w.Steps, next)
	}
	return nil
}

// span returns how many rows lie between the first and the last that pass a filter, if they
// are sorted by a column.
func (w *witness) span(ctx context.Context, expr *filter.Expr, by *schema.Node) (int64, error) {
	f, o, path := w.explanation.File, w.explanation.Options, schema.FormatPath(by.Path())
	o.Filter, o.Select, o.Dictionaries = expr, nil, nil
	least, err := f.Min(ctx, path, o)
	if err != nil || least.IsNull() {
		return 0, err
	}
	greatest, err := f.Max(ctx, path, o)
	if err != nil {
		return 0, err
	}
	o.Filter = filter.And(filter.Col(path).Ge(least), filter.Col(path).Le(greatest))
	return f.Count(ctx, o)
}

// rowsOf returns how many rows of each block pass a filter.
func (w *witness) rowsOf(ctx context.Context, expr *filter.Expr) ([]int64, error) {
	o := w.explanation.Options
	o.Filter, o.Select, o.Dictionaries, o.RowNumber = expr, []string{}, nil, "row"
	counts := make([]int64, len(w.Blocks))
	for b, err := range w.explanation.File.Scan(ctx, o) {
		if err != nil {
			return nil, err
		}
		block, end := 0, int64(0)
		for _, row := range b.Columns[len(b.Columns)-1].Int64s {
			if row >= end {
				block, end = w.blockOf(row)
			}
			counts[block]++
		}
		b.Release()
	}
	return counts, nil
}

// values calls each with the values of columns of their own, as flat vectors.
func (w *witness) values(ctx context.Context, leaves []*schema.Node, rows vector.RowSet, each func(b *vector.Batch) bool) error {
	o := w.explanation.Options
	o.Filter, o.Dictionaries, o.Select, o.Rows = nil, nil, []string{}, rows
	for _, leaf := range leaves {
		o.Select = append(o.Select, schema.FormatPath(leaf.Path()))
	}
	for b, err := range w.explanation.File.Scan(ctx, o) {
		if err != nil {
			return err
		}
		more := each(b)
		b.Release()
		if !more {
			return nil
		}
	}
	return nil
}

// readBounds returns bounds of all blocks for the columns that conditions test.
func (w *witness) readBounds(ctx context.Context) (map[*schema.Node]*advice.Bounds, error) {
	e := w.explanation
	all := map[*schema.Node]*advice.Bounds{}
	var leaves []*schema.Node
	for _, leaf := range e.program.Leaves() {
		order := pageindex.ColumnOfFile(e.File.Footer(), e.File.Writer(), leaf)
		if !isOwn(leaf) || !order.Ordered() || leaf.Type.Logical == vector.Float16 {
			continue
		}
		all[leaf] = &advice.Bounds{Order: order, Blocks: make([]compile.Bounds, len(w.Blocks))}
		leaves = append(leaves, leaf)
	}
	if len(leaves) == 0 {
		return all, nil
	}
	row := int64(0)
	return all, w.values(ctx, leaves, nil, func(b *vector.Batch) bool {
		for from := 0; from < b.Len; {
			block, end := w.blockOf(row)
			to := min(from+int(end-row), b.Len)
			for i, leaf := range leaves {
				b.Columns[i].Flatten()
				all[leaf].Add(block, b.Columns[i], from, to)
			}
			row, from = row+int64(to-from), to
		}
		return true
	})
}

// isOwn reports whether a leaf is a column by itself.
func isOwn(leaf *schema.Node) bool { return len(leaf.Path()) == 1 && leaf.MaxRep == 0 }
