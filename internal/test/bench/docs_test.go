package bench

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// The commands that the documents show are understood. Those that make their data run, with few rows and
// without engines of others; the others end for want of the files that they measure.
func TestCommandsOfDocs(t *testing.T) {
	documents, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	documents = append(documents, "../../../README.md")
	command := regexp.MustCompile(`(?m)^(?:go run (?:-tags purego )?\./cmd/bench|bench)( .*)?$`)
	word := regexp.MustCompile(`"[^"]*"|\S+`)
	var shown [][]string
	for _, document := range documents {
		for _, block := range dtest.Blocks(t, document, "sh") {
			for _, c := range command.FindAllStringSubmatch(block, -1) {
				var args []string
				for _, w := range word.FindAllString(c[1], -1) {
					args = append(args, strings.Trim(w, `"`))
				}
				if !slices.ContainsFunc(shown, func(s []string) bool { return slices.Equal(s, args) }) {
					shown = append(shown, args)
				}
			}
		}
	}
	if len(shown) < 10 {
		t.Errorf("the documents show %d commands", len(shown))
	}
	t.Chdir(t.TempDir())
	list := `{"workloads": [
		{"name": "late_and_large", "file": "gone.parquet"},
		{"name": "multi_order", "file": "gone.parquet", "where": {"and": [{"op": "is_null", "col": "a"}, {"op": "is_null", "col": "b"}]}},
		{"name": "sel_1pct_plain", "file": "gone.parquet"}]}`
	if err := os.WriteFile("workloads.json", []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range shown {
		args = slices.DeleteFunc(args, func(a string) bool { return a == "--peers" })
		if len(args) > 0 && args[0] == "sweep" { // makes its own files
			if _, err := parseSweep(args[1:], io.Discard); err != nil {
				t.Errorf("%q: %v", args, err)
			}
			continue
		}
		var stdout, stderr bytes.Buffer
		if len(args) == 0 || args[0] == "--html" {
			args = append(args, "--rows", "1000", "--iters", "1", "--data", ".")
			if code := Run(t.Context(), args, &stdout, &stderr); code != exitOK || !strings.Contains(stdout.String(), "ideal:") {
				t.Errorf("%q: exit %d: %s%s", args, code, &stdout, &stderr)
			}
			continue
		}
		code := Run(t.Context(), append(args, "--data", "."), &stdout, &stderr)
		if code != exitFailed || !strings.Contains(stdout.String()+stderr.String(), "parquet: no such file") {
			t.Errorf("%q: exit %d: %s%s", args, code, &stdout, &stderr)
		}
	}
}
