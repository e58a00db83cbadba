package inspect

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/thrift"
)

func Size() *command.Command {
	return &command.Command{
		Name: "size", Args: "FILE...",
		Summary: "show which columns take how much of all files, and how they are packed",
		Detail: `
Columns of the same name are one, the largest comes first. A column has its pages and
their headers; indexes, Bloom filters and footers are lines of their own, and what is
left of the files is "other". Only footers are read.

JSON records, by kind:
  files   files, size, rows
  column  column, type, compressed_size, uncompressed_size, share (of all bytes), values, codecs, encodings
  part    part (page index, bloom filters, footer, other), compressed_size, share`,
		Examples: []string{
			"size weblog.parquet",
			"size -n 3 lineitems.parquet orders.parquet",
		},
		Takes: command.TakesSelect | command.TakesLimit,
		Run: func(_ context.Context, o *command.Options, _ *input.Files, r *output.Report) (*command.Task, error) {
			s := &sizes{o: o, r: r, columns: map[sizeKey]*columnSize{}}
			return &command.Task{File: s.add, Finish: s.finish}, nil
		},
	}
}

// sizes adds up what columns take in files.
type sizes struct {
	o       *command.Options
	r       *output.Report
	name    string // of the first file
	files   int
	bytes   int64 // of all files
	rows    int64
	columns map[sizeKey]*columnSize
	order   []*columnSize

	index, bloom, footer int64
}

// sizeKey tells columns apart: several of one file may have a path.
type sizeKey struct {
	path   string
	before int // columns of the file that have it, too
}

type columnSize struct {
	path, typ    string
	compressed   int64
	uncompressed int64
	values       int64
	codecs       []string
	encodings    []string // as JSON has them
	short        []string // as tables have them
}

func (s *sizes) add(_ context.Context, f *input.File) error {
	leaves, err := s.o.Columns.Leaves(f.Schema())
	if err != nil {
		return err
	}
	rows, err := input.RowsOf(f)
	if err != nil {
		return err
	}
	if s.files++; s.files == 1 {
		s.name = f.Name()
	}
	s.bytes += f.Source().Size()
	s.rows += rows
	s.footer += f.FooterRange().Len + int64(len("PAR1")+4+len("PAR1")) // its length, and the marks at both ends
	wanted := make([]bool, len(f.Schema().Leaves()))
	for _, leaf := range leaves {
		wanted[leaf] = true
	}
	for g := range f.Footer().RowGroups {
		before := map[string]int{}
		for leaf := range wanted {
			c, err := f.Chunk(g, leaf)
			if err != nil {
				return err
			}
			key := sizeKey{path: c.Leaf.String()}
			key.before = before[key.path]
			before[key.path]++
			s.index += int64(max(c.ColumnIndexLength, 0)) + int64(max(c.OffsetIndexLength, 0))
			s.bloom += int64(max(c.Meta.BloomFilterLength, 0))
			if !wanted[leaf] || isLocked(c) || !c.HasMeta {
				continue
			}
			if _, _, err := c.Range(); err != nil {
				return err
			}
			column := s.columns[key]
			if column == nil {
				column = &columnSize{path: key.path, typ: table.TypeName(c.Leaf.Type)}
				s.columns[key] = column
				s.order = append(s.order, column)
			}
			column.add(&c.Meta, shortEncodings(c.Meta.Encodings, c.Leaf.Type.Physical))
		}
	}
	return nil
}

func (c *columnSize) add(m *thrift.ColumnMetaData, short string) {
	c.compressed += m.CompressedSize
	c.uncompressed += max(m.UncompressedSize, 0)
	c.values += max(m.NumValues, 0)
	addNew := func(to *[]string, names ...string) {
		for _, n := range names {
			if !slices.Contains(*to, n) {
				*to = append(*to, n)
			}
		}
	}
	addNew(&c.codecs, wirename.Codec(m.Codec))
	addNew(&c.encodings, encodingNames(m.Encodings)...)
	addNew(&c.short, strings.Fields(short)...)
}

// filePart is bytes of files that are no column's.
type filePart struct {
	name string
	size int64
}

