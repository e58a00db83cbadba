package bench

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
)

// A sweepFile is the file of a cell, the cell's workload, and what this must touch there.
type sweepFile struct {
	workload    Workload
	rows        int
	group, page int // rows of each row group and page
	columns     []*sweepColumn
	data        []byte
	codec       thrift.Codec
	pages       []gen.Span // that must be touched
	values      int64      // that these have, NULLs included
	bytes       int64      // that these have before compression
	result      int64      // bytes of the values that are returned
	cold        int64      // of these, in memory that a scan touches for the first time
}

// A sweepColumn is a column that a cell's workload reads.
type sweepColumn struct {
	name               string
	t                  *sweepType
	encoding           gen.Encoding
	order              string // of the ranks
	nulls              int    // percent
	filtered, returned bool
	distinct           int     // ranks are below it
	ranks              []int32 // of the values by row; -1 is NULL
}

// How many bytes a column of a file has about, and how many rows at least and at most.
const (
	sweepBytes = 8 << 20
	leastRows  = 40_000
	mostRows   = 1_000_000
)

// build writes a cell's file of so many rows, 0 for as many as its type lets be fast.
func (s *sweepSpace) build(c *sweepCell, seed uint64, rows int, path string) (*sweepFile, error) {
	f := &sweepFile{rows: rows, workload: Workload{Name: c.String(), File: path, Project: []string{}}}
	f.group = map[string]int{"group500": 500, "group20000": 20_000}[c[ofGroup]]
	if rows == 0 {
		f.rows = min(max(sweepBytes/s.types[c[ofType]].bytes, leastRows), mostRows)
		if c[ofResult] == "eight" {
			f.rows = max(f.rows/4, leastRows)
		}
		if f.group == 500 {
			f.rows = min(f.rows, mostRows/5)
		}
	}
	if f.group == 0 {
		f.group = f.rows
	}
	f.page = map[string]int{"page1000": 1000, "page20000": 20_000, "pageall": f.group}[c[ofPage]]
	file := gen.File{All: gen.Column{Shape: gen.Shape{CRC: gen.NoCRC}, PageRows: []int{f.page}, Codec: sweepCodec(c[ofCodec])}}
	hash := fnv.New64a()
	fmt.Fprint(hash, c)
	r := rand.New(rand.NewPCG(seed, hash.Sum64()))
	f.columns = s.columns(c)
	for _, col := range f.columns {
		col.draw(f.rows, r)
		file.Schema = append(file.Schema, col.node())
		if col.returned {
			f.workload.Project = append(f.workload.Project, col.name)
		}
	}
	for from := 0; from < f.rows; from += f.group {
		var rg gen.RowGroup
		for _, col := range f.columns {
			rg.Columns = append(rg.Columns, gen.Column{Data: col.data(from, min(from+f.group, f.rows)), Shape: gen.Shape{Encoding: col.encoding}})
		}
		file.RowGroups = append(file.RowGroups, rg)
	}
	written, err := file.Build()
	if err != nil {
		return nil, err
	}
	f.data, f.codec = written.Bytes, thrift.Codec(written.Footer.RowGroups[0].Columns[0].MetaData.Codec)
	passing, passes := f.filter(c[ofPredicate])
	f.plan(written.Pages, passing, passes)
	return f, os.WriteFile(path, f.data, 0o600)
}

// columns returns the columns that a cell's workload reads: v, which the cell describes, w, which is
// the same but scattered, k of few integers, and others.
func (s *sweepSpace) columns(c *sweepCell) []*sweepColumn {
	predicate, eight, scattered := c[ofPredicate], c[ofResult] == "eight", "scattered"
	nulls, _ := strconv.Atoi(strings.TrimPrefix(c[ofNulls], "null"))
	v := sweepColumn{name: "v", t: s.types[c[ofType]], encoding: sweepEncoding(c[ofEncoding]), order: c[ofOrder], nulls: nulls}
	w := v
	v.filtered, v.returned = predicate != "none" && predicate != "eqother", eight || c[ofResult] == "own"
	w.name, w.order, w.returned = "w", scattered, eight || c[ofResult] == "other"
	list := []*sweepColumn{
		&v, &w, {name: "k", t: s.types["int32"], encoding: gen.Dictionary, order: scattered, filtered: predicate == "eqother"},
		{name: "x0", t: s.types["double"], encoding: gen.Plain, order: scattered, returned: eight},
		{name: "x1", t: s.types["int64"], encoding: gen.DeltaBinaryPacked, order: scattered, returned: eight},
		{name: "x2", t: s.types["short"], encoding: gen.Dictionary, order: scattered, returned: eight},
		{name: "x3", t: s.types["date"], encoding: gen.Dictionary, order: scattered, returned: eight},
		{name: "x4", t: s.types["short"], encoding: gen.Plain, order: scattered, returned: eight},
		{name: "x5", t: s.types["decimal9"], encoding: gen.Plain, order: scattered, returned: eight},
	}
	return slices.DeleteFunc(list, func(col *sweepColumn) bool { return !col.filtered && !col.returned })
}

