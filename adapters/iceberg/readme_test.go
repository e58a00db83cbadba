package icebergscan_test

import (
	"testing"

	"github.com/winnow-scan/winnow/internal/dtest"
)

// TestReadme holds what the READMEs show against the example, which runs.
func TestReadme(t *testing.T) {
	for _, name := range []string{"../../README.md", "README.md"} {
		dtest.ShownLines(t, name, "icebergscan.", "example_test.go")
	}
}
