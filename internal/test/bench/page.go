package bench

import (
	"bytes"
	_ "embed" // page.html
	"fmt"
	"html/template"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// skipFacts says what is measured, of what, and where.
func skipFacts(path string, rows, threads int) string {
	group, page, cluster := skipShape(rows)
	processor, version := "an unnamed processor", "of an unnamed commit"
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			processor = strings.TrimSpace(value)
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return fmt.Sprintf(`Data: %s,
%d rows of 18 columns, SNAPPY, row groups of %d rows, pages of %d, page indexes.
Its columns sorted, clustered and scattered number the rows: in order, in order within runs of %d rows, at random.
A scan returns the rows whose number is below a limit: that column alone, or with 3 or 15 others.
A full scan returns all rows of the same columns; "of time" and "of bytes" are shares of what that takes.
The file is in the page cache. "ms" is the least of several runs: processor time where scans use one thread, else time of the clock.
Machine: %s, %d processors, of which scans use %d, %s/%s, %s, winnow %s.`,
		path, rows, group, page, cluster, processor, runtime.NumCPU(), threads, runtime.GOOS, runtime.GOARCH, runtime.Version(), version)
}

//go:embed page.html
var pageTemplate string

// A skipPage says what was measured: a page that needs no network and no program.
type skipPage struct {
	Facts, Table string
	Plots        []skipPlot
}

// text returns the page, or only its first plot.
func (s *skipPage) text(onlyPlot bool) ([]byte, error) {
	const side = 220 // of a figure, in pixels; page.html has the rest
	t := template.New("page").Funcs(template.FuncMap{
		"percent": percent, "ideal": ideal, "powers": powers,
		"bottom": func(p skipPlot) float64 { return p.bottom() },
		"x":      func(v float64) string { return fmt.Sprintf("%.1f", side*along(v, leastX, 1)) },
		"y":      func(v, bottom float64) string { return fmt.Sprintf("%.1f", side*(1-along(v, bottom, mostY))) },
		"times":  func(a, b int) int { return a * b },
		"colour": func(i int) string { return []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7"}[i] },
	})
	var b bytes.Buffer
	t, err := t.Parse(pageTemplate)
	if err == nil && onlyPlot {
		err = t.ExecuteTemplate(&b, "plot", s.Plots[0])
	} else if err == nil {
		err = t.Execute(&b, s)
	}
	return b.Bytes(), err
}
