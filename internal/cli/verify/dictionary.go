package verify

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/thrift"
)

// dictionaryPage looks at the entries of a dictionary page: whether they fill it, and are
// sorted if its header says so. A page that does not decode is left to those who need it.
func (v *verification) dictionaryPage(ctx context.Context, x *leafValues, p *chunks.Page) error {
	c, order := x.chunk, &x.bounds.Column
	if p.Encoding != thrift.EncodingPlain && p.Encoding != thrift.EncodingPlainDictionary {
		return nil
	}
	unpacker, err := v.unpacker(c)
	if err != nil {
		return err
	}
	_, body, err := p.Read(ctx, v.f, c, unpacker)
	if err != nil {
		return err
	}
	var last []byte
	for i := range int(p.NumValues) {
		entry, rest, ok := cutPlain(c.Leaf.Type, body)
		if !ok {
			return nil // whoever needs the dictionary says what is wrong
		}
		if p.IsSorted == thrift.True && order.Ordered() && !order.IsNaN(entry) {
			if last != nil && order.Compare(last, entry) > 0 {
				v.fault(c, -1, p.Offset, "dictionary: it is said to be sorted, but entry ", i, ", ", x.text(entry), ", is less than ", x.text(last))
				return nil
			}
			last = bytes.Clone(entry)
		}
		body = rest
	}
	if len(body) > 0 {
		v.flaw(c, -1, p.Offset, "dictionary: ", len(body), " bytes after its ", p.NumValues, " entries")
	}
	return nil
}

// cutPlain cuts the first value off values in PLAIN encoding, which are no booleans.
func cutPlain(t vector.Type, b []byte) (value, rest []byte, ok bool) {
	n := t.Width()
	if t.Physical == vector.ByteArray {
		if len(b) < 4 {
			return nil, nil, false
		}
		size := int64(binary.LittleEndian.Uint32(b))
		if b = b[4:]; size > int64(len(b)) {
			return nil, nil, false
		}
		n = int(size)
	}
	if n < 0 || n > len(b) || t.Physical == vector.Boolean {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}
