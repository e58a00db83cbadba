package scanner

import "github.com/winnow-scan/winnow/column/vector"

// rows returns the wanted rows of each row group in o.Split: those of o.Rows, without
// the first Offset of them, and at most Limit.
func (f *File) rows(o *Options) (vector.RowSet, error) {
	set := make(vector.RowSet, len(f.footer.RowGroups))
	all := make(vector.Ranges, len(set)) // one allocation for all row groups
	offset, left := o.Offset, o.Limit
	for i := range set {
		n := f.footer.RowGroups[i].NumRows
		owned, err := f.owns(o, i)
		if err != nil {
			return nil, err
		}
		if !owned {
			continue
		}
		rows := all[i:i:i+1].Append(0, n)
		if o.Rows != nil {
			rows = o.Rows.Of(i).Clip(0, n)
		}
		if offset > 0 {
			skip := min(offset, rows.Len())
			rows = rows.Skip(skip)
			offset -= skip
		}
		if o.limited() {
			rows = rows.First(left)
			left -= rows.Len()
		}
		set[i] = rows
	}
	return set, nil
}
