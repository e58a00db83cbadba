package arrowscan

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/winnow-scan/winnow/column/vector"
)

// littleEndian is whether the machine's byte order is that of Arrow's bitmaps.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// converter makes Arrow data of a flat vector of a column.
type converter func(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error)

// conversion is what the columns of one batch share.
type conversion struct {
	lease     *lease
	allocator memory.Allocator
	padding   int // bytes of items that stand for NULL lists
}

// data converts a vector of any form. above is how many of its slots are below a struct that is NULL.
func (c *column) data(k *conversion, v *vector.Vector, above int) (arrow.ArrayData, error) {
	if n := v.Nulls() - above; n > 0 && !c.field.Nullable {
		return nil, c.errorf("%d of %d values are NULL, and the Arrow schema says that none is", n, v.Len-above)
	}
	if c.entries != nil {
		return c.dictionaryData(k, v)
	}
	if v.Layout == vector.Leaf || v.Form == vector.Constant {
		v.Flatten() // not what is below a list or struct, which may have to be dictionaries
	}
	return c.convert(c, k, v)
}

// dictionaryData shows the codes of v beside its dictionary.
func (c *column) dictionaryData(k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
	values, codes := v.Dict, (*memory.Buffer)(nil)
	if v.Form == vector.Dictionary {
		codes = k.lease.borrow(bytesOf(v.Codes[:v.Len]))
	} else { // below a nested constant, which was flattened: each slot is an entry
		v.Flatten()
		values, codes = v, k.allocate(4*v.Len)
		for i := range sliceOf[uint32](codes.Bytes()) {
			sliceOf[uint32](codes.Bytes())[i] = uint32(i)
		}
	}
	buffers := []*memory.Buffer{k.bitmap(v.Validity, v.Len), codes}
	defer releaseBuffers(buffers)
	entries, err := c.entries.data(k, values, 0)
	if err != nil {
		return nil, err
	}
	defer entries.Release()
	return array.NewDataWithDictionary(c.field.Type, v.Len, buffers, v.Nulls(), 0, entries.(*array.Data)), nil
}

// errorf returns an error about the column.
func (c *column) errorf(format string, args ...any) error {
	return fmt.Errorf("column %q: %w", c.path, fmt.Errorf(format, args...))
}

// assemble returns data of the column's type with the validity of v, and gives up values, but no children.
func (c *column) assemble(k *conversion, v *vector.Vector, children []arrow.ArrayData, values ...*memory.Buffer) arrow.ArrayData {
	buffers := make([]*memory.Buffer, 1+len(values))
	buffers[0] = k.bitmap(v.Validity, v.Len)
	copy(buffers[1:], values)
	d := array.NewData(c.field.Type, v.Len, buffers, children, v.Nulls(), 0)
	releaseBuffers(buffers)
	return d
}

func releaseBuffers(buffers []*memory.Buffer) {
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
}

func releaseAll(data []arrow.ArrayData) {
	for _, d := range data {
		d.Release()
	}
}

// allocate returns a buffer of n bytes, which are undefined.
func (k *conversion) allocate(n int) *memory.Buffer {
	b := memory.NewResizableBuffer(k.allocator)
	b.Resize(n)
	return b
}

// bitmap returns the first n bits of words as Arrow's bitmap, and nil for a nil bitmap.
func (k *conversion) bitmap(words []uint64, n int) *memory.Buffer {
	if len(words) == 0 {
		return nil
	}
	size := (n + 7) / 8
	if littleEndian {
		return k.lease.borrow(bytesOf(words)[:size])
	}
	b := k.allocate((n + 63) / 64 * 8)
	for i, w := range words[:(n+63)/64] {
		binary.LittleEndian.PutUint64(b.Bytes()[8*i:], w)
	}
	b.Resize(size)
	return b
}

func nullData(c *column, _ *conversion, v *vector.Vector) (arrow.ArrayData, error) {
	return array.NewData(c.field.Type, v.Len, []*memory.Buffer{nil}, nil, v.Len, 0), nil
}

func boolData(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
	values := k.bitmap(v.Bools, v.Len)
	if values == nil {
		values = k.allocate(0)
	}
	return c.assemble(k, v, nil, values), nil
}

// valueData shows the numbers of v as they are.
func valueData(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
	var values []byte
	switch v.Type.Store() {
	case vector.InInt32s:
		values = bytesOf(v.Int32s[:v.Len])
	case vector.InInt64s:
		values = bytesOf(v.Int64s[:v.Len])
	case vector.InFloats:
		values = bytesOf(v.Floats[:v.Len])
	case vector.InDoubles:
		values = bytesOf(v.Doubles[:v.Len])
	}
	return c.assemble(k, v, nil, k.lease.borrow(values)), nil
}

// narrowData keeps the low bits of INT32 values. The decoder has seen to it that no
// others are set.
func narrowData[T int8 | int16 | uint8 | uint16](c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
	values := k.allocate(v.Len * sizeOf[T]())
	to := sliceOf[T](values.Bytes())
	from := v.Int32s[:len(to)]
	for i := range to {
		to[i] = T(from[i])
	}
	return c.assemble(k, v, nil, values), nil
}

// fixedData shows values of one length. Long ones are views, and are copied.
func fixedData(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
	width := v.Type.Width()
	if v.Type.Store() == vector.InFixed {
		return c.assemble(k, v, nil, k.lease.borrow(v.Fixed[:v.Len*width])), nil
	}
	values := k.allocate(v.Len * width)
	to := values.Bytes()
	clear(to)
	for i := range v.Len {
		copy(to[i*width:(i+1)*width], v.Views[i].Bytes(v.Buffers))
	}
	return c.assemble(k, v, nil, values), nil
}

// halfData shows FLOAT16 values, whose bytes a file has least significant first.
func halfData(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
	if littleEndian {
		return fixedData(c, k, v)
	}
	values := k.allocate(2 * v.Len)
	to := sliceOf[uint16](values.Bytes())
	for i := range to {
		to[i] = binary.LittleEndian.Uint16(v.Fixed[2*i:])
	}
	return c.assemble(k, v, nil, values), nil
}

// nestedData makes structs, lists and maps. Of a map, keys and values are in the struct of entries that Arrow has there.
func nestedData(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
	children, err := c.childData(k, v)
	if err != nil {
		return nil, err
	}
	if t, ok := c.storage.(*arrow.MapType); ok {
		entries := array.NewData(t.Elem(), v.Children[0].Len, []*memory.Buffer{nil}, children, 0, 0)
		releaseAll(children)
		children = []arrow.ArrayData{entries}
	}
	defer releaseAll(children)
	if v.Layout == vector.Struct {
		return c.assemble(k, v, children), nil
	}
	return c.assemble(k, v, children, k.lease.borrow(bytesOf(v.Offsets[:v.Len+1]))), nil
}

// childData converts the children of a vector; on an error it has released them.
func (c *column) childData(k *conversion, v *vector.Vector) ([]arrow.ArrayData, error) {
	children, above := make([]arrow.ArrayData, 0, len(c.children)), 0
	if v.Layout == vector.Struct {
		above = v.Nulls()
	}
	for i := range c.children {
		d, err := c.children[i].data(k, v.Children[i], above)
		if err != nil {
			releaseAll(children)
			return nil, err
		}
		children = append(children, d)
	}
	return children, nil
}
