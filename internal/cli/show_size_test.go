package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The columns and parts of each sample file add up to its size.
func TestSizesAddUp(t *testing.T) {
	var names []string
	for _, pattern := range []string{"*", "writers/*", "shapes/*"} {
		found, err := filepath.Glob("../../testdata/" + pattern + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	checked := 0
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := runScan(t, t.Context(), "size", name)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
			continue
		}
		sum, share := int64(0), 0.0
		for line := range strings.Lines(stdout) {
			var rec struct {
				Kind  string
				Size  int64 `json:"size"`
				Bytes int64 `json:"compressed_size"`
				Share float64
			}
			if err := json.Unmarshal([]byte(line), &rec); err != nil {
				t.Fatal(err)
			}
			if rec.Kind == "files" && rec.Size != info.Size() {
				t.Errorf("%s: %d bytes, not %d", name, rec.Size, info.Size())
			}
			sum += rec.Bytes
			share += rec.Share
		}
		if sum != info.Size() || share < 0.9999 || share > 1.0001 {
			t.Errorf("%s: %d bytes are %d, %f of all", name, info.Size(), sum, share)
		}
		checked++
	}
	if checked < 100 {
		t.Errorf("only %d files", checked)
	}
}

// The last rows are those that cat prints last, with conditions and without.
func TestTailIsTheEndOfCat(t *testing.T) {
	for _, args := range [][]string{
		{"-c", "order_key,ship_date", "../../testdata/lineitems.parquet"},
		{"-c", "time,url", "-w", "status = 404 OR latency_ms > 1700", "../../testdata/weblog.parquet"},
		{"-w", "order_id < 0", "../../testdata/orders.parquet"},
		{"-w", "l IS NOT NULL", "../../testdata/shapes/nested_list.parquet"},
	} {
		stdout, _, _ := runScan(t, t.Context(), append([]string{"cat"}, args...)...)
		rows := slices.Collect(strings.Lines(stdout))
		for _, n := range []int{0, 1, 7, 5000, 6001, 30000} {
			want := strings.Join(rows[max(len(rows)-n, 0):], "")
			got, stderr, code := runScan(t, t.Context(), append([]string{"tail", "-n", strconv.Itoa(n)}, args...)...)
			if got != want || code != 0 || stderr != "" {
				t.Errorf("%v: the last %d: exit code %d, %d bytes, not %d, %s", args, n, code, len(got), len(want), stderr)
			}
		}
	}
}
