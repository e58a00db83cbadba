package thrift

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"strconv"
	"strings"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Confirm decodes the front of b a second time, with generated code and the library's own
// protocol, and returns an error unless these read what this package has read there into lean. The
// error is a fault of this package, not of b.
func Confirm[T PageHeader | ColumnIndex | OffsetIndex | BloomFilterHeader](lean *T, b []byte) error {
	switch x := any(lean).(type) {
	case *PageHeader:
		return confirm(b, *x, pageHeaderOf)
	case *ColumnIndex:
		return confirm(b, *x, columnIndexOf)
	case *OffsetIndex:
		return confirm(b, *x, offsetIndexOf)
	default:
		return confirm(b, *x.(*BloomFilterHeader), bloomFilterHeaderOf)
	}
}

// generated is a pointer to a struct of generated code.
type generated[T any] interface {
	*T
	apache.TStruct
}

func confirm[T any, P generated[T], L any](b []byte, lean L, of func(P) L) error {
	w := P(new(T))
	if _, err := Decode(b, w); err != nil {
		return disagrees("it refuses the bytes: " + err.Error())
	}
	return disagrees(difference(lean, of(w)))
}

// ConfirmFooter is Confirm for a footer, with all that is read of it when it is asked for. It
// returns nil if some of that cannot be read: who asks for it gets the error.
func ConfirmFooter(f *Footer) error {
	if f.readAll() != nil {
		return nil
	}
	w := new(wire.FileMetaData)
	if _, err := Decode(f.b[:f.Size], w); err != nil {
		return disagrees("it refuses the footer: " + err.Error())
	}
	own := *f
	if w.EncryptionAlgorithm == nil { // that of an encrypted footer stands in front of it
		own.Encryption, own.AAD = 0, AAD{}
	}
	return disagrees(own.difference(w))
}

// Decode reads s from the front of b with generated code and the library's own protocol, and returns how
// many bytes it took. No list is longer than the bytes justify.
func Decode(b []byte, s apache.TStruct) (n int, err error) {
	limit := int32(min(len(b), math.MaxInt32))
	c := &apache.TConfiguration{MaxMessageSize: limit, MaxFrameSize: limit}
	left := &apache.TMemoryBuffer{Buffer: bytes.NewBuffer(b)}
	if err := s.Read(context.Background(), lenient{apache.NewTCompactProtocolConf(left, c), left}); err != nil {
		return 0, corrupt.At(len(b)-left.Len(), err)
	}
	return len(b) - left.Len(), nil
}

// lenient is the library's protocol that steps over empty lists of types that do not exist, as the lean readers do.
type lenient struct {
	*apache.TCompactProtocol
	left *apache.TMemoryBuffer
}

func (p lenient) ReadListBegin(ctx context.Context) (apache.TType, int, error) {
	header := 0
	switch b := p.left.Bytes(); {
	case len(b) > 0 && b[0]>>4 == 0:
		header = 1
	case len(b) > 1 && b[0]>>4 == 15 && b[1] == 0: // the size by itself
		header = 2
	default:
		return p.TCompactProtocol.ReadListBegin(ctx)
	}
	p.left.Next(header)
	return apache.STOP, 0, nil
}

func (p lenient) ReadSetBegin(ctx context.Context) (apache.TType, int, error) {
	return p.ReadListBegin(ctx)
}

func (p lenient) Skip(ctx context.Context, t apache.TType) error {
	return apache.SkipDefaultDepth(ctx, p, t)
}

// disagrees returns an error, or nil if there is no difference.
func disagrees(difference string) error {
	if difference == "" {
		return nil
	}
	return corrupt.At(-1, "the reader disagrees with the code that Apache Thrift generates: ", strings.TrimPrefix(difference, "."), "; please report it")
}

// readAll reads what is read of a footer when it is asked for.
func (f *Footer) readAll() error {
	_, err := f.KeyValues.Append(nil)
	var c ColumnChunk
	for rg := range f.RowGroups {
		for col := range f.RowGroups[rg].NumColumns {
			if err == nil {
				err = f.Chunk(rg, col, &c)
			}
			if err == nil {
				_, err = c.Meta.KeyValues.Append(nil)
			}
		}
	}
	return err
}

