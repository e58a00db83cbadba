package cli

import (
	"context"
	"flag"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/internal/cli/annotate"
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

func dumpCommand() *Command {
	return &Command{
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
		layout: true,
		takes:  takesSelect | takesLimit | takesRowGroup,
		flags: func(o *options, fs *flag.FlagSet) {
			fs.Func("page", "data `page`, from 0, or \"dict\" for the dictionary", func(s string) error {
				if s == "dict" {
					o.dictionary = true
					return nil
				}
				o.dictionary = false
				return (*intFlag)(&o.page).Set(s)
			})
		},
		run: eachFile(showDump, nil),
	}
}

type dumpRecord struct {
	chunkPlace
	Page    *int   `json:"page,omitempty"`
	Section string `json:"section"`
	Offset  int64  `json:"offset"`
	Size    int    `json:"size"`
	Depth   int    `json:"depth"`
	Hex     string `json:"hex"`
	Meaning string `json:"meaning"`
}

// dumpSection is a section of a page with its names and its place in the file.
type dumpSection struct {
	name  string
	title string
	base  int64 // the offset of its first byte; 0 for what is not in the file
	*annotate.Section
}

func showDump(ctx context.Context, f *input, o *options, r *Report) error {
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
			err = inPage(f.Name(), c, p.Number, p.Offset, corrupt.At(-1, "page ", s.name, ": ", s.Fault))
		}
	}
	if r.tables() {
		printSections(f, c, p, sections, o, r)
		return err
	}
	for _, s := range sections {
		for i, span := range s.Spans {
			if o.limit >= 0 && int64(i) >= o.limit {
				break
			}
			rec := dumpRecord{
				chunkPlace: placeOf(f, c), Page: optional(p.Number >= 0, p.Number),
				Section: s.name, Offset: s.base + int64(span.From), Size: span.To - span.From, Depth: span.Depth,
				Hex: table.Hex(s.Data[span.From:span.To], ""), Meaning: span.Meaning,
			}
			if err := r.record(rec); err != nil {
				return err
			}
		}
	}
	return err
}

// oneChunk returns the chunk that the options name.
func oneChunk(f *input, o *options) (*scanner.Chunk, error) {
	leaves, err := o.columns.leaves(f.Schema())
	if err != nil {
		return nil, err
	}
	if len(leaves) != 1 {
		return nil, &usageError{command: "dump", what: "dump: " + table.Plural(int64(len(leaves)), "column") + " selected in " + f.Name() + ", want one: -c COLUMN"}
	}
	one := *o
	one.rowGroup = max(0, o.rowGroup)
	groups, err := one.rowGroups(f)
	if err != nil {
		return nil, err
	}
	return f.Chunk(groups[0], leaves[0])
}

func findPage(ctx context.Context, f *input, c *scanner.Chunk, o *options) (*pageAt, error) {
	want := max(0, o.page)
	count := 0
	for p, err := range pages(ctx, f, c) {
		switch {
		case err != nil:
			return nil, err
		case o.dictionary && p.Type == thrift.DictionaryPage, !o.dictionary && p.Number == want:
			return p, nil
		case p.Number >= 0:
			count = p.Number + 1
		}
		if o.dictionary && p.Number >= 0 {
			break // it comes first or not at all
		}
	}
	err := noSuch("page", count)
	if o.dictionary {
		err = noSuchError("no dictionary page")
	}
	return nil, inPage(f.Name(), c, -1, -1, err)
}

