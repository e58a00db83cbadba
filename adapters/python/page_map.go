package main

import (
	"context"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/cli/picture"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
)

// pageMap draws which pages of a file a plan rules out, as SVG. It reads the offset indexes of
// columns that the scan uses, and no page: a chunk without an index is drawn as one page.
func pageMap(ctx context.Context, f *scanner.File, paths []string, o scanner.Options, plan *scanner.Plan) (string, error) {
	p := &picture.Picture{File: f.Name(), Size: plan.File.Size, Where: plan.Filter, Returned: picture.NotRun}
	planned := make([]*scanner.GroupPlan, len(f.Footer().RowGroups)) // nil: nothing of the row group is wanted
	for i := range plan.Groups {
		planned[plan.Groups[i].RowGroup] = &plan.Groups[i]
	}
	for i := range f.Footer().RowGroups {
		g := picture.Group{Row: p.Rows, Rows: f.Footer().RowGroups[i].NumRows}
		if planned[i] != nil {
			for _, t := range planned[i].Tests {
				p.AddTest(t.Test, t.Column, t.None, t.All, g.Row)
			}
			p.MayPass += planned[i].Rows.Len()
		}
		p.Groups = append(p.Groups, g)
		p.Rows += g.Rows
	}
	used := usedLeaves(f, paths, o)
	for leaf, node := range f.Schema().Leaves() {
		if !used[leaf] {
			continue
		}
		c := picture.Column{Name: node.String(), Use: "used"}
		for i := range p.Groups {
			pages, err := plannedPages(ctx, f, i, leaf, &p.Groups[i], planned[i])
			if err != nil {
				return "", err
			}
			c.Pages = append(c.Pages, pages...)
		}
		p.Columns = append(p.Columns, c)
	}
	var svg strings.Builder
	err := p.SVG(&svg)
	return svg.String(), err
}

// usedLeaves reports which leaves a scan returns, of these paths or all if there are none, or tests.
func usedLeaves(f *scanner.File, paths []string, o scanner.Options) []bool {
	used := slices.Repeat([]bool{len(paths) == 0}, len(f.Schema().Leaves()))
	for _, path := range paths {
		if node, err := f.Schema().Lookup(path); err == nil { // else a column of the file's path
			for leaf := node.FirstLeaf; leaf < node.EndLeaf; leaf++ {
				used[leaf] = true
			}
		}
	}
	if o.Filter == nil {
		return used
	}
	if program, err := compile.Bind(o.Filter, f.Schema(), o.Constants); err == nil {
		for _, node := range program.Leaves() {
			used[node.FirstLeaf] = true
		}
	}
	return used
}

// plannedPages returns the data pages of a chunk, each with what the plan says of its rows.
func plannedPages(ctx context.Context, f *scanner.File, rowGroup, leaf int, g *picture.Group, plan *scanner.GroupPlan) ([]picture.Page, error) {
	c, err := f.Chunk(rowGroup, leaf)
	if err != nil {
		return nil, err
	}
	place, _, err := c.Range()
	if err != nil {
		return nil, err
	}
	fate := func(from, to int64) picture.Fate {
		if plan == nil {
			return picture.Unwanted
		}
		for _, r := range plan.Rows {
			if r.From < to && from < r.To {
				return picture.Open
			}
		}
		switch most := max(plan.ByStatistics, plan.ByPageIndex, plan.ByBloom); most {
		case plan.ByStatistics:
			return picture.Statistics
		case plan.ByPageIndex:
			return picture.PageIndex
		}
		return picture.Bloom
	}
	x, err := rawmeta.OffsetIndex(ctx, f, c)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil || x == nil || len(x.Pages) == 0 || (&pageindex.Chunk{Footer: &c.ColumnChunk}).CheckOffsets(x, g.Rows, f.FooterRange().Off) != nil {
		return []picture.Page{{Fate: fate(0, g.Rows), Group: rowGroup, Number: picture.WholeChunk, Row: g.Row, Rows: g.Rows, Bytes: place.Len, Nulls: -1}}, nil
	}
	pages := make([]picture.Page, len(x.Pages))
	for i, at := range x.Pages {
		from, to := pageindex.PageRows(x.Pages, i, g.Rows)
		pages[i] = picture.Page{Fate: fate(from, to), Group: rowGroup, Number: i, Row: g.Row + from, Rows: to - from, Offset: at.Offset, Bytes: int64(at.CompressedSize), Nulls: -1}
	}
	return pages, nil
}
