package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/table"
)

// Report is where a command's answer goes: tables for people, or records, one
// JSON object each, for programs.
type Report struct {
	out     *bufio.Writer
	format  Format
	screen  table.Screen
	shape   table.Shape // of rows in tables
	records int         // JSON objects so far

	onTerminal bool

	stdout   *os.File
	progress *progress // nil where it would not be seen

	encoder *json.Encoder
	line    bytes.Buffer
	members object
}

// request says where an answer is to go, and in which form.
type request struct {
	file     string        // "": to standard output
	format   string        // "": the one for people on a terminal, else lines
	formats  []Format      // that there are
	silent   bool          // nothing goes to standard output
	screen   *table.Screen // in place of the terminal that the output is; nil: none
	wide     bool          // tables are as wide as they need to be
	shape    table.Shape
	progress *progress
}

// openReport opens the output that is asked for, and chooses the format for it.
func openReport(ctx context.Context, q *request, stdout *os.File) (r *Report, to *destination, err error) {
	screen, onTerminal := table.Screen{}, false
	format := cmp.Or(q.format, formatLines)
	if q.file != "" {
		if to, err = openOutput(ctx, q.file, stdout); err != nil {
			return nil, nil, err
		}
	} else if q.silent {
		to = &destination{Writer: io.Discard, finish: func(bool) error { return nil }}
	} else if to, err = standardOutput(stdout); err != nil {
		return nil, nil, err
	} else if screen, onTerminal = q.terminal(stdout); onTerminal {
		if q.wide {
			screen.Width = 0
		}
		format = cmp.Or(q.format, formatTable)
	}
	answer := io.Writer(to)
	if onTerminal {
		answer = q.progress.answer(to)
	}
	r = newReport(answer, formatNamed(q.formats, format), screen)
	r.onTerminal, r.shape, r.stdout, r.progress = onTerminal, q.shape, stdout, q.progress
	return r, to, nil
}

// terminal returns the terminal that f is, if it is one.
func (q *request) terminal(f *os.File) (table.Screen, bool) {
	if q.screen != nil {
		return *q.screen, true
	}
	width, ok := table.TerminalWidth(f)
	if !ok {
		return table.Screen{}, false
	}
	return table.Screen{Width: width, Colours: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}, true
}

// newReport returns a report that is written to a writer.
func newReport(to io.Writer, format Format, screen table.Screen) *Report {
	r := &Report{out: bufio.NewWriterSize(to, 64<<10), format: format, screen: screen}
	r.encoder = json.NewEncoder(&r.line)
	r.encoder.SetEscapeHTML(false)
	return r
}

// tables reports whether the answer is for people.
func (r *Report) tables() bool { return r.format.Name == formatTable }

// record writes one JSON object.
func (r *Report) record(v any) error {
	r.line.Reset()
	if err := r.encoder.Encode(v); err != nil {
		return err
	}
	r.writeObject(bytes.TrimSuffix(r.line.Bytes(), []byte("\n")))
	return nil
}

// object writes one JSON object, whose members members appends.
func (r *Report) object(members func(o *object)) {
	o := &r.members
	o.line = append(o.line[:0], '{')
	members(o)
	o.end()
	r.writeObject(o.line)
}

func (r *Report) writeObject(object []byte) {
	r.out.WriteString(r.separator())
	r.out.Write(object)
	if r.format.Name == formatLines {
		r.out.WriteByte('\n')
	}
}

// separator counts a JSON object, and returns the text in front of it.
func (r *Report) separator() string {
	r.records++
	switch {
	case r.format.Name == formatLines:
		return ""
	case r.records == 1:
		return "[\n"
	}
	return ",\n"
}

// outputError is an error of writing the answer. It is no fault of the files that
// are read, and ends the command.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// Write writes a part of the answer, for writers of rows. Its errors are
// outputErrors.
func (r *Report) Write(part []byte) (int, error) {
	n, err := r.out.Write(part)
	if err != nil {
		err = &outputError{err: err}
	}
	return n, err
}

// finish writes what closes the whole answer.
func (r *Report) finish() error {
	if r.format.Name == formatJSON {
		if r.records == 0 {
			r.out.WriteString("[")
		}
		r.out.WriteString("\n]\n")
	}
	return r.out.Flush()
}

// heading writes a line that names what follows.
func (r *Report) heading(title, more string) {
	line := r.screen.Paint(table.Bold, table.Printable(title))
	if more != "" {
		line += "  " + r.screen.Paint(table.Dim, table.Printable(more))
	}
	r.out.WriteString(line + "\n")
}

// say writes a text as it is.
func (r *Report) say(text string) { r.out.WriteString(text) }

// flush writes what was held back.
func (r *Report) flush() error { return r.out.Flush() }

func (r *Report) blank() { r.out.WriteByte('\n') }

func (r *Report) print(t *table.Table) { t.Render(r.out, r.screen) }

// noteHidden writes how many lines of a table -n has left out.
func (r *Report) noteHidden(indent string, n int, what string) {
	if n > 0 {
		r.out.WriteString(indent + r.screen.Paint(table.Dim, "… "+table.Plural(int64(n), "more "+what)) + "\n")
	}
}

const maxErrorLine = 600

// printError writes an error as one line of at most 600 characters. That is enough
// for the name of the file and the place in it, at the line's start.
func printError(w io.Writer, text string) {
	text = table.Printable(strings.TrimSpace(text))
	if runes := []rune(text); len(runes) > maxErrorLine-1 {
		text = string(runes[:maxErrorLine-2]) + "…"
	}
	io.WriteString(w, text+"\n")
}

// shortName cuts a long path at its start. The file's own name stays: file systems
// allow 255 bytes.
func shortName(path string) string {
	switch path {
	case stdin:
		return "standard input"
	case "":
		return `""`
	}
	const most = 260
	path = withoutSecrets(path)
	if r := []rune(path); len(r) > most {
		return "…" + string(r[len(r)-most+1:])
	}
	return path
}