// parts returns what is no column, of the whole files.
func (s *sizes) parts() []filePart {
	other := s.bytes - s.index - s.bloom - s.footer
	for _, c := range s.order {
		other -= c.compressed
	}
	parts := []filePart{{"page index", s.index}, {"bloom filters", s.bloom}, {"footer", s.footer}, {"other", max(other, 0)}}
	if len(s.o.Columns) > 0 {
		parts = nil // most of the others would be columns that were not asked
	}
	return slices.DeleteFunc(parts, func(p filePart) bool { return p.size == 0 })
}

func (s *sizes) finish() error {
	if s.files == 0 {
		return nil
	}
	slices.SortStableFunc(s.order, func(a, b *columnSize) int { return int(max(min(b.compressed-a.compressed, 1), -1)) })
	shown := s.order[:s.o.Shown(len(s.order))]
	if s.r.Tables() {
		s.print(shown)
		return nil
	}
	s.r.Record("kind", "files", "files", s.files, "size", s.bytes, "rows", s.rows)
	for _, c := range shown {
		s.r.Record("kind", "column", "column", c.path, "type", c.typ, "compressed_size", c.compressed, "uncompressed_size", c.uncompressed,
			"share", s.share(c.compressed), "values", c.values, "codecs", c.codecs, "encodings", c.encodings)
	}
	for _, p := range s.parts() {
		s.r.Record("kind", "part", "part", p.name, "compressed_size", p.size, "share", s.share(p.size))
	}
	return nil
}

// share returns what part of all bytes n is.
func (s *sizes) share(n int64) float64 { return float64(n) / float64(max(s.bytes, 1)) }

func (s *sizes) print(shown []*columnSize) {
	name := s.name
	if s.files > 1 {
		name = table.Plural(int64(s.files), "file")
	}
	s.r.Heading(name, table.Size(s.bytes)+", "+table.Plural(s.rows, "row"))
	t := &table.Table{Columns: []table.Column{
		{Title: "column", MinWidth: 14, CutFront: true}, {Title: "size", Right: true}, {Title: "share", Right: true}, {},
		{Title: "unpacked", Right: true}, {Title: "ratio", Right: true}, {Title: "a value", Right: true, Optional: true}, {Title: "codec"},
		{Title: "encodings", MinWidth: 10, Optional: true}, {Title: "type", MinWidth: 12, Optional: true},
	}}
	largest := int64(1)
	for _, p := range s.parts() {
		largest = max(largest, p.size)
	}
	for _, c := range s.order {
		largest = max(largest, c.compressed)
	}
	bar := func(n int64) table.Cell { return table.Bar(float64(n) / float64(largest)) }
	for _, c := range shown {
		each := ""
		if c.values > 0 {
			each = strconv.FormatFloat(float64(c.compressed)/float64(c.values), 'f', 2, 64) + " B"
		}
		t.Add(c.path, table.Size(c.compressed), table.Percent(s.share(c.compressed)), bar(c.compressed), table.Size(c.uncompressed),
			table.Ratio(c.uncompressed, c.compressed), each, strings.Join(c.codecs, " "), strings.Join(c.short, " "), table.Cyan.Cell(c.typ))
	}
	if hidden := s.order[len(shown):]; len(hidden) > 0 {
		rest := sizeOf(hidden)
		t.Add(table.Dim.Cell("… "+table.Number(int64(len(hidden)))+" more"), table.Size(rest.compressed), table.Percent(s.share(rest.compressed)), "",
			table.Size(rest.uncompressed), table.Ratio(rest.uncompressed, rest.compressed), "", "", "", "")
	}
	for _, p := range s.parts() {
		t.Add(table.Dim.Cell(p.name), table.Size(p.size), table.Percent(s.share(p.size)), bar(p.size), "", "", "", "", "", "")
	}
	if len(s.order)+len(s.parts()) > 1 {
		total := sizeOf(s.order)
		for _, p := range s.parts() { // which are not packed
			total.compressed += p.size
			total.uncompressed += p.size
		}
		t.Total("total", table.Size(total.compressed), table.Percent(s.share(total.compressed)), "",
			table.Size(total.uncompressed), table.Ratio(total.uncompressed, total.compressed), "", "", "", "")
	}
	s.r.Print(t)
}

// sizeOf adds up columns.
func sizeOf(columns []*columnSize) (all columnSize) {
	for _, c := range columns {
		all.compressed += c.compressed
		all.uncompressed += c.uncompressed
	}
	return all
}
