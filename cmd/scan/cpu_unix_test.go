//go:build unix

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/gen"
)

// How much processor time programs may take. Each runs in turn with the others, and its least
// time counts: that of a run which nothing has disturbed.
const (
	cpuOfHelp = 5 * time.Millisecond // more than a Go program that does nothing
	cpuOfMeta = 60 * time.Millisecond
	cpuRounds = 12
)

// Help is as quick as a program that does nothing, and so is the metadata of a wide file.
func TestProcessorTime(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs, and runs them many times")
	}
	dir := t.TempDir()
	empty, scan, wide := filepath.Join(dir, "empty"), filepath.Join(dir, "scan"), filepath.Join(dir, "wide.parquet")
	err := errors.Join(
		os.WriteFile(empty+".go", []byte("package main\n\nfunc main() {}\n"), 0o600),
		writeWide(wide, 2000),
		build(empty, empty+".go"),
		build(scan, "."))
	if err != nil {
		t.Fatal(err)
	}
	commands := [][]string{{empty}, {scan, "--help"}, {scan, "meta", wide}, {scan, "meta", "--format", "table", wide}}
	least := make([]time.Duration, len(commands))
	for i := range least {
		least[i] = math.MaxInt64
	}
	for range cpuRounds {
		for i, command := range commands {
			cpu, out, err := run(dir, command...)
			if err != nil {
				t.Fatalf("%v: %v", command[1:], err)
			}
			if i > 0 && out < 1000 {
				t.Fatalf("%v wrote %d bytes", command[1:], out)
			}
			least[i] = min(least[i], cpu)
		}
	}
	t.Logf("nothing %v, --help %v, meta %v, and as a table %v", least[0], least[1], least[2], least[3])
	if more := least[1] - least[0]; more > cpuOfHelp {
		t.Errorf("--help takes %v more than a program that does nothing, over %v", more, cpuOfHelp)
	}
	for i := 2; i < len(least); i++ {
		if least[i] > cpuOfMeta {
			t.Errorf("%v of 2,000 columns takes %v, over %v", commands[i][1:], least[i], cpuOfMeta)
		}
	}
	if least[2] <= least[0] {
		t.Errorf("meta takes %v, and nothing %v: this is no measure", least[2], least[0])
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
