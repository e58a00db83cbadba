package output

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"os"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/progress"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

// Report is where a command's answer goes: tables for people, or records, one
// JSON object each, for programs.
type Report struct {
	out     *bufio.Writer
	Format  Format
	Screen  table.Screen
	Shape   table.Shape // of rows in tables
	records int         // JSON objects so far

	onTerminal bool

	Stdout   *os.File
	Progress *progress.Progress // nil where it would not be seen

	object encoder // at work
}

// NewReport returns a report that is written to a writer.
func NewReport(to io.Writer, format Format, screen table.Screen) *Report {
	return &Report{out: bufio.NewWriterSize(to, 64<<10), Format: format, Screen: screen}
}

// Tables reports whether the answer is for people.
func (r *Report) Tables() bool { return r.Format.Name == FormatTable }

// Record writes one JSON object, of these members.
func (r *Report) Record(members ...any) {
	r.object.text = r.object.text[:0]
	r.object.object(members)
	r.out.WriteString(r.separator())
	r.out.Write(r.object.text)
	if r.Format.Name == formatLines {
		r.out.WriteByte('\n')
	}
}

// separator counts a JSON object, and returns the text in front of it.
func (r *Report) separator() string {
	r.records++
	switch {
	case r.Format.Name == formatLines:
		return ""
	case r.records == 1:
		return "[\n"
	}
	return ",\n"
}

// Write writes a part of the answer, for writers of rows. After an error, Flush returns it again.
func (r *Report) Write(part []byte) (int, error) { return r.out.Write(part) }

// Finish writes what closes the whole answer. It returns the first error of a value that JSON cannot
// have.
func (r *Report) Finish() error {
	if r.object.err != nil {
		return r.object.err
	}
	if r.Format.Name == formatJSON {
		if r.records == 0 {
			r.out.WriteString("[")
		}
		r.out.WriteString("\n]\n")
	}
	return r.out.Flush()
}

// Heading writes a line that names what follows.
func (r *Report) Heading(title, more string) {
	line := r.Screen.Paint(table.Bold, table.Printable(title))
	if more != "" {
		line += "  " + r.Screen.Paint(table.Dim, table.Printable(more))
	}
	r.out.WriteString(line + "\n")
}

// Say writes a text as it is.
func (r *Report) Say(text string) { r.out.WriteString(text) }

// Flush writes what was held back.
func (r *Report) Flush() error { return r.out.Flush() }

// Blank writes an empty line.
func (r *Report) Blank() { r.out.WriteByte('\n') }

// Print writes a table.
func (r *Report) Print(t *table.Table) { t.Render(r.out, r.Screen) }

// NoteHidden writes how many lines of a table -n has left out.
func (r *Report) NoteHidden(indent string, n int, what string) {
	if n > 0 {
		r.out.WriteString(indent + r.Screen.Paint(table.Dim, "… "+table.Plural(int64(n), "more "+what)) + "\n")
	}
}

// The forms that answers have that are no rows: text for people, one array of all
// JSON objects, and a line for each of them.
const (
	FormatTable = "table"
	formatJSON  = "json"
	formatLines = "jsonl"
)

// Format is a form of rows of data.
type Format struct {
	Name    string   // of --format
	Endings []string // of the names of output files, in lower case and without dot
	// New returns a writer of rows to w, an io.Writer. An error of w is an error of
	// the writer, as it is or wrapped.
	New func(w *Report) (RowWriter, error)

	records bool   // answers that are no rows have this form, too
	about   string // what help says of it
}

// RowWriter writes rows of data in one format.
type RowWriter interface {
	// Columns is called before the rows of each file.
	Columns(file string, fields []vector.Field) error
	// Rows writes rows [from, to) of a batch, which is valid until it returns.
	Rows(b *vector.Batch, from, to int) error
	// Finish is called after the last row of all files. It is not called if
	// the answer could not be written, or the command was interrupted.
	Finish() error
}

// Request says where an answer is to go, and in which form.
type Request struct {
	File     string        // "": to standard output
	Format   string        // "": the one for people on a terminal, else lines
	Formats  []Format      // that there are
	Silent   bool          // nothing goes to standard output
	Screen   *table.Screen // in place of the terminal that the output is; nil: none
	Wide     bool          // tables are as wide as they need to be
	Shape    table.Shape
	Progress *progress.Progress
}

// Open opens the output that is asked for, and chooses the format for it.
func Open(ctx context.Context, q *Request, stdout *os.File) (r *Report, to *Destination, err error) {
	screen, onTerminal := table.Screen{}, false
	format := cmp.Or(q.Format, formatLines)
	if q.File != "" {
		if to, err = Create(ctx, q.File, stdout); err != nil {
			return nil, nil, err
		}
	} else if q.Silent {
		to = &Destination{Writer: io.Discard, Finish: func(bool) error { return nil }}
	} else if to, err = standard(stdout); err != nil {
		return nil, nil, err
	} else if screen, onTerminal = q.terminal(stdout); onTerminal {
		if q.Wide {
			screen.Width = 0
		}
		format = cmp.Or(q.Format, FormatTable)
	}
	answer := io.Writer(to)
	if onTerminal {
		answer = q.Progress.Answer(to)
	}
	r = NewReport(answer, FormatNamed(q.Formats, format), screen)
	r.onTerminal, r.Shape, r.Stdout, r.Progress = onTerminal, q.Shape, stdout, q.Progress
	return r, to, nil
}

// terminal returns the terminal that f is, if it is one.
func (q *Request) terminal(f *os.File) (table.Screen, bool) {
	if q.Screen != nil {
		return *q.Screen, true
	}
	width, ok := table.TerminalWidth(f)
	if !ok {
		return table.Screen{}, false
	}
	return table.Screen{Width: width, Colours: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}, true
}
