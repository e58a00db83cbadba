package pageindex

import (
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/thrift"
)

// WrittenBy returns c for a file of writer w. It assumes that chunks have a
// dictionary, because more known bugs concern those; see In.
func (c Column) WrittenBy(w writer.Writer) Column {
	c.writer, c.traits = w, writer.Dictionary
	switch t := c.Leaf.Type; {
	case t.Physical == vector.ByteArray:
		c.traits |= writer.Bytes | writer.ByteArray
	case t.Physical == vector.FixedLenByteArray:
		c.traits |= writer.Bytes
	}
	if c.Leaf.Type.Logical == vector.Decimal {
		c.traits |= writer.Decimal
	}
	if c.Leaf.Parent != nil && c.Leaf.Parent.Parent != nil {
		c.traits |= writer.Nested
	}
	return c.withDoubts()
}

// In returns c for one chunk of its file. If the chunk has no dictionary, bugs
// that only concern dictionaries are ruled out.
func (c Column) In(chunk *thrift.ColumnChunk) Column {
	c.traits |= writer.Dictionary
	if chunk.HasMeta && !hasDictionary(&chunk.Meta) {
		c.traits &^= writer.Dictionary
	}
	return c.withDoubts()
}

// withDoubts returns c with the writer's known errors about columns like c.
func (c Column) withDoubts() Column {
	c.inChunk = c.writer.Doubts(c.traits)
	c.inPage = c.writer.Doubts(c.traits | writer.Page)
	return c
}

// hasDictionary reports whether the chunk has a dictionary page or any encoding
// that needs one.
func hasDictionary(m *thrift.ColumnMetaData) bool {
	return m.HasDictionaryOffset || slices.ContainsFunc(m.Encodings, thrift.Encoding.IsDictionary) ||
		slices.ContainsFunc(m.EncodingStats, func(s thrift.PageEncodingStats) bool {
			return s.Encoding.IsDictionary() || s.PageType == thrift.DictionaryPage
		})
}
