package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/table"
)

// report is where a command's answer goes: tables for people, or records, one
// JSON object each, for programs.
type report struct {
	out     *bufio.Writer
	format  string
	formats []Format // of rows, beside those of this package
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

// newReport opens the output that o asks for, and chooses the format for it.
func (p *Program) newReport(ctx context.Context, o *options, std Streams) (r *report, to *destination, err error) {
	r = &report{format: o.format, formats: p.Formats, shape: o.shape, stdout: std.Out}
	if o.output != "" {
		if to, err = openOutput(ctx, o.output, std.Out); err != nil {
			return nil, nil, err
		}
	} else if o.picture == toStdout {
		to = &destination{Writer: io.Discard, finish: func(bool) error { return nil }}
	} else if to, err = standardOutput(std.Out); err != nil {
		return nil, nil, err
	} else if screen, ok := p.terminal(std.Out); ok {
		r.onTerminal = true
		if r.screen = screen; o.wide {
			r.screen.Width = 0
		}
		if r.format == "" {
			r.format = "table"
		}
	}
	if r.format == "" {
		r.format = "jsonl"
	}
	r.progress = newProgress(o, std.Err)
	answer := io.Writer(to)
	if r.onTerminal {
		answer = r.progress.answer(to)
	}
	r.out = bufio.NewWriterSize(answer, 64<<10)
	r.encoder = json.NewEncoder(&r.line)
	r.encoder.SetEscapeHTML(false)
	return r, to, nil
}

// terminal returns the terminal that f is, if it is one.
func (p *Program) terminal(f *os.File) (table.Screen, bool) {
	if p.screen != nil {
		return *p.screen, true
	}
	width, ok := table.TerminalWidth(f)
	return table.Screen{Width: width, Colours: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}, ok
}

// tables reports whether the answer is for people.
func (r *report) tables() bool { return r.format == "table" }

// record writes one JSON object.
func (r *report) record(v any) error {
	r.line.Reset()
	if err := r.encoder.Encode(v); err != nil {
		return err
	}
	r.writeObject(bytes.TrimSuffix(r.line.Bytes(), []byte("\n")))
	return nil
}

// object writes one JSON object, whose members members appends.
func (r *report) object(members func(o *object)) {
	o := &r.members
	o.line = append(o.line[:0], '{')
	members(o)
	o.end()
	r.writeObject(o.line)
}

func (r *report) writeObject(object []byte) {
	r.out.WriteString(r.separator())
	r.out.Write(object)
	if r.format == "jsonl" {
		r.out.WriteByte('\n')
	}
}

// separator counts a JSON object, and returns the text in front of it.
func (r *report) separator() string {
	r.records++
	switch {
	case r.format == "jsonl":
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
func (r *report) Write(part []byte) (int, error) {
	n, err := r.out.Write(part)
	if err != nil {
		err = &outputError{err}
	}
	return n, err
}

// finish writes what closes the whole answer.
func (r *report) finish() error {
	if r.format == "json" {
		if r.records == 0 {
			r.out.WriteString("[")
		}
		r.out.WriteString("\n]\n")
	}
	return r.out.Flush()
}

// heading writes a line that names what follows.
func (r *report) heading(title, more string) {
	line := r.screen.Paint(table.Bold, table.Printable(title))
	if more != "" {
		line += "  " + r.screen.Paint(table.Dim, table.Printable(more))
	}
	r.out.WriteString(line + "\n")
}

func (r *report) blank() { r.out.WriteByte('\n') }

func (r *report) print(t *table.Table) { t.Render(r.out, r.screen) }

// noteHidden writes how many lines of a table -n has left out.
func (r *report) noteHidden(indent string, n int, what string) {
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
