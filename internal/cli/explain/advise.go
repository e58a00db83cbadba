package explain

import (
	"context"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/advice"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

func Advise() *command.Command {
	return &command.Command{
		Name: "advise", Args: "FILE...",
		Summary: "show by what other shape of a file a query would read fewer bytes, and how many",
		Detail: `
The query is run: the columns of -c, of the rows that pass --where. Then the bytes are
computed that it would have read if one thing of the file were different:

  sort            the rows in the order of a column that --where tests
  page_rows       pages of so many rows in all columns of the query, with a page index
  row_group_rows  row groups of so many rows, at least 10,000; pages as they are
  bloom_filter    a Bloom filter on a column that is tested for equality
  dictionary      a dictionary in each chunk of a column, of 1 MiB at most
  codec           another codec, at its usual level

Pages and row groups are judged by the bounds and the passing rows of each 1,000 rows (of
more, in a file of more than 50 million rows or a query of more than 80 columns), Bloom
filters by whether a row group has the keys, dictionaries by counting values. Changes that
save less than a twentieth are left out.

Limits: values compress better once they are sorted, and codes may, too, so that these may
save more than is said. Rows that pass other conditions are taken to be spread evenly over
sorted ones. A codec is tried on a sample of at most 1 MiB of a column. Columns within
structs, lists and maps have no bounds here, and no dictionary, nor has a second one of
a name. Headers and indexes of pages
that do not exist yet are guessed. What helps this query may cost another one. Changes do
not add up: after one, ask again.
` + command.AboutWhere + `
JSON records, by kind:
  query   file, where, rows, passing, bytes (of pages, indexes and Bloom filters that were read)
  change  file, change (as above), column (but for page_rows and row_group_rows), rows (of these),
          codec, saves (bytes), share (of the query's bytes), bytes (that are left)`,
		Examples: []string{
			"advise -w 'user_id = 100000' weblog.parquet",
			"advise -c comment -w 'part_key = 500' lineitems.parquet",
		},
		Takes: command.TakesSelect | command.TakesWhere,
		Run:   command.EachFile(showAdvice, nil),
	}
}

func showAdvice(ctx context.Context, f *input.File, o *command.Options, r *output.Report) error {
	e, err := PlanOf(ctx, f, o, r)
	if err != nil {
		return err
	}
	w := &witness{explanation: e, Query: &advice.Query{}}
	if err := w.read(ctx); err != nil {
		return err
	}
	found := w.Advise(w.samples)
	if r.Tables() {
		w.table(found)
		return nil
	}
	r.Record("kind", "query", "file", f.Name(), "where", output.OmitZero(e.plan.Filter), "rows", w.rows, "passing", w.passing, "bytes", w.Fetched)
	for _, a := range found {
		r.Record("kind", "change", "file", f.Name(), "change", string(a.Kind), "column", output.OmitZero(w.nameOf(a)), "rows", output.OmitZero(a.Rows),
			"codec", output.OmitZero(a.Codec), "saves", a.Saves, "share", w.share(a.Saves), "bytes", w.Fetched-a.Saves)
	}
	return nil
}

// share returns what part of the bytes read n is.
func (w *witness) share(n int64) float64 { return float64(n) / float64(max(w.Fetched, 1)) }

func (w *witness) table(found []advice.Advice) {
	r, e := w.explanation.r, w.explanation
	r.Heading(e.File.Name(), table.Size(w.Fetched)+" read for "+table.Number(w.passing)+" of "+table.Plural(w.rows, "row"))
	if e.program != nil {
		r.Heading("  where", e.plan.Filter)
	}
	r.Blank()
	if len(found) == 0 {
		r.Say("  no change saves a twentieth of that\n")
		return
	}
	lines := &table.Table{Indent: "  ", Columns: []table.Column{
		{Title: "change", MinWidth: 20}, {Title: "saves", Right: true}, {Title: "share", Right: true}, {}, {Title: "leaves", Right: true},
	}}
	for _, a := range found {
		lines.Add(w.text(a), table.Size(a.Saves), table.Percent(w.share(a.Saves)), table.Bar(w.share(a.Saves)), table.Size(w.Fetched-a.Saves))
	}
	r.Print(lines)
}

// nameOf returns the name of the column that a change is about, "" for all of them.
func (w *witness) nameOf(a advice.Advice) string {
	if a.Column < 0 {
		return ""
	}
	return w.Columns[a.Column].Leaf.String()
}

// text names a change.
func (w *witness) text(a advice.Advice) string {
	column := w.nameOf(a)
	switch a.Kind {
	case advice.Sort:
		return "sort by " + column
	case advice.PageRows:
		return "pages of " + table.Number(a.Rows) + " rows"
	case advice.RowGroupRows:
		return "row groups of " + table.Number(a.Rows) + " rows"
	case advice.Bloom:
		return "Bloom filter on " + column
	case advice.Dictionary:
		return "dictionary for " + column
	}
	return strings.ToLower(a.Codec) + " for " + column
}

// read runs the query, and the scans that tell the rest.
func (w *witness) read(ctx context.Context) (err error) {
	if w.rows, err = input.RowsOf(w.explanation.File); err != nil {
		return err
	}
	if err = w.findColumns(); err != nil {
		return err
	}
	w.HasPageIndex = true
	for c := range w.Columns {
		if err = w.readChunks(ctx, &w.Columns[c]); err != nil {
			return err
		}
	}
	for _, read := range []func(context.Context) error{w.run, w.readSteps, w.countValues, w.packSamples} {
		if err = read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// countValues counts the values of the chunks that have no dictionary for all of them, as
// far as the query read them.
func (w *witness) countValues(ctx context.Context) error {
	f := w.explanation.File
	for c := range w.Columns {
		column := &w.Columns[c]
		if !isOwn(column.Leaf) || column.Leaf.Type.Physical == vector.Boolean || f.Schema().Find(column.Leaf.Name) != column.Leaf {
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
			err = w.values(ctx, []*schema.Node{column.Leaf}, rows, func(b *vector.Batch) bool {
				b.Columns[0].Flatten()
				fits = counted.Add(b.Columns[0])
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
