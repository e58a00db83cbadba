package bench

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/scanner"
)

// Without a file, all cells come, with as many rows as their share says. The file is made once.
func TestSkips(t *testing.T) {
	const made = 2000
	dir := t.TempDir()
	args := []string{"--rows", fmt.Sprint(made), "--data", dir, "--iters", "1"}
	all := rows(t, exitOK, args...)
	if want := 2 * len(skipLayouts()) * len(skipShares()) * len(skipCounts()); len(all) != want {
		t.Fatalf("%d lines, want %d", len(all), want)
	}
	i := 0
	for _, layout := range skipLayouts() {
		for _, share := range skipShares() {
			for _, columns := range skipCounts() {
				own, full := all[i], all[i+1]
				passing := max(int64(share*made), 1)
				if own.Engine != "scan" || own.Rows != passing || len(own.Sums) != columns || full.Engine != "full" || full.Rows != made || len(full.Sums) != columns {
					t.Errorf("%s, %v, %d columns: %+v, full: %+v", layout, share, columns, own, full)
				}
				if key := own.Sums[layout]; key.Total != float64(passing*(passing-1)/2) {
					t.Errorf("%s, %v: keys %v", layout, share, key)
				}
				if share == 0.0001 && layout == "sorted" && columns == 16 && own.Read > full.Read*9/10 {
					t.Errorf("one row of the first page takes %d bytes of %d", own.Read, full.Read)
				}
				i += 2
			}
		}
	}
	path := filepath.Join(dir, fmt.Sprintf("skip-v%d-%d.parquet", skipVersion, made))
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	svg := filepath.Join(dir, "plot.svg")
	var out, errors strings.Builder
	if code := Run(t.Context(), append(args, "--html", svg), &out, &errors); code != exitOK {
		t.Fatalf("exit code %d: %s", code, &errors)
	}
	text, err := os.ReadFile(svg)
	if err != nil || !strings.HasPrefix(string(text), "<svg ") {
		t.Errorf("%v, %.60s", err, text)
	}
	if strings.Contains(out.String(), "Makes") || strings.Count(out.String(), "\nscattered   ") != len(skipShares()) || !strings.Contains(out.String(), "2000 rows of 18 columns") {
		t.Errorf("printed:\n%s", &out)
	}
	after, err := os.Stat(path)
	if err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the file was made again: %v", err)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*.making")); err != nil || len(files) > 0 {
		t.Errorf("left behind: %v %v", files, err)
	}
}

