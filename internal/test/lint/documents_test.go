package lint

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// A line of the list must say what runs its commands, where that is, or why nothing does.
func TestWaysOfCommands(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"go vet ./page => run go vet ./page", ""},
		{"go vet ./page => because it takes days", ""},
		{"go vet ./page => in page/doc.go: package page", ""},
		{"go * => in page/doc.go: package page", ""},
		{"go vet ./page => in page/doc.go: package gone", "no package gone in page/doc.go"},
		{"go vet ./page => in page/doc.go", "no  in page/doc.go"},
		{"go vet ./page => in .ci/documents: go vet", "no go vet in .ci/documents"},
		{"go vet ./page => because", "want run COMMAND, in FILE: TEXT, or because REASON, not because"},
		{"go vet ./page => run", "want run COMMAND, in FILE: TEXT, or because REASON, not run"},
		{"go vet * => run go vet ./page", "a star needs what runs all such commands"},
	} {
		files := maps.Clone(good())
		files["docs/x.md"] = "`go vet ./page`\n"
		files[DocumentsFile] = "# A list.\n\ndocs/x.md\n\t" + c.line + "\n"
		want := "[]"
		if command, _, _ := strings.Cut(c.line, " => "); c.want != "" {
			want = "[" + DocumentsFile + ": docs/x.md: " + command + ": " + c.want + "]"
		}
		if got := fmt.Sprint(CommandsRun(read(t, files))); got != want {
			t.Errorf("%s: %s, not %s", c.line, got, want)
		}
	}
}
