package bench

import (
	"encoding/json"
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
	node               *gen.Node
	t                  *sweepType
	encoding           gen.Encoding
	ranks              []int32 // of the values by row; -1 is NULL
	distinct           int     // ranks are below it
	filtered, returned bool
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
	hash := fnv.New64a()
	fmt.Fprint(hash, c)
	s.choose(f, c, rand.New(rand.NewPCG(seed, hash.Sum64())))
	file := gen.File{All: gen.Column{PageRows: []int{f.page}, Codec: sweepCodec(c[ofCodec])}}
	for _, col := range f.columns {
		file.Schema = append(file.Schema, col.node)
		if col.returned {
			f.workload.Project = append(f.workload.Project, col.node.Name)
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
	if err == nil {
		f.data, f.codec = written.Bytes, thrift.Codec(written.Footer.RowGroups[0].Columns[0].MetaData.Codec)
		err = f.plan(c[ofPredicate], written.Pages)
	}
	if err == nil {
		err = os.WriteFile(path, f.data, 0o600)
	}
	return f, err
}

// choose sets the columns that a cell's workload reads: v, which the cell describes, w, which is
// the same but scattered, k of few integers, and others.
func (s *sweepSpace) choose(f *sweepFile, c *sweepCell, r *rand.Rand) {
	add := func(name, typeName, encoding, order string, nulls int, filtered, returned bool) {
		t := s.types[typeName]
		node := *t.node
		if node.Name = name; nulls > 0 {
			node.Repetition = gen.Maybe
		}
		col := &sweepColumn{&node, t, sweepEncoding(encoding), make([]int32, f.rows), min(t.ranks, f.rows/4), filtered, returned}
		if col.encoding == gen.Dictionary {
			col.distinct = min(col.distinct, 2000)
		}
		for i := range col.ranks {
			rank := i * col.distinct / f.rows
			switch order {
			case "scattered":
				rank = r.IntN(col.distinct)
			case "clustered":
				rank = min(rank+r.IntN(col.distinct/20+1), col.distinct-1)
			}
			if r.IntN(100) < nulls {
				rank = -1
			}
			col.ranks[i] = int32(rank)
		}
		f.columns = append(f.columns, col)
	}
	result, predicate := c[ofResult], c[ofPredicate]
	nulls, _ := strconv.Atoi(strings.TrimPrefix(c[ofNulls], "null"))
	filtered := predicate != "none" && predicate != "eqother"
	if own := result == "own" || result == "eight"; own || filtered {
		add("v", c[ofType], c[ofEncoding], c[ofOrder], nulls, filtered, own)
	}
	if result == "other" || result == "eight" {
		add("w", c[ofType], c[ofEncoding], "scattered", nulls, false, true)
	}
	if predicate == "eqother" {
		add("k", "int32", "dictionary", "scattered", 0, true, false)
	}
	if result == "eight" {
		for i, x := range [][2]string{{"double", "plain"}, {"int64", "delta"}, {"short", "dictionary"}, {"date", "dictionary"}, {"short", "plain"}, {"decimal9", "plain"}} {
			add(fmt.Sprint("x", i), x[0], x[1], "scattered", 0, false, true)
		}
	}
}

// data returns the rows from to to of a column.
func (col *sweepColumn) data(from, to int) *gen.Data {
	var d gen.Data
	var present []int32
	for _, r := range col.ranks[from:to] {
		if col.node.Repetition == gen.Maybe {
			d.Def = append(d.Def, uint32(min(r+1, 1)))
		}
		if r >= 0 {
			present = append(present, r)
		}
	}
	d.Values = col.t.values(present...)
	return &d
}

// plan sets the workload's condition, and adds up what it must touch of each column chunk's pages.
func (f *sweepFile) plan(predicate string, groups [][][]gen.Span) error {
	passing, upTo := slices.Repeat([]bool{true}, f.rows), []int(nil)
	if i := slices.IndexFunc(f.columns, func(col *sweepColumn) bool { return col.filtered }); i >= 0 {
		col := f.columns[i]
		known := slices.Max(col.ranks[f.rows/3 : f.rows/3+100]) // a rank near the first third of the rows
		tree, passes := col.t.condition(predicate, col.node.Name, int(known), col.distinct)
		upTo = make([]int, col.distinct+1) // how many ranks below one pass
		for r := range col.distinct {
			upTo[r+1] = upTo[r]
			if passes(r) {
				upTo[r+1]++
			}
		}
		for k, r := range col.ranks {
			passing[k] = r >= 0 && upTo[r+1] > upTo[r]
		}
		text, err := json.Marshal(tree)
		if err != nil {
			return err
		}
		f.workload.Where = &Condition{}
		if err := json.Unmarshal(text, f.workload.Where); err != nil {
			return err
		}
	}
	f.workload.Rows = new(int64)
	for _, pass := range passing {
		if pass {
			*f.workload.Rows++
		}
	}
	bounded := predicate != "contains"
	for g, chunks := range groups {
		for i, spans := range chunks {
			touched := len(f.pages)
			from, to := g*f.group, min((g+1)*f.group, f.rows)
			data := (to - from + f.page - 1) / f.page
			for k, span := range spans[len(spans)-data:] {
				f.touch(f.columns[i], span, from+k*f.page, min(from+(k+1)*f.page, to), passing, upTo, bounded)
			}
			if len(f.pages) > touched && len(spans) > data { // the dictionary
				f.pages = append(f.pages, spans[0])
				f.bytes += spans[0].Size
			}
		}
	}
	return nil
}

// touch adds a page, of the rows from to to, if it must be touched: it has values that are
// returned, or its bounds do not tell whether its values pass.
func (f *sweepFile) touch(col *sweepColumn, span gen.Span, from, to int, passing []bool, upTo []int, bounded bool) {
	least, most, nulls, returned := int32(len(upTo)), int32(-1), 0, 0
	for k, r := range col.ranks[from:to] {
		if most = max(most, r); r < 0 {
			nulls++
		} else {
			least = min(least, r)
		}
		if passing[from+k] && col.returned {
			returned++
		}
	}
	tested := col.filtered && most >= 0
	if tested && bounded {
		pass := upTo[most+1] - upTo[least]
		tested = pass > 0 && (nulls > 0 || pass <= int(most-least))
	}
	if !tested && returned == 0 {
		return
	}
	width := col.t.bytes
	if col.encoding == gen.Dictionary {
		width = min(width, 4) // codes
	}
	f.pages = append(f.pages, span)
	f.values += int64(to - from)
	f.bytes += span.Size
	f.result += int64(returned * width)
}
