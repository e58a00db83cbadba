//go:build unix

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// mostAtStart is how many allocations packages make before main: 638 of them and 163 kB, as
// measured with Go 1.26. Tables that are built then are work of each command, also of --help.
const (
	mostAtStart      = 900
	mostBytesAtStart = 250_000
)

// Little is done before a command begins.
func TestStart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	scan := filepath.Join(t.TempDir(), "scan")
	if err := build(scan, "."); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(scan, "--help")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	packages, bytes, allocations := 0, 0, 0
	for line := range strings.Lines(said.String()) {
		if m := regexp.MustCompile(`^init \S+ .* (\d+) bytes, (\d+) allocs`).FindStringSubmatch(line); m != nil {
			b, _ := strconv.Atoi(m[1])
			n, _ := strconv.Atoi(m[2])
			packages, bytes, allocations = packages+1, bytes+b, allocations+n
		}
	}
	if packages < 20 || allocations > mostAtStart || bytes > mostBytesAtStart {
		t.Errorf("%d packages make %d allocations, %d bytes:\n%s", packages, allocations, bytes, said.String())
	}
}

// BenchmarkProcessorTime measures what the system counts for whole programs, beside one that does
// nothing: help, and the metadata of 2,000 columns in five row groups.
func BenchmarkProcessorTime(b *testing.B) {
	dir := b.TempDir()
	empty, scan, wide := filepath.Join(dir, "empty"), filepath.Join(dir, "scan"), filepath.Join(dir, "wide.parquet")
	err := errors.Join(
		os.WriteFile(empty+".go", []byte("package main\n\nfunc main() {}\n"), 0o600),
		writeWide(wide, 2000),
		build(empty, empty+".go"),
		build(scan, "."))
	if err != nil {
		b.Fatal(err)
	}
	for name, command := range map[string][]string{"nothing": {empty}, "help": {scan, "--help"}, "meta": {scan, "meta", wide}, "table": {scan, "meta", "--format", "table", wide}} {
		b.Run("program="+name, func(b *testing.B) {
			least := time.Duration(math.MaxInt64)
			for b.Loop() {
				cpu, out, err := run(dir, command...)
				if err != nil || name != "nothing" && out < 1000 {
					b.Fatalf("%v: %d bytes, %v", command[1:], out, err)
				}
				least = min(least, cpu)
			}
			b.ReportMetric(float64(least.Microseconds())/1000, "least-cpu-ms")
		})
	}
}

func build(program, source string) error {
	if out, err := exec.Command("go", "build", "-race=false", "-o", program, source).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// run runs a command, and returns the processor time that the system counts for it, and how
// many bytes it wrote.
func run(dir string, command ...string) (cpu time.Duration, out int64, err error) {
	f, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout, cmd.Env = f, append(os.Environ(), "GODEBUG=")
	if err := cmd.Run(); err != nil {
		return 0, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), info.Size(), nil
}

// writeWide writes a file of so many columns, in five row groups with statistics.
func writeWide(path string, columns int) error {
	file := &gen.File{}
	row := gen.Record{}
	for i := range columns {
		name := fmt.Sprintf("column_%04d", i)
		file.Schema = append(file.Schema, gen.Required(name, gen.Int64))
		row[name] = int64(i)
	}
	for range 5 {
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Rows: []any{row, row}})
	}
	b, err := file.Write()
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}
