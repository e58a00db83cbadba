package progress

import (
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/scanner"
)

// Progress shows how far a command has come: on a terminal as one line, which appears when the
// command has run for a while, and goes when it ends; elsewhere as lines, if they are asked for.
// A nil progress shows nothing. Safe for concurrent use.
//
//	file 2 of 9  orders.parquet  25 %  12 of 5,000 rows  1.2 MiB read  87 % skipped  2,500 rows/s  2 s  16 s left
type Progress struct {
	to       io.Writer
	terminal bool
	width    int // of the terminal; 0: no limit
	now      func() time.Time
	filtered bool // fewer rows are printed than are looked at

	mu             sync.Mutex
	started, drawn time.Time
	visible        bool
	inLine         bool // the answer, which goes to a terminal, does not end in a whole line
	stop           func()

	files, number int // of the command line; which of them it is, from 1
	completed     int // files
	position      position
	early         map[string][]func() // what scans have to report that began before their files, by the files' names
	printing
	before position // what the files before it add up to: rows, and bytes
	left   smoothed // seconds
}

// printing is what Print was told last.
type printing struct {
	done, printed int64 // rows of the file that were printed or left out; rows that were printed in all
	expected      int64 // what done will be; 0: not known
}

const (
	progressAfter = time.Second
	progressEvery = 100 * time.Millisecond
	progressLines = time.Second // between lines that stay
)

// Flag says when there is a progress: "" where someone would see it.
type Flag string

func (f *Flag) Set(s string) error {
	switch s {
	case "auto":
		*f = ""
	case "always", "never":
		*f = Flag(s)
	default:
		return errors.New("want auto, always or never")
	}
	return nil
}

// New returns nil where no progress is to be shown.
func New(when Flag, filtered bool, stderr *os.File) *Progress {
	width, terminal := table.TerminalWidth(stderr)
	terminal = terminal && os.Getenv("TERM") != "dumb"
	if when == "never" || when == "" && !terminal {
		return nil
	}
	return &Progress{to: stderr, terminal: terminal, width: width, now: time.Now, started: time.Now(), filtered: filtered, early: map[string][]func(){}}
}

// Start draws from time to time until end, for commands of so many files.
func (p *Progress) Start(files int) {
	if p == nil {
		return
	}
	p.files = files
	ticker, ended := time.NewTicker(progressEvery), make(chan bool)
	var drawing sync.WaitGroup
	drawing.Go(func() {
		for {
			select {
			case <-ticker.C:
				p.draw()
			case <-ended:
				return
			}
		}
	})
	p.stop = func() {
		ticker.Stop()
		close(ended)
		drawing.Wait()
	}
}

// End removes the line of a terminal. Elsewhere it writes the last line.
func (p *Progress) End() {
	if p == nil {
		return
	}
	p.stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.clear(); !p.terminal {
		io.WriteString(p.to, p.line()+"\n")
	}
}

// Begin is called before a file is looked at, and the function that it returns afterwards. The
// number of the file counts all files of the command line, from 0.
func (p *Progress) Begin(f *scanner.File, number int) (ended func()) {
	if p == nil {
		return func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.number, p.position = number+1, newPosition(f)
	p.done, p.expected = 0, 0
	for _, report := range p.early[f.Name()] {
		report()
	}
	delete(p.early, f.Name())
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.before.rows = addRows(p.before.rows, p.position.all())
		p.before.passed += p.position.passed
		p.before.read += p.position.read
		p.completed, p.position = p.number, position{name: p.position.name}
		p.done, p.expected = 0, 0
	}
}

// Again is called where a command begins with the first file once more.
func (p *Progress) Again() {
	p.locked(func() { p.before, p.position, p.completed = position{}, position{}, 0 })
}

// Watch makes a scan with o report to the progress. file is the name of its file if the scan may begin before that: it
// reports once the file has begun. "": it reports at once.
func (p *Progress) Watch(o *scanner.Options, file string) {
	if p == nil {
		return
	}
	tell := func(report func()) {
		p.locked(func() {
			if file == "" || file == p.position.name {
				report()
			} else {
				p.early[file] = append(p.early[file], report)
			}
		})
	}
	o.Trace = func(e scanner.Event) {
		if e.Kind == scanner.RowGroupBegins {
			tell(func() { p.position.begins(e) })
		}
	}
	o.Pages = func(page scanner.PageReport) { tell(func() { p.position.page(page) }) }
}

