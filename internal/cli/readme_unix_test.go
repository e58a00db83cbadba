//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// shellOf returns how to run commands with a shell in a folder that has testdata, where "scan"
// and "go run ./cmd/scan" are this program.
func shellOf(t *testing.T) (run func(commands string) (output string)) {
	t.Helper()
	self, err := os.Executable()
	dir := t.TempDir()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "scan"))
	}
	testdata, absErr := filepath.Abs("../../testdata")
	if err = errors.Join(err, absErr); err == nil {
		err = os.Symlink(testdata, filepath.Join(dir, "testdata"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return func(commands string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", strings.ReplaceAll(commands, "go run ./cmd/scan", "scan"))
		cmd.Dir, cmd.Env = dir, append(os.Environ(), asScan+"=1", "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", commands, err, out)
		}
		return string(out)
	}
}

// The commands that README.md and the guide for the terminal show print the lines that these show below them.
func TestReadmeAnswers(t *testing.T) {
	run := shellOf(t)
	shown := 0
	for _, block := range append(dtest.Blocks(t, "../../README.md", ""), dtest.Blocks(t, "../../docs/terminal.md", "")...) {
		for _, answer := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, lines, _ := strings.Cut(answer, "\n")
			shown++
			out := run(command + " --format table")
			for line := range strings.Lines(lines) {
				_, rest, found := strings.Cut("\n"+out, "\n"+line)
				if strings.TrimSpace(line) == "" {
					continue
				}
				if !found {
					t.Errorf("$ %s\nprints\n%s\nwithout, or not where the document has it,\n%s", command, out, line)
					break
				}
				out = rest
			}
		}
	}
	if shown != 6 {
		t.Errorf("%d commands are shown with their answers", shown)
	}
}

// The commands for a fresh clone do what the text beside them says: each block of them is one of these.
func TestReadmeCommands(t *testing.T) {
	run := shellOf(t)
	for document, blocks := range map[string][]struct{ word, want string }{
		"../../README.md": {
			{"go run ./cmd/scan cat", `"comment":"harbour`},
			{"go run ./cmd/scan explain --picture pages.html", `"may_pass":8000`},
		},
		"../../docs/how-a-scan-works.md": {{"go run ./cmd/scan ", `"rows":1199`}},
		"../../docs/terminal.md": {
			{"scan describe", `"kind":"column","column":"method"`},
			{"scan count", `"rows":3126`},
			{"scan size", `"section":"header"`},
			{"scan verify", `"values":56060,"faults":0`},
			{"scan advise", `"change":"sort"`},
		},
	} {
		shown := dtest.Blocks(t, document, "sh")
		if len(shown) != len(blocks) {
			t.Errorf("%s has %d blocks of commands, and %d are run", document, len(shown), len(blocks))
		}
		for i, block := range shown[:min(len(shown), len(blocks))] {
			c := blocks[i]
			if !strings.Contains(block, c.word) {
				t.Errorf("%s: block %d has no %s", document, i, c.word)
			}
			if c.want == "" {
				continue
			}
			if out := run(strings.NewReplacer("go run ./cmd/bench\n", "", "go test ./...\n", "").Replace(block)); !strings.Contains(out, c.want) {
				t.Errorf("%s: %s prints\n%s\nwithout %s", document, block, out, c.want)
			}
		}
	}
}

// The table of commands in README.md has each command that reads files.
func TestReadmeListsCommands(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, row := range regexp.MustCompile(`(?m)^\| (`+"`scan .*?`"+`) \|`).FindAllStringSubmatch(string(text), -1) {
		for _, c := range regexp.MustCompile("`scan ([a-z]+)").FindAllStringSubmatch(row[1], -1) {
			named = append(named, c[1])
		}
	}
	for _, c := range scan().commands().Rows {
		if c.Print == nil && !slices.Contains(named, c.Name) {
			t.Errorf("the table of README.md has no scan %s, only %v", c.Name, named)
		}
	}
}

// What paragraphs say of scan is there: its commands and their flags. Commands without a place
// for something of the reader's run.
func TestNamedCommands(t *testing.T) {
	documents := []string{"../../README.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../adapters/*/README.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	named := 0
	for _, document := range documents {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split("\n"+string(text), "\n```") {
			if i%2 == 1 || strings.HasSuffix(document, "CHANGELOG.md") {
				continue // blocks are run elsewhere
			}
			for _, c := range regexp.MustCompile("`scan\\s([^`]+)`").FindAllStringSubmatch(part, -1) {
				named++
				nameIsThere(t, document, strings.Fields(c[1]))
			}
		}
	}
	if named < 20 {
		t.Errorf("%d commands are named", named)
	}
}

func nameIsThere(t *testing.T, document string, words []string) {
	t.Helper()
	name := words[0]
	if name == "sql" {
		return // of adapters/scan, whose README.md is tested there
	}
	if name == strings.ToUpper(name) || strings.HasPrefix(name, "-") {
		name = "head" // scan FILE, or a flag of several commands
	}
	program := &Program{Name: "scan", Schemes: input.Web()}
	help, stderr, code := runProgram(t, t.Context(), program, os.Stdin, "help", name)
	if code != exitOK {
		t.Errorf("%s: scan %v: %s", document, words, stderr)
	}
	for _, word := range words {
		if strings.HasPrefix(word, "-") && !regexp.MustCompile(`(?m)^ .*`+regexp.QuoteMeta(word)+`\b`).MatchString(help) {
			t.Errorf("%s: scan %v: no flag %s", document, words, word)
		}
	}
	if name == "help" || name == "manual" || name == "completion" {
		args := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == strings.ToUpper(w) })
		if out, stderr, code := runProgram(t, t.Context(), program, os.Stdin, args...); code != exitOK || out == "" {
			t.Errorf("%s: scan %v: exit code %d, %s", document, args, code, stderr)
		}
	}
}

// The program in README.md builds, and finds the rows that scan finds.
func TestReadmeProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	programs := dtest.Blocks(t, "../../README.md", "go")
	if len(programs) == 0 || !strings.HasPrefix(programs[0], "package main\n") {
		t.Fatal("README.md does not begin with a program")
	}
	main := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(main, []byte(programs[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	run := shellOf(t)
	want := run("scan cat --format tsv -c order_key,comment -w \"ship_date >= '1996-05-01' AND extended_price > 49000\" testdata/lineitems.parquet")
	_, want, _ = strings.Cut(want, "\n") // without its titles
	want = strings.NewReplacer("\t", " ", "NULL", "").Replace(want)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	got := run(fmt.Sprintf("go -C '%s' run '%s'", root, main))
	if rows, pages, _ := strings.Cut(got, "order_key "); rows != want || !strings.HasPrefix(pages, "24 pages that no row can pass") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
