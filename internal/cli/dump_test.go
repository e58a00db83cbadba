package cli

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// sampleFiles returns the Parquet files below dir. Without the shared corpus a
// test is skipped, unless it is said to be there.
func sampleFiles(t *testing.T, dir string) []string {
	files, err := fetch.Glob(filepath.Join(dir, "**", "*.parquet"))
	if err != nil {
		if strings.Contains(dir, "shared") && os.Getenv("WINNOW_CORPUS_REQUIRED") != "1" {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	return files
}

// Every byte of every page is in exactly one range of each section, and in the
// files that are right none is unknown.
func TestDumpAccountsForEveryByte(t *testing.T) {
	for _, dir := range []string{"../../testdata", "../../../shared/corpus/parquet-testing"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			pages := 0
			for _, name := range sampleFiles(t, dir) {
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
	f := &input{File: file, src: src}
	for g := range file.Footer().RowGroups {
		for leaf := range file.Schema().Leaves() {
			c, err := file.Chunk(g, leaf)
			if err != nil {
				continue
			}
			seen := 0
			for p, err := range pages(t.Context(), f, c) {
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

func checkSection(t *testing.T, f *input, c *scanner.Chunk, p *pageAt, s *section, bad bool) {
	at := 0
	for _, span := range s.spans {
		if span.from != at || span.to <= span.from {
			t.Fatalf("%s, %s, page at %d, %s: range %d-%d follows %d", f.Name(), c.Leaf, p.Offset, s.name, span.from, span.to, at)
		}
		if !bad && (strings.Contains(span.what, "unknown") || strings.Contains(span.what, "not used")) && !strings.Contains(span.what, "=") {
			t.Errorf("%s, %s, page at %d, %s, byte %d: %s", f.Name(), c.Leaf, p.Offset, s.name, span.from, span.what)
		}
		at = span.to
	}
	if !bad && (s.flaw != "" || s.fault != "") {
		t.Errorf("%s, %s, page at %d, %s: %s%s", f.Name(), c.Leaf, p.Offset, s.name, s.flaw, s.fault)
	}
	if at != len(s.data) {
		t.Errorf("%s, %s, page at %d, %s: %d of %d bytes have a meaning", f.Name(), c.Leaf, p.Offset, s.name, at, len(s.data))
	}
}

// The meaning of any bytes is found without a panic, and covers them all.
func FuzzAnnotate(f *testing.F) {
	f.Add([]byte("\x03\x88\xc6\xfa\x00"), []byte{3, 0, 1, 1, 2, 8})
	f.Add([]byte("\x80\x01\x04\x05\x02\x02\x00\x00\x00\x00"), []byte{0, 5, 0, 1, 1, 9})
	f.Add([]byte("\x15\x00\x15\x02\x15\x02\x2c\x15\x02\x00\x00"), []byte{2, 0, 0, 0, 0, 6})
	f.Fuzz(func(t *testing.T, data, how []byte) {
		if len(how) < 6 || len(data) > 1<<16 {
			return
		}
		s := &pageShape{
			kind: wire.PageType(how[0] % 4), encoding: wire.Encoding(how[1] % 12), repEncoding: wire.Encoding(how[2]%3 + 2),
			defEncoding: wire.Encoding(how[2]/3%3 + 2), maxRep: int(how[3] % 4), maxDef: int(how[3] / 4 % 5), slots: int(how[4]) * 7,
			physical: wire.Type(how[5] % 8), width: int(how[5] / 8), show: func(b []byte) string { return table.Hex0x(b, 8) },
		}
		if len(how) >= 10 {
			s.repLen, s.defLen = int64(how[6]), int64(int32(binary.LittleEndian.Uint32(how[6:])))
		}
		body := annotator{data: data}
		if s.kind == wire.PageType_DATA_PAGE_V2 {
			body.levelsV2(s)
		}
		body.body(s)
		head := annotator{data: data, show: s.show}
		head.thrift(pageHeaderFields, "page header")
		head.finish("unknown")
		for _, a := range []*annotator{&body, &head} {
			at := 0
			for _, span := range a.spans {
				if span.from != at || span.to <= span.from {
					t.Fatalf("range %d-%d follows %d", span.from, span.to, at)
				}
				at = span.to
			}
			if at != len(data) && s.kind != wire.PageType_INDEX_PAGE || at > len(data) {
				t.Fatalf("%d of %d bytes have a meaning", at, len(data))
			}
		}
	})
}

// Levels that could be of either order are shown in that of the file's writer.
func TestDumpLevelsOfImpala(t *testing.T) {
	four := []byte{0b00001111, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}
	for lsb, want := range map[bool]string{true: "LSB first: 1 1 1 1 0 0 0 0", false: "MSB first: 0 0 0 0 1 1 1 1"} {
		a := annotator{data: four}
		a.body(&pageShape{kind: wire.PageType_DATA_PAGE, encoding: wire.Encoding_PLAIN, defEncoding: wire.Encoding_BIT_PACKED, maxDef: 1,
			slots: 8, physical: wire.Type_INT32, width: 4, lsb: lsb, show: func(b []byte) string { return table.Hex0x(b, 8) }})
		if got := a.spans[0].what; !strings.Contains(got, want) || a.left() != 0 || a.fault != "" {
			t.Errorf("lsb %v: %s, %d bytes left, %s", lsb, got, a.left(), a.fault)
		}
	}
}