// Each layout has all numbers of rows. They are in order in sorted, in runs in clustered, and in scattered
// a page has them from anywhere.
func TestSkipLayouts(t *testing.T) {
	const made = 50_000
	path, err := skipData(t.TempDir(), made, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	f, err := scanner.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	steps := map[string]int{} // keys that follow the one before them
	keys := map[string][]int32{}
	for b, err := range f.Scan(context.Background(), scanner.Options{Select: skipLayouts()}) {
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range skipLayouts() {
			keys[name] = append(keys[name], b.Columns[i].Int32s[:b.Len]...)
		}
		b.Release()
	}
	for name, list := range keys {
		for i := 1; i < len(list); i++ {
			if list[i] == list[i-1]+1 {
				steps[name]++
			}
		}
		slices.Sort(list)
		for i, k := range list {
			if len(list) != made || int(k) != i {
				t.Fatalf("%s: %d keys, that of rank %d is %d", name, len(list), i, k)
			}
		}
	}
	if steps["sorted"] != made-1 || steps["clustered"] < made*9/10 || steps["clustered"] == made-1 || steps["scattered"] > 20 {
		t.Errorf("neighbours in order: %v", steps)
	}
}

// The plots are as in the golden files, for numbers that are not measured.
func TestPlots(t *testing.T) {
	cells := []*skipCell{}
	for i, layout := range skipLayouts() {
		for _, share := range skipShares() {
			for j, n := range skipCounts() {
				y := math.Min(share+[]float64{0.004, 0.02, 0.4}[i]*float64(3-j), 1.1)
				own := &row{Engine: "scan", Threads: 2, CPU: []float64{5}, Wall: []float64{11 * y, 10 * y}, Read: int64(1e7 * y), OK: true}
				full := &row{Engine: "full", Threads: 2, CPU: []float64{5}, Wall: []float64{10}, Read: 1e7, OK: true}
				cells = append(cells, &skipCell{layout, share, n, []*row{own, full}})
			}
		}
	}
	page := skipPage{Facts: "Facts & figures.", Table: skipHeading() + skipLine(cells[:3]) + skipFullLine(cells), Plots: []skipPlot{
		{"share of a full scan's time", skipFigures(cells, (*row).timeOf)},
		{"share of a full scan's bytes", skipFigures(cells, (*row).bytesOf)},
	}}
	html, err := page.text(false)
	if err != nil {
		t.Fatal(err)
	}
	for file, got := range map[string]string{"testdata/plot.txt": page.Table + "\n" + inTerminal(page.Plots[0]), "testdata/plot.html": string(html)} {
		if f := flag.Lookup("rewrite"); f.Value.String() == "true" {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || got != string(want) {
			t.Errorf("%s: %v, got:\n%s", file, err, got)
		}
	}
	for _, network := range []string{"http:", "https:", "<script", "<link", "@import", "url("} {
		if strings.Contains(strings.ReplaceAll(string(html), "http://www.w3.org/2000/svg", ""), network) {
			t.Errorf("the page has %s", network)
		}
	}
}

// Peers have lines of their own below winnow's, and one that answers differently is an error.
func TestSkipsBesidePeers(t *testing.T) {
	t.Setenv("BENCH_FAKE_PEER", "1")
	var out, errors strings.Builder
	code := Run(t.Context(), []string{"--rows", "1000", "--data", t.TempDir(), "--iters", "1", "--peer", "fake=" + os.Args[0]}, &out, &errors)
	if code != exitFailed || !strings.Contains(errors.String(), "sorted_0.01%_1, fake: fake: rows") {
		t.Errorf("exit code %d: %s\n%s", code, &errors, &out)
	}
	own := &row{Engine: "scan", Threads: 1, CPU: []float64{3, 2}, Wall: []float64{4}}
	peer := &row{Engine: "fake", Threads: 1, CPU: []float64{5}, Wall: []float64{6}}
	text := skipLine([]*skipCell{{"sorted", 0.01, 4, []*row{own, own, peer}}})
	if want := "\n                fake     5.00        2.5 × scan\n"; !strings.HasSuffix(text, want) {
		t.Errorf("%q, want %q", text, want)
	}
}

// A file is scanned with the condition and without, warm and cold. A full scan has the columns of
// the condition, too; where the system cannot forget the file, a line says so. The file is the test's
// own: one that another test maps meanwhile stays in memory.
func TestWarmAndCold(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(samples, "lineitems.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "lineitems.parquet")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	all := rows(t, exitOK, file, "--select", `order_key,"comment"`, "--where", "quantity = 7 AND comment IS NOT NULL", "--iters", "2")
	if len(all) != 4 {
		t.Fatalf("%d lines", len(all))
	}
	for i, r := range all {
		whole := i%2 == 1
		if cold := i > 1; cold && r.Error != "" {
			if !strings.Contains(r.Error, "not measured cold: ") {
				t.Errorf("%+v", r)
			}
			continue
		}
		if want := map[bool]int64{false: all[0].Rows, true: 20000}[whole]; !r.OK || r.Rows != want {
			t.Errorf("%s: %d rows, want %d: %s", r.Engine, r.Rows, want, r.Error)
		}
		if want := map[bool]int{false: 2, true: 3}[whole]; len(r.Sums) != want {
			t.Errorf("%s: columns %v", r.Engine, r.Sums)
		}
	}
	var out strings.Builder
	if code := Run(t.Context(), []string{file, "--count", "--where", "quantity = 7"}, &out, io.Discard); code != exitOK || !strings.Contains(out.String(), "of a full scan of the same columns") {
		t.Errorf("exit code %d\n%s", code, &out)
	}
}

func TestNumbersAsText(t *testing.T) {
	for share, want := range map[float64]string{1: "100 %", 0.5: "50 %", 0.01: "1 %", 0.0451: "4.5 %", 0.0999: "10 %", 0.0001: "0.01 %", 0.00456: "0.46 %", 1.2: "120 %"} {
		if got := percent(share); got != want {
			t.Errorf("%v: %q, want %q", share, got, want)
		}
	}
	if got := size(2_345_678) + size(2345); got != "2.3 MB2.3 kB" {
		t.Error(got)
	}
}
