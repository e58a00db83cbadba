package cli

import (
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/internal/cli/table"
)

// progress is a line on a terminal that shows how far a command has come. It
// appears when the command has run for a while, and is removed when it ends. A nil
// progress shows nothing.
type progress struct {
	to    io.Writer
	width int
	now   func() time.Time

	started, drawn time.Time
	visible        bool
}

const (
	progressAfter = time.Second
	progressEvery = 100 * time.Millisecond
)

// newProgress returns nil where stderr is no terminal.
func newProgress(stderr *os.File) *progress {
	width, ok := table.TerminalWidth(stderr)
	if !ok || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{to: stderr, width: width, now: time.Now, started: time.Now()}
}

// show draws the line from time to time: the part of a file that is done, if the
// number of its rows is known (not 0), and the rows written so far.
func (p *progress) show(file string, done, rows, written int64) {
	if p == nil {
		return
	}
	now := p.now()
	if now.Sub(p.started) < progressAfter || now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn, p.visible = now, true
	seconds := now.Sub(p.started).Seconds()
	facts := []string{table.Printable(file)}
	if rows > 0 {
		facts = append(facts, strconv.Itoa(int(100*float64(min(done, rows))/float64(rows)))+" %")
	}
	facts = append(facts,
		table.Plural(written, "row"),
		table.Number(int64(float64(written)/seconds))+" rows/s",
		strconv.Itoa(int(seconds))+" s")
	line := strings.Join(facts, "  ")
	if p.width > 0 {
		line = table.CutFront(line, p.width-1)
	}
	io.WriteString(p.to, "\r"+line+"\x1b[K")
}

// clear removes the line, so that something else may be written.
func (p *progress) clear() {
	if p != nil && p.visible {
		io.WriteString(p.to, "\r\x1b[K")
		p.visible = false
	}
}
