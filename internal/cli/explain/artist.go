package explain

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/picture"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// Artist collects what a scan tells about itself, and draws it.
type Artist struct {
	explanation *Explanation
	mu          sync.Mutex // for what the goroutines of a scan tell at the same time
	Picture     picture.Picture
	lists       map[chunkKey]pageList // of a picture that is drawn before a scan, too; nil: it is drawn once
	reports     map[chunkKey]*chunkReports
	start       time.Time
	groups      map[[2]int64]time.Time // row groups that have begun, by number and first row
}

type chunkKey struct{ rowGroup, leaf int }

// NewArtist returns an artist who draws before a scan, and again after it.
func NewArtist(e *Explanation) *Artist {
	return &Artist{explanation: e, lists: map[chunkKey]pageList{}}
}

// pageList is the pages of a chunk before a scan, and what is wrong with the others.
type pageList struct {
	pages []picture.Page
	err   error
}

// chunkReports are what the scan reported of a chunk's pages, by number.
type chunkReports struct {
	pages map[int]scanner.PageReport
	rest  scanner.Reason // of the others, if other is set
	other bool
}

// touched reports whether the scan has read a page of the chunk.
func (r *chunkReports) touched() bool {
	if r != nil {
		for _, p := range r.pages {
			if p.Fate != scanner.Unread {
				return true
			}
		}
	}
	return false
}

// Watch makes a scan with o report to the artist, too.
func (a *Artist) Watch(o *scanner.Options) {
	a.reports, a.groups, a.start = map[chunkKey]*chunkReports{}, map[[2]int64]time.Time{}, time.Now()
	pages, trace := o.Pages, o.Trace
	o.Pages = func(p scanner.PageReport) {
		if a.page(p); pages != nil {
			pages(p)
		}
	}
	o.Trace = func(e scanner.Event) {
		if a.event(e); trace != nil {
			trace(e)
		}
	}
}

func (a *Artist) page(p scanner.PageReport) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := chunkKey{p.RowGroup, p.Leaf.FirstLeaf}
	c := a.reports[at]
	if c == nil {
		c = &chunkReports{pages: map[int]scanner.PageReport{}}
		a.reports[at] = c
	}
	if p.Page == scanner.OtherPages {
		c.rest, c.other = p.Why, true
		return
	}
	c.pages[p.Page] = p
}

func (a *Artist) event(e scanner.Event) {
	const most = 2000 // spans that are drawn
	a.mu.Lock()
	defer a.mu.Unlock()
	since := func(t time.Time) float64 { return float64(t.Sub(a.start).Microseconds()) / 1000 }
	now, at := time.Now(), [2]int64{int64(e.RowGroup), e.FirstRow}
	span := picture.Span{Start: since(now.Add(-e.Duration)), End: since(now)}
	switch e.Kind {
	case scanner.RowGroupBegins:
		a.groups[at] = now
		return
	case scanner.RowGroupEnds:
		span.Start, span.Text = since(a.groups[at]), "row group "+strconv.Itoa(e.RowGroup)
	case scanner.Requested:
		span.Text, span.Request, span.Bytes = table.Plural(e.Ranges, "range")+", "+table.Size(e.Bytes), true, e.Bytes
	default:
		return
	}
	if len(a.Picture.Spans) < most {
		a.Picture.Spans = append(a.Picture.Spans, span)
	}
}

// Draw draws what is known so far: all, when the scan has ended.
func (a *Artist) Draw(ctx context.Context, stats *scanner.Stats) error {
	e, p := a.explanation, &a.Picture
	f := e.File
	p.File, p.Size, p.Where, p.Returned = f.Name(), f.Source().Size(), e.plan.Filter, stats.Rows
	p.Rows, p.MayPass = e.sums()
	p.Groups, p.Conditions, p.Columns, p.Notes = nil, nil, nil, nil
	row := int64(0)
	mayPass := map[int]int64{} // by row group
	for i := range e.plan.Groups {
		mayPass[e.plan.Groups[i].RowGroup] = e.plan.Groups[i].Rows.Len()
	}
	for i := range f.Footer().RowGroups {
		n := f.Footer().RowGroups[i].NumRows
		p.Groups = append(p.Groups, picture.Group{Row: row, Rows: n, MayPass: mayPass[i]})
		row += n
	}
	p.Rows = row
	for i := range e.plan.Groups {
		for _, t := range e.plan.Groups[i].Tests {
			p.AddTest(t.Test, t.Column, t.None, t.All, p.Groups[e.plan.Groups[i].RowGroup].Row)
		}
	}
	for _, t := range stats.Tests {
		if c := p.Condition(t.Condition); c != nil {
			c.Tested, c.Passed, c.Milliseconds = t.In, t.Out, float64(t.Time.Microseconds())/1000
		}
	}
	use := map[int]string{} // of a scan that has not begun, as the query says
	if len(stats.Columns) == 0 {
		for leaf, node := range f.Schema().Leaves() {
			use[leaf] = e.use(node)
		}
	}
	for i := range stats.Columns {
		use[stats.Columns[i].Leaf.FirstLeaf] = e.use(stats.Columns[i].Leaf)
	}
	inChunks := int64(0)
	for leaf, node := range f.Schema().Leaves() {
		c := picture.Column{Name: node.String(), Type: node.Type.String(), Use: use[leaf]}
		for g := range p.Groups {
			chunk, err := f.Chunk(g, leaf)
			if err == nil {
				err = a.chunk(ctx, chunk, &c)
			}
			if fault.IsOutsideFile(err) {
				return err
			}
			if err != nil {
				p.Notes = append(p.Notes, err.Error())
			}
		}
		for i := range c.Pages {
			inChunks += c.Pages[i].Bytes
		}
		p.Columns = append(p.Columns, c)
	}
	p.Metadata = p.Size - inChunks
	return nil
}

