package inspect

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/internal/cli/annotate"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

func Dump() *command.Command {
	return &command.Command{
		Name: "dump", Args: "-c COLUMN FILE...",
		Summary: "show the bytes of one page, and what each of them means",
		Detail: `
Sections: the header; the body as it lies in the file; and, if that is compressed, the
body again as it is without compression. In each, the ranges follow one another without
a gap; where they make no sense they are unknown, and the exit code is 1. Without
--row-group, --page and (where the file has one column) -c, it is the first.

JSON records, one a range of bytes: file, row_group, column, path, page (data pages),
section (header, body, decompressed), offset (in the file; in "decompressed" from the
section's start), size, depth, hex, meaning.`,
		Examples: []string{
			"dump --row-group 0 -c order_key --page 0 lineitems.parquet",
		},
		Layout: true,
		Takes:  command.TakesSelect | command.TakesLimit | command.TakesRowGroup,
		Flags: func(o *command.Options, fs *flag.FlagSet) {
			fs.Func("page", "data `page`, from 0, or \"dict\" for the dictionary", func(s string) error {
				if s == "dict" {
					o.Dictionary = true
					return nil
				}
				o.Dictionary = false
				return command.Number(&o.Page, 31)(s)
			})
		},
		Run: command.EachFile(showDump, nil),
	}
}

// dumpSection is a section of a page with its names and its place in the file.
type dumpSection struct {
	name  string
	title string
	base  int64 // the offset of its first byte; 0 for what is not in the file
	*annotate.Section
}

func showDump(ctx context.Context, f *input.File, o *command.Options, r *output.Report) error {
	c, err := oneChunk(f, o)
	if err != nil {
		return err
	}
	p, err := findPage(ctx, f, c, o)
	if err != nil {
		return err
	}
	sections, err := sectionsOf(ctx, f, c, p)
	if err != nil && len(sections) == 0 {
		return err
	}
	for _, s := range sections {
		if s.Fault != "" && err == nil {
			err = fault.InPage(f.Name(), c, p.Number, p.Offset, corrupt.At(-1, "page ", s.name, ": ", s.Fault))
		}
	}
	if r.Tables() {
		printSections(f, c, p, sections, o, r)
		return err
	}
	for _, s := range sections {
		for _, span := range s.Spans[:o.Shown(len(s.Spans))] {
			r.Record(append(place(f, c), "page", output.If(p.Number >= 0, p.Number), "section", s.name, "offset", s.base+int64(span.From), "size", span.To-span.From,
				"depth", span.Depth, "hex", hex.EncodeToString(s.Data[span.From:span.To]), "meaning", span.Meaning)...)
		}
	}
	return err
}

// oneChunk returns the chunk that the options name.
func oneChunk(f *input.File, o *command.Options) (*scanner.Chunk, error) {
	leaves, err := o.Columns.Leaves(f.Schema())
	if err != nil {
		return nil, err
	}
	if len(leaves) != 1 {
		return nil, &fault.UsageError{Command: "dump", What: "dump: " + table.Plural(int64(len(leaves)), "column") + " selected in " + f.Name() + ", want one: -c COLUMN"}
	}
	one := *o
	one.RowGroup = max(0, o.RowGroup)
	groups, err := one.RowGroups(f)
	if err != nil {
		return nil, err
	}
	return f.Chunk(groups[0], leaves[0])
}

func findPage(ctx context.Context, f *input.File, c *scanner.Chunk, o *command.Options) (*chunks.Page, error) {
	want := max(0, o.Page)
	count := 0
	for p, err := range chunks.Pages(ctx, f, c) {
		switch {
		case err != nil:
			return nil, err
		case o.Dictionary && p.Type == thrift.DictionaryPage, !o.Dictionary && p.Number == want:
			return p, nil
		case p.Number >= 0:
			count = p.Number + 1
		}
		if o.Dictionary && p.Number >= 0 {
			break // it comes first or not at all
		}
	}
	err := fault.NoSuch("page", count)
	if o.Dictionary {
		err = errors.New("no dictionary page")
	}
	return nil, fault.InPage(f.Name(), c, -1, -1, err)
}

// decrypted returns the plain bytes of an encrypted page's header and body.
func decrypted(c page.Cipher, p *chunks.Page, header, body []byte) (plainHeader, plainBody []byte, err error) {
	head, module := page.DataPageHeader, page.DataPage
	if p.Type == thrift.DictionaryPage {
		head, module = page.DictionaryPageHeader, page.DictionaryPage
	}
	if plainHeader, err = page.Open(c, head, p.Number, nil, header); err == nil {
		plainBody, err = page.Open(c, module, p.Number, nil, body)
	}
	return plainHeader, plainBody, err
}

