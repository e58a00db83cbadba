package icebergscan_test

import (
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// TestReadme holds what the README shows against the example, which runs.
func TestReadme(t *testing.T) { dtest.ShownLines(t, "README.md", "icebergscan.", "example_test.go") }
