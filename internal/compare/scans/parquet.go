package scans

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// readParquet delivers the columns of a row group together, as winnow and
// arrow-go do, whose pages end in different rows.
func readParquet(w *Workload, sums []Sums) (rows int64, err error) {
	return parquetColumns(w, sums, true)
}

// readPages delivers pages one by one, those of one column before those of the
// next: less than the others deliver.
func readPages(w *Workload, sums []Sums) (rows int64, err error) {
	return parquetColumns(w, sums, false)
}

func parquetColumns(w *Workload, sums []Sums, whole bool) (rows int64, err error) {
	m, err := openMapped(w.path)
	if err != nil {
		return 0, err
	}
	defer m.Close()
	f, err := parquet.OpenFile(m, m.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(256<<10))
	if err != nil {
		return 0, err
	}
	columns := make([]*piece, len(w.Columns))
	for i, c := range w.Columns {
		if columns[i], err = newPiece(f, c); err != nil {
			return 0, err
		}
		columns[i].whole = whole
	}
	for _, group := range f.RowGroups() {
		rows += group.NumRows()
		for i, p := range columns {
			var s *Sums
			if sums != nil {
				s = &sums[i]
			}
			if err := p.readChunk(group.ColumnChunks()[p.leaf.Index()], s); err != nil {
				return 0, err
			}
		}
	}
	return rows, nil
}

// A piece is some slots of a column, as they are delivered: those of a row group
// if it is whole, else of a page. The next one takes its memory.
type piece struct {
	leaf  *parquet.Column
	item  byte // the definition level of a list's items, one above that of an empty list; 0: no list
	whole bool

	slots   int
	int32s  []int32 // one of these, or strings
	int64s  []int64
	doubles []float64
	strings []byte
	offsets []uint32 // of strings: one more than there are
	valid   []bool   // nil: no slot is NULL

	lists      []int32 // where the items of those lists begin that begin in the piece
	validLists []bool

	memory struct { // of the above where it is not the page's
		int32s  []int32
		int64s  []int64
		doubles []float64
		strings []byte
		offsets []uint32
		valid   []bool
	}

	length int64 // sum: of the list that may go on in the next piece, -1 if it is NULL
	inList bool
}

func newPiece(f *parquet.File, column string) (*piece, error) {
	top, field, nested := strings.Cut(column, ".")
	p := &piece{leaf: f.Root().Column(top)}
	for p.leaf != nil && !p.leaf.Leaf() {
		if children := p.leaf.Columns(); len(children) == 1 {
			p.leaf = children[0]
		} else if nested {
			p.leaf = p.leaf.Column(field)
		} else {
			break
		}
		if p.leaf != nil && p.leaf.Repeated() {
			p.item = byte(p.leaf.MaxDefinitionLevel())
		}
	}
	if p.leaf == nil || !p.leaf.Leaf() || p.leaf.MaxRepetitionLevel() > 1 {
		return nil, fmt.Errorf("no column %q", column)
	}
	return p, nil
}

func (p *piece) readChunk(chunk parquet.ColumnChunk, s *Sums) error {
	pages := chunk.Pages()
	defer pages.Close()
	p.clear()
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			if p.whole && s != nil {
				p.sum(s)
			}
			p.endList(s)
			return nil
		}
		if err != nil {
			return err
		}
		if !p.whole {
			p.clear()
		}
		if err := p.take(page); err != nil {
			return err
		}
		if !p.whole && s != nil {
			p.sum(s)
		}
		parquet.Release(page)
	}
}

func (p *piece) clear() {
	m := &p.memory
	p.slots, p.lists, p.validLists, p.valid = 0, p.lists[:0], p.validLists[:0], nil
	m.int32s, m.int64s, m.doubles = m.int32s[:0], m.int64s[:0], m.doubles[:0]
	m.strings, m.offsets = m.strings[:0], append(m.offsets[:0], 0)
}

// take adds what the page holds.
func (p *piece) take(page parquet.Page) error {
	src := source{asItIs: !p.whole}
	data := page.Data()
	if page.Dictionary() != nil {
		src.coded, src.codes, data = true, data.Int32(), page.Dictionary().Page().Data()
	}
	src.places = p.levels(page)
	switch kind := page.Type().Kind(); kind {
	case parquet.Int32:
		p.int32s = gather(&p.memory.int32s, data.Int32(), &src)
	case parquet.Int64:
		p.int64s = gather(&p.memory.int64s, data.Int64(), &src)
	case parquet.Double:
		p.doubles = gather(&p.memory.doubles, data.Double(), &src)
	case parquet.ByteArray:
		p.strings, p.offsets = data.ByteArray()
		p.gatherStrings(&src)
	default:
		return fmt.Errorf("values of %v", kind)
	}
	return nil
}

