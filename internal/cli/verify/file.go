package verify

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// file looks at what the footer says of the whole file.
func (v *verifier) file(to *findings) {
	footer := v.f.Footer()
	rows := int64(0)
	for _, g := range footer.RowGroups {
		rows += g.NumRows
	}
	if err := thrift.ConfirmFooter(footer); err != nil {
		v.inFooter(to, false, -1, "", err.Error())
	}
	if rows != footer.NumRows {
		v.inFooter(to, false, -1, "", footer.NumRows, " rows, those of the row groups are ", rows)
	}
	if footer.Version < 1 || footer.Version > 2 {
		v.inFooter(to, true, -1, "", "version ", footer.Version, ", there are 1 and 2")
	}
	if n, leaves := len(footer.ColumnOrders), len(v.f.Schema().Leaves()); n > 0 && n != leaves {
		v.inFooter(to, false, -1, "", "column_orders for ", n, " columns, there are ", leaves)
	}
	if !utf8.ValidString(footer.CreatedBy) {
		v.inFooter(to, true, -1, "", "created_by is not UTF-8: ", table.Printable(footer.CreatedBy))
	}
	v.keyValues(to, -1, "", footer.KeyValues)
	v.names(to, v.f.Schema().Root())
	v.annotations(to)
}

// annotations holds both ways to annotate a column against each other. Whether a time is that of
// UTC, only one of them says.
func (v *verifier) annotations(to *findings) {
	converted := slices.Clone(v.f.Footer().Schema)
	for i := range converted {
		if e := &converted[i]; e.HasConverted {
			e.Logical = thrift.LogicalType{}
		}
	}
	old, err := schema.New(converted)
	if err != nil {
		v.inFooter(to, true, -1, "", "converted_type: ", err.Error())
		return
	}
	for i, leaf := range v.f.Schema().Leaves() {
		a, b := old.Leaves()[i].Type, leaf.Type
		if a.UTC = b.UTC; a != b {
			v.inFooter(to, true, -1, leaf.String(), "converted_type says ", a, ", the logical type ", b)
		}
	}
}

// names looks at the names and field ids of the children of a group, and of theirs.
func (v *verifier) names(to *findings, group *schema.Node) {
	ids := map[int32]string{}
	for _, n := range group.Children {
		if !utf8.ValidString(n.Name) {
			v.inFooter(to, true, -1, n.String(), "a name that is not UTF-8")
		}
		if other, known := ids[n.FieldID]; n.HasFieldID && known {
			v.inFooter(to, true, -1, n.String(), "field_id ", n.FieldID, " is that of ", other, ", too")
		}
		if n.HasFieldID {
			ids[n.FieldID] = n.String()
		}
		v.names(to, n)
	}
}

// keyValues looks at pairs of keys and values.
func (v *verifier) keyValues(to *findings, rowGroup int, column string, pairs thrift.KeyValues) {
	all, err := pairs.Append(nil)
	if err != nil {
		v.inFooter(to, true, rowGroup, column, "key_value_metadata: ", err.Error())
	}
	seen := map[string]bool{}
	for _, p := range all {
		switch {
		case !utf8.ValidString(p.Key) || !utf8.ValidString(p.Value):
			v.inFooter(to, true, rowGroup, column, "key_value_metadata: not UTF-8 at the key ", table.Printable(p.Key))
		case seen[p.Key]:
			v.inFooter(to, true, rowGroup, column, "key_value_metadata: two values of the key ", table.Printable(p.Key))
		}
		seen[p.Key] = true
	}
}

// rowGroup looks at what the footer says of a row group and its chunks, and at the order of its
// rows.
func (v *verifier) rowGroup(ctx context.Context, number int, wanted []bool, to *findings) error {
	g := &v.f.Footer().RowGroups[number]
	if g.HasOrdinal && int(g.Ordinal) != number {
		v.inFooter(to, true, number, "", "ordinal ", int64(g.Ordinal))
	}
	if len(wanted) == 0 && number == 0 { // no column says what is wrong with the rows
		if _, err := v.f.Count(ctx, scanner.Options{}); err != nil {
			to.all = append(to.all, defect{err: err})
		}
	}
	unpacked, packed, whole := int64(0), int64(0), true
	for i := range wanted {
		c, err := v.f.Chunk(number, i)
		if err != nil || !c.HasMeta {
			whole = false
			continue // its column says so
		}
		unpacked, packed = unpacked+c.Meta.UncompressedSize, packed+c.Meta.CompressedSize
		if wanted[i] {
			v.paths(to, c)
			v.keyValues(to, number, c.Leaf.String(), c.Meta.KeyValues)
		}
		// Some writers put 0 there, old Arrow the end of the chunk.
		if first := pageindex.PagesStart(&c.Meta); i == 0 && g.HasFileOffset && g.FileOffset != 0 && c.Meta.CompressedSize > 0 && g.FileOffset != first {
			v.inFooter(to, true, number, "", "file_offset ", g.FileOffset, ", the first page is at ", first)
		}
	}
	if whole && g.TotalByteSize != unpacked {
		v.inFooter(to, true, number, "", "total_byte_size ", g.TotalByteSize, ", those of the columns are ", unpacked)
	}
	if whole && g.HasTotalCompressedSize && g.TotalCompressedSize != packed {
		v.inFooter(to, true, number, "", "total_compressed_size ", g.TotalCompressedSize, ", those of the columns are ", packed)
	}
	return v.sorting(ctx, number, wanted, to)
}

// paths holds a chunk's paths against the schema.
func (v *verifier) paths(to *findings, c *scanner.Chunk) {
	path := c.Leaf.Path()
	for _, p := range []struct {
		name string
		path []string
	}{{"path_in_schema", c.Meta.Path}, {"path_in_schema of the key", c.Crypto.Path}} {
		if len(p.path) > 0 && !slices.Equal(p.path, path) {
			v.inFooter(to, false, c.RowGroup, c.Leaf.String(), p.name, " is ", table.Printable(schema.FormatPath(p.path)))
		}
	}
}
