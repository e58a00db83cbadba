package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/test/dtest"
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

// The line below the pages of a chunk adds up those that JSON lists.
func TestPageTotals(t *testing.T) {
	checked := 0
	for _, name := range dtest.SampleFiles(t, "../../testdata") {
		if strings.Contains(filepath.ToSlash(name), "/bad/") {
			continue
		}
		records, stderr, code := runScan(t, t.Context(), "pages", name)
		if code != 0 {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
			continue
		}
		var want []string // a text for each chunk of several pages
		pages, values, header, last := 0, int64(0), int64(0), ""
		for line := range strings.Lines(records + "{}\n") {
			var rec struct {
				Column *int
				Page   *int
				Values int64
				Header int64 `json:"header_size"`
				Group  int   `json:"row_group"`
			}
			if err := json.Unmarshal([]byte(line), &rec); err != nil {
				t.Fatal(err)
			}
			place := ""
			if rec.Column != nil {
				place = strconv.Itoa(rec.Group) + " " + strconv.Itoa(*rec.Column)
			}
			if place != last {
				if pages > 1 {
					want = append(want, table.Number(values)+" "+table.Number(header))
				}
				pages, values, header, last = 0, 0, 0, place
			}
			pages++
			header += rec.Header
			if rec.Page != nil {
				values += rec.Values
			}
		}
		shown, _, _ := runScan(t, t.Context(), "pages", "-n", "1", "--format", "table", name)
		for line := range strings.Lines(shown) {
			fields := strings.Fields(line)
			if len(fields) == 0 || fields[0] != "all" {
				continue
			}
			if len(want) == 0 {
				t.Fatalf("%s: a total more than chunks of several pages: %s", name, line)
			}
			values, header, _ := strings.Cut(want[0], " ")
			if fields[1] != values || !slices.Contains(fields[2:], header) {
				t.Errorf("%s: %s has not %s values, %s bytes of headers", name, line, values, header)
			}
			want = want[1:]
			checked++
		}
		if len(want) > 0 {
			t.Errorf("%s: %d totals are missing", name, len(want))
		}
	}
	if checked < 50 {
		t.Errorf("%d totals", checked)
	}
}