// A source says how the slots of a page follow from its data.
type source struct {
	codes  []int32
	coded  bool
	places []bool // which slots have a value; nil: all
	asItIs bool   // the page's memory may be delivered
}

// gather adds slots to memory, and returns all.
func gather[T any](memory *[]T, data []T, src *source) []T {
	out := *memory
	var zero T
	switch at := 0; {
	case src.places == nil && !src.coded:
		if src.asItIs {
			return data
		}
		out = append(out, data...)
	case src.places == nil:
		for _, c := range src.codes {
			out = append(out, data[c])
		}
	default:
		for _, set := range src.places {
			switch {
			case !set:
				out = append(out, zero)
				continue
			case src.coded:
				out = append(out, data[src.codes[at]])
			default:
				out = append(out, data[at])
			}
			at++
		}
	}
	*memory = out
	return out
}

func (p *piece) gatherStrings(src *source) {
	data, offsets, m := p.strings, p.offsets, &p.memory
	switch at := 0; {
	case src.places == nil && !src.coded:
		if src.asItIs {
			return
		}
		// One copy, and the offsets moved by what stands in front of it.
		shift := uint32(len(m.strings)) - offsets[0]
		m.strings = append(m.strings, data[offsets[0]:offsets[len(offsets)-1]]...)
		for _, end := range offsets[1:] {
			m.offsets = append(m.offsets, end+shift)
		}
	case src.places == nil:
		for _, c := range src.codes {
			m.strings = append(m.strings, data[offsets[c]:offsets[c+1]]...)
			m.offsets = append(m.offsets, uint32(len(m.strings)))
		}
	default:
		for _, set := range src.places {
			if set {
				c := at
				if src.coded {
					c = int(src.codes[at])
				}
				m.strings = append(m.strings, data[offsets[c]:offsets[c+1]]...)
				at++
			}
			m.offsets = append(m.offsets, uint32(len(m.strings)))
		}
	}
	p.strings, p.offsets = m.strings, m.offsets
}

// levels adds what the page's levels say, and returns which of its slots have a
// value, nil if all have one.
func (p *piece) levels(page parquet.Page) []bool {
	all, defs, before := byte(p.leaf.MaxDefinitionLevel()), page.DefinitionLevels(), p.slots
	valid := p.memory.valid[:before]
	switch {
	case p.item > 0:
		for i, r := range page.RepetitionLevels() {
			if r == 0 {
				p.lists = append(p.lists, int32(len(valid)))
				p.validLists = append(p.validLists, defs[i] >= p.item-1)
			}
			if defs[i] >= p.item {
				valid = append(valid, defs[i] == all)
			}
		}
	case page.NumNulls() > 0:
		if p.valid == nil {
			for i := range valid {
				valid[i] = true
			}
		}
		for _, d := range defs {
			valid = append(valid, d == all)
		}
	default:
		n := int(page.NumValues())
		p.slots += n
		p.memory.valid = slices.Grow(valid, n)
		if p.valid != nil {
			for range n {
				valid = append(valid, true)
			}
			p.valid, p.memory.valid = valid, valid
		}
		return nil
	}
	p.slots, p.valid, p.memory.valid = len(valid), valid, valid
	return valid[before:]
}

// sum adds the slots of the piece.
func (p *piece) sum(s *Sums) {
	n := p.slots
	for i := range n {
		switch {
		case p.valid != nil && !p.valid[i]:
			s.Leaf.null()
		case p.int32s != nil:
			s.Leaf.value(uint64(p.int32s[i]))
		case p.int64s != nil:
			s.Leaf.value(uint64(p.int64s[i]))
		case p.doubles != nil:
			s.Leaf.float(p.doubles[i])
		default:
			s.Leaf.bytes(p.strings[p.offsets[i]:p.offsets[i+1]])
		}
	}
	if p.item == 0 {
		return
	}
	// What stands in front of the first list of the piece is the end of the one before.
	begin := int32(0)
	for i, at := range p.lists {
		p.length += int64(at - begin)
		p.endList(s)
		p.inList, p.length, begin = true, 0, at
		if !p.validLists[i] {
			p.length = -1
		}
	}
	p.length += int64(int32(n) - begin)
}

// endList adds the list that has come to its end, if there is one.
func (p *piece) endList(s *Sums) {
	if s == nil || !p.inList {
		return
	}
	if p.length < 0 {
		s.List.null()
	} else {
		s.List.value(uint64(p.length))
	}
	p.inList, p.length = false, 0
}
