package command

import (
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/scanner"
)

// Selected returns the numbers of the selected row groups and leaves.
func (o *Options) Selected(f *input.File) (groups, leaves []int, err error) {
	if leaves, err = o.Columns.Leaves(f.Schema()); err == nil {
		groups, err = o.RowGroups(f)
	}
	return groups, leaves, err
}

// RowGroups returns the numbers of the selected row groups.
func (o *Options) RowGroups(f *input.File) ([]int, error) {
	n := len(f.Footer().RowGroups)
	if o.RowGroup >= n {
		return nil, &scanner.Error{File: f.Name(), RowGroup: o.RowGroup, Page: -1, Offset: -1,
			Err: fault.NoSuch("row group", n)}
	}
	if o.RowGroup >= 0 {
		return []int{o.RowGroup}, nil
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all, nil
}
