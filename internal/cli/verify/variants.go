package verify

import (
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner"
)

// variants puts together each value of a column with VARIANTs, whose parts may contradict each other where each by itself
// is right.
func (v *verification) variants(ctx context.Context) error {
	rows := make(vector.RowSet, v.group+1)
	rows[v.group] = vector.All(v.f.Footer().RowGroups[v.group].NumRows)
	row, text := int64(0), []byte(nil)
	var values *vector.Slots
	for b, err := range v.f.Scan(ctx, scanner.Options{Select: []string{schema.FormatPath(v.top.Path())}, Rows: rows}) {
		if err != nil {
			return err
		}
		if values == nil {
			values = b.Fields[0].JSON()
		}
		values.Use(b.Columns[0])
		for i := range b.Len {
			if text, err = values.Append(text[:0], i); err != nil {
				err = corrupt.At(-1, "row ", row+int64(i), ": ", err.Error())
				return &scanner.Error{File: v.f.Name(), RowGroup: v.group, Column: v.top.String(), Page: -1, Offset: -1, Err: err}
			}
		}
		row += int64(b.Len)
		b.Release()
	}
	return nil
}

// hasVariant reports whether a node or one below it is a VARIANT.
func hasVariant(n *schema.Node) bool {
	return n.Type.Logical == vector.Variant || slices.ContainsFunc(n.Children, hasVariant)
}
