package scanner

import (
	"bytes"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// TestNotes has a file whose Arrow schema is broken: it is read as if it had none, and a log says so.
func TestNotes(t *testing.T) {
	data, err := os.ReadFile("internal/stored/testdata/types.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		letter, note string
	}{{"/", ""}, {"?", "ARROW:schema is ignored: it is no base64"}} {
		f, err := OpenSource(t.Context(), "types", fetch.FromBytes(bytes.Replace(data, []byte("/////"), []byte(c.letter+"////"), 1)))
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		o := Options{Log: slog.New(slog.NewTextHandler(&log, nil))}
		rows := 0
		for b, err := range f.Scan(t.Context(), o) {
			if err != nil {
				t.Fatal(err)
			}
			rows += b.Len
		}
		if note := strings.Join(f.Notes(), "\n"); rows != 3 || note != c.note || strings.Contains(log.String(), "level=WARN") != (note != "") {
			t.Errorf("%d rows, note %q, log %s", rows, note, &log)
		}
	}
}
