package function

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestEverywhere wants each function in the grammar, in the help, in the naive evaluator and in a
// random text, under its own name.
func TestEverywhere(t *testing.T) {
	for path, but := range map[string]string{
		"../../doc.go": "", "../../../internal/cli/guide/where.go": "", "../../../internal/test/naive/function.go": "trim ltrim",
		"../../compile/steps_test.go": "mod", "../../../.ci/peers/where.py": "length octet_length mod epoch split_part",
	} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range table {
			if !regexp.MustCompile(`\b`+f.Name+`\b`).Match(b) && !strings.Contains(" "+but+" ", " "+f.Name+" ") {
				t.Errorf("%s: no function %s", path, f.Name)
			}
		}
	}
}
