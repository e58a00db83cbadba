package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// TestReadme runs the commands that the README shows, in a folder with testdata.
func TestReadme(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "scan"))
	}
	if err == nil {
		var data string
		if data, err = filepath.Abs(samples); err == nil {
			err = os.Symlink(data, filepath.Join(dir, "testdata"))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(commands string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", commands)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "RUN_SCAN=1", "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", commands, err, out)
		}
		return string(out)
	}
	blocks := 0
	for _, block := range dtest.Blocks(t, "README.md", "sh") {
		if !strings.Contains(block, "scan sql ") {
			continue
		}
		blocks++
		// By DuckDB: how many of the items that are sold cheaper are of known orders, by mode.
		want := "AIR 164\nFOB 164\nMAIL 167\nRAIL 164\nREG-AIR 168\nSHIP 175\nTRUCK 158\n"
		got := run(strings.ReplaceAll(block, "scan sql ", "scan sql --format tsv "))
		if got = strings.ReplaceAll(got, "\t", " "); got != "ship_mode count(*)\n"+want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if n := run("scan count cheap.parquet"); !strings.Contains(n, `"rows":9082}`) {
			t.Errorf("cheap.parquet has %s rows", n)
		}
		if head, err := os.ReadFile(filepath.Join(dir, "comments.arrows")); err != nil || !strings.HasPrefix(string(head), "\xff\xff\xff\xff") {
			t.Errorf("comments.arrows begins with %.4q: %v", head, err)
		}
		run("rm cheap.parquet comments.arrows")
	}
	if blocks != 1 {
		t.Errorf("README.md shows %d blocks of commands", blocks)
	}
}
