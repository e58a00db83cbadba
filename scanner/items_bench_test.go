package scanner

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// spans returns 3 million rows of three attributes each, in ten row groups.
func spans(b *testing.B) []byte {
	const groups, items = 10, 900_000
	rng := rand.New(rand.NewPCG(1, 2))
	file := gen.File{
		Schema: []*gen.Node{gen.List("attrs", gen.Required("element", gen.Group,
			gen.Required("key", gen.ByteArray).As(gen.StringType()), gen.Required("value", gen.ByteArray).As(gen.StringType())))},
		All: gen.Column{Codec: gen.Snappy, PageRows: []int{20_000}, Shape: gen.Shape{Encoding: gen.Dictionary}},
	}
	texts := func(prefix string, n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf("%s%d", prefix, i))
		}
		return all
	}
	for range groups {
		var g gen.RowGroup
		for _, texts := range [][]string{texts("http.attribute_", 10), texts("value ", 400)} {
			rep, def, values := make([]uint32, items), make([]uint32, items), make([]string, items)
			for i := range items {
				rep[i], def[i], values[i] = uint32(min(1, i%3)), 2, texts[rng.IntN(len(texts))]
			}
			g.Columns = append(g.Columns, gen.Column{Data: &gen.Data{Rep: rep, Def: def, Values: values}})
		}
		file.RowGroups = append(file.RowGroups, g)
	}
	data, err := file.Write()
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// itemHas keeps the rows in which one item has both texts, as a host would without conditions on items.
func itemHas(key, value string) *filter.Expr {
	return filter.Func("item_has", func(columns []*vector.Vector, sel []uint64) error {
		list := columns[0]
		keys, values := list.Children[0].Children[0], list.Children[0].Children[1]
		for row := range list.Len {
			if sel[row/64]>>(row%64)&1 == 0 {
				continue
			}
			found := false
			for i := int(list.Offsets[row]); i < int(list.Offsets[row+1]) && !found; i++ {
				found = string(keys.Bytes(i)) == key && string(values.Bytes(i)) == value
			}
			if !found {
				sel[row/64] &^= 1 << (row % 64)
			}
		}
		return nil
	}, filter.Col("attrs"))
}

// BenchmarkSpans counts the rows in which one item has a key and a value: by a condition on
// items, and by two ANYs that any items may pass, with a function of the host behind them.
func BenchmarkSpans(b *testing.B) {
	f, err := OpenSource(b.Context(), "spans", fetch.FromBytes(spans(b)))
	if err != nil {
		b.Fatal(err)
	}
	parsed := func(text string, args ...any) *filter.Expr {
		e, err := filter.Parse(fmt.Sprintf(text, args...))
		if err != nil {
			b.Fatal(err)
		}
		return e
	}
	for _, c := range [][2]string{{"http.attribute_3", "value 7"}, {"http.attribute_9", "value 399"}, {"http.attribute_0", "value 400"}} {
		item := parsed("ANY(attrs AS a: a.key = '%s' AND a.value = '%s')", c[0], c[1])
		anys := parsed("ANY(attrs.key) = '%s' AND ANY(attrs.value) = '%s'", c[0], c[1])
		rows := int64(-1)
		for _, way := range []struct {
			name string
			e    *filter.Expr
		}{{"item", item}, {"anys", filter.And(anys, itemHas(c[0], c[1]))}} {
			b.Run("value="+c[1]+"/by="+way.name, func(b *testing.B) {
				for b.Loop() {
					n, err := f.Count(b.Context(), Options{Filter: way.e})
					if err != nil || rows >= 0 && n != rows {
						b.Fatalf("%d rows, not %d: %v", n, rows, err)
					}
					rows = n
				}
				b.ReportMetric(float64(rows), "rows")
			})
		}
	}
}
