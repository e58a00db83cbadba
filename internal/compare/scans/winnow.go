package scans

import (
	"context"
	"fmt"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

func readWinnow(w *Workload, sums []Sums) (rows int64, err error) {
	ctx := context.Background()
	f, err := scanner.Open(ctx, w.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for b, err := range f.Scan(ctx, scanner.Options{Select: w.Columns, Memory: w.memory}) {
		if err != nil {
			return 0, err
		}
		rows += int64(b.Len)
		for i := range sums {
			if err := sumVector(b.Columns[i], nil, &sums[i]); err != nil {
				return 0, err
			}
		}
		b.Release()
	}
	return rows, nil
}

func isSet(bitmap []uint64, i int) bool { return len(bitmap) == 0 || bitmap[i>>6]>>(i&63)&1 == 1 }

// sumVector adds v's slots. Those that are not set in above are NULL too.
func sumVector(v *vector.Vector, above []uint64, s *Sums) error {
	if v.Form != vector.Flat {
		return fmt.Errorf("vector of form %d", v.Form)
	}
	valid := func(i int) bool { return isSet(v.Validity, i) && isSet(above, i) }
	switch v.Layout {
	case vector.List:
		for i := range v.Len {
			if valid(i) {
				s.List.value(uint64(v.Offsets[i+1] - v.Offsets[i]))
			} else {
				s.List.null()
			}
		}
		return sumVector(v.Children[0], nil, s)
	case vector.Struct:
		if len(v.Children) != 1 || above != nil {
			return fmt.Errorf("struct of %d fields", len(v.Children))
		}
		return sumVector(v.Children[0], v.Validity, s)
	case vector.Map:
		return fmt.Errorf("map")
	}
	var add func(i int)
	switch v.Type.Store() {
	case vector.InInt32s:
		add = func(i int) { s.Leaf.value(uint64(v.Int32s[i])) }
	case vector.InInt64s:
		add = func(i int) { s.Leaf.value(uint64(v.Int64s[i])) }
	case vector.InDoubles:
		add = func(i int) { s.Leaf.float(v.Doubles[i]) }
	case vector.InViews:
		add = func(i int) { s.Leaf.bytes(v.Views[i].Bytes(v.Buffers)) }
	default:
		return fmt.Errorf("values of %v", v.Type)
	}
	for i := range v.Len {
		if valid(i) {
			add(i)
		} else {
			s.Leaf.null()
		}
	}
	return nil
}
