package scanner

import (
	"context"
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// telling is a source that tells when something was read.
type telling struct {
	fetch.Source
	read chan bool
}

func (s telling) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	out, err := s.Source.ReadRanges(ctx, ranges, alloc)
	select {
	case s.read <- true:
	default:
	}
	return out, err
}

// A scan that judges very many comparisons of columns by very many pages looks at
// its context meanwhile. What it counts takes no time for each column and comparison.
func TestCancelJudging(t *testing.T) {
	const columns, pages = 120, 400
	var schema []*gen.Node
	var groups gen.RowGroup
	for i := range columns {
		schema = append(schema, gen.Required(fmt.Sprint("c", i), gen.Int64))
		values := make([]int64, pages)
		for row := range values {
			values[row] = int64((row*7919 + i*104729) % 1000)
		}
		groups.Columns = append(groups.Columns, gen.Column{Data: &gen.Data{Values: values}})
	}
	src := telling{
		fetch.FromBytes(scannertest.Write(t, gen.File{Schema: schema, All: gen.Column{PageRows: []int{1}, Index: gen.FullIndex}, RowGroups: []gen.RowGroup{groups}})),
		make(chan bool, 1),
	}
	f, err := OpenSource(t.Context(), "f.parquet", src)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []*filter.Expr
	for i := range columns {
		for k := range columns {
			if i != k {
				pairs = append(pairs, filter.Col(fmt.Sprint("c", i)).Eq(filter.Col(fmt.Sprint("c", k))))
			}
		}
	}
	for name, o := range map[string]Options{
		"or":    {Filter: filter.Or(pairs...)},
		"stats": {Filter: filter.Or(pairs...), Stats: &Stats{}},
		"ahead": {Filter: filter.Or(pairs...), ReadAhead: 1 << 20},
	} {
		after := cancelled(t, func() { <-src.read }, func(ctx context.Context) error {
			defer func() { // what is read at the end is not of the next
				select {
				case <-src.read:
				default:
				}
			}()
			return ways["Scan"](ctx, f, o)
		})
		if after > soon {
			t.Errorf("%s: went on for %v", name, after)
		}
	}
}
