package thrift

import (
	"context"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// strictly is Decode by a protocol that refuses what the lean readers refuse.
func strictly(b []byte, s apache.TStruct) (n int, err error) {
	p := &protocol{reader: reader{b: b}}
	err = s.Read(context.Background(), p)
	switch {
	case p.err != nil: // the generated code has turned it into text
		return 0, p.err
	case err != nil:
		return 0, corrupt.At(p.at, err)
	}
	return p.at, nil
}

// protocol is the reading half of a thrift.TProtocol for the compact protocol, with the
// single values of a reader.
// Generated code reads the elements of a list without checking their type;
// protocol returns an error if a value is read as another type than its header
// has, instead of misreading it.
type protocol struct {
	// Has the ReadByte of the interface, whose signature go vet does not allow
	// for a method of our own. Its other methods are never called: nothing is
	// written, and the metadata has no messages, maps, sets and UUIDs. (Skip
	// steps over unknown fields of those types.)
	*apache.TCompactProtocol
	buffer *apache.TMemoryBuffer

	reader
	depth int
	stack [maxDepth]frame // the structs and lists around the next value
}

type frame struct {
	typ   byte  // of the next value, as its header has it
	field int16 // id of the last field
	list  bool
}

func (p *protocol) top() *frame { return &p.stack[p.depth] }

// expect returns an error unless the next value is of type want.
func (p *protocol) expect(want byte) error {
	if typ := p.top().typ; typ != want {
		p.fail(p.at, "value of type ", typ, ", want ", want)
	}
	return p.err
}

// read reads a value of type want.
func read[T any](p *protocol, want byte, value func(*reader) T) (v T, err error) {
	if err = p.expect(want); err == nil {
		v, err = value(&p.reader), p.err
	}
	return v, err
}

func (p *protocol) push(f frame) error {
	if p.depth+1 >= len(p.stack) {
		p.failed(faultDepth, p.at)
		return p.err
	}
	p.depth++
	p.stack[p.depth] = f
	return nil
}

func (p *protocol) pop() error {
	p.depth--
	return nil
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
	top := p.top()
	key := p.field(int32(top.field) << 4)
	if key == 0 || p.err != nil {
		return "", apache.STOP, 0, p.err
	}
	top.typ, top.field = byte(key&0x0f), int16(key>>4)
	if top.typ == typeI8 {
		p.bufferI8()
	}
	return "", apacheType(top.typ), top.field, p.err
}

// bufferI8 moves the value of an i8 field to the buffer that ReadByte reads.
func (p *protocol) bufferI8() {
	if p.buffer == nil {
		p.buffer = apache.NewTMemoryBufferLen(1)
		p.TCompactProtocol = apache.NewTCompactProtocolConf(p.buffer, nil)
	}
	p.buffer.Reset()
	p.buffer.Write(p.bytes(1)) // never returns an error
}

func (p *protocol) ReadFieldEnd(context.Context) error { return p.err }

func (p *protocol) ReadListBegin(context.Context) (apache.TType, int, error) {
	if err := p.expect(typeList); err != nil {
		return 0, 0, err
	}
	start := p.at
	typ, n, next, f := listHeader(p.b, start)
	if p.at = next; f != noFault {
		p.failed(f, next)
	} else if n > (len(p.b)-next)/leastBytes(typ) {
		p.failed(faultShort, start)
	}
	if p.err != nil {
		return 0, 0, p.err
	}
	if typ == typeFalse {
		typ = typeTrue
	}
	return apacheType(typ), n, p.push(frame{typ: typ, list: true})
}

func (p *protocol) ReadListEnd(context.Context) error { return p.pop() }

// Skip steps over the value of the field whose header was read last.
func (p *protocol) Skip(context.Context, apache.TType) error {
	typ := p.top().typ
	if typ <= typeI8 {
		return nil // the header was the value, or bufferI8 has read it
	}
	p.skip(int32(typ))
	return p.err
}

func (p *protocol) ReadBool(context.Context) (bool, error) {
	top := p.top()
	if top.typ == typeFalse && !top.list {
		return false, nil
	}
	if err := p.expect(typeTrue); err != nil || !top.list {
		return err == nil, err
	}
	b := p.bytes(1)
	if len(b) == 0 {
		return false, p.err
	}
	if b[0] > typeFalse {
		p.fail(p.at-1, "bool of value ", b[0])
	}
	return b[0] == typeTrue, p.err
}

func (p *protocol) ReadI16(context.Context) (int16, error) { return read(p, typeI16, (*reader).i16) }
func (p *protocol) ReadI32(context.Context) (int32, error) { return read(p, typeI32, (*reader).i32) }
func (p *protocol) ReadI64(context.Context) (int64, error) { return read(p, typeI64, (*reader).i64) }

func (p *protocol) ReadDouble(context.Context) (float64, error) {
	return read(p, typeDouble, (*reader).double)
}

func (p *protocol) ReadString(context.Context) (string, error) {
	return read(p, typeBinary, (*reader).text)
}

func (p *protocol) ReadBinary(context.Context) ([]byte, error) {
	return read(p, typeBinary, (*reader).binary)
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

// apacheType returns the library's number of a type, STOP for one that does not exist.
func apacheType(typ byte) apache.TType {
	return [16]apache.TType{typeTrue: apache.BOOL, typeFalse: apache.BOOL, typeI8: apache.BYTE,
		typeI16: apache.I16, typeI32: apache.I32, typeI64: apache.I64, typeDouble: apache.DOUBLE,
		typeBinary: apache.STRING, typeList: apache.LIST, typeSet: apache.SET, typeMap: apache.MAP,
		typeStruct: apache.STRUCT, typeUUID: apache.UUID}[typ]
}
