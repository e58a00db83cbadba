package arrowscan

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/winnow-scan/winnow/column/vector"
)

// listData makes lists with offsets of another width, and with sizes beside them for list views.
func listData[T int32 | int64](views bool) converter {
	return func(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
		children, err := c.childData(k, v)
		if err != nil {
			return nil, err
		}
		defer releaseAll(children)
		offsets := k.allocate((v.Len + 1) * sizeOf[T]())
		starts := sliceOf[T](offsets.Bytes())
		for i := range starts {
			starts[i] = T(v.Offsets[i])
		}
		if !views {
			return c.assemble(k, v, children, offsets), nil
		}
		sizes := k.allocate(v.Len * sizeOf[T]())
		for i := range sliceOf[T](sizes.Bytes()) {
			sliceOf[T](sizes.Bytes())[i] = starts[i+1] - starts[i]
		}
		offsets.Resize(v.Len * sizeOf[T]())
		return c.assemble(k, v, children, offsets, sizes), nil
	}
}

// fixedListData makes lists of n items. Arrow has n of them also where a list is NULL:
//
//	file     [1,2]  NULL  [3,4]       items 1 2 3 4
//	Arrow    [1,2]  NULL  [3,4]       items 1 2 NULL NULL 3 4
func fixedListData(n int) converter {
	return func(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
		nulls := v.Nulls()
		for i := range v.Len {
			if items := int(v.Offsets[i+1] - v.Offsets[i]); items != n && !v.IsNull(i) {
				return nil, c.errorf("list %d of a batch has %d items, and the file's Arrow schema says %d: read it with IgnoreStored", i, items, n)
			}
		}
		child := v.Children[0]
		if nulls > 0 {
			if err := c.pad(k, 8*n, nulls); err != nil {
				return nil, err
			}
			index := make([]int, 0, v.Len*n)
			for i := range v.Len {
				for j := range n {
					at := int(v.Offsets[i]) + j
					if v.IsNull(i) {
						at = -1
					}
					index = append(index, at)
				}
			}
			var err error
			if child, err = c.children[0].gather(k, child, index); err != nil {
				return nil, err
			}
		}
		items, err := c.children[0].data(k, child, nulls*n)
		if err != nil {
			return nil, err
		}
		defer items.Release()
		return c.assemble(k, v, []arrow.ArrayData{items}), nil
	}
}

// maxPadding bounds the memory of items that stand for NULL lists: a file pays nothing for it.
const maxPadding = 256 << 20

// pad counts memory of size bytes for each of n slots that stand for nothing in the file.
func (c *column) pad(k *conversion, size, n int) error {
	if size > (maxPadding-k.padding)/n {
		return c.errorf("%d NULL lists of a fixed size take more than %d MiB in one batch: read fewer rows a batch, or with IgnoreStored", n, maxPadding>>20)
	}
	k.padding += size * n
	return nil
}

// gather returns the slots of v at index, NULL where that is -1.
func (c *column) gather(k *conversion, v *vector.Vector, index []int) (*vector.Vector, error) {
	if v.Form == vector.Constant {
		v.Flatten()
	}
	out := &vector.Vector{Type: v.Type, Layout: v.Layout, Len: len(index), Validity: make([]uint64, (len(index)+63)/64)}
	padding := 0
	for i, at := range index {
		switch {
		case at < 0:
			padding++
		case !v.IsNull(at):
			out.Validity[i/64] |= 1 << (i % 64)
		}
	}
	if padding > 0 {
		if err := c.pad(k, 16+v.Type.Width(), padding); err != nil {
			return nil, err
		}
	}
	switch v.Layout {
	case vector.Leaf:
		out.Form, out.Dict, out.Codes = vector.Dictionary, v, make([]uint32, len(index))
		if v.Form == vector.Dictionary {
			out.Dict = v.Dict
		}
		for i, at := range index {
			if at < 0 || v.IsNull(at) {
				continue
			}
			if out.Codes[i] = uint32(at); v.Form == vector.Dictionary {
				out.Codes[i] = v.Codes[at]
			}
		}
		return out, nil // of which data makes flat values where they are wanted
	case vector.List, vector.Map:
		out.Offsets = make([]int32, 1, len(index)+1)
		var items []int
		for _, at := range index {
			for i := 0; at >= 0 && i < int(v.Offsets[at+1]-v.Offsets[at]); i++ {
				items = append(items, int(v.Offsets[at])+i)
			}
			out.Offsets = append(out.Offsets, int32(len(items)))
		}
		index = items
	}
	for i := range v.Children {
		child, err := c.children[i].gather(k, v.Children[i], index)
		if err != nil {
			return nil, err
		}
		out.Children = append(out.Children, child)
	}
	return out, nil
}

// date64Data makes milliseconds of days.
func date64Data(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
	values := k.allocate(8 * v.Len)
	for i := range sliceOf[int64](values.Bytes()) {
		sliceOf[int64](values.Bytes())[i] = int64(v.Int32s[i]) * 86_400_000
	}
	return c.assemble(k, v, nil, values), nil
}

// decimal32Data makes decimals of 4 bytes of those of 8.
func decimal32Data(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
	wide, err := decimalData(8)(c, k, v)
	if err != nil {
		return nil, err
	}
	defer wide.Release()
	values := k.allocate(4 * v.Len)
	to := sliceOf[int32](values.Bytes())
	for i, x := range sliceOf[int64](wide.Buffers()[1].Bytes()) {
		if to[i] = int32(x); int64(to[i]) != x {
			values.Release()
			return nil, c.errorf("a decimal does not fit into 4 bytes")
		}
	}
	return c.assemble(k, v, nil, values), nil
}