// difference returns where f, all of which can be read, differs from what generated code read.
func (f *Footer) difference(w *wire.FileMetaData) string {
	own, _ := f.KeyValues.Append(nil)
	if d := difference(own, each(w.KeyValueMetadata, keyValueOf)); d != "" {
		return "key_value_metadata" + d
	}
	if d := difference(*f, footerOf(w)); d != "" {
		return d
	}
	var c ColumnChunk
	for rg, g := range w.RowGroups {
		for col, want := range g.Columns {
			d := ""
			if err := f.Chunk(rg, col, &c); err != nil {
				d = " cannot be read: " + err.Error()
			} else if d = difference(c, columnChunkOf(want)); d == "" {
				own, _ = c.Meta.KeyValues.Append(nil)
				d = difference(own, each(value(want.MetaData).KeyValueMetadata, keyValueOf))
			}
			if d != "" {
				return "row group " + strconv.Itoa(rg) + ", column " + strconv.Itoa(col) + d
			}
		}
	}
	return ""
}

// difference returns where got differs from want, and how; "" if it does not. Bytes that are nil
// differ from empty ones, other lists do not, and NaN is itself. Unexported fields, lists of keys
// and values that are read when asked for, and the footer's Size are no matter.
func difference(got, want any) string {
	return differenceOf("", reflect.ValueOf(got), reflect.ValueOf(want))
}

func differenceOf(field string, got, want reflect.Value) string {
	switch g := got.Interface().(type) {
	case []byte:
		if w := want.Bytes(); (g == nil) == (w == nil) && bytes.Equal(g, w) {
			return ""
		}
		return differs(got, want)
	case Arm:
		if w := Arm(want.Int()); g == w || unknownArm(g, field) && unknownArm(w, field) {
			return ""
		}
	case LogicalType:
		if w := want.Interface().(LogicalType); unknownArm(g.Kind, "LogicalType.Kind") && unknownArm(w.Kind, "LogicalType.Kind") {
			return "" // its parameters mean nothing
		}
	case float64:
		if math.Float64bits(g) == math.Float64bits(want.Float()) { // NaN is itself
			return ""
		}
	case KeyValues:
		return ""
	}
	switch got.Kind() {
	case reflect.Struct:
		for i := range got.NumField() {
			f := got.Type().Field(i)
			name := got.Type().Name() + "." + f.Name
			if !f.IsExported() || name == "Footer.Size" {
				continue
			}
			if d := differenceOf(name, got.Field(i), want.Field(i)); d != "" {
				return "." + f.Name + d
			}
		}
		return ""
	case reflect.Slice:
		if got.Len() != want.Len() {
			return " has " + strconv.Itoa(got.Len()) + " elements, not " + strconv.Itoa(want.Len())
		}
		for i := range got.Len() {
			if d := differenceOf(field, got.Index(i), want.Index(i)); d != "" {
				return "[" + strconv.Itoa(i) + "]" + d
			}
		}
		return ""
	}
	if got.Equal(want) {
		return ""
	}
	return differs(got, want)
}

func differs(got, want reflect.Value) string { return " is " + textOf(got) + ", not " + textOf(want) }

// textOf returns the text of a value that has no parts.
func textOf(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.Kind() == reflect.Slice && v.IsNil():
		return "absent"
	case v.Kind() == reflect.Slice:
		return strconv.Quote(string(v.Bytes()))
	}
	return strconv.Quote(v.String())
}

// unknownArm reports whether a union's arm is none that this package knows. Generated code does
// not tell which it was.
func unknownArm(a Arm, field string) bool {
	last := Arm(0)
	switch field {
	case "LogicalType.Kind":
		last = LogicalFile
	case "LogicalType.Unit", "Footer.ColumnOrders":
		last = 3
	case "Crypto.Kind", "Footer.Encryption":
		last = 2
	case "BloomFilterHeader.Algorithm", "BloomFilterHeader.Hash", "BloomFilterHeader.Compression":
		last = 1
	}
	return a < 0 || a > last || a == 9 && field == "LogicalType.Kind"
}
