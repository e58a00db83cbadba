package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/exp/mmap"

	"github.com/winnow-scan/winnow/internal/test/bench"
)

func prepareParquet(w *bench.Workload, _ int) bench.Scan {
	columns := make([]column, len(w.Project))
	return func(context.Context) (answer func() (*bench.Answer, error), err error) {
		if err := wholeColumns(w); err != nil {
			return nil, err
		}
		m, err := mmap.Open(w.File)
		if err != nil {
			return nil, err
		}
		defer m.Close()
		f, err := parquet.OpenFile(m, int64(m.Len()), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(256<<10))
		if err != nil {
			return nil, err
		}
		for i, name := range w.Project {
			if err := columns[i].reset(f, name); err != nil {
				return nil, err
			}
			for _, group := range f.RowGroups() {
				if err := columns[i].read(group.ColumnChunks()[columns[i].leaf.Index()]); err != nil {
					return nil, err
				}
			}
		}
		return func() (*bench.Answer, error) {
			a := &bench.Answer{Rows: f.NumRows(), Sums: map[string]bench.Sum{}}
			for i, name := range w.Project {
				a.Sums[name] = columns[i].sum()
			}
			return a, nil
		}, nil
	}
}

// A column is one as a host holds it.
type column struct {
	leaf *parquet.Column
	item byte // the definition level of a list's items, one above that of an empty list; 0: no list

	slots   int
	int32s  []int32 // one of these, or strings
	int64s  []int64
	doubles []float64
	strings []byte
	offsets []uint32 // of strings: one more than there are
	valid   []bool   // as long as slots, or empty if no slot is NULL

	lists      []int32 // where the items of each list begin
	validLists []bool
}

// reset makes the column the one of a name, and keeps its memory.
func (c *column) reset(f *parquet.File, name string) error {
	top, field, nested := strings.Cut(name, ".")
	*c = column{
		leaf:   f.Root().Column(top),
		int32s: c.int32s[:0], int64s: c.int64s[:0], doubles: c.doubles[:0], strings: c.strings[:0], offsets: append(c.offsets[:0], 0),
		valid: c.valid[:0], lists: c.lists[:0], validLists: c.validLists[:0],
	}
	for c.leaf != nil && !c.leaf.Leaf() {
		if children := c.leaf.Columns(); len(children) == 1 {
			c.leaf = children[0]
		} else if nested {
			c.leaf = c.leaf.Column(field)
		} else {
			break
		}
		if c.leaf != nil && c.leaf.Repeated() {
			c.item = byte(c.leaf.MaxDefinitionLevel())
		}
	}
	if c.leaf == nil || !c.leaf.Leaf() || c.leaf.MaxRepetitionLevel() > 1 {
		return fmt.Errorf("no column %q", name)
	}
	return nil
}

func (c *column) read(chunk parquet.ColumnChunk) error {
	pages := chunk.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = c.add(page)
		}
		if err != nil {
			return err
		}
		parquet.Release(page)
	}
}

// add adds what the page holds.
func (c *column) add(page parquet.Page) error {
	var codes []int32
	data := page.Data()
	if page.Dictionary() != nil {
		codes, data = data.Int32(), page.Dictionary().Page().Data()
	}
	places := c.levels(page)
	switch kind := page.Type().Kind(); kind {
	case parquet.Int32:
		c.int32s = gather(c.int32s, data.Int32(), codes, places)
	case parquet.Int64:
		c.int64s = gather(c.int64s, data.Int64(), codes, places)
	case parquet.Double:
		c.doubles = gather(c.doubles, data.Double(), codes, places)
	case parquet.ByteArray:
		values, offsets := data.ByteArray()
		c.addStrings(values, offsets, codes, places)
	default:
		return fmt.Errorf("values of %v", kind)
	}
	return nil
}

// gather adds slots to out: the page's data, or what its codes stand for in the dictionary that
// data is then. Places are the slots that have a value; nil: all.
func gather[T any](out, data []T, codes []int32, places []bool) []T {
	var zero T
	switch at := 0; {
	case places == nil && codes == nil:
		out = append(out, data...)
	case places == nil:
		for _, code := range codes {
			out = append(out, data[code])
		}
	default:
		for _, set := range places {
			switch {
			case !set:
				out = append(out, zero)
				continue
			case codes != nil:
				out = append(out, data[codes[at]])
			default:
				out = append(out, data[at])
			}
			at++
		}
	}
	return out
}

func (c *column) addStrings(data []byte, offsets []uint32, codes []int32, places []bool) {
	add := func(i int32) {
		c.strings = append(c.strings, data[offsets[i]:offsets[i+1]]...)
		c.offsets = append(c.offsets, uint32(len(c.strings)))
	}
	switch at := int32(0); {
	case places == nil && codes == nil: // one copy, and the offsets moved by what stands in front of it
		shift := uint32(len(c.strings)) - offsets[0]
		c.strings = append(c.strings, data[offsets[0]:offsets[len(offsets)-1]]...)
		for _, end := range offsets[1:] {
			c.offsets = append(c.offsets, end+shift)
		}
	case places == nil:
		for _, code := range codes {
			add(code)
		}
	default:
		for _, set := range places {
			switch {
			case !set:
				c.offsets = append(c.offsets, uint32(len(c.strings)))
				continue
			case codes != nil:
				add(codes[at])
			default:
				add(at)
			}
			at++
		}
	}
}

// levels adds what the page's levels say, and returns which of its slots have a value, nil if
// all have one.
func (c *column) levels(page parquet.Page) []bool {
	all, defs, before := byte(c.leaf.MaxDefinitionLevel()), page.DefinitionLevels(), c.slots
	switch {
	case c.item > 0:
		for i, r := range page.RepetitionLevels() {
			if r == 0 {
				c.lists = append(c.lists, int32(len(c.valid)))
				c.validLists = append(c.validLists, defs[i] >= c.item-1)
			}
			if defs[i] >= c.item {
				c.valid = append(c.valid, defs[i] == all)
			}
		}
		c.slots = len(c.valid)
	case page.NumNulls() > 0 || len(c.valid) > 0:
		for len(c.valid) < before {
			c.valid = append(c.valid, true)
		}
		for _, d := range defs {
			c.valid = append(c.valid, d == all)
		}
		c.slots = len(c.valid)
	default:
		c.slots += int(page.NumValues())
		return nil
	}
	return c.valid[before:]
}

func (c *column) sum() (s bench.Sum) {
	for i := range c.slots {
		if len(c.valid) > 0 && !c.valid[i] {
			continue
		}
		s.N++
		switch {
		case len(c.int32s) > 0:
			s.Total += float64(c.int32s[i])
		case len(c.int64s) > 0:
			s.Total += float64(c.int64s[i])
		case len(c.doubles) > 0:
			s.Total += c.doubles[i]
		default:
			s.Total += float64(c.offsets[i+1] - c.offsets[i])
		}
	}
	return s
}
