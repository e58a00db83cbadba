package pageindex

import (
	"errors"
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// A Judge calls Stop often, and ends when that returns an error.
func TestStop(t *testing.T) {
	const columns, pages = 30, 100
	var f gen.File
	var rows []any
	for i := range columns {
		f.Schema = append(f.Schema, gen.Required(fmt.Sprint("c", i), gen.Int64))
	}
	for row := range 2 * pages {
		r := gen.Record{}
		for i := range columns {
			r[fmt.Sprint("c", i)] = (row*7919 + i*104729) % 1000
		}
		rows = append(rows, r)
	}
	f.All, f.RowGroups = gen.Column{PageRows: []int{2}, Index: gen.FullIndex}, []gen.RowGroup{{Rows: rows}}
	s := sampleOf(t, &f)
	var all []*filter.Expr
	for i := range columns {
		for k := range i {
			all = append(all, filter.Col(fmt.Sprint("c", i)).Eq(filter.Col(fmt.Sprint("c", k))))
		}
	}
	p, err := compile.Bind(filter.Or(all...), s.schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	asked, stopped := 0, errors.New("stopped")
	judge := func(after int) error {
		asked = 0
		g := s.group(0)
		g.Stop = func() error {
			if asked++; asked > after {
				return stopped
			}
			return nil
		}
		j := newJudge(p, g, Options{})
		for {
			needs, err := j.Step()
			if err != nil || len(needs) == 0 {
				return err
			}
			for _, n := range needs {
				j.Supply(n, s.bytes[n.Off:n.Off+n.Len], nil)
			}
		}
	}
	if err := judge(1 << 30); err != nil {
		t.Fatal(err)
	}
	often := asked
	if least := len(all) * pages / stopInterval; often < least {
		t.Errorf("asked %d times about %d comparisons on %d pages, want at least %d", often, len(all), pages, least)
	}
	for after := 0; after < often; after += often/20 + 1 {
		if err := judge(after); err != stopped || asked != after+1 {
			t.Errorf("stopped after %d looks: %v, after %d", after, err, asked)
		}
	}
}
