package scanner

import (
	"fmt"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// To read ahead for very many columns takes a few times as long as not to, where nothing
// waits: no column costs more because there are others.
func TestReadAheadOfManyColumns(t *testing.T) {
	const columns = 6000
	var schema []*gen.Node
	var g gen.RowGroup
	for i := range columns {
		schema = append(schema, gen.Required(fmt.Sprint("c", i), gen.Int64))
		g.Columns = append(g.Columns, gen.Column{Data: &gen.Data{Values: make([]int64, 4)}})
	}
	f := fileOf(t, gen.File{Schema: schema, RowGroups: []gen.RowGroup{g, g}, All: gen.Column{Index: gen.NoIndex}})
	scan := func(ahead int64) time.Duration {
		start, rows := processorTime(), 0
		for b, err := range f.Scan(t.Context(), Options{ReadAhead: ahead}) {
			if err != nil {
				t.Fatal(err)
			}
			rows += b.Len
			b.Release()
		}
		if rows != 8 {
			t.Fatalf("%d rows", rows)
		}
		return processorTime() - start
	}
	without, with := time.Hour, time.Hour
	for try := 0; try == 0 || try < 5 && with > 5*without; try++ {
		without, with = min(without, scan(0)), min(with, scan(64<<20))
	}
	t.Log(without, with)
	if with > 5*without {
		t.Errorf("takes %v, and %v without", with, without)
	}
}