// fates are those of pages that were touched.
var fates = [scanner.Fates]picture.Fate{
	scanner.Undecompressed: picture.Header, scanner.RejectedByHeader: picture.Ruled, scanner.RejectedByDictionary: picture.RuledCodes,
	scanner.Undecoded: picture.Unpacked, scanner.Decoded: picture.Decoded,
}

// reasons are the fates of pages that were not.
var reasons = [scanner.Reasons]picture.Fate{
	scanner.Unwanted: picture.Unwanted, scanner.ByStatistics: picture.Statistics, scanner.ByPageIndex: picture.PageIndex, scanner.ByBloom: picture.Bloom,
	scanner.ByDictionary: picture.Codes, scanner.Proven: picture.Proven, scanner.Dropped: picture.Dropped, scanner.NotDataPages: picture.Beside,
}

// FateOf returns what became of a page that a scan tells of.
func FateOf(p scanner.PageReport) picture.Fate {
	if p.Fate == scanner.Unread {
		return reasons[p.Why]
	}
	return fates[p.Fate]
}

// chunk adds the pages of a chunk to its column. After an error the rest of the chunk is
// Between.
func (a *Artist) chunk(ctx context.Context, c *scanner.Chunk, to *picture.Column) error {
	place, _, err := c.Range()
	if err != nil {
		return err
	}
	from := len(to.Pages)
	at := chunkKey{c.RowGroup, c.Leaf.FirstLeaf}
	list, listed := a.lists[at]
	if !listed {
		list.pages, list.err = a.pagesOf(ctx, c)
		if a.lists != nil && (len(list.pages) != 1 || list.pages[0].Number != picture.WholeChunk) {
			a.lists[at] = list
		}
	}
	to.Pages = append(to.Pages, list.pages...)
	left := place.Len
	r := a.reports[at]
	for i := from; i < len(to.Pages); i++ {
		p := &to.Pages[i]
		number := p.Number
		if p.Kind == picture.Dictionary {
			number = scanner.DictionaryPage
		}
		p.Fate = a.fate(r, p.Kind, number)
		if r != nil && p.Kind != picture.Between {
			if report, ok := r.pages[number]; ok {
				p.Bytes = report.Bytes
			}
		}
		p.Bytes = min(p.Bytes, left)
		left -= p.Bytes
	}
	if left > 0 {
		g := a.Picture.Groups[c.RowGroup]
		to.Pages = append(to.Pages, picture.Page{
			Kind: picture.Between, Fate: a.fate(r, picture.Between, 0), Group: c.RowGroup, Row: g.Row, Rows: g.Rows, Offset: place.Off, Bytes: left, Nulls: -1,
		})
	}
	return list.err
}

// fate returns what became of a page of a chunk with reports r.
func (a *Artist) fate(r *chunkReports, kind picture.Kind, number int) picture.Fate {
	if r == nil {
		return picture.NotAsked
	}
	if kind != picture.Between {
		if report, ok := r.pages[number]; ok {
			return FateOf(report)
		}
	}
	if kind != picture.Data && !(r.other && len(r.pages) == 0) {
		return picture.Beside
	}
	return reasons[r.rest]
}

