package verify

import (
	"context"
	"errors"
	"iter"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/progress"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// verifyWindow is how many rows are decoded at once.
const verifyWindow = 1024

// unpacker returns what unpacks the pages of a chunk. Checksums are compared elsewhere.
func (v *verifier) unpacker(c *scanner.Chunk) (page.Unpacker, error) {
	id := c.Meta.Codec
	u, err := page.Options{Codecs: v.codecs, IgnoreCRC: true, Cipher: rawmeta.Cipher(v.f.File, c)}.Unpacker(id)
	return u, fault.InPage(v.f.Name(), c, -1, -1, err)
}

// slots reads all slots of a chunk, page after page, and believes no index. What it yields is
// valid until the next step. A progress that is not nil is told of bytes that are done.
func (v *verifier) slots(ctx context.Context, c *scanner.Chunk, told *progress.Progress) iter.Seq2[*column.Levels, error] {
	return func(yield func(*column.Levels, error) bool) {
		source, slack, err := v.columnSource(c)
		var chunk column.Chunk
		if err == nil {
			err = v.inChunk(c, source.Start, chunk.Reset(source))
		}
		if err != nil {
			yield(nil, err)
			return
		}
		feed := chunkFeed{ctx: ctx, src: v.f.Source(), told: told, chunk: fetch.Range{Off: source.Start, Len: source.Pages.Length + slack}}
		defer func() { feed.Done(source.Pages.Length) }()
		var cursor column.Cursor
		cursor.Open(&chunk, &feed, column.Options{})
		defer cursor.Close()
		var l column.Levels
		for cursor.At() < source.Rows {
			if err := ctx.Err(); err != nil { // a page of few bytes may have very many rows
				yield(nil, err)
				return
			}
			cursor.Window(min(cursor.At()+verifyWindow, source.Rows))
			l.Reset(c.Leaf.Type)
			if err := v.inChunk(c, source.Start, cursor.ReadLevels(nil, &l)); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&l, nil) {
				return
			}
			cursor.Release(&l.Values)
			cursor.Advance(min(cursor.At()+verifyWindow, source.Rows))
		}
	}
}

// columnSource describes a chunk to a cursor as a scan does.
func (v *verifier) columnSource(c *scanner.Chunk) (source column.Source, slack int64, err error) {
	r, slack, err := c.Range()
	if err != nil {
		return source, 0, err
	}
	unpacker, err := v.unpacker(c)
	return column.Source{
		Leaf: c.Leaf, Rows: v.f.Footer().RowGroups[c.RowGroup].NumRows, Unpacker: unpacker, Start: r.Off,
		Pages: page.Chunk{
			Length: r.Len, Slack: slack, Values: c.Meta.NumValues, Cipher: rawmeta.Cipher(v.f.File, c),
		},
		LSBFirst: v.f.Writer().Doubts(0)&writer.LevelOrder != 0,
	}, slack, err
}

// inChunk adds the place of a chunk, whose pages begin at start, to an error of its cursor.
func (v *verifier) inChunk(c *scanner.Chunk, start int64, err error) error {
	var e *column.Error
	if !errors.As(err, &e) {
		return fault.InPage(v.f.Name(), c, -1, -1, err)
	}
	offset := int64(-1)
	if e.Offset >= 0 {
		offset = start + e.Offset
	}
	return fault.InPage(v.f.Name(), c, e.Page, offset, e.Err)
}

// chunkFeed is the column.Feed of a chunk: it reads windows of the file.
type chunkFeed struct {
	ctx    context.Context
	src    fetch.Source
	told   *progress.Progress
	chunk  fetch.Range
	at     int64 // where in the chunk window begins
	window []byte
	done   int64 // bytes that told knows of
}

const feedWindow = 256 << 10

func (b *chunkFeed) Read(from, to int64) ([]byte, error) {
	if from < b.at || to > b.at+int64(len(b.window)) {
		r := fetch.Range{Off: b.chunk.Off + from, Len: max(to-from, min(feedWindow, b.chunk.Len-from))}
		padded := func(n int) []byte { return make([]byte, n, n+encoding.Padding) }
		window, err := fetch.ReadRange(b.ctx, b.src, r, padded)
		if err != nil {
			return nil, err
		}
		if cap(window)-len(window) < encoding.Padding { // a view of the source's memory
			window = append(padded(0), window...)
		}
		b.at, b.window = from, window
	}
	return b.window[from-b.at : to-b.at], nil
}

func (b *chunkFeed) Done(before int64) {
	if before > b.done {
		b.told.Did(before - b.done)
		b.done = before
	}
}

const (
	farColumns = 16      // columns of far files that are read at the same time
	maxFetched = 8 << 20 // bytes of a column chunk that are fetched as one
)

// isFar reports whether the blocks that are read of the file are kept in memory.
func (v *verifier) isFar() bool {
	t := v.f.Source().Traits()
	return t.Latency > 0 && t.Identity.Known()
}

// fetch reads a far chunk, and what there is of indexes and Bloom filter, in one trip, so that headers, checksums
// and values find the bytes in memory. What it cannot read is left to these, who say what is wrong.
func (v *verifier) fetch(ctx context.Context, c *scanner.Chunk) {
	pages, _, err := c.Range()
	if err != nil || !v.isFar() {
		return
	}
	ranges := []fetch.Range{pages}
	if c.HasColumnIndex {
		ranges = append(ranges, fetch.Range{Off: c.ColumnIndexOffset, Len: int64(c.ColumnIndexLength)})
	}
	if c.HasOffsetIndex {
		ranges = append(ranges, fetch.Range{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)})
	}
	if c.Meta.HasBloomFilter && c.Meta.HasBloomLength {
		ranges = append(ranges, fetch.Range{Off: c.Meta.BloomFilterOffset, Len: int64(c.Meta.BloomFilterLength)})
	}
	for _, r := range ranges {
		if r.Len > maxFetched {
			return
		}
	}
	if fetch.Check(ranges, v.f.Source().Size()) == nil {
		_, _ = v.f.Source().ReadRanges(ctx, ranges, nil)
	}
}
