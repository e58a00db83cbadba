package alter

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// Field returns a copy of the file with one field altered, and says which. It returns nil
// if the file has no plain footer, or if nothing was found that could be altered.
func Field(r *rand.Rand, file []byte) (altered []byte, how string) {
	f, err := open(file)
	if err != nil {
		return nil, ""
	}
	if how = f.alter(r); how == "" {
		return nil, ""
	}
	footer := serialize(f.footer)
	if footer == nil {
		return nil, ""
	}
	b := slices.Concat(f.body, footer)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
	return append(b, "PAR1"...), how
}

// A file is a Parquet file taken apart.
type file struct {
	body   []byte // all before the footer
	footer *wire.FileMetaData
}

func open(b []byte) (*file, error) {
	n := len(b)
	if n < 12 || string(b[n-4:]) != "PAR1" {
		return nil, fmt.Errorf("no plain footer")
	}
	at := n - 8 - int(binary.LittleEndian.Uint32(b[n-8:]))
	if at < 4 {
		return nil, fmt.Errorf("footer of %d bytes", n-8-at)
	}
	f := &file{body: slices.Clone(b[:at]), footer: wire.NewFileMetaData()}
	_, err := parse(f.footer, b[at:n-8])
	return f, err
}

// parse reads a struct, and returns how many bytes it takes.
func parse(s apache.TStruct, b []byte) (int, error) {
	buffer := apache.NewTMemoryBuffer()
	buffer.Write(b)
	err := s.Read(context.Background(), apache.NewTCompactProtocolConf(buffer, nil))
	return len(b) - buffer.Len(), err
}

// serialize returns nil for what cannot be written, such as a union of nothing. The generated
// code panics where a required struct is absent.
func serialize(s apache.TStruct) (b []byte) {
	defer func() {
		if recover() != nil {
			b = nil
		}
	}()
	buffer := apache.NewTMemoryBuffer()
	if s.Write(context.Background(), apache.NewTCompactProtocolConf(buffer, nil)) != nil {
		return nil
	}
	return buffer.Bytes()
}

func (f *file) alter(r *rand.Rand) string {
	part := r.IntN(5)
	if part == 0 || len(f.footer.RowGroups) == 0 {
		return name("footer: ", alterStruct(r, f.footer))
	}
	g := r.IntN(len(f.footer.RowGroups))
	group := f.footer.RowGroups[g]
	if part == 1 || len(group.Columns) == 0 {
		return name(fmt.Sprintf("footer: RowGroups[%d].", g), alterStruct(r, group))
	}
	c := r.IntN(len(group.Columns))
	chunk := group.Columns[c]
	where := fmt.Sprintf(" of row group %d, column %d: ", g, c)
	switch part {
	case 2:
		return name("column index"+where, f.alterIndex(r, wire.NewColumnIndex(), chunk.ColumnIndexOffset, chunk.ColumnIndexLength))
	case 3:
		return name("offset index"+where, f.alterIndex(r, wire.NewOffsetIndex(), chunk.OffsetIndexOffset, chunk.OffsetIndexLength))
	}
	return name("page header"+where, f.alterHeader(r, chunk.MetaData))
}

func name(where, how string) string {
	if how == "" {
		return ""
	}
	return where + how
}

// alterIndex writes an altered index behind all that was there.
func (f *file) alterIndex(r *rand.Rand, index apache.TStruct, offset *int64, length *int32) string {
	if offset == nil || length == nil || *offset < 0 || *offset >= int64(len(f.body)) {
		return ""
	}
	if _, err := parse(index, f.body[*offset:]); err != nil {
		return ""
	}
	how := alterStruct(r, index)
	b := serialize(index)
	if how == "" || b == nil {
		return ""
	}
	*offset, *length = int64(len(f.body)), int32(len(b))
	f.body = append(f.body, b...)
	return how
}

// alterHeader alters the header of a page so that it is as long as before.
func (f *file) alterHeader(r *rand.Rand, m *wire.ColumnMetaData) string {
	if m == nil {
		return ""
	}
	pages := f.pagesOf(m)
	if len(pages) == 0 {
		return ""
	}
	page := r.IntN(len(pages))
	for range 20 {
		h := wire.NewPageHeader()
		n, err := parse(h, f.body[pages[page]:])
		if err != nil {
			return ""
		}
		how := alterStruct(r, h)
		if b := serialize(h); how != "" && len(b) == n {
			copy(f.body[pages[page]:], b)
			return fmt.Sprintf("page %d: %s", page, how)
		}
	}
	return ""
}

// pagesOf returns where the pages of a chunk begin.
func (f *file) pagesOf(m *wire.ColumnMetaData) (at []int64) {
	from := m.DataPageOffset
	if m.DictionaryPageOffset != nil && *m.DictionaryPageOffset > 0 {
		from = min(from, *m.DictionaryPageOffset)
	}
	for to := from + m.TotalCompressedSize; from >= 0 && from < to && to <= int64(len(f.body)); {
		h := wire.NewPageHeader()
		n, err := parse(h, f.body[from:])
		if err != nil || h.CompressedPageSize < 0 {
			break
		}
		at = append(at, from)
		from += int64(n) + int64(h.CompressedPageSize)
	}
	return at
}
