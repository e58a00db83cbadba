package tables

import (
	"fmt"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// Bench makes a table of files with some rows each, 5 % of them deleted by vectors: half of
// these in one run, half anywhere. The column k has 0 to 9999 at random, id ascends.
func (m *Maker) Bench(files, rows int) *Table {
	t := m.Create("bench", 3, []iceberg.NestedField{
		field(1, "id", p.Int64), field(2, "k", p.Int32), field(3, "region", p.String), field(4, "price", p.Float64),
		field(5, "name", p.String), field(6, "note", p.String), field(7, "at", p.Timestamp),
	}, nil, nil)
	schema := must(table.SchemaToArrowSchema(t.Schema(), nil, true, false))
	rng := rand.New(rand.NewPCG(1, 2))
	for f := range files {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for i := range rows {
			id := int64(f*rows + i)
			b.Field(0).(*array.Int64Builder).Append(id)
			b.Field(1).(*array.Int32Builder).Append(rng.Int32N(10000))
			b.Field(2).(*array.StringBuilder).Append([]string{"EU", "US", "AP", "AF"}[rng.IntN(4)])
			b.Field(3).(*array.Float64Builder).Append(float64(rng.IntN(1000000)) / 100)
			b.Field(4).(*array.StringBuilder).Append(fmt.Sprintf("customer %06d", rng.IntN(1000000)))
			b.Field(5).(*array.StringBuilder).Append(fmt.Sprintf("order %d of %x, to be sent by %x", id, rng.Uint64(), rng.Uint64()))
			b.Field(6).(*array.TimestampBuilder).Append(arrow.Timestamp(1.7e15 + float64(id)*1e6))
		}
		t.AppendRecord(b.NewRecordBatch())
	}
	t.DeletePositions(func(f iceberg.DataFile) []int64 {
		var gone []int64
		run := rng.Int64N(f.Count() * 9 / 10)
		for i := range f.Count() / 40 {
			gone = append(gone, run+i, rng.Int64N(f.Count()))
		}
		return gone
	})
	return t
}
