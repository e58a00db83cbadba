package scanner

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/rowfilter"
)

// Plan is what a file's metadata prove about a scan: which rows of which row
// groups may pass its filter, and where tests need not be asked. It is a value:
// it can be printed, compared, stored as JSON, and handed to later scans of the
// same file with the same Filter, Rows and Split, which then read no metadata
// but the footer.
type Plan struct {
	File   Identity
	Filter string `json:",omitempty"` // as text; functions in it have no text that tells them apart
	Groups []GroupPlan
}

// Identity tells one file, or state of a file, from another.
type Identity struct {
	Size   int64
	Footer uint64 // a hash of its bytes
}

// GroupPlan is the plan for a row group that is wanted.
type GroupPlan struct {
	RowGroup int
	Rows     vector.Ranges // that may pass

	// Rows that cannot pass, by what proves it: chunk statistics, the page
	// index, Bloom filters.
	ByStatistics, ByPageIndex, ByBloom int64

	Tests   []TestPlan    `json:",omitempty"` // of the filter's tests of single columns, in their order
	Invalid []InvalidPart `json:",omitempty"`
}

// reason returns what most of the rows that cannot pass are proven away by.
func (g *GroupPlan) reason() Reason {
	switch most := max(g.ByStatistics, g.ByPageIndex, g.ByBloom); most {
	case g.ByStatistics:
		return ByStatistics
	case g.ByPageIndex:
		return ByPageIndex
	}
	return ByBloom
}

// TestPlan is what is proven about one test.
type TestPlan struct {
	Column, Test string
	None, All    vector.Ranges // rows that do not pass it, that do
}

// InvalidPart is metadata that contradict themselves, and are not used.
type InvalidPart struct {
	Column, Part, Error string
}

// ErrPlan is matched by the error about a Plan that is not the scan's.
var ErrPlan = errors.New("plan is for another scan")

// Identity returns what tells the file from others.
func (f *File) Identity() Identity {
	return Identity{f.src.Size(), bloom.Hash(f.footerBytes)}
}

// Plan reads the metadata that a scan with options o would look at, and
// returns what it makes of them, Runtime filters left out. Without a filter every wanted row may pass.
func (f *File) Plan(ctx context.Context, o Options) (*Plan, error) {
	o.Plan, o.Runtime = nil, nil // a later scan may not have these
	s, err := f.newScan(ctx, o)
	if err != nil {
		return nil, err
	}
	p := &Plan{File: f.Identity()}
	p.Filter = filterText(&o)
	for i, rows := range s.rows {
		if len(rows) == 0 {
			continue
		}
		if err := f.checkGroup(i); err != nil {
			return nil, err
		}
		g := GroupPlan{RowGroup: i, Rows: rows}
		if s.filter != nil {
			j, err := s.filter.Judge(i, rows)
			if err != nil {
				return nil, err
			}
			g = planOf(j, i, s.filter.Program())
		}
		p.Groups = append(p.Groups, g)
	}
	return p, nil
}

// Parts cuts the plan into at most n parts with about as many rows each, of whole row
// groups. Each is a Plan of its own, which can be stored and sent to another process: a
// scan with it reads the rows of its part, and all parts together have each row once. An
// n below 1 counts as 1.
func (p *Plan) Parts(n int) []*Plan {
	total := int64(0)
	for i := range p.Groups {
		total += p.Groups[i].Rows.Len()
	}
	var parts []*Plan
	rows := int64(0) // of the groups that are in parts
	n = max(min(n, len(p.Groups)), 1)
	for _, g := range p.Groups {
		if g.Rows.Len() == 0 {
			continue
		}
		// A group belongs where its middle lies, so that parts come out even.
		at := int((2*rows + g.Rows.Len()) * int64(n) / (2 * total))
		if len(parts) <= at {
			parts = append(parts, make([]*Plan, at+1-len(parts))...)
		}
		if parts[at] == nil {
			parts[at] = &Plan{File: p.File, Filter: p.Filter}
		}
		parts[at].Groups = append(parts[at].Groups, g)
		rows += g.Rows.Len()
	}
	return slices.DeleteFunc(parts, func(p *Plan) bool { return p == nil })
}

