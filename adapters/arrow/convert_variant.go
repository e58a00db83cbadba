package arrowscan

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/winnow-scan/winnow/column/vector"
)

// wholeVariant makes c, a VARIANT, a struct of the binaries metadata and value. Children stay those of the file.
func (c *column) wholeVariant(f *vector.Field, o *Options) {
	binary, _ := o.laidOut(nil).layout(arrow.BinaryTypes.BinaryView, arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, false)
	whole := arrow.StructOf(arrow.Field{Name: "metadata", Type: binary}, arrow.Field{Name: "value", Type: binary})
	c.storage = whole
	c.convert = func(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
		variants, err := f.Variants()
		if err != nil {
			return nil, err
		}
		variants.Use(v)
		b, bytes := array.NewStructBuilder(k.allocator, whole), 0
		defer b.Release()
		parts := [2]array.BinaryLikeBuilder{b.FieldBuilder(0).(array.BinaryLikeBuilder), b.FieldBuilder(1).(array.BinaryLikeBuilder)}
		for i := range v.Len {
			metadata, value, err := variants.Binary(i)
			if err != nil {
				return nil, err
			}
			if bytes += len(metadata) + len(value); bytes > math.MaxInt32 {
				return nil, c.errorf("the VARIANTs of one batch have more than %d bytes: read fewer rows a batch", math.MaxInt32)
			}
			b.AppendValues([]bool{metadata != nil})
			parts[0].Append(metadata)
			parts[1].Append(value)
		}
		a := b.NewArray()
		defer a.Release()
		d := a.Data()
		return array.NewData(c.field.Type, d.Len(), d.Buffers(), d.Children(), d.NullN(), 0), nil
	}
}