// pagesOf lists the pages of a chunk: by its offset index, or by their headers.
func (a *Artist) pagesOf(ctx context.Context, c *scanner.Chunk) (list []picture.Page, err error) {
	f, group := a.explanation.File, a.Picture.Groups[c.RowGroup]
	b := chunks.BoundsOf(f, c)
	x := chunks.Indexes{Rows: group.Rows}
	if x.Offset, err = rawmeta.OffsetIndex(ctx, f.File, c); fault.IsOutsideFile(err) {
		return nil, err
	}
	indexed := err == nil && chunks.ValidOffsets(f, c, x.Offset) && len(x.Offset.Pages) > 0
	switch place, _, _ := c.Range(); {
	case indexed:
	case a.lists == nil || a.reports[chunkKey{c.RowGroup, c.Leaf.FirstLeaf}].touched():
		return a.walked(ctx, c, b)
	default: // headers lie all over the chunk, of which nothing else is read
		return []picture.Page{{Number: picture.WholeChunk, Group: c.RowGroup, Row: group.Row, Rows: group.Rows, Offset: place.Off, Bytes: place.Len, Nulls: -1}}, nil
	}
	if x.Column, err = rawmeta.ColumnIndex(ctx, f.File, c); fault.IsOutsideFile(err) {
		return nil, err
	}
	if err != nil || x.Column != nil && b.Column.CheckIndex(x.Column, x.Offset, x.Rows) != nil {
		x.Column = nil
	}
	place, _, _ := c.Range()
	if first := x.Offset.Pages[0].Offset; first > place.Off {
		kind := picture.Between
		if slices.ContainsFunc(c.Meta.Encodings, thrift.Encoding.IsDictionary) {
			kind = picture.Dictionary
		}
		list = append(list, picture.Page{Kind: kind, Group: c.RowGroup, Row: group.Row, Rows: group.Rows, Offset: place.Off, Bytes: first - place.Off, Nulls: -1})
	}
	for i, p := range x.Offset.Pages {
		shown := picture.Page{Group: c.RowGroup, Number: i, Row: group.Row + p.FirstRow, Rows: x.RowsOf(i), Offset: p.Offset, Bytes: int64(p.CompressedSize), Nulls: -1}
		if x.Column != nil {
			if n, ok := chunks.At(x.Column.NullCounts, i); ok {
				shown.Nulls = n
			}
			if !x.Column.NullPages[i] && b.Column.Page(x.Column, i).Why == pageindex.Usable {
				shown.Min, shown.Max = short(b, x.Column.MinValues[i]), short(b, x.Column.MaxValues[i])
			}
		}
		list = append(list, shown)
	}
	return list, nil
}

// short returns a bound as text that fits beside a page.
func short(b *chunks.Bounds, v []byte) string {
	const most = 60
	return table.First(b.Valuer.Text(v), most)
}

// walked lists the pages of a chunk by their headers. Rows are guessed where headers do not
// tell them.
func (a *Artist) walked(ctx context.Context, c *scanner.Chunk, b *chunks.Bounds) (list []picture.Page, err error) {
	b.OfPages = true
	group := a.Picture.Groups[c.RowGroup]
	count := chunks.NewRowCounter(ctx, a.explanation.File, c)
	row, values := int64(0), int64(0)
	for p, err := range chunks.Pages(ctx, a.explanation.File, c) {
		if err != nil {
			return list, err
		}
		shown := picture.Page{Kind: picture.Between, Group: c.RowGroup, Row: group.Row, Rows: group.Rows, Offset: p.Offset, Bytes: int64(p.HeaderSize) + int64(p.CompressedSize), Nulls: -1}
		switch {
		case p.Number >= 0:
			shown.Kind, shown.Number = picture.Data, p.Number
			values += int64(p.NumValues)
			rows, known := count.Of(p)
			if !known {
				end := group.Rows
				if all := c.Meta.NumValues; all > 0 && values < all {
					end = int64(float64(values) / float64(all) * float64(group.Rows))
				}
				rows, shown.Guessed = end-row, true
			}
			rows = min(max(rows, 0), group.Rows-row) // whatever the header says
			shown.Row, shown.Rows = group.Row+row, rows
			row += rows
			if n, ok := chunks.NullsOf(c, p); ok {
				shown.Nulls = n
			}
			if low, high, _ := chunks.BoundBytes(&p.Statistics); p.HasStatistics && low != nil && high != nil && b.Reason(&p.Statistics, int64(p.NumValues)) == pageindex.Usable {
				shown.Min, shown.Max = short(b, low), short(b, high)
			}
		case p.Type == thrift.DictionaryPage:
			shown.Kind = picture.Dictionary
		}
		list = append(list, shown)
	}
	return list, nil
}

// write writes the picture to the file that --picture names.
func (a *Artist) write(ctx context.Context, name string, stdout *os.File) error {
	write := a.Picture.HTML
	if strings.HasSuffix(strings.ToLower(name), ".svg") {
		write = a.Picture.SVG
	}
	to, err := output.Create(ctx, name, stdout)
	if err != nil {
		return err
	}
	err = write(to)
	return errors.Join(err, to.Finish(err == nil))
}
