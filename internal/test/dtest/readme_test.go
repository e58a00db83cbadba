package dtest

import (
	"slices"
	"testing"
)

func TestBlocks(t *testing.T) {
	text := "```go\na\n\tb\n```\ntext\n```\nnone\n```\n```sh\nc\n```\n```go\nd\n```"
	if got := blocks(text, "go"); !slices.Equal(got, []string{"a\n\tb\n", "d\n"}) {
		t.Errorf("blocks in Go: %q", got)
	}
	if got := blocks(text, "sh"); !slices.Equal(got, []string{"c\n"}) {
		t.Errorf("blocks in sh: %q", got)
	}
}

func TestHasLines(t *testing.T) {
	const code = "func f() {\n\t\tif a {\n\t\t\tb()\n\t\t}\n}\n"
	for lines, want := range map[string]bool{
		"if a {\n\tb()\n}\n": true, "func f() {\n": true, "b()\n": true,
		"if a {\n}\n": false, "a {\n": false, "if a\n": false, "b() // and more\n": false,
	} {
		if hasLines(code, lines) != want {
			t.Errorf("%q found: %t", lines, !want)
		}
	}
}
