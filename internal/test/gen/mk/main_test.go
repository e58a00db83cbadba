package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const testdata = "../../../../testdata"

func TestTestdataIsWhatMkWrites(t *testing.T) {
	files, err := build()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(testdata, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s differs: go run ./internal/test/gen/mk", name)
		}
	}
}

// Every file is listed in a README, once, and what is listed is there.
func TestReadmesListEveryFile(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `([^`]+\\.parquet)` \\| [^ |\n][^\n]* \\|$")
	listed := map[string]int{}
	for _, dir := range []string{".", "shapes", "bad"} {
		text, err := os.ReadFile(filepath.Join(testdata, dir, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range row.FindAllStringSubmatch(string(text), -1) {
			listed[filepath.ToSlash(filepath.Join(dir, m[1]))]++
		}
	}
	size := int64(0)
	err := filepath.WalkDir(testdata, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		name, err := filepath.Rel(testdata, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case filepath.Base(name) == "README.md":
		case strings.HasSuffix(name, ".jsonl"):
			if listed[strings.TrimSuffix(name, ".jsonl")+".parquet"] != 1 && listed[strings.TrimSuffix(name, ".jsonl")+".parquet"] != -1 {
				t.Errorf("%s belongs to no file", name)
			}
		case listed[name] != 1:
			t.Errorf("%s is listed %d times", name, listed[name])
		default:
			listed[name] = -1 // seen
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range listed {
		if n > 0 {
			t.Errorf("%s is listed, but not there", name)
		}
	}
	if size > 5<<20 {
		t.Errorf("testdata has %d bytes, over 5 MiB", size)
	}
}

func TestSamplesHaveNamesAndStages(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range shapes() {
		if s.stage != "" || s.what == "" || seen[s.name] {
			t.Errorf("shape %q: stage %q, what %q, or a name twice", s.name, s.stage, s.what)
		}
		seen[s.name] = true
	}
	seen = map[string]bool{}
	for _, s := range bad() {
		if s.stage == "" || s.what == "" || seen[s.name] {
			t.Errorf("bad file %q: stage %q, what %q, or a name twice", s.name, s.stage, s.what)
		}
		seen[s.name] = true
	}
}

// Each line of the JSON files is JSON, so that a reader's output can be compared with it.
func TestRowsAreJSON(t *testing.T) {
	files, err := build()
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		if !strings.HasSuffix(name, ".jsonl") {
			continue
		}
		for i, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
			if line != "" && !json.Valid([]byte(line)) {
				t.Errorf("%s:%d: %s", name, i+1, line)
			}
		}
	}
}
