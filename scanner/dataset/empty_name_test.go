package dataset

import (
	"iter"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// TestEmptyName: whatever is asked of files of which one has no name is answered with an error
// that says so, though its bytes are there. No file is opened.
func TestEmptyName(t *testing.T) {
	o := scanner.Options{}
	batches := func(all iter.Seq2[*vector.Batch, error]) (err error) {
		for _, err = range all {
		}
		return err
	}
	questions := map[string]func(*Files) error{
		"Scan": func(fs *Files) error { return batches(fs.Scan(t.Context(), o)) },
		"Scan, WHERE": func(fs *Files) error {
			return batches(fs.Scan(t.Context(), scanner.Options{Filter: scannertest.Parsed(t, "nonsense > 3")}))
		},
		"Count":      func(fs *Files) error { _, err := fs.Count(t.Context(), o); return err },
		"Fields":     func(fs *Files) error { _, err := fs.Fields(t.Context(), o); return err },
		"Min":        func(fs *Files) error { _, err := fs.Min(t.Context(), "id", o); return err },
		"Max":        func(fs *Files) error { _, err := fs.Max(t.Context(), "id", o); return err },
		"Top":        func(fs *Files) error { return batches(fs.Top(t.Context(), scanner.Order{By: "id"}, o)) },
		"Partitions": func(fs *Files) error { return batches(fs.Partitions(t.Context(), o, 2)[1]) },
		"Part":       func(fs *Files) error { return batches(fs.Part(0).Scan(t.Context(), o)) },
		"With":       func(fs *Files) error { return batches(fs.With(fs.open).Scan(t.Context(), o)) },
		"Each": func(fs *Files) error {
			return fs.Each(t.Context(), o, func(*scanner.File, scanner.Options) error { return nil })
		},
	}
	for _, names := range [][]string{{""}, {"a", "", "b"}, {"", "b"}, {"y=1/a", ""}} {
		fs, s := filesOf(t, names...)
		for question, ask := range questions {
			if err := ask(fs); err == nil || !strings.Contains(err.Error(), "is empty") {
				t.Errorf("%q, %s: %v", names, question, err)
			}
		}
		if opened := s.take(); opened != "" {
			t.Errorf("%q: opened %s", names, opened)
		}
	}
	fs, _ := filesOf(t, "a", "")
	if rows := filesLines(t, fs.At(0), o); len(rows) != 10 {
		t.Errorf("the file with a name alone has %d rows", len(rows))
	}
	err := batches(fs.At(1).Scan(t.Context(), o))
	if want := `"": the name is empty`; err == nil || err.Error() != want {
		t.Errorf("the file without a name alone: %v, want %s", err, want)
	}
}
