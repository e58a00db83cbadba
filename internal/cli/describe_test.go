package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// naiveColumn is what rows in JSON say of a column whose values are no lists and no objects.
type naiveColumn struct {
	nulls, nans int64
	counts      map[string]int64
	numbers     []float64
}

// naiveColumns reads rows as the generator of the sample files wrote them.
func naiveColumns(t *testing.T, rows string) map[string]*naiveColumn {
	t.Helper()
	all := map[string]*naiveColumn{}
	for line := range strings.Lines(rows) {
		var row map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		for name, raw := range row {
			c := all[name]
			if c == nil {
				c = &naiveColumn{counts: map[string]int64{}}
				all[name] = c
			}
			switch text := string(raw); {
			case text == "null":
				c.nulls++
			case text == `"NaN"`:
				c.nans++
			default:
				if text == "-0" {
					text = "0"
				}
				c.counts[text]++
				if x, err := strconv.ParseFloat(strings.Trim(text, `"`), 64); err == nil {
					c.numbers = append(c.numbers, x)
				}
			}
		}
	}
	return all
}

type shownColumn struct {
	Kind, Column, Type    string
	Nulls, NaNs, Distinct int64
	Exact                 bool
	Min, Max, Mean        json.RawMessage
	Top                   []struct {
		Value json.RawMessage
		Count int64
	}
	Histogram []int64
}

// What describe says of the sample files is what a map over their rows says.
func TestDescribeAgreesWithRows(t *testing.T) {
	checked, means, bars := 0, 0, 0
	for name := range shapes(t) {
		rows, err := os.ReadFile(strings.TrimSuffix(name, ".parquet") + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		naive := naiveColumns(t, string(rows))
		stdout, stderr, code := runScan(t, t.Context(), "describe", name)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
		for line := range strings.Lines(stdout) {
			var c shownColumn
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				t.Fatal(err)
			}
			want := naive[strings.Trim(c.Column, `"`)]
			if c.Kind != "column" || want == nil || strings.Contains(strings.Join(keysOf(want.counts), ""), `{`) || strings.Contains(strings.Join(keysOf(want.counts), ""), `[`) {
				continue // of a part of a column
			}
			checked++
			where := filepath.Base(name) + " " + c.Column + " " + c.Type
			if c.Nulls != want.nulls || c.NaNs != want.nans {
				t.Errorf("%s: %d NULLs and %d NaNs, not %d and %d", where, c.Nulls, c.NaNs, want.nulls, want.nans)
			}
			if n := float64(len(want.counts)); math.Abs(float64(c.Distinct)-n) > n*0.08 || c.Exact && c.Distinct != int64(len(want.counts)) {
				t.Errorf("%s: %d different values, exact: %v; there are %d", where, c.Distinct, c.Exact, len(want.counts))
			}
			for _, top := range c.Top {
				if got := top.Count; c.Exact && got != want.counts[string(top.Value)] {
					t.Errorf("%s: %s comes %d times, not %d", where, top.Value, got, want.counts[string(top.Value)])
				}
			}
			if c.Exact && len(want.counts) > 0 && c.Top[0].Count != slices.Max(valuesOf(want.counts)) {
				t.Errorf("%s: %s is not the most frequent", where, c.Top[0].Value)
			}
			if len(want.numbers) == len(keysOf(want.counts)) && c.Min != nil && strings.Contains(c.Type, "INT") {
				low, _ := strconv.ParseFloat(string(c.Min), 64)
				high, _ := strconv.ParseFloat(string(c.Max), 64)
				if low != slices.Min(want.numbers) || high != slices.Max(want.numbers) {
					t.Errorf("%s: from %s to %s, not from %v to %v", where, c.Min, c.Max, slices.Min(want.numbers), slices.Max(want.numbers))
				}
			}
			if mean, err := strconv.ParseFloat(string(c.Mean), 64); err == nil {
				means++
				sum, size := 0.0, 0.0
				for _, x := range want.numbers {
					sum, size = sum+x/float64(len(want.numbers)), math.Max(size, math.Abs(x))
				}
				if math.Abs(mean-sum) > size*1e-7 {
					t.Errorf("%s: mean %v, not %v", where, mean, sum)
				}
			}
			if c.Histogram != nil {
				bars++
				n := int64(0)
				for _, count := range c.Histogram {
					n += count
				}
				if got := int64(len(want.numbers)); got > 0 && (n < got-parts || n > got+parts) {
					t.Errorf("%s: %d numbers in the bars, not %d", where, n, got)
				}
			}
		}
	}
	if checked < 150 || means < 50 || bars < 50 {
		t.Errorf("only %d columns, %d means, %d histograms", checked, means, bars)
	}
}

func keysOf(m map[string]int64) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

func valuesOf(m map[string]int64) (values []int64) {
	for _, v := range m {
		values = append(values, v)
	}
	return values
}

// The extremes are those that min and max find by statistics and by reading what these leave open.
func TestDescribeAgreesWithMinAndMax(t *testing.T) {
	names, err := filepath.Glob("../../testdata/writers/*.parquet")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, name := range append(names, "../../testdata/lineitems.parquet", "../../testdata/weblog.parquet", "../../testdata/orders.parquet") {
		for _, where := range [][]string{nil, {"-w", "1 = 1"}} {
			if where != nil && strings.Contains(name, "writers") {
				continue
			}
			if where != nil {
				where[1] = map[string]string{"lineitems": "quantity > 10", "weblog": "status = 200", "orders": "order_id > 2000"}[strings.TrimSuffix(filepath.Base(name), ".parquet")]
			}
			stdout, stderr, code := runScan(t, t.Context(), append([]string{"describe", name}, where...)...)
			if code != 0 {
				t.Errorf("%s: %s", name, stderr)
			}
			for line := range strings.Lines(stdout) {
				var c shownColumn
				if err := json.Unmarshal([]byte(line), &c); err != nil {
					t.Fatal(err)
				}
				if c.Kind != "column" || c.Min == nil {
					continue
				}
				for command, got := range map[string]json.RawMessage{"min": c.Min, "max": c.Max} {
					stdout, _, code := runScan(t, t.Context(), append([]string{command, c.Column, name}, where...)...)
					var want struct{ Min, Max json.RawMessage }
					if err := json.Unmarshal([]byte(stdout), &want); code != 0 || err != nil {
						continue // a list by the name that its items have here
					}
					if want.Min == nil {
						want.Min = want.Max
					}
					if text := strings.ReplaceAll(string(want.Min), "-0", "0"); string(want.Min) != string(got) && text != string(got) {
						t.Errorf("%s: %s of %s is %s, not %s", name, command, c.Column, got, want.Min)
					}
					checked++
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d extremes", checked)
	}
}

// Files with the same columns are one table, and others have theirs.
func TestDescribeJoinsFiles(t *testing.T) {
	one, two := "../../testdata/weblog.parquet", "../../testdata/orders.parquet"
	stdout, stderr, code := runScan(t, t.Context(), "describe", "-c", "*_id", one, two, one)
	lines := slices.Collect(strings.Lines(stdout))
	if code != 0 || len(lines) != 4 || !strings.Contains(lines[0], `"files":2,"rows":40000`) || !strings.Contains(lines[2], `"files":1,"rows":3000`) {
		t.Errorf("exit code %d, %s, %s", code, stdout, stderr)
	}
	if _, stderr, code := runScan(t, t.Context(), "describe", "../../testdata/bad/crc_v1.parquet", one); code != exitBadFile || !strings.Contains(stderr, "crc") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
