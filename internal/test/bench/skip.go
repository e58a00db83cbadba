package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// skipOptions are those of a command line without a file and without workloads. It asks what a scan
// costs beside a full scan of the same columns. A cell is a layout of the column that is filtered,
// a share of rows that pass, and a number of columns that are returned, that one among them.
type skipOptions struct {
	html, data string
	rows       int
}

// skipRows is how many rows are made unless --rows says otherwise: full scans of them take
// milliseconds to tens of them, and all cells half a minute.
const skipRows = 500_000

func skipShares() []float64 { return []float64{0.0001, 0.001, 0.01, 0.1, 0.5, 1} }

func skipCounts() []int { return []int{1, 4, 16} }

type skipCell struct {
	layout  string
	share   float64
	columns int
	all     []*row // the scan, the full scan, and peers
}

// skipWorkload returns the scan of a cell. What comes of it is known.
func skipWorkload(path string, rows int, c *skipCell) *Workload {
	passing := max(int64(c.share*float64(rows)), 1)
	return &Workload{
		Name: fmt.Sprintf("%s_%g%%_%d", c.layout, 100*c.share, c.columns), File: path, Project: append([]string{c.layout}, skipOthers()[:c.columns-1]...),
		Rows: &passing, Sums: map[string]Sum{c.layout: {N: passing, Total: float64(passing) * float64(passing-1) / 2}},
		Where: conditionOf(map[string]any{"op": "lt", "col": c.layout, "value": passing}),
	}
}

// measureSkips is a command.
func (o *options) measureSkips(ctx context.Context, stdout io.Writer) (ok bool, err error) {
	report, threads := stdout, o.threads[0]
	if o.json {
		report = io.Discard
	}
	path, err := skipData(o.skip.data, o.skip.rows, func(path string) { fmt.Fprintf(report, "Makes %s, once.\n", path) })
	if err != nil {
		return false, err
	}
	var others strings.Builder
	peers, err := o.startPeers(ctx, threads, &others)
	if err != nil {
		return false, err
	}
	defer closeAll(peers)
	entrants, _ := o.entrants(peers)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	page := skipPage{Facts: strings.TrimSpace(skipFacts(path, o.skip.rows, threads) + "\n" + others.String()), Table: skipHeading()}
	fmt.Fprintf(report, "%s\n\n%s", page.Facts, page.Table)
	var cells []*skipCell
	for _, layout := range skipLayouts() {
		for _, share := range skipShares() {
			for _, columns := range skipCounts() {
				c := &skipCell{layout: layout, share: share, columns: columns}
				c.all = o.measured(ctx, skipWorkload(path, o.skip.rows, c), threads, entrants)
				for _, r := range c.all {
					if o.json {
						err = json.NewEncoder(stdout).Encode(r)
					} else if !r.OK {
						err = fmt.Errorf("%s, %s: %s", r.Workload, r.Engine, r.Error)
					}
					if err != nil {
						return false, err
					}
				}
				cells = append(cells, c)
			}
			line := skipLine(cells[len(cells)-len(skipCounts()):])
			page.Table += line
			fmt.Fprint(report, line)
		}
	}
	page.Plots = []skipPlot{
		{"share of a full scan's time", skipFigures(cells, (*row).timeOf)},
		{"share of a full scan's bytes", skipFigures(cells, (*row).bytesOf)},
	}
	full := skipFullLine(cells)
	page.Table += full
	fmt.Fprint(report, full, "\n", inTerminal(page.Plots[0]))
	if o.skip.html == "" {
		return true, nil
	}
	text, err := page.text(strings.HasSuffix(o.skip.html, ".svg"))
	if err != nil {
		return false, err
	}
	fmt.Fprintln(report, "\nWritten:", o.skip.html)
	return true, os.WriteFile(o.skip.html, text, 0o644)
}

// skipHeading is above the lines of skipLine, which have for each number of columns the time, and what
// that and the bytes are of those of a full scan.
func skipHeading() string {
	first, second := fmt.Sprintf("%20s", ""), fmt.Sprintf("%-10s %9s", "layout", "rows pass")
	for _, n := range skipCounts() {
		first += fmt.Sprintf("%27s", columnsNamed(n))
		second += fmt.Sprintf("%9s %8s %8s", "ms", "of time", "of bytes")
	}
	return first + "\n" + second + "\n"
}

func columnsNamed(n int) string {
	return strings.TrimSuffix(fmt.Sprint(n, " columns"), map[bool]string{true: "s"}[n == 1])
}

// skipLine is the line of some cells, which differ in columns. Peers have lines below it, with their
// time and how many times that of the scan it is.
func skipLine(cells []*skipCell) string {
	line := fmt.Sprintf("%-10s %9s", cells[0].layout, percent(cells[0].share))
	for _, c := range cells {
		own, full := c.all[0], c.all[1]
		line += fmt.Sprintf("%9.2f %8s %8s", own.least(), percent(own.timeOf(full)), percent(own.bytesOf(full)))
	}
	for i := 2; i < len(cells[0].all); i++ {
		line += fmt.Sprintf("\n%20s", cells[0].all[i].Engine)
		for _, c := range cells {
			line += fmt.Sprintf("%9.2f %10.1f %6s", c.all[i].least(), c.all[i].timeOf(c.all[0]), "× scan")
		}
	}
	return line + "\n"
}

// skipFullLine tells what full scans took, as the last cells have it.
func skipFullLine(cells []*skipCell) string {
	line := fmt.Sprintf("%-20s", "full scan")
	for _, c := range cells[len(cells)-len(skipCounts()):] {
		line += fmt.Sprintf("%9.2f %17s", c.all[1].least(), size(c.all[1].Read))
	}
	return line + "\n"
}

// skipFigures returns a plot of each layout, of a share of the full scan.
func skipFigures(cells []*skipCell, of func(own, full *row) float64) (figures []*figure) {
	for at := 0; at < len(cells); at += len(skipShares()) * len(skipCounts()) {
		f := &figure{Title: cells[at].layout}
		for i, n := range skipCounts() {
			l := curve{Name: columnsNamed(n)}
			for j := range skipShares() {
				c := cells[at+j*len(skipCounts())+i]
				l.Points = append(l.Points, point{c.share, of(c.all[0], c.all[1])})
			}
			f.Curves = append(f.Curves, l)
		}
		figures = append(figures, f)
	}
	return figures
}

// percent writes a share in two or three digits, size a number of bytes.
func percent(share float64) string {
	if share >= 0.1 {
		return fmt.Sprintf("%.0f %%", 100*share)
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

func size(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}
