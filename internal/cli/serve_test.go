package cli

import (
	"strings"
	"testing"
)

func TestServeUsage(t *testing.T) {
	for args, want := range map[string]string{
		"serve a b":                      "one folder at most",
		"serve --port 70000":             "ports end at 65535",
		"serve testdata/no_such_dir":     "testdata/no_such_dir",
		"serve serve_test.go":            "serve_test.go is a file: serve wants its folder",
		"serve --where a ../../testdata": "where",
	} {
		if _, stderr, code := runScan(t, t.Context(), strings.Fields(args)...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: %d, %s", args, code, stderr)
		}
	}
}
