package dtest

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Blocks returns the fenced blocks of a document that are in a language.
func Blocks(tb testing.TB, document, language string) []string {
	tb.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		tb.Fatal(err)
	}
	return blocks(string(text), language)
}

func blocks(text, language string) (found []string) {
	for i, part := range strings.Split("\n"+text, "\n```") {
		if first, block, _ := strings.Cut(part, "\n"); i%2 == 1 && first == language {
			found = append(found, block+"\n")
		}
	}
	return found
}

// ShownLines checks that those Go blocks of a document that have a word are lines of a source file, whose
// tests compile and run them. Only the indentation may differ.
func ShownLines(tb testing.TB, document, word, source string) {
	tb.Helper()
	code, err := os.ReadFile(source)
	if err != nil {
		tb.Fatal(err)
	}
	shown := slices.DeleteFunc(Blocks(tb, document, "go"), func(b string) bool { return !strings.Contains(b, word) })
	if len(shown) == 0 {
		tb.Errorf("%s has no block in Go with %s", document, word)
	}
	for _, block := range shown {
		if !hasLines(string(code), block) {
			tb.Errorf("%s shows what is not in %s:\n%s", document, source, block)
		}
	}
}

// Table checks that a document has a table, which it finds by the table's first line. With -rewrite it writes it there.
func Table(tb testing.TB, document, table string) {
	tb.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		tb.Fatal(err)
	}
	head, _, _ := strings.Cut(table, "\n")
	before, after, _ := strings.Cut(string(text), "\n"+head+"\n")
	for strings.HasPrefix(after, "|") {
		_, after, _ = strings.Cut(after, "\n")
	}
	if anew := before + "\n" + table + after; *rewrite {
		err = os.WriteFile(document, []byte(anew), 0o644)
	} else if anew != string(text) {
		tb.Errorf("%s has not this table (-rewrite writes it):\n%s", document, table)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// hasLines tells whether lines stand in code one behind the other, but for tabs in front of them.
func hasLines(code, lines string) bool {
	return strings.Contains("\n"+unindented(code), "\n"+unindented(lines))
}

func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "\t")
	}
	return strings.Join(lines, "\n")
}
