package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// The commands that the documents show are understood: without the files that they measure,
// they end for want of these.
func TestCommandsOfDocs(t *testing.T) {
	documents, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^(?:go run (?:-tags purego )?\./cmd/bench|bench) (.*)$`)
	var shown [][]string
	for _, document := range documents {
		for _, block := range dtest.Blocks(t, document, "sh") {
			for _, c := range command.FindAllStringSubmatch(block, -1) {
				shown = append(shown, strings.Fields(c[1]))
			}
		}
	}
	if len(shown) < 7 {
		t.Errorf("the documents show %d commands", len(shown))
	}
	t.Chdir(t.TempDir())
	list := `{"workloads": [
		{"name": "multi_order", "file": "gone.parquet", "where": {"and": [{"op": "is_null", "col": "a"}, {"op": "is_null", "col": "b"}]}},
		{"name": "sel_1pct_plain", "file": "gone.parquet"}]}`
	if err := os.WriteFile("workloads.json", []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range shown {
		var stdout, stderr bytes.Buffer
		code := Run(t.Context(), append(args, "--data", "."), &stdout, &stderr)
		if code != exitFailed || !strings.Contains(stdout.String()+stderr.String(), "parquet: no such file") {
			t.Errorf("%q: exit %d: %s%s", args, code, &stdout, &stderr)
		}
	}
}
