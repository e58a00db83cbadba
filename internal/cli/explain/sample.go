package explain

import (
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/advice"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// maxNamesakes bounds how many columns of a name are counted: each is read with those before it.
const maxNamesakes = 100

// countValues counts the values of the chunks that have no dictionary for all of them, as
// far as the query read them.
func (w *witness) countValues(ctx context.Context) error {
	f := w.explanation.File
	named, namesakes := map[string]int{}, map[*schema.Node]int{} // how many columns before one have its name
	for _, n := range f.Schema().Root().Children {
		namesakes[n] = named[n.Name]
		named[n.Name]++
	}
	for c := range w.Columns {
		column := &w.Columns[c]
		nth := namesakes[column.Leaf]
		if !isOwn(column.Leaf) || column.Leaf.Type.Physical == vector.Boolean || nth >= maxNamesakes {
			continue
		}
		for g := range column.Chunks {
			chunk, err := f.Chunk(g, column.Leaf.FirstLeaf)
			if err != nil {
				return err
			}
			codes, plain := dictionaryPages(chunk)
			packed := codes > 0 && plain == 0 || codes+plain == 0 && slices.ContainsFunc(chunk.Meta.Encodings, thrift.Encoding.IsDictionary)
			if column.Touched[g] == 0 || packed {
				continue
			}
			rows := make(vector.RowSet, g+1)
			rows[g] = rows[g].Append(0, w.starts[g+1]-w.starts[g])
			counted, fits := advice.NewEncoder(), true
			leaves := slices.Repeat([]*schema.Node{column.Leaf}, 1+nth) // the last of them is the column
			err = w.values(ctx, leaves, rows, func(b *vector.Batch) bool {
				b.Columns[nth].Flatten()
				fits = counted.Add(b.Columns[nth])
				return fits
			})
			if err != nil {
				return err
			}
			if fits {
				column.Chunks[g].Encoded = counted.Encoded()
			}
		}
	}
	return nil
}

// Of each column so many chunks, evenly spread, give pages to samples, until these have
// so many bytes.
const (
	sampledChunks = 4
	sampledBytes  = 1 << 20
)

// packSamples compresses some pages of each column with other codecs.
func (w *witness) packSamples(ctx context.Context) error {
	packers, err := advice.NewPackers()
	if err != nil {
		return err
	}
	for c := range w.Columns {
		var read []int
		for g, n := range w.Columns[c].Touched {
			if n > 0 {
				read = append(read, g)
			}
		}
		after := map[string]int64{}
		before, left := int64(0), int64(sampledBytes)
		each := func(packed, body []byte) error {
			before, left = before+int64(len(packed)), left-int64(len(body))
			return packers.Sizes(body, func(codec string, size int64) { after[codec] += size })
		}
		chunks := min(sampledChunks, len(read))
		for i := range chunks {
			g := read[i*len(read)/chunks]
			chunk, err := w.explanation.File.Chunk(g, w.Columns[c].Leaf.FirstLeaf)
			if err != nil {
				return err
			}
			if err := w.bodies(ctx, chunk, w.Columns[c].Pages/int64(len(w.Columns[c].Chunks)), left/int64(chunks-i), each); err != nil {
				return err
			}
		}
		for _, name := range []string{"ZSTD", "SNAPPY", "GZIP"} {
			w.samples = append(w.samples, advice.Packed{Column: c, Codec: name, Before: before, After: after[name]})
		}
	}
	return nil
}

// bodies calls each with bodies of data pages of a chunk, as they are in the file and
// decompressed, until these have most bytes. The chunk has about so many pages, and those
// that are read lie evenly among them: the first of a chunk are often codes, others not.
func (w *witness) bodies(ctx context.Context, c *scanner.Chunk, about, most int64, each func(packed, body []byte) error) error {
	f := w.explanation.File
	unpacker, err := page.Options{Codecs: codec.NewSet(codec.Options{}), Cipher: rawmeta.Cipher(f.File, c)}.Unpacker(c.Meta.Codec)
	if err != nil {
		return fault.InPage(f.Name(), c, -1, c.Meta.DataPageOffset, err)
	}
	every := int(max(min((c.Meta.UncompressedSize+most-1)/max(most, 1), about), 1))
	for p, err := range chunks.Pages(ctx, f, c) {
		if err != nil {
			return err
		}
		if p.Number < 0 || p.Number%every != every/2 {
			continue
		}
		packed, body, err := p.Read(ctx, f, c, unpacker)
		if err != nil {
			return err
		}
		if err := each(packed, body); err != nil {
			return err
		}
		if most -= int64(len(body)); most <= 0 {
			return nil
		}
	}
	return nil
}
