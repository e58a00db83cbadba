package output

import (
	"cmp"
	"context"
	"io"
	"os"

	"github.com/winnow-scan/winnow/internal/cli/progress"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

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
