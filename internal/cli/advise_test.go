package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// Records have the numbers of tables, and both say so where no change helps.
func TestAdviceInBothForms(t *testing.T) {
	args := []string{"advise", "-c", "comment", "-w", "part_key = 500", "../../testdata/lineitems.parquet"}
	text, stderr, code := runScan(t, t.Context(), append(args, "--format", "table")...)
	if code != 0 || !strings.Contains(text, "sort by part_key") {
		t.Fatalf("%s%s", text, stderr)
	}
	records, _, _ := runScan(t, t.Context(), append(args, "--format", "jsonl")...)
	lines := bytes.Split(bytes.TrimSpace([]byte(records)), []byte("\n"))
	var head struct {
		Kind                 string
		Rows, Passing, Bytes int64
	}
	if err := json.Unmarshal(lines[0], &head); err != nil || head.Kind != "query" || head.Rows != 20_000 || head.Passing != 7 || head.Bytes == 0 {
		t.Fatalf("%s: %v", lines[0], err)
	}
	last := head.Bytes
	for _, line := range lines[1:] {
		var rec struct {
			Kind         string
			Saves, Bytes int64
		}
		if err := json.Unmarshal(line, &rec); err != nil || rec.Kind != "change" || rec.Saves+rec.Bytes != head.Bytes || rec.Saves > last {
			t.Errorf("%s: %v", line, err)
		}
		last = rec.Saves
	}
	text, _, code = runScan(t, t.Context(), "advise", "--format", "table", "-w", "part_key = -1", "../../testdata/lineitems.parquet")
	if code != 0 || !strings.Contains(text, "no change saves") {
		t.Error(text)
	}
}
