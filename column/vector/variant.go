package vector

import (
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/encoding/variant"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Variants reads the slots of a VARIANT column as values. A vector of such a column has what the
// file stores: names in metadata, and the value in the field value, in typed_value, or partly in each, as
// the format says of shredded variants. Not safe for concurrent use.
type Variants struct {
	part     string // "column …", for errors
	top      shredded
	metadata int // which child it is
	v        *Vector

	names  variant.Metadata // of the last slot
	source []byte           // what names were parsed from; nil: they are of another vector
	serial int              // counts the changes of names

	most    int // maxVariant
	value   []byte
	entries []entry
	starts  []int
	ids     []uint32 // never nil, which stands for an array
}

// isVariant reports whether slots of f are variants: f is a VARIANT, with all that the file stores of it.
func (f *Field) isVariant() bool { return f.Layout == Struct && f.Type.Logical == Variant }

// Variants returns what reads vectors of f. It is an error if f is no VARIANT, or is shredded in a way that the format rules out.
func (f *Field) Variants() (*Variants, error) {
	if !f.isVariant() {
		return nil, corrupt.NotSupported(f.Name, " is no VARIANT")
	}
	r := &Variants{part: "column " + f.Name, metadata: -1, most: maxVariant, ids: []uint32{}}
	err := r.top.bind(f, &r.metadata)
	if err == nil && r.metadata < 0 {
		err = shapeError(f, "has no metadata")
	}
	if err != nil {
		return nil, corrupt.Within(err, r.part, 0)
	}
	return r, nil
}

// AsStored returns fields in which a VARIANT is a struct like others: its JSON and text are those of the groups that the file stores.
func AsStored(fields []Field) []Field {
	out := slices.Clone(fields)
	for i := range out {
		if f := &out[i]; f.isVariant() {
			f.Type.Logical = None
		}
		out[i].Children = AsStored(out[i].Children)
	}
	return out
}

// Use makes v the vector whose slots are read.
func (r *Variants) Use(v *Vector) {
	r.v, r.source = v, nil
	r.top.use(v)
}

// Binary returns metadata and value of slot i in the format's binary form, as they are where the column is not shredded. Both are nil if the
// slot is NULL. They share the memory of r and of the vector, and are valid until the next call. What is
// within objects and arrays is checked only as far as it was put together.
func (r *Variants) Binary(i int) (metadata, value []byte, err error) {
	if r.v.IsNull(i) {
		return nil, nil, nil
	}
	if r.v.Form == Constant {
		i = 0
	}
	metadata = r.v.Children[r.metadata].Bytes(i)
	if err := r.readNames(metadata); err != nil {
		return nil, nil, corrupt.Within(err, r.part, 0)
	}
	if r.top.typed < 0 {
		if of := r.v.Children[r.top.value]; !of.IsNull(i) {
			return metadata, of.Bytes(i), nil
		}
	}
	r.entries, r.starts = r.entries[:0], r.starts[:0] // an error may have left some
	dst, present, err := r.append(r.value[:0], &r.top, i)
	if err != nil {
		return nil, nil, corrupt.Within(err, r.part, 0)
	}
	if !present { // where a value is required
		dst = variant.AppendPrimitive(dst, variant.Null, nil)
	}
	r.value = dst
	return metadata, dst, nil
}

// readNames parses the metadata of a slot, unless it is that of the slot before.
func (r *Variants) readNames(b []byte) (err error) {
	if r.source != nil && string(b) == string(r.source) {
		return nil
	}
	r.serial++
	r.source = nil
	if r.names, _, err = variant.ParseMetadata(b); err == nil {
		r.source = b
	}
	return err
}

// read parses the value of slot i; ok is false if it is NULL.
func (r *Variants) read(i int) (v variant.Value, ok bool, err error) {
	_, value, err := r.Binary(i)
	if err != nil || value == nil {
		return v, false, err
	}
	v, err = r.names.Value(value)
	return v, err == nil, corrupt.Within(err, r.part, 0)
}

// AppendJSON appends slot i as JSON. NULL and the variant null are null, numbers and decimals are numbers; other values
// are strings, as Type.JSON has them. If the value cannot be written, it returns dst as it was, with an error.
func (r *Variants) AppendJSON(dst []byte, i int) ([]byte, error) {
	v, ok, err := r.read(i)
	if err != nil {
		return dst, err
	}
	if !ok {
		return append(dst, "null"...), nil
	}
	out, err := r.appendValue(dst, len(dst), &v, 0)
	if err != nil {
		return dst, corrupt.Within(err, r.part, 0)
	}
	return out, nil
}

// Native returns slot i as Go has it: nil, bool, int64, float32, float64, string, []byte, *big.Rat for decimals, time.Time
// for dates and timestamps, time.Duration for times of day, [16]byte for UUIDs, []any and map[string]any. NULL and the variant null are nil.
func (r *Variants) Native(i int) (any, error) {
	v, ok, err := r.read(i)
	if err != nil || !ok {
		return nil, err
	}
	native, err := v.Native()
	return native, corrupt.Within(err, r.part, 0)
}

// maxVariant bounds the JSON of one variant, and its value where that is put together. Both can be much longer than the
// bytes that they come from: objects may repeat long names that the metadata has once, and items an entry of a dictionary.
const maxVariant = 1 << 28

// checkSize returns an error where more is to be appended to size bytes of a variant than it may have.
func (r *Variants) checkSize(size int) error {
	if size > r.most {
		return corrupt.NotSupported("VARIANT of more than ", r.most, " bytes, put together or as text")
	}
	return nil
}

// variantTypes are the types of primitives but decimals, whose Bytes are as PLAIN has them.
var variantTypes = [variant.Array]Type{
	variant.Null: {Physical: Group}, variant.True: {Physical: Boolean}, variant.Int32: {Physical: Int32}, variant.Int64: {Physical: Int64},
	variant.Int8:  {Physical: Int32, Logical: Integer, Bits: 8, Signed: true},
	variant.Int16: {Physical: Int32, Logical: Integer, Bits: 16, Signed: true},
	variant.Float: {Physical: Float}, variant.Double: {Physical: Double},
	variant.Binary: {Physical: ByteArray}, variant.String: {Physical: ByteArray, Logical: String},
	variant.Date:                {Physical: Int32, Logical: Date},
	variant.TimeLocal:           {Physical: Int64, Logical: Time, Unit: Micros},
	variant.Timestamp:           {Physical: Int64, Logical: Timestamp, Unit: Micros, UTC: true},
	variant.TimestampLocal:      {Physical: Int64, Logical: Timestamp, Unit: Micros},
	variant.TimestampNanos:      {Physical: Int64, Logical: Timestamp, Unit: Nanos, UTC: true},
	variant.TimestampNanosLocal: {Physical: Int64, Logical: Timestamp, Unit: Nanos},
	variant.UUID:                {Physical: FixedLenByteArray, Length: 16, Logical: UUID},
}

// appendValue appends v as JSON. It lies depth values deep in the one that begins at start.
func (r *Variants) appendValue(dst []byte, start int, v *variant.Value, depth int) ([]byte, error) {
	if err := variant.CheckDepth(depth); err != nil {
		return dst, err
	}
	if err := r.checkSize(len(dst) - start); err != nil {
		return dst, err
	}
	switch k := v.Kind(); k {
	case variant.Array, variant.Object:
		return r.appendContainer(dst, start, v, depth)
	case variant.True, variant.False:
		return strconv.AppendBool(dst, k == variant.True), nil
	case variant.Int8, variant.Int16, variant.Int32, variant.Int64:
		return appendDecimal64(dst, v.Int(), 0), nil
	case variant.Decimal4, variant.Decimal8, variant.Decimal16:
		unscaled, scale := v.Decimal()
		return appendDecimalBytes(dst, unscaled, scale)
	default:
		format := variantTypes[k].JSON()
		return format.Append(dst, v.Bytes())
	}
}

func (r *Variants) appendContainer(dst []byte, start int, v *variant.Value, depth int) ([]byte, error) {
	ends, first := "[]", true
	if v.Kind() == variant.Object {
		ends = "{}"
	}
	dst = append(dst, ends[0])
	err := v.Each(func(name []byte, field *variant.Value) (err error) {
		if !first {
			dst = append(dst, ',')
		}
		if first = false; v.Kind() == variant.Object {
			dst = append(appendQuoted(dst, name), ':')
		}
		dst, err = r.appendValue(dst, start, field, depth+1)
		return err
	})
	return append(dst, ends[1]), err
}
