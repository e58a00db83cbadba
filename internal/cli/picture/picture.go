package picture

import (
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

// Picture is what is drawn of the scan of one file.
type Picture struct {
	File     string
	Size     int64 // bytes of the file
	Where    string
	Rows     int64
	MayPass  int64 // rows that metadata leave
	Returned int64 // rows of the scan, or NotRun

	Groups     []Group
	Conditions []Condition
	Columns    []Column
	Spans      []Span
	Metadata   int64    // bytes of the file outside its column chunks
	Notes      []string // what is wrong with the file
}

// NotRun is Returned of a plan.
const NotRun = -1

// Group is a row group.
type Group struct{ Row, Rows, MayPass int64 }

// Condition is a test of the filter, and what metadata prove of it.
type Condition struct {
	Text, Column string
	None, All    []Range // rows of the file that do not pass, and that pass, by metadata
	Tested       int64   // rows that it was tested on
	Passed       int64
	Milliseconds float64
}

// Condition returns the condition with a text, nil if there is none.
func (p *Picture) Condition(text string) *Condition {
	for i := range p.Conditions {
		if p.Conditions[i].Text == text {
			return &p.Conditions[i]
		}
	}
	return nil
}

// AddTest adds what metadata prove of a test in a row group, whose first row is that of the file.
func (p *Picture) AddTest(text, column string, none, all vector.Ranges, first int64) {
	c := p.Condition(text)
	if c == nil {
		p.Conditions = append(p.Conditions, Condition{Text: text, Column: column})
		c = &p.Conditions[len(p.Conditions)-1]
	}
	c.None, c.All = appendRanges(c.None, none, first), appendRanges(c.All, all, first)
}

func appendRanges(to []Range, rows vector.Ranges, first int64) []Range {
	for _, r := range rows {
		to = append(to, Range{From: first + r.From, To: first + r.To})
	}
	return to
}

// Range is the rows From up to To, without it.
type Range struct{ From, To int64 }

// Column is a leaf column of the file.
type Column struct {
	Name, Type string
	Use        string // filter, result, both; "": the scan does not use it
	Pages      []Page // in the order of the file
}

// Page is a page, or bytes of a chunk that are no page.
type Page struct {
	Kind     Kind
	Fate     Fate
	Group    int
	Number   int   // of a data page, in its chunk, or WholeChunk
	Row      int64 // of the file, where its rows start
	Rows     int64
	Guessed  bool  // Row and Rows are guessed by the number of values
	Offset   int64 // in the file
	Bytes    int64
	Min, Max string // "" if not known
	Nulls    int64  // -1 if not known
}

// WholeChunk is the Number of all pages of a chunk, where they are not told apart.
const WholeChunk = -1

// Kind is what bytes of a column chunk are.
type Kind uint8

const (
	Data       Kind = iota
	Dictionary      // its rows are those of the row group
	Between         // no page: index pages, gaps, what an unreadable header hides
)

// Fate is what became of a page.
type Fate uint8

const (
	NotAsked   Fate = iota // the scan does not use the column
	Unwanted               // behind a limit
	Statistics             // ruled out by statistics of the chunk,
	PageIndex              // by the page index,
	Bloom                  // by a Bloom filter,
	Codes                  // by the dictionary: no entry passes
	Proven                 // all rows pass for sure, and the column is not returned
	Dropped                // other conditions left no row
	Beside                 // not needed: no data page
	Header                 // only its header was read
	Ruled                  // statistics of its header rule it out
	RuledCodes             // it has codes, and no entry of the dictionary passes
	Unpacked               // decompressed, no value decoded
	Decoded
	Open  // of a plan: nothing rules it out before the scan
	Fates = int(Open) + 1
)

// fates are the names of fates, and the classes that they are coloured by.
var fates = [Fates]struct{ Name, Class string }{
	NotAsked:   {"column not used", "other"},
	Unwanted:   {"unread: behind the limit", "other"},
	Statistics: {"unread: ruled out by statistics", "statistics"},
	PageIndex:  {"unread: ruled out by the page index", "index"},
	Bloom:      {"unread: ruled out by a Bloom filter", "bloom"},
	Codes:      {"unread: no dictionary entry passes", "dictionary"},
	Proven:     {"unread: its rows pass for sure", "proven"},
	Dropped:    {"unread: no row was left", "dropped"},
	Beside:     {"unread: not needed", "other"},
	Header:     {"only its header was read", "header"},
	Ruled:      {"ruled out by its header", "header"},
	RuledCodes: {"ruled out by its dictionary", "dictionary"},
	Unpacked:   {"decompressed, not decoded", "unpacked"},
	Decoded:    {"decoded", "decoded"},
	Open:       {"may be read", "open"},
}

// String says what became of a page.
func (f Fate) String() string { return fates[f].Name }

// Span is something that took time, in milliseconds since the scan began.
type Span struct {
	Text       string
	Request    bool // else a row group
	Start, End float64
	Bytes      int64 // of a request
}

// Total is a sum over pages.
type Total struct {
	Pages, Dictionaries int64
	Chunks              int64 // whose pages are not told apart
	Bytes               int64 // also of what is no page
}

// String says what the bytes are of. The program of the page says the same.
func (t Total) String() string {
	var parts []string
	if t.Pages > 0 {
		parts = append(parts, table.Plural(t.Pages, "page"))
	}
	if t.Dictionaries == 1 {
		parts = append(parts, "1 dictionary")
	} else if t.Dictionaries > 0 {
		parts = append(parts, table.Number(t.Dictionaries)+" dictionaries")
	}
	if t.Chunks > 0 {
		parts = append(parts, table.Plural(t.Chunks, "whole chunk"))
	}
	if len(parts) == 0 {
		return table.Size(t.Bytes) + " outside pages"
	}
	return strings.Join(append(parts, table.Size(t.Bytes)), ", ")
}

// add adds what is of one page.
func (t *Total) add(p *Page) {
	t.Bytes += p.Bytes
	switch {
	case p.Number == WholeChunk:
		t.Chunks++
	case p.Kind == Data:
		t.Pages++
	case p.Kind == Dictionary:
		t.Dictionaries++
	}
}

// Totals returns the sums over the pages of all columns, by fate, with all bytes of their chunks.
func (p *Picture) Totals() (by [Fates]Total) {
	for i := range p.Columns {
		for k := range p.Columns[i].Pages {
			page := &p.Columns[i].Pages[k]
			by[page.Fate].add(page)
		}
	}
	return by
}