// planOf returns what j found, which has looked at all that it needs.
func planOf(j *pageindex.Judge, rowGroup int, program *filter.Program) GroupPlan {
	pruned := j.Pruned()
	g := GroupPlan{
		RowGroup: rowGroup, Rows: j.Rows(),
		ByStatistics: pruned.Statistics, ByPageIndex: pruned.PageIndex, ByBloom: pruned.Bloom,
	}
	rowfilter.Tests(program.Root, func(n *filter.Node) {
		t := TestPlan{Column: n.Test.Leaf.String(), Test: n.Test.String()}
		t.None, t.All = j.Of(n)
		g.Tests = append(g.Tests, t)
	})
	for _, x := range pruned.Invalid {
		g.Invalid = append(g.Invalid, InvalidPart{x.Leaf.String(), x.Part.String(), x.Err.Error()})
	}
	return g
}

// proofs returns what the plan says about the filter's tests.
func (g *GroupPlan) proofs() []rowfilter.Proof {
	if g == nil {
		return nil
	}
	proofs := make([]rowfilter.Proof, len(g.Tests))
	for i, t := range g.Tests {
		proofs[i] = rowfilter.Proof{None: t.None, All: t.All}
	}
	return proofs
}

// filterText returns what a Plan has as its Filter. JSON does not bear bytes
// that are not UTF-8, so these come as escapes in a text that no filter has.
func filterText(o *Options) string {
	if o.Filter == nil {
		return ""
	}
	text := o.Filter.String()
	if !utf8.ValidString(text) {
		return "text " + strconv.Quote(text)
	}
	return text
}

// check returns an error unless p was made for such a scan of f.
func (p *Plan) check(f *File, o *Options) error {
	text := filterText(o)
	switch {
	case p.File != f.Identity():
		return f.wrap(-1, "", -1, planError("the file is not the one that it was made for"))
	case p.Filter != text:
		return f.wrap(-1, "", -1, planError("its filter is "+strconv.Quote(p.Filter)))
	}
	for i := range p.Groups {
		if g := &p.Groups[i]; g.RowGroup < 0 || g.RowGroup >= len(f.footer.RowGroups) {
			return f.wrap(-1, "", -1, planError("it has row group "+strconv.Itoa(g.RowGroup)))
		}
	}
	return nil
}

type planError string

func (e planError) Error() string        { return ErrPlan.Error() + ": " + string(e) }
func (e planError) Is(target error) bool { return target == ErrPlan }

// group returns the plan of a row group, nil if it has none.
func (p *Plan) group(i int) *GroupPlan {
	for k := range p.Groups {
		if p.Groups[k].RowGroup == i {
			return &p.Groups[k]
		}
	}
	return nil
}

// owns reports whether the split that o names has a row group: whether it holds
// the byte in the middle of the row group's pages. So each row group is owned
// once by any splits that cover the file once.
func (f *File) owns(o *Options, rowGroup int) (bool, error) {
	if o.Split == (fetch.Range{}) {
		return true, nil
	}
	first, end := f.footerStart, int64(0)
	for leaf := range f.schema.Leaves() {
		c, err := f.Chunk(rowGroup, leaf)
		if err != nil {
			return false, err
		}
		r := c.extent()
		first, end = min(first, r.Off), max(end, r.End())
	}
	middle := min(max(first+(max(end, first)-first)/2, 0), f.src.Size()-1)
	return o.Split.Off <= middle && middle < o.Split.End(), nil
}

// extent returns where a chunk claims to lie, whatever of that is wrong.
func (c *Chunk) extent() fetch.Range {
	m := &c.Meta
	r := fetch.Range{Off: m.DataPageOffset, Len: max(m.CompressedSize, 0)}
	if m.HasDictionaryOffset && m.DictionaryOffset > 0 && m.DictionaryOffset < r.Off {
		r.Off = m.DictionaryOffset
	}
	r.Off = min(max(r.Off, 0), c.file.footerStart)
	r.Len = min(r.Len, c.file.footerStart-r.Off)
	return r
}
