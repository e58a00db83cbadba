package answer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/selection"
	"github.com/winnow-scan/winnow/scanner"
)

// union is the columns of several files as those of one table: columns of the same
// name are one, of the widest of their types. Where a file has several of a name, the first is one
// with the first of other files, and so on.
type union struct {
	fields  []vector.Field
	folders []string         // the names of those that files have by their folders
	unclear map[string]error // names that one file has more often than another
}

// unite returns the columns that -c names of those that any file has.
func unite(ctx context.Context, in *input.Files, o *command.Options) ([]scanner.Want, error) {
	u := &union{unclear: map[string]error{}}
	in.Survey(ctx, o.Where.Expr, u.add)
	// Folders come last, as in a scan of files with the same columns.
	isFolder := func(f vector.Field) int {
		if slices.Contains(u.folders, f.Name) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(u.fields, func(a, b vector.Field) int { return isFolder(a) - isFolder(b) })
	fields, err := u.choose(o.Columns)
	for i := 0; i < len(fields) && err == nil; i++ {
		err = u.unclear[fields[i].Name]
	}
	return scanner.Wants(fields), err
}

// add adds the columns of a file.
func (u *union) add(ctx context.Context, f *input.File) error {
	fields, err := f.WithFolders().Fields(ctx, scanner.Options{})
	if err != nil {
		return err
	}
	u.folders = append(u.folders, f.Folders()...)
	before := map[string][]int{} // which fields have a name
	for i := range u.fields {
		before[u.fields[i].Name] = append(before[u.fields[i].Name], i)
	}
	here := map[string]int{}
	for _, field := range fields {
		name, n := field.Name, here[field.Name]
		if here[name]++; n >= len(before[name]) {
			u.fields = append(u.fields, field)
			continue
		}
		has := &u.fields[before[name][n]]
		if has.Layout == vector.Leaf && field.Layout == vector.Leaf {
			has.Type = widerType(has.Type, field.Type)
		}
	}
	for name, n := range here {
		if those := len(before[name]); those > 0 && those != n && u.unclear[name] == nil {
			u.unclear[name] = fault.InFile(f.Name(), fmt.Errorf("columns with the name %s: %d, in files before %d, so --union does not tell which is which", schema.FormatPath([]string{name}), n, those))
		}
	}
	return nil
}

// widerType returns the one of two types whose values hold those of the other, a
// if there is none: then the scan of the other's file says so.
func widerType(a, b vector.Type) vector.Type {
	isInt := func(t vector.Type) bool {
		return (t.Physical == vector.Int32 || t.Physical == vector.Int64) && (t.Logical == vector.None || t.Logical == vector.Integer && t.Signed)
	}
	bits := func(t vector.Type) int {
		if t.Logical == vector.Integer {
			return int(t.Bits)
		}
		return t.Physical.Width() * 8
	}
	switch {
	case isInt(a) && isInt(b):
		if bits(b) > bits(a) {
			return b
		}
	case a.Physical == vector.Float && b.Physical == vector.Double:
		return b
	case a.Logical == vector.Decimal && b.Logical == vector.Decimal && b.Scale >= a.Scale && b.Precision-b.Scale >= a.Precision-a.Scale:
		return b
	case a.Logical == vector.Null:
		return b
	}
	return a
}

// choose returns the fields that a selection names, all if it is empty.
func (u *union) choose(s selection.Columns) (fields []vector.Field, err error) {
	if len(s) == 0 {
		return u.fields, nil
	}
	var chosen []int // indexes in u.fields
	has, left := map[int]bool{}, map[int]bool{}
	all := true // there are only exceptions
	for _, c := range s {
		if len(c.Path) > 1 {
			return nil, &fault.UsageError{What: "--union takes whole columns, and -c names a part of one"}
		}
		all = all && c.Without
		var named []int
		for i, f := range u.fields {
			if f.Name == c.Path[0] || c.Pattern && selection.Matches(c.Path[0], f.Name) {
				named = append(named, i)
			}
		}
		fresh := slices.DeleteFunc(slices.Clone(named), func(i int) bool { return has[i] })
		switch {
		case len(named) == 0 && len(u.fields) > 0:
			return nil, fmt.Errorf("-c %s: no file has such a column", c.Path[0])
		case c.Without:
			for _, i := range named {
				left[i] = true
			}
			continue
		case !c.Pattern: // the first of a name, then the next
			fresh = append(fresh, named...)[:min(len(named), 1)]
		}
		for _, i := range fresh {
			has[i] = true
		}
		chosen = append(chosen, fresh...)
	}
	for i := range u.fields {
		if all {
			chosen = append(chosen, i)
		}
	}
	for _, i := range chosen {
		if !left[i] {
			fields = append(fields, u.fields[i])
		}
	}
	if len(fields) == 0 && len(u.fields) > 0 {
		return nil, errors.New("-c leaves no column")
	}
	return fields, nil
}
