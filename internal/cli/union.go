package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// union is the columns of several files as those of one table: columns of the same
// name are one, of the widest of their types.
type union struct {
	fields  []vector.Field
	folders []string // the names of those that files have by their folders
}

// unite returns the columns that -c names of those that any file has. What is
// wrong with a file is said when its rows are printed.
func (in *inputs) unite(ctx context.Context, o *options) ([]scanner.Want, error) {
	defer in.openAhead(ctx, o)()
	u := &union{}
	number := 0
	for _, arg := range in.args {
		for _, name := range arg.files {
			_ = in.visit(ctx, o, &task{file: u.add}, name, number)
			number++
		}
	}
	// Folders come last, as in a scan of files with the same columns.
	isFolder := func(f vector.Field) int {
		if slices.Contains(u.folders, f.Name) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(u.fields, func(a, b vector.Field) int { return isFolder(a) - isFolder(b) })
	fields, err := u.choose(o.columns)
	return scanner.Wants(fields), err
}

// add adds the columns of a file.
func (u *union) add(ctx context.Context, f *input) error {
	fields, err := f.fields(ctx, scanner.Options{})
	if err != nil {
		return err
	}
	u.folders = append(u.folders, f.folders()...)
	for i := range fields {
		field := fields[i]
		at := slices.IndexFunc(u.fields, func(has vector.Field) bool { return has.Name == field.Name })
		if at < 0 {
			u.fields = append(u.fields, field)
			continue
		}
		has := &u.fields[at]
		if has.Layout == vector.Leaf && field.Layout == vector.Leaf {
			has.Type = widerType(has.Type, field.Type)
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
func (u *union) choose(s selection) (fields []vector.Field, err error) {
	if len(s) == 0 {
		return u.fields, nil
	}
	var left []string // names that are left out
	all := true       // there are only exceptions
	for _, c := range s {
		if len(c.path) > 1 {
			return nil, &usageError{what: "--union takes whole columns, and -c names a part of one"}
		}
		all = all && c.without
		found := false
		for _, f := range u.fields {
			if f.Name != c.path[0] && !(c.pattern && matches(c.path[0], f.Name)) {
				continue
			}
			found = true
			if c.without {
				left = append(left, f.Name)
			} else if !c.pattern || !slices.ContainsFunc(fields, func(has vector.Field) bool { return has.Name == f.Name }) {
				fields = append(fields, f)
			}
		}
		if !found && len(u.fields) > 0 {
			return nil, fmt.Errorf("-c %s: no file has such a column", c.path[0])
		}
	}
	if all {
		fields = slices.Clone(u.fields)
	}
	fields = slices.DeleteFunc(fields, func(f vector.Field) bool { return slices.Contains(left, f.Name) })
	if len(fields) == 0 && len(u.fields) > 0 {
		return nil, errors.New("-c leaves no column")
	}
	return fields, nil
}
