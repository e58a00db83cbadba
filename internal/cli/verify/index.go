package verify

import (
	"context"

	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/thrift"
)

// indexes reads the indexes and the Bloom filter of a chunk. Those that are broken are faults.
func (v *verification) indexes(ctx context.Context, x *leafValues) error {
	if _, _, err := x.chunk.Range(); err != nil {
		return err
	}
	for _, read := range []func(context.Context, *leafValues) error{v.offsetIndex, v.columnIndex, v.bloomFilter} {
		if err := v.note(ctx, read(ctx, x)); err != nil {
			return err
		}
	}
	return nil
}

func (v *verification) offsetIndex(ctx context.Context, x *leafValues) error {
	c, rows := x.chunk, v.f.Footer().RowGroups[v.group].NumRows
	o, err := readIndex(ctx, v, x, page.OffsetIndex, c.HasOffsetIndex, c.OffsetIndexOffset, thrift.ReadOffsetIndex)
	if err != nil || o == nil || rows == 0 {
		return err
	}
	err = (&pageindex.Chunk{Footer: &c.ColumnChunk}).CheckOffsets(o, rows, v.f.FooterRange().Off)
	if err == nil {
		x.offsets = o
	}
	return fault.InPage(v.f.Name(), c, -1, c.OffsetIndexOffset, err)
}

func (v *verification) columnIndex(ctx context.Context, x *leafValues) error {
	c, rows := x.chunk, v.f.Footer().RowGroups[v.group].NumRows
	i, err := readIndex(ctx, v, x, page.ColumnIndex, c.HasColumnIndex, c.ColumnIndexOffset, thrift.ReadColumnIndex)
	if err != nil || i == nil || x.offsets == nil {
		return err
	}
	if err := x.bounds.Column.CheckIndex(i, x.offsets, rows); err != nil {
		return fault.InPage(v.f.Name(), c, -1, c.ColumnIndexOffset, err)
	}
	x.columns = i
	v.order(x)
	return nil
}

// readIndex reads an index, and looks at its length. It returns nil if there is none.
func readIndex[T thrift.ColumnIndex | thrift.OffsetIndex](ctx context.Context, v *verification, x *leafValues, m page.Module, there bool, offset int64, read func([]byte, *T) (int, error)) (*T, error) {
	if !there {
		return nil, nil
	}
	b, err := rawmeta.Index(ctx, v.f.File, x.chunk, m)
	if err != nil {
		return nil, err
	}
	index := new(T)
	n, err := read(b, index)
	if err == nil {
		err = thrift.Confirm(index, b)
	}
	if err != nil {
		return nil, fault.InPage(v.f.Name(), x.chunk, -1, offset, corrupt.Within(err, m.String(), 0))
	}
	if n != len(b) {
		v.flaw(x.chunk, -1, offset, m.String(), ": ", n, " bytes, the footer says ", len(b))
	}
	return index, nil
}

func (v *verification) bloomFilter(ctx context.Context, x *leafValues) error {
	c := x.chunk
	filter, err := rawmeta.BloomFilter(ctx, v.f.File, c)
	if err != nil || filter == nil {
		return err
	}
	if err := thrift.Confirm(&filter.Header, filter.HeaderBytes); err != nil {
		return fault.InPage(v.f.Name(), c, -1, c.Meta.BloomFilterOffset, corrupt.Within(err, page.BloomFilterHeader.String(), 0))
	}
	if c.Meta.HasBloomLength && int64(c.Meta.BloomFilterLength) != filter.Length {
		v.fault(c, -1, c.Meta.BloomFilterOffset, "Bloom filter: ", filter.Length, " bytes, the footer says ", c.Meta.BloomFilterLength)
	}
	if filter.Header.Algorithm == 1 && filter.Header.Hash == 1 && filter.Header.Compression == 1 {
		x.bloom, err = bloom.FromBytes(filter.Bits)
	}
	return fault.InPage(v.f.Name(), c, -1, c.Meta.BloomFilterOffset, err)
}

// order holds the order of the pages' bounds against what their index claims.
func (v *verification) order(x *leafValues) {
	claim, column := x.columns.BoundaryOrder, &x.bounds.Column
	said, offset := "column index: bounds are said to be "+wirename.BoundaryOrder(claim), x.chunk.ColumnIndexOffset
	if claim < thrift.Unordered || claim > thrift.Descending {
		v.fault(x.chunk, -1, offset, said, ", which is no order")
		return
	}
	var last pageindex.Bounds
	for i := range x.columns.NullPages {
		b := column.Page(x.columns, i)
		if !b.HasMin || !b.HasMax {
			continue // pages of NULLs and NaNs stand anywhere
		}
		if last.HasMin {
			least, most := column.Compare(last.Min, b.Min), column.Compare(last.Max, b.Max)
			if claim == thrift.Ascending && max(least, most) > 0 || claim == thrift.Descending && min(least, most) < 0 {
				v.fault(x.chunk, i, offset, said, ", but those of this page and the one before are not")
				return
			}
		}
		last = b
	}
}
