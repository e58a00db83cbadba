package scans

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

func readArrow(w *Workload, sums []Sums) (rows int64, err error) {
	f, err := file.OpenParquetFile(w.path, true)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	ctx := context.Background()
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: 64 << 10}, memory.NewGoAllocator())
	if err != nil {
		return 0, err
	}
	var leaves []int
	for _, c := range w.Columns {
		leaves = append(leaves, arrowLeaf(f, c))
	}
	for group := range f.NumRowGroups() {
		table, err := r.ReadRowGroups(ctx, leaves, []int{group})
		if err != nil {
			return 0, err
		}
		rows += table.NumRows()
		for i := range sums {
			name, _, _ := strings.Cut(w.Columns[i], ".")
			for _, at := range table.Schema().FieldIndices(name) {
				for _, a := range table.Column(at).Data().Chunks() {
					if err := sumArray(a, nil, &sums[i]); err != nil {
						return 0, err
					}
				}
			}
		}
		table.Release()
	}
	return rows, nil
}

// arrowLeaf returns the number of the leaf that a column of a workload names.
func arrowLeaf(f *file.Reader, column string) int {
	top, field, nested := strings.Cut(column, ".")
	for i := range f.MetaData().Schema.NumColumns() {
		path := f.MetaData().Schema.Column(i).ColumnPath()
		if path[0] == top && (!nested || path[len(path)-1] == field) {
			return i
		}
	}
	return -1
}

// sumArray adds a's slots. Those that are NULL in above are NULL too.
func sumArray(a, above arrow.Array, s *Sums) error {
	valid := func(i int) bool { return a.IsValid(i) && (above == nil || above.IsValid(i)) }
	var add func(i int)
	switch a := a.(type) {
	case *array.List:
		offsets := a.Offsets()[a.Offset():]
		for i := range a.Len() {
			if valid(i) {
				s.List.value(uint64(offsets[i+1] - offsets[i]))
			} else {
				s.List.null()
			}
		}
		if a.Len() == 0 {
			return nil
		}
		items := array.NewSlice(a.ListValues(), int64(offsets[0]), int64(offsets[a.Len()]))
		defer items.Release()
		return sumArray(items, nil, s)
	case *array.Struct:
		if a.NumField() != 1 || above != nil {
			return fmt.Errorf("struct of %d fields", a.NumField())
		}
		return sumArray(a.Field(0), a, s)
	case *array.Int32:
		add = func(i int) { s.Leaf.value(uint64(a.Value(i))) }
	case *array.Int64:
		add = func(i int) { s.Leaf.value(uint64(a.Value(i))) }
	case *array.Float64:
		add = func(i int) { s.Leaf.float(a.Value(i)) }
	case *array.String:
		add = func(i int) { s.Leaf.bytes([]byte(a.Value(i))) }
	default:
		return fmt.Errorf("array of %s", a.DataType())
	}
	for i := range a.Len() {
		if valid(i) {
			add(i)
		} else {
			s.Leaf.null()
		}
	}
	return nil
}
