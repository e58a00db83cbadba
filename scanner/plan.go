package scanner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/rowfilter"
)

// Plan holds what a file's metadata prove about a scan: which rows of which row
// groups may pass its filter, and for which rows a test is not needed. It is a value:
// it can be printed, compared, stored as JSON, and given to later scans of the
// same file with the same Filter, Rows and Split. These then read no metadata
// but the footer. Scans do not change it.
type Plan struct {
	File   Identity
	Filter string `json:",omitempty"` // as text; all functions look the same, and prove nothing
	Groups []GroupPlan
}

// Identity identifies a state of a file by what its source states, and by its footer.
type Identity struct {
	fetch.Identity
	Footer uint64 // a hash of its bytes
}

// GroupPlan is the plan for a row group with wanted rows.
type GroupPlan struct {
	RowGroup int
	Rows     vector.Ranges // that may pass

	// How many rows cannot pass, by the metadata that prove it: chunk statistics,
	// the page index, Bloom filters.
	ByStatistics, ByPageIndex, ByBloom int64

	Tests   []TestPlan    `json:",omitempty"` // of the filter's tests of single columns, in the filter's order
	Invalid []InvalidPart `json:",omitempty"`
}

// reason returns the kind of metadata that rules out most rows.
func (g *GroupPlan) reason() Reason {
	switch most := max(g.ByStatistics, g.ByPageIndex, g.ByBloom); most {
	case g.ByStatistics:
		return ByStatistics
	case g.ByPageIndex:
		return ByPageIndex
	}
	return ByBloom
}

// TestPlan holds what metadata prove about one test.
type TestPlan struct {
	Column, Test string
	None, All    vector.Ranges // rows that do not pass the test, and rows that do
}

// InvalidPart is a part of the metadata that contradicts itself and is not used.
type InvalidPart struct {
	Column, Part, Error string
}

// ErrPlan is matched by the error of a scan whose Plan was made for another scan or file.
var ErrPlan = errors.New("plan is for another scan")

// Identity returns the file's identity when it was opened. Scans and plans return
// ErrChanged if its source has another one when they have read a row group, and scans of local
// files if it has one before a batch is handed out.
func (f *File) Identity() Identity { return Identity{f.identity, bloom.Hash(f.footerBytes)} }