// draw draws the ranks of so many rows.
func (col *sweepColumn) draw(rows int, r *rand.Rand) {
	col.ranks, col.distinct = make([]int32, rows), min(col.t.ranks, rows/4)
	if col.encoding == gen.Dictionary {
		col.distinct = min(col.distinct, 2000)
	}
	for i := range col.ranks {
		rank := i * col.distinct / rows
		switch col.order {
		case "scattered":
			rank = r.IntN(col.distinct)
		case "clustered":
			rank = min(rank+r.IntN(col.distinct/20+1), col.distinct-1)
		}
		if r.IntN(100) < col.nulls {
			rank = -1
		}
		col.ranks[i] = int32(rank)
	}
}

func (col *sweepColumn) node() *gen.Node {
	node := *col.t.node
	if node.Name = col.name; col.nulls > 0 {
		node.Repetition = gen.Maybe
	}
	return &node
}

// data returns the rows from to to of a column.
func (col *sweepColumn) data(from, to int) *gen.Data {
	var d gen.Data
	if col.nulls > 0 {
		for _, r := range col.ranks[from:to] {
			d.Def = append(d.Def, uint32(min(r+1, 1)))
		}
	}
	d.Values = col.t.values(present(col.ranks[from:to])...)
	return &d
}

// present returns the ranks that are not NULL.
func present(ranks []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(ranks), func(r int32) bool { return r < 0 })
}

// filter sets the workload's condition. It returns which rows pass, and which ranks of the column that is
// filtered, nil if bounds of ranks tell nothing of a page.
func (f *sweepFile) filter(predicate string) (passing, passes []bool) {
	passing = slices.Repeat([]bool{true}, f.rows)
	if i := slices.IndexFunc(f.columns, func(col *sweepColumn) bool { return col.filtered }); i >= 0 {
		col := f.columns[i]
		known := slices.Max(col.ranks[f.rows/3 : f.rows/3+100]) // a rank near the first third of the rows
		tree, pass := col.t.condition(predicate, col.name, int(known), col.distinct)
		f.workload.Where = conditionOf(tree)
		passes = fill(col.distinct, pass)
		for row, r := range col.ranks {
			passing[row] = r >= 0 && passes[r]
		}
	}
	rows := int64(count(passing))
	if f.workload.Rows = &rows; predicate == "contains" {
		passes = nil
	}
	return passing, passes
}

func count(list []bool) (n int) {
	for _, x := range list {
		if x {
			n++
		}
	}
	return n
}

// plan adds up the pages that must be touched: those that have values that are returned, those whose
// bounds do not tell whether their values pass, and their dictionaries.
func (f *sweepFile) plan(groups [][][]gen.Span, passing, passes []bool) {
	for g, chunks := range groups {
		first, end := g*f.group, min((g+1)*f.group, f.rows)
		for i, spans := range chunks {
			col, touched := f.columns[i], false
			width := col.t.bytes
			if col.encoding == gen.Dictionary {
				width = min(width, 4) // codes
			}
			data := (end - first + f.page - 1) / f.page
			for k, span := range spans[len(spans)-data:] {
				from, to := first+k*f.page, min(first+(k+1)*f.page, end)
				returned := 0
				if col.returned {
					returned = count(passing[from:to])
				}
				if returned > 0 || col.filtered && undecided(col.ranks[from:to], passes) {
					touched = true
					f.pages = append(f.pages, span)
					f.values += int64(to - from)
					f.result += int64(returned * width)
				}
			}
			if touched && len(spans) > data {
				f.pages = append(f.pages, spans[0]) // the dictionary
			}
		}
	}
	for _, p := range f.pages {
		f.bytes += p.Size
	}
}

// undecided reports whether the bounds of a page's ranks do not tell which of its rows pass.
func undecided(ranks []int32, passes []bool) bool {
	values := present(ranks)
	if len(values) == 0 || passes == nil {
		return len(values) > 0
	}
	within := passes[slices.Min(values) : slices.Max(values)+1]
	return slices.Contains(within, true) && (len(values) < len(ranks) || slices.Contains(within, false))
}
