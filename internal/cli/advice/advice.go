package advice

import (
	"slices"

	"github.com/winnow-scan/winnow/filter/compile"
)

// Kind is what is changed of a file.
type Kind string

const (
	Sort         Kind = "sort"
	PageRows     Kind = "page_rows"
	RowGroupRows Kind = "row_group_rows"
	Bloom        Kind = "bloom_filter"
	Dictionary   Kind = "dictionary"
	Codec        Kind = "codec"
)

// Advice is one change of a file, alone, and what the query would have saved by it.
type Advice struct {
	Kind   Kind
	Column int    // in Query.Columns; -1: all of them
	Rows   int64  // of a page or row group
	Codec  string // its name
	Saves  int64  // bytes
}

// Packed is a sample of a column's pages, compressed by a codec.
type Packed struct {
	Column        int
	Codec         string
	Before, After int64 // bytes of the sample, as it is in the file and with the codec
}

// minShare is the share of the bytes read from which on a change is worth a word.
const minShare = 0.05

// Advise returns the changes that save a twentieth of the bytes read or more, the best first.
func (q *Query) Advise(samples []Packed) []Advice {
	var all []Advice
	if len(q.Steps) > 0 && len(q.Blocks) > 0 {
		all = append(all, q.sorts()...)
		all = append(all, q.cuts()...)
		all = append(all, q.blooms()...)
	}
	for c := range q.Columns {
		all = append(all, Advice{Kind: Dictionary, Column: c, Saves: q.dictionarySaves(c)})
	}
	all = append(all, q.codecs(samples)...)
	all = slices.DeleteFunc(all, func(a Advice) bool {
		return a.Saves <= 0 || float64(a.Saves) < minShare*float64(q.Fetched)
	})
	slices.SortStableFunc(all, func(a, b Advice) int { return int(max(min(b.Saves-a.Saves, 1), -1)) })
	return all
}

func (q *Query) saves(bytes float64) int64 { return q.Fetched - int64(bytes) }

func (q *Query) sorts() (all []Advice) {
	for i := range q.Steps {
		if s := &q.Steps[i]; s.Runs() > 0 {
			all = append(all, Advice{Kind: Sort, Column: s.Columns[0], Saves: q.saves(q.sorted(s))})
		}
	}
	return all
}

// minGroupRows is how many rows a row group must have to be advised. Smaller ones make the
// footer so large that all other queries pay for them.
const minGroupRows = 10_000

// cuts returns the best size of pages, and of row groups with pages as they are.
func (q *Query) cuts() []Advice {
	pages := Advice{Kind: PageRows, Column: -1}
	groups := Advice{Kind: RowGroupRows, Column: -1}
	var pageRows int64 // as it is
	for c := range q.Columns {
		pageRows = max(pageRows, q.pageRows(&q.Columns[c]))
	}
	best := func(a *Advice, rows int64, s shape) {
		if n := q.saves(q.bytes(s)); n > a.Saves {
			a.Rows, a.Saves = rows, n
		}
	}
	for _, rows := range [...]int64{1e3, 2e3, 5e3, 10e3, 20e3, 50e3, 100e3, 200e3, 500e3, 1000e3} {
		best(&pages, rows, shape{q.Groups, rows, true})
		if rows >= minGroupRows {
			best(&groups, rows, shape{q.cut(0, len(q.Blocks), rows), min(pageRows, rows), q.HasPageIndex})
		}
	}
	return []Advice{pages, groups}
}

// A Bloom filter takes about ten bits a value, so that a hundredth of the keys that are not
// there seem to be. A look-up reads the filter's header and a block of 32 bytes for each key.
const (
	bloomFalse  = 0.01
	bloomHeader = 24
	bloomBlock  = 32
)

// blooms returns what Bloom filters on columns tested for equality would have saved: of row
// groups whose values do not have the keys, all that was read of them.
func (q *Query) blooms() (all []Advice) {
	for i := range q.Steps {
		s := &q.Steps[i]
		if s.Root.Op != compile.OpTest || len(s.Columns) != 1 {
			continue
		}
		keys, ok := s.Root.Test.Keys()
		if !ok {
			continue
		}
		column := &q.Columns[s.Columns[0]]
		saves := 0.0
		for g := range len(q.Groups) - 1 {
			read := q.touched(g)
			if read == 0 || column.Chunks[g].HasBloom {
				continue
			}
			saves -= float64(bloomHeader + bloomBlock*len(keys))
			if sum(s.Alone[q.Groups[g]:q.Groups[g+1]]) == 0 {
				saves += float64(read) * max(1-bloomFalse*float64(len(keys)), 0)
			}
		}
		all = append(all, Advice{Kind: Bloom, Column: s.Columns[0], Saves: int64(saves)})
	}
	return all
}

// touched returns the bytes read of a row group.
func (q *Query) touched(group int) (bytes int64) {
	for c := range q.Columns {
		bytes += q.Columns[c].Touched[group]
	}
	return bytes
}

// dictionarySaves returns what dictionaries in all chunks of a column would have saved that
// have none for all of their values. Codes are taken as they are: a codec may pack them,
// too. Where no value of a row group passes, the dictionary alone proves it.
func (q *Query) dictionarySaves(c int) int64 {
	column, saves := &q.Columns[c], 0.0
	for g := range column.Chunks {
		chunk := &column.Chunks[g]
		if !chunk.Encoded.Known || column.Touched[g] == 0 || chunk.DataBytes == 0 {
			continue
		}
		was, other := float64(column.Touched[g]), q.touched(g)-column.Touched[g]
		pages := max(was-float64(chunk.Dictionary), 0) / float64(chunk.DataBytes) * float64(chunk.Encoded.Codes)
		if q.isRuled(c, g) {
			pages, was = 0, was+float64(other)
		}
		saves += was - pages - float64(chunk.Encoded.Dictionary)
	}
	return int64(saves)
}

// isRuled reports whether no row of a row group passes a step that tests column c alone.
func (q *Query) isRuled(c, group int) bool {
	return slices.ContainsFunc(q.Steps, func(s Step) bool {
		return s.Root.Op == compile.OpTest && len(s.Columns) == 1 && s.Columns[0] == c && sum(s.Alone[q.Groups[group]:q.Groups[group+1]]) == 0
	})
}

// codecs returns the best codec for each column, by its sample.
func (q *Query) codecs(samples []Packed) []Advice {
	all := make([]Advice, len(q.Columns))
	for c := range all {
		all[c] = Advice{Kind: Codec, Column: c}
	}
	for _, s := range samples {
		pages := int64(0) // that were read
		for g, n := range q.Columns[s.Column].Touched {
			pages += max(n-q.Columns[s.Column].Chunks[g].Dictionary, 0)
		}
		saves := int64(float64(pages) * (1 - float64(s.After)/float64(max(s.Before, 1))))
		if a := &all[s.Column]; saves > a.Saves {
			a.Codec, a.Saves = s.Codec, saves
		}
	}
	return all
}