// sectionsOf gives the bytes of a page their meaning. What can be shown is
// returned even with an error.
func sectionsOf(ctx context.Context, f *input.File, c *scanner.Chunk, p *chunks.Page) ([]dumpSection, error) {
	read, err := f.Source().ReadRanges(ctx, []fetch.Range{p.Header(), p.Body()}, nil)
	if err != nil {
		return nil, fault.InPage(f.Name(), c, p.Number, p.Offset, err)
	}
	shape := pageShape(f, c, p)
	header, packed := read[0], read[1]
	cipher := rawmeta.Cipher(f.File, c)
	unpacker, err := page.Options{Codecs: codec.NewSet(codec.Options{}), IgnoreCRC: true, Cipher: cipher}.Unpacker(c.Meta.Codec)
	shift := int64(0) // of what is encrypted: a length and a nonce stand in front of it
	if cipher != nil {
		var locked error
		shift = 4 + 12
		if header, packed, locked = decrypted(cipher, p, header, packed); locked != nil {
			return nil, fault.InPage(f.Name(), c, p.Number, p.Offset, locked)
		}
	}
	head := dumpSection{"header", "header", p.Offset + shift, shape.Header(header)}
	body := dumpSection{name: "body", title: "body", base: p.Body().Off + shift}
	if err == nil && unpacker.Stored(&p.PageHeader) {
		body.Section = shape.Body(packed)
		return []dumpSection{head, body}, nil
	}
	codecName := wirename.Codec(c.Meta.Codec)
	body.title += ", compressed with " + codecName
	var levels int
	body.Section, levels = shape.CompressedBody(packed, codecName)
	sections := []dumpSection{head, body}
	if err != nil {
		return sections, fault.InPage(f.Name(), c, p.Number, p.Offset, err)
	}
	whole, err := unpacker.Unpack(nil, &p.PageHeader, packed, int(p.UncompressedSize))
	if err == nil && levels > len(whole) {
		err = corrupt.At(-1, "page body: shorter than its levels")
	}
	if err != nil {
		return sections, fault.InPage(f.Name(), c, p.Number, p.Offset, corrupt.Within(err, "page body", 0))
	}
	return append(sections, dumpSection{"decompressed", "decompressed", 0, shape.Decompressed(whole[levels:])}), nil
}

// pageShape returns what annotate must know of a page.
func pageShape(f *input.File, c *scanner.Chunk, p *chunks.Page) *annotate.Page {
	v := output.NewValuer(c.Leaf.Type)
	show := func(b []byte) string {
		const most = 60
		if t := c.Leaf.Type; len(b) > 16*most && t.Physical == vector.ByteArray && t.Logical != vector.Decimal { // a string, of which no more is seen
			b = b[:16*most]
		}
		return table.Cut(table.Printable(v.Text(b)), most)
	}
	return &annotate.Page{
		Type: p.Type, Slots: int(p.NumValues), Encoding: p.Encoding,
		MaxRep: c.Leaf.MaxRep, MaxDef: c.Leaf.MaxDef,
		RepEncoding: p.RepetitionEncoding, DefEncoding: p.DefinitionEncoding,
		RepBytes: int64(p.RepetitionLength), DefBytes: int64(p.DefinitionLength), LSBFirst: f.Writer().Doubts(0)&writer.LevelOrder != 0,
		Physical: thrift.Type(c.Leaf.Type.Physical), Width: c.Leaf.Type.Width(), ShowValue: show,
	}
}

// printSections shows the sections as one table, so that their columns align.
func printSections(f *input.File, c *scanner.Chunk, p *chunks.Page, sections []dumpSection, o *command.Options, r *output.Report) {
	name := "page " + strconv.Itoa(p.Number)
	if p.Number < 0 {
		name = wirename.PageType(p.Type) + " page"
	}
	r.Heading(f.Name(), "row group "+strconv.Itoa(c.RowGroup)+", column "+c.Leaf.String()+", "+name+", "+c.Leaf.Type.String())
	for _, s := range sections {
		t := &table.Table{Indent: "  ", Columns: []table.Column{{Title: "offset", Right: true}, {Title: "size", Right: true}, {Title: "bytes", MinWidth: 12}, {Title: "meaning", MinWidth: 24}}}
		shown := s.Spans[:o.Shown(len(s.Spans))]
		for _, span := range shown {
			indent := strings.Repeat("  ", span.Depth)
			look := table.Plain
			if len(span.Meaning) > 7 && span.Meaning[:7] == "unknown" {
				look = table.Yellow
			}
			t.Add(strconv.FormatInt(s.base+int64(span.From), 10), strconv.Itoa(span.To-span.From),
				table.Dim.Cell(firstBytes(s.Data[span.From:span.To])), table.Cell{Text: indent + span.Meaning, Style: look})
		}
		r.Blank()
		r.Heading(s.title, table.Plural(int64(len(s.Data)), "byte"))
		r.Print(t)
		r.NoteHidden("  ", len(s.Spans)-len(shown), "range")
	}
}

// firstBytes shows the first bytes of a range.
func firstBytes(b []byte) string {
	const most = 16
	if len(b) > most {
		return fmt.Sprintf("% x …", b[:most])
	}
	return fmt.Sprintf("% x", b)
}
