package thrift

import (
	"context"
	"encoding/binary"
	"math"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Decode reads s from the front of b with the code that the Thrift compiler
// generated, and returns how many bytes it took. Strings and binaries of s are
// views of b.
func Decode(b []byte, s apache.TStruct) (n int, err error) {
	p := &protocol{b: b}
	err = s.Read(context.Background(), p)
	switch {
	case p.err != nil: // the generated code has turned it into text
		return 0, p.err
	case err != nil:
		return 0, corrupt.At(p.at, err)
	}
	return p.at, nil
}

// protocol is the reading half of a thrift.TProtocol for the compact protocol.
// Generated code reads the elements of a list without checking their type;
// protocol returns an error if a value is read as another type than its header
// has, instead of misreading it.
type protocol struct {
	// Has the ReadByte of the interface, whose signature go vet does not allow
	// for a method of our own. Its other methods are never called: nothing is
	// written, and the metadata has no messages, maps, sets and UUIDs. (Skip
	// steps over unknown fields of those types.)
	*apache.TCompactProtocol
	i8 *apache.TMemoryBuffer

	b     []byte
	at    int // next byte
	err   error
	depth int
	stack [maxDepth]frame // the structs and lists around the next value
}

type frame struct {
	typ   byte  // of the next value, as its header has it
	field int16 // id of the last field
	list  bool
}

func (p *protocol) top() *frame { return &p.stack[p.depth] }

func (p *protocol) fail(at int, parts ...any) error {
	if p.err == nil {
		p.err = corrupt.At(at, parts...)
	}
	return p.err
}

func (p *protocol) failed(f fault, at int) error {
	if p.err == nil {
		p.err = f.at(at)
	}
	return p.err
}

// expect returns an error unless the next value is of type want.
func (p *protocol) expect(want byte) error {
	if typ := p.top().typ; p.err == nil && typ != want {
		return p.fail(p.at, "value of type ", typ, ", want ", want)
	}
	return p.err
}

func (p *protocol) push(f frame) error {
	if p.depth+1 >= len(p.stack) {
		return p.failed(faultDepth, p.at)
	}
	p.depth++
	p.stack[p.depth] = f
	return nil
}

func (p *protocol) pop() error {
	p.depth--
	return nil
}

// bytes returns a view of the next n bytes.
func (p *protocol) bytes(n int) ([]byte, error) {
	if n > len(p.b)-p.at {
		return nil, p.failed(faultShort, len(p.b))
	}
	p.at += n
	return p.b[p.at-n : p.at : p.at], nil
}

func (p *protocol) varint(want byte, bits uint) (int64, error) {
	if err := p.expect(want); err != nil {
		return 0, err
	}
	return p.zigzag(bits)
}

func (p *protocol) zigzag(bits uint) (int64, error) {
	v, next, f := uvarint(p.b, p.at)
	if f != noFault {
		return 0, p.failed(f, next)
	}
	if bits < 64 && v>>bits != 0 {
		return 0, p.fail(p.at, "integer of more than ", uint64(bits), " bits")
	}
	p.at = next
	return zigzag(v), nil
}

func (p *protocol) ReadStructBegin(context.Context) (string, error) {
	if p.depth > 0 {
		if err := p.expect(typeStruct); err != nil {
			return "", err
		}
	}
	return "", p.push(frame{})
}

func (p *protocol) ReadStructEnd(context.Context) error { return p.pop() }

func (p *protocol) ReadFieldBegin(context.Context) (string, apache.TType, int16, error) {
	start := p.at
	h, err := p.bytes(1)
	if err != nil {
		return "", 0, 0, err
	}
	if h[0] == typeStop {
		return "", apache.STOP, 0, nil
	}
	typ, ok := apacheType(h[0] & 0x0f)
	if !ok {
		return "", 0, 0, p.failed(faultType, start)
	}
	top := p.top()
	id := int64(top.field) + int64(h[0]>>4)
	if h[0]>>4 == 0 {
		if id, err = p.zigzag(16); err != nil {
			return "", 0, 0, err
		}
	}
	if id > math.MaxInt16 {
		return "", 0, 0, p.fail(start, "field id ", id)
	}
	top.typ, top.field = h[0]&0x0f, int16(id)
	if top.typ == typeI8 {
		err = p.bufferI8()
	}
	return "", typ, top.field, err
}

// bufferI8 moves the value of an i8 field to the buffer that ReadByte reads.
func (p *protocol) bufferI8() error {
	b, err := p.bytes(1)
	if err != nil {
		return err
	}
	if p.i8 == nil {
		p.i8 = apache.NewTMemoryBufferLen(1)
		p.TCompactProtocol = apache.NewTCompactProtocolConf(p.i8, nil)
	}
	p.i8.Reset()
	return p.i8.WriteByte(b[0])
}

func (p *protocol) ReadFieldEnd(context.Context) error { return p.err }

func (p *protocol) ReadListBegin(context.Context) (apache.TType, int, error) {
	if err := p.expect(typeList); err != nil {
		return 0, 0, err
	}
	typ, n, next, f := listHeader(p.b, p.at)
	if f != noFault {
		return 0, 0, p.failed(f, next)
	}
	if n > (len(p.b)-next)/leastBytes(typ) {
		return 0, 0, p.failed(faultShort, p.at)
	}
	p.at = next
	if typ == typeFalse {
		typ = typeTrue
	}
	elem, _ := apacheType(typ)
	return elem, n, p.push(frame{typ: typ, list: true})
}

func (p *protocol) ReadListEnd(context.Context) error { return p.pop() }

// Skip steps over the value of the field whose header was read last.
func (p *protocol) Skip(context.Context, apache.TType) error {
	typ := p.top().typ
	if typ <= typeI8 {
		return nil // the header was the value, or bufferI8 has read it
	}
	next, f := skipValue(p.b, p.at, typ, 0)
	if f != noFault {
		return p.failed(f, next)
	}
	p.at = next
	return nil
}

func (p *protocol) ReadBool(context.Context) (bool, error) {
	top := p.top()
	if top.typ == typeFalse && !top.list {
		return false, nil
	}
	if err := p.expect(typeTrue); err != nil || !top.list {
		return err == nil, err
	}
	b, err := p.bytes(1)
	if err != nil {
		return false, err
	}
	if b[0] > typeFalse {
		return false, p.fail(p.at-1, "bool of value ", b[0])
	}
	return b[0] == typeTrue, nil
}

func (p *protocol) ReadI16(context.Context) (int16, error) {
	v, err := p.varint(typeI16, 16)
	return int16(v), err
}

func (p *protocol) ReadI32(context.Context) (int32, error) {
	v, err := p.varint(typeI32, 32)
	return int32(v), err
}

func (p *protocol) ReadI64(context.Context) (int64, error) {
	return p.varint(typeI64, 64)
}

func (p *protocol) ReadDouble(context.Context) (float64, error) {
	if err := p.expect(typeDouble); err != nil {
		return 0, err
	}
	b, err := p.bytes(8)
	if err != nil {
		return 0, err
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b)), nil
}

