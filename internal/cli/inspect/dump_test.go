package inspect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Every byte of every page is in exactly one range of each section, and in the
// files that are right none is unknown.
func TestDumpAccountsForEveryByte(t *testing.T) {
	for _, dir := range []string{"../../../testdata", "../../../../shared/corpus/parquet-testing"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			pages := 0
			for _, name := range dtest.SampleFiles(t, dir) {
				pages += dumpAll(t, name)
			}
			t.Log(pages, "pages")
			if pages < 500 {
				t.Errorf("only %d pages were looked at", pages)
			}
		})
	}
}

func dumpAll(t *testing.T, name string) (count int) {
	bad := strings.Contains(filepath.ToSlash(name), "/bad") || strings.Contains(name, "malformed")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	src := fetch.FromBytes(b)
	file, err := scanner.OpenSource(t.Context(), name, src)
	if err != nil {
		if !bad {
			t.Error(err)
		}
		return 0
	}
	f := &input.File{File: file}
	for g := range file.Footer().RowGroups {
		for leaf := range file.Schema().Leaves() {
			c, err := file.Chunk(g, leaf)
			if err != nil {
				continue
			}
			seen := 0
			for p, err := range chunks.Pages(t.Context(), f, c) {
				if seen++; seen > 40 && !testing.Verbose() {
					break // of thousands of alike tiny pages
				}
				if err != nil {
					break // what is wrong with it the tests of bad files tell
				}
				if p.UncompressedSize > 1<<24 {
					continue // the key of 1 GiB
				}
				count++
				sections, err := sectionsOf(t.Context(), f, c, p)
				if err != nil && !bad {
					t.Error(err)
				}
				for _, s := range sections {
					checkSection(t, f, c, p, s, bad)
				}
			}
		}
	}
	return count
}

func checkSection(t *testing.T, f *input.File, c *scanner.Chunk, p *chunks.Page, s dumpSection, bad bool) {
	at := 0
	for _, span := range s.Spans {
		if span.From != at || span.To <= span.From {
			t.Fatalf("%s, %s, page at %d, %s: range %d-%d follows %d", f.Name(), c.Leaf, p.Offset, s.name, span.From, span.To, at)
		}
		if !bad && (strings.Contains(span.Meaning, "unknown") || strings.Contains(span.Meaning, "not used")) && !strings.Contains(span.Meaning, "=") {
			t.Errorf("%s, %s, page at %d, %s, byte %d: %s", f.Name(), c.Leaf, p.Offset, s.name, span.From, span.Meaning)
		}
		at = span.To
	}
	if !bad && s.Fault != "" {
		t.Errorf("%s, %s, page at %d, %s: %s", f.Name(), c.Leaf, p.Offset, s.name, s.Fault)
	}
	if at != len(s.Data) {
		t.Errorf("%s, %s, page at %d, %s: %d of %d bytes have a meaning", f.Name(), c.Leaf, p.Offset, s.name, at, len(s.Data))
	}
}