// decrypted returns the plain bytes of an encrypted page's header and body.
func decrypted(c page.Cipher, p *pageAt, header, body []byte) (plainHeader, plainBody []byte, err error) {
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
func sectionsOf(ctx context.Context, f *input, c *scanner.Chunk, p *pageAt) ([]dumpSection, error) {
	read, err := f.Source().ReadRanges(ctx, []fetch.Range{p.header(), p.body()}, nil)
	if err != nil {
		return nil, inPage(f.Name(), c, p.Number, p.Offset, err)
	}
	shape := pageShape(f, c, p)
	header, packed := read[0], read[1]
	cipher := rawmeta.Cipher(f.File, c)
	unpacker, err := page.Options{Codecs: codec.NewSet(codec.Options{}), IgnoreCRC: true, Cipher: cipher}.Unpacker(codec.ID(c.Meta.Codec))
	shift := int64(0) // of what is encrypted: a length and a nonce stand in front of it
	if cipher != nil {
		var locked error
		shift = 4 + 12
		if header, packed, locked = decrypted(cipher, p, header, packed); locked != nil {
			return nil, inPage(f.Name(), c, p.Number, p.Offset, locked)
		}
	}
	head := dumpSection{"header", "header", p.Offset + shift, shape.Header(header)}
	body := dumpSection{name: "body", title: "body", base: p.body().Off + shift}
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
		return sections, inPage(f.Name(), c, p.Number, p.Offset, err)
	}
	whole, err := unpacker.Unpack(nil, &p.PageHeader, packed, int(p.UncompressedSize))
	if err == nil && levels > len(whole) {
		err = corrupt.At(-1, "page body: shorter than its levels")
	}
	if err != nil {
		return sections, inPage(f.Name(), c, p.Number, p.Offset, corrupt.Within(err, "page body", 0))
	}
	return append(sections, dumpSection{"decompressed", "decompressed", 0, shape.Decompressed(whole[levels:])}), nil
}

// pageShape returns what annotate must know of a page.
func pageShape(f *input, c *scanner.Chunk, p *pageAt) *annotate.Page {
	v := newValuer(c.Leaf.Type)
	show := func(b []byte) string {
		const most = 60
		if t := c.Leaf.Type; len(b) > 16*most && t.Physical == vector.ByteArray && t.Logical != vector.Decimal { // a string, of which no more is seen
			b = b[:16*most]
		}
		return table.Cut(table.Printable(string(v.appendText(nil, b))), most)
	}
	return &annotate.Page{
		Type: p.Type, Slots: int(p.NumValues), Encoding: p.Encoding,
		MaxRep: c.Leaf.MaxRep, MaxDef: c.Leaf.MaxDef,
		RepEncoding: p.RepetitionEncoding, DefEncoding: p.DefinitionEncoding,
		RepBytes: int64(p.RepetitionLength), DefBytes: int64(p.DefinitionLength), LSBFirst: f.writtenBy().Doubts(0)&writer.LevelOrder != 0,
		Physical: thrift.Type(c.Leaf.Type.Physical), Width: c.Leaf.Type.Width(), ShowValue: show,
	}
}

// printSections shows the sections as one table, so that their columns align.
func printSections(f *input, c *scanner.Chunk, p *pageAt, sections []dumpSection, o *options, r *Report) {
	name := "page " + strconv.Itoa(p.Number)
	if p.Number < 0 {
		name = wirename.PageType(p.Type) + " page"
	}
	r.heading(f.Name(), "row group "+strconv.Itoa(c.RowGroup)+", column "+c.Leaf.String()+", "+name+", "+c.Leaf.Type.String())
	for _, s := range sections {
		t := &table.Table{Indent: "  ", Columns: []table.Column{{Title: "offset", Right: true}, {Title: "size", Right: true}, {Title: "bytes", MinWidth: 12}, {Title: "meaning", MinWidth: 24}}}
		hidden := 0
		for i, span := range s.Spans {
			if o.limit >= 0 && int64(i) >= o.limit {
				hidden++
				continue
			}
			indent := ""
			for range span.Depth {
				indent += "  "
			}
			look := table.Plain
			if len(span.Meaning) > 7 && span.Meaning[:7] == "unknown" {
				look = table.Yellow
			}
			t.Add(strconv.FormatInt(s.base+int64(span.From), 10), strconv.Itoa(span.To-span.From),
				table.Dim.Cell(firstBytes(s.Data[span.From:span.To])), table.Cell{Text: indent + span.Meaning, Style: look})
		}
		r.blank()
		r.heading(s.title, table.Plural(int64(len(s.Data)), "byte"))
		r.print(t)
		r.noteHidden("  ", hidden, "range")
	}
}

// firstBytes shows the first bytes of a range.
func firstBytes(b []byte) string {
	const most = 16
	if len(b) > most {
		return table.Hex(b[:most], " ") + " …"
	}
	return table.Hex(b, " ")
}
