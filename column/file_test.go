package column

import (
	"encoding/binary"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/thrift"
)

// file is a Parquet file in memory, opened far enough for cursors.
type file struct {
	bytes  []byte
	footer *thrift.Footer
	schema *schema.Schema
	pages  page.Options
}

// codecs are shared by all tests: their decoders take time to make.
var codecs = sync.OnceValue(func() *codec.Set { return codec.NewSet(codec.Options{Spare: encoding.Padding}) })

func openFile(b []byte) (*file, error) {
	f := &file{bytes: b, pages: page.Options{Codecs: codecs()}}
	if len(b) < 12 {
		return nil, corrupt.At(0, "too short")
	}
	n := uint64(binary.LittleEndian.Uint32(b[len(b)-8:]))
	if n > uint64(len(b)-8) {
		return nil, corrupt.At(0, "footer beyond the file")
	}
	var err error
	if f.footer, err = thrift.ParseFooter(b[len(b)-8-int(n) : len(b)-8]); err != nil {
		return nil, err
	}
	f.schema, err = schema.New(f.footer.Schema)
	return f, err
}

// source returns a column chunk and its bytes.
func (f *file) source(rowGroup, leaf int, indexed bool) (Source, []byte, error) {
	var c thrift.ColumnChunk
	if err := f.footer.Chunk(rowGroup, leaf, &c); err != nil {
		return Source{}, nil, err
	}
	m := &c.Meta
	s := Source{Leaf: f.schema.Leaves()[leaf], Rows: f.footer.RowGroups[rowGroup].NumRows, Start: m.DataPageOffset}
	if m.HasDictionaryOffset && m.DictionaryOffset > 0 && m.DictionaryOffset < s.Start {
		s.Start = m.DictionaryOffset
	}
	size := int64(len(f.bytes))
	if s.Start < 0 || m.CompressedSize < 0 || s.Start > size || m.CompressedSize > size-s.Start || int64(m.Type) != int64(s.Leaf.Type.Physical) || s.Rows < 0 {
		return s, nil, corrupt.At(0, "chunk")
	}
	s.Pages = page.Chunk{Length: m.CompressedSize, Values: m.NumValues}
	if f.footer.CreatedBy == "parquet-mr" || strings.HasPrefix(f.footer.CreatedBy, "parquet-mr version 1.2.") {
		s.Pages.Slack = min(100, size-s.Start-m.CompressedSize)
		m.CompressedSize += s.Pages.Slack
	}
	var err error
	if s.Unpacker, err = f.pages.Unpacker(m.Codec); err != nil {
		return s, nil, err
	}
	if indexed && c.HasOffsetIndex {
		from, n := c.OffsetIndexOffset, int64(c.OffsetIndexLength)
		if from < 0 || n < 0 || from > size || n > size-from {
			return s, nil, corrupt.At(0, "index")
		}
		x := new(thrift.OffsetIndex)
		if _, err := thrift.ReadOffsetIndex(f.bytes[from:from+n], x); err != nil {
			return s, nil, err
		}
		s.Index = x.Pages
	}
	return s, f.bytes[s.Start : s.Start+m.CompressedSize], nil
}

// memory is a Feed over bytes at hand. It hands out copies, which Done spoils.
type memory struct {
	chunk []byte
	reads []span // what was asked for
	lent  []lent
	spoil bool
}

type span struct{ from, to int64 }

type lent struct {
	to    int64
	bytes []byte
}

func (m *memory) Read(from, to int64) ([]byte, error) {
	if !m.spoil {
		return m.chunk[from:to], nil
	}
	m.reads = append(m.reads, span{from, to})
	b := make([]byte, to-from, to-from+encoding.Padding)
	copy(b, m.chunk[from:to])
	m.lent = append(m.lent, lent{to, b})
	return b, nil
}

// readAt is Options.ReadAt. It panics where there is nothing.
func (m *memory) readAt(dst []byte, from int64) error {
	copy(dst, m.chunk[from:][:len(dst)])
	return nil
}

func (m *memory) Done(before int64) {
	keep := m.lent[:0]
	for _, l := range m.lent {
		if l.to > before {
			keep = append(keep, l)
			continue
		}
		for i := range l.bytes {
			l.bytes[i] = 0xdb
		}
	}
	m.lent = keep
}

func must[T any](tb testing.TB) func(T, error) T {
	return func(v T, err error) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}