// Plan reads the metadata that a scan with options o would read, and returns what they
// prove. Runtime filters are ignored. Without a filter every wanted row may pass. Stats, Log
// and Trace are told nothing.
func (f *File) Plan(ctx context.Context, o Options) (*Plan, error) {
	p := &Plan{File: f.Identity(), Filter: filterText(&o)}
	err := f.eachJudged(ctx, o, func(i int, rows vector.Ranges, j *pageindex.Judge, root *compile.Node) error {
		g := GroupPlan{RowGroup: i, Rows: rows}
		if j != nil {
			g = planOf(j, i, root)
		}
		p.Groups = append(p.Groups, g)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// eachJudged calls do with the wanted rows of each row group and, if there is a filter, a Judge that
// has all metadata it needs and the program's root. It ignores Plan and runtime filters: a later scan may have others.
func (f *File) eachJudged(ctx context.Context, o Options, do func(i int, rows vector.Ranges, j *pageindex.Judge, root *compile.Node) error) error {
	o.Plan, o.Runtime = nil, nil
	o.Stats, o.Log, o.Trace = nil, nil, nil
	o.noColumns = o.Select == nil && o.Want == nil && o.Unnest == "" // all columns: there is nothing to check about them
	s, err := f.newScan(ctx, o)
	if err != nil {
		return err
	}
	for i, rows := range s.rows {
		if len(rows) == 0 {
			continue
		}
		var j *pageindex.Judge
		var root *compile.Node
		err := f.checkGroup(i)
		if err == nil && s.filter != nil {
			root = s.filter.Program().Root
			j, err = s.filter.Judge(i, rows)
			err = f.unchanged(i, err)
		}
		if err == nil {
			err = do(i, rows, j, root)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Parts divides the plan into at most n parts of whole row groups, with about as many rows
// each. Each part is a Plan, which can be stored and sent to another process: a scan with
// it reads the rows of the part. Together the parts have each row once. An n below 1
// counts as 1.
func (p *Plan) Parts(n int) []*Plan {
	total := int64(0)
	for i := range p.Groups {
		total += p.Groups[i].Rows.Len()
	}
	var parts []*Plan
	rows := int64(0) // of the groups that parts already have
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

// planOf returns the proofs of a judge that has all the metadata that it needs.
func planOf(j *pageindex.Judge, rowGroup int, root *compile.Node) GroupPlan {
	pruned := j.Pruned()
	g := GroupPlan{
		RowGroup: rowGroup, Rows: j.Rows(),
		ByStatistics: pruned.Statistics, ByPageIndex: pruned.PageIndex, ByBloom: pruned.Bloom,
	}
	rowfilter.Tests(root, func(n *compile.Node) {
		t := TestPlan{Column: n.Test.Leaf.String(), Test: n.Test.String()}
		t.None, t.All = j.Of(n)
		g.Tests = append(g.Tests, t)
	})
	for _, x := range pruned.Invalid {
		g.Invalid = append(g.Invalid, InvalidPart{x.Leaf.String(), x.Part.String(), x.Err.Error()})
	}
	return g
}

// proofs returns the plan's proofs about the filter's tests.
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

// filterText returns the text of a filter for Plan.Filter, with a hash of its keys, which the
// text of a filter leaves out. JSON cannot hold bytes that are not UTF-8, so a text with
// such bytes is escaped, to a form that no filter's text has.
func filterText(o *Options) string {
	if o.Filter == nil {
		return ""
	}
	text := o.Filter.String()
	if keys := compile.EncodedKeys(o.Filter); len(keys) > 0 {
		text += " #" + strconv.FormatUint(bloom.Hash(keys), 16)
	}
	if !utf8.ValidString(text) {
		return "text " + strconv.Quote(text)
	}
	return text
}

// check returns an error unless p was made for a scan of f with o's Filter.
func (p *Plan) check(f *File, o *Options) error {
	text := filterText(o)
	switch {
	case p.File.Footer != bloom.Hash(f.footerBytes), !p.File.Same(f.identity):
		return f.wrap(-1, "", -1, fmt.Errorf("%w: the file is not the one that it was made for", ErrPlan))
	case p.Filter != text:
		return f.wrap(-1, "", -1, fmt.Errorf("%w: its filter is %q", ErrPlan, p.Filter))
	}
	for i := range p.Groups {
		if g := &p.Groups[i]; g.RowGroup < 0 || g.RowGroup >= len(f.footer.RowGroups) {
			return f.wrap(-1, "", -1, fmt.Errorf("%w: it has row group %d", ErrPlan, g.RowGroup))
		}
	}
	return nil
}

// group returns the plan of row group i, nil if there is none.
func (p *Plan) group(i int) *GroupPlan {
	for k := range p.Groups {
		if p.Groups[k].RowGroup == i {
			return &p.Groups[k]
		}
	}
	return nil
}

// owns reports whether o.Split contains the middle byte of a row group's pages. So splits
// that cover each byte of the file once own each row group once.
func (f *File) owns(o *Options, rowGroup int) (bool, error) {
	if o.Split == (fetch.Range{}) {
		return true, nil
	}
	first, end := f.footerStart, int64(0)
	var c Chunk
	for leaf := range f.schema.Leaves() {
		if err := c.readEntry(f, rowGroup, leaf); err != nil {
			return false, err
		}
		r := c.extent()
		first, end = min(first, r.Off), max(end, r.End())
	}
	middle := min(max(first+(max(end, first)-first)/2, 0), f.src.Size()-1)
	return o.Split.Off <= middle && middle < o.Split.End(), nil
}

// extent returns the range that the footer claims for a chunk, clipped to the file.
func (c *Chunk) extent() fetch.Range {
	start, size := pageindex.PagesStart(&c.Meta), c.Meta.CompressedSize
	if !c.HasMeta { // it is encrypted by itself
		start, size = c.file.footer.RowGroups[c.RowGroup].FileOffset, c.file.footer.RowGroups[c.RowGroup].TotalCompressedSize
	}
	off := min(max(start, 0), c.file.footerStart)
	return fetch.Range{Off: off, Len: min(max(size, 0), c.file.footerStart-off)}
}

// rows returns the wanted rows of each row group in o.Split: those of o.Rows, without
// the first Offset of them, and at most Limit.
func (f *File) rows(o *Options) (vector.RowSet, error) {
	set := make(vector.RowSet, len(f.footer.RowGroups))
	var all vector.Ranges // row groups of as many rows share it
	offset, left := o.Offset, o.Limit
	for i := range set {
		n := f.footer.RowGroups[i].NumRows
		owned, err := f.owns(o, i)
		if err != nil {
			return nil, err
		}
		if !owned {
			continue
		}
		if all.Len() != n {
			all = vector.All(n)
		}
		rows := all
		if o.Rows != nil {
			rows = o.Rows.Of(i).Clip(0, n)
		}
		if offset > 0 {
			skip := min(offset, rows.Len())
			rows = rows.Skip(skip)
			offset -= skip
		}
		if o.limited() {
			rows = rows.First(left)
			left -= rows.Len()
		}
		set[i] = rows
	}
	return set, nil
}