func (p *protocol) ReadString(ctx context.Context) (string, error) {
	b, err := p.ReadBinary(ctx)
	return text(b), err
}

func (p *protocol) ReadBinary(context.Context) ([]byte, error) {
	if err := p.expect(typeBinary); err != nil {
		return nil, err
	}
	n, next, f := size(p.b, p.at)
	if f != noFault {
		return nil, p.failed(f, next)
	}
	p.at = next
	return p.bytes(n)
}

// leastBytes is the length of the shortest value of a type in a list.
func leastBytes(typ byte) int {
	switch typ {
	case typeDouble:
		return 8
	case typeUUID:
		return 16
	}
	return 1
}

// apacheType returns the library's number of a type, and false for one that does not exist.
func apacheType(typ byte) (apache.TType, bool) {
	types := [16]apache.TType{typeTrue: apache.BOOL, typeFalse: apache.BOOL, typeI8: apache.BYTE,
		typeI16: apache.I16, typeI32: apache.I32, typeI64: apache.I64, typeDouble: apache.DOUBLE,
		typeBinary: apache.STRING, typeList: apache.LIST, typeSet: apache.SET, typeMap: apache.MAP,
		typeStruct: apache.STRUCT, typeUUID: apache.UUID}
	t := types[typ&15]
	return t, t != apache.STOP
}