// Print is told of rows: how many of the file are done, how many of these there will be, if that is
// known (not 0), and how many were printed in all.
func (p *Progress) Print(done, expected, printed int64) {
	p.locked(func() { p.done, p.expected, p.printed = done, expected, printed })
}

// locked calls do, unless p is nil, while no other goroutine reads or changes p.
func (p *Progress) locked(do func()) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		do()
	}
}

// draw shows the line, if it is time.
func (p *Progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if now.Sub(p.started) < progressAfter || p.inLine {
		return
	}
	if !p.terminal {
		if now.Sub(p.drawn) >= progressLines {
			p.drawn = now
			io.WriteString(p.to, p.line()+"\n")
		}
		return
	}
	p.drawn, p.visible = now, true
	line := p.line()
	if p.width > 0 {
		line = table.CutFront(line, p.width-1)
	}
	io.WriteString(p.to, "\r"+line+"\x1b[K")
}

// clear removes the line.
func (p *Progress) clear() {
	if p.visible {
		io.WriteString(p.to, "\r\x1b[K")
		p.visible = false
	}
}

// Aside removes the line, and calls write, which writes to the same terminal.
func (p *Progress) Aside(write func()) {
	if p == nil {
		write()
		return
	}
	p.locked(func() {
		p.clear()
		write()
	})
}

// Answer returns a writer of the answer to a terminal, which the line makes room for.
func (p *Progress) Answer(to io.Writer) io.Writer {
	if p == nil {
		return to
	}
	return answerWriter{p, to}
}

type answerWriter struct {
	p  *Progress
	to io.Writer
}

func (w answerWriter) Write(b []byte) (n int, err error) {
	w.p.Aside(func() {
		if n, err = w.to.Write(b); n > 0 {
			w.p.inLine = b[n-1] != '\n'
		}
	})
	return n, err
}

// line returns what the progress shows.
func (p *Progress) line() string {
	var facts []string
	if p.files > 1 {
		facts = append(facts, "file "+table.Number(int64(p.number))+" of "+table.Number(int64(p.files)))
	}
	if p.position.name != "" {
		facts = append(facts, table.Printable(p.position.name))
	}
	now := p.now()
	part := p.position.part()
	if p.expected > 0 {
		part = float64(min(p.done, p.expected)) / float64(p.expected)
	}
	if part > 0 {
		facts = append(facts, strconv.Itoa(int(100*part))+" %")
	}
	seen := addRows(p.before.rows, max(p.position.rows, p.done))
	switch {
	case p.filtered && p.printed > 0:
		facts = append(facts, table.Number(p.printed)+" of "+table.Plural(seen, "row"))
	case p.printed > 0:
		facts = append(facts, table.Plural(p.printed, "row"))
	default:
		facts = append(facts, table.Plural(seen, "row"))
	}
	if read, passed := p.before.read+p.position.read, p.before.passed+p.position.passed; passed > 0 {
		skipped := strconv.Itoa(int(100 * float64(passed-read) / float64(passed)))
		facts = append(facts, table.Size(read)+" read", skipped+" % skipped")
	}
	seconds := max(now.Sub(p.started).Seconds(), 1e-3)
	facts = append(facts, table.Number(int64(float64(seen)/seconds))+" rows/s", duration(seconds))
	if all := (float64(p.completed) + part) / float64(max(p.files, 1)); all >= 0.01 && all < 1 {
		facts = append(facts, duration(p.left.next(now, seconds*(1-all)/all))+" left")
	}
	return strings.Join(facts, "  ")
}

// duration returns the text of so many seconds, in one unit.
func duration(seconds float64) string {
	switch {
	case seconds < 100:
		return strconv.Itoa(int(seconds)) + " s"
	case seconds < 100*60:
		return strconv.Itoa(int(seconds/60)) + " min"
	}
	return table.Number(int64(min(seconds/3600, 1e9))) + " h"
}
