package cli

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/answer"
)

// naiveColumn is what rows in JSON say of a column whose values are no lists and no objects.
type naiveColumn struct {
	slots, nulls, nans int64
	infinite           map[string]int64 // by their text
	counts             map[string]int64 // of values
	numbers            []float64        // the finite ones
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
				c = &naiveColumn{infinite: map[string]int64{}, counts: map[string]int64{}}
				all[name] = c
			}
			c.add(string(raw))
		}
	}
	return all
}

func (c *naiveColumn) add(text string) {
	c.slots++
	switch text {
	case "null":
		c.nulls++
		return
	case `"NaN"`:
		c.nans++
		return
	case "-0":
		text = "0"
	}
	c.counts[text]++
	if x, err := strconv.ParseFloat(strings.Trim(text, `"`), 64); err == nil && math.IsInf(x, 0) {
		c.infinite[strings.Trim(text, `"`)]++
	} else if err == nil {
		c.numbers = append(c.numbers, x)
	}
}

// isNested reports whether the column has parts, which describe shows in its place.
func (c *naiveColumn) isNested() bool {
	return strings.ContainsAny(strings.Join(keysOf(c.counts), ""), "{[")
}

// numberOf returns a number in JSON. ok is false for other values.
func numberOf(raw json.RawMessage) (x float64, ok bool) {
	x, err := strconv.ParseFloat(string(raw), 64)
	return x, err == nil
}

// extreme compares the least or the greatest value, where it is one of whole numbers.
func (c *naiveColumn) extreme(got json.RawMessage, of func([]float64) float64) bool {
	x, ok := numberOf(got)
	return !ok || len(c.numbers) < len(c.counts) || x == of(c.numbers)
}

type shownColumn struct {
	Kind, Column, Type           string
	Slots, Nulls, NaNs, Distinct int64
	Negative                     int64 `json:"negative_infinities"`
	Infinities                   int64
	Exact                        bool
	Min, Max, Mean               json.RawMessage
	Top                          []struct {
		Value json.RawMessage
		Count int64
	}
	Histogram []int64
	Bounds    []json.RawMessage `json:"histogram_bounds"`
}

// checksOfDescribe hold what describe says of a column against its rows, by the keys of its record.
func checksOfDescribe() map[string]func(c *shownColumn, rows *naiveColumn) bool {
	byName := func(*shownColumn, *naiveColumn) bool { return true } // by which the rows are found
	return map[string]func(c *shownColumn, rows *naiveColumn) bool{
		"kind":   byName,
		"column": byName,
		"type":   func(c *shownColumn, _ *naiveColumn) bool { return c.Type != "" }, // of which rows say nothing
		"slots":  func(c *shownColumn, rows *naiveColumn) bool { return c.Slots == rows.slots },
		"nulls":  func(c *shownColumn, rows *naiveColumn) bool { return c.Nulls == rows.nulls },
		"nans":   func(c *shownColumn, rows *naiveColumn) bool { return c.NaNs == rows.nans },
		"negative_infinities": func(c *shownColumn, rows *naiveColumn) bool {
			return c.Negative == rows.infinite["-Infinity"]
		},
		"infinities": func(c *shownColumn, rows *naiveColumn) bool { return c.Infinities == rows.infinite["Infinity"] },
		"distinct": func(c *shownColumn, rows *naiveColumn) bool {
			n := float64(len(rows.counts))
			return math.Abs(float64(c.Distinct)-n) <= n*0.08
		},
		"exact": func(c *shownColumn, rows *naiveColumn) bool { return !c.Exact || c.Distinct == int64(len(rows.counts)) },
		"min":   func(c *shownColumn, rows *naiveColumn) bool { return rows.extreme(c.Min, slices.Min[[]float64]) },
		"max":   func(c *shownColumn, rows *naiveColumn) bool { return rows.extreme(c.Max, slices.Max[[]float64]) },
		"mean": func(c *shownColumn, rows *naiveColumn) bool {
			mean, ok := numberOf(c.Mean)
			sum, size := 0.0, 0.0
			for _, x := range rows.numbers {
				sum, size = sum+x/float64(len(rows.numbers)), math.Max(size, math.Abs(x))
			}
			return !ok || math.Abs(mean-sum) <= size*1e-7 // of moments, it is text
		},
		"top": func(c *shownColumn, rows *naiveColumn) bool {
			most := c.Top[0].Count
			for _, top := range c.Top {
				if n := rows.counts[string(top.Value)]; top.Count > min(n, most) || c.Exact && top.Count != n {
					return false
				}
			}
			return !c.Exact || most == slices.Max(valuesOf(rows.counts))
		},
		"histogram": func(c *shownColumn, rows *naiveColumn) bool {
			n, want := int64(0), int64(len(rows.numbers))
			for _, count := range c.Histogram {
				n += count
			}
			return want == 0 || n >= want-32 && n <= want+32
		},
		"histogram_bounds": func(c *shownColumn, rows *naiveColumn) bool {
			last := len(c.Bounds) - 1
			return last == len(c.Histogram) && rows.extreme(c.Bounds[0], slices.Min[[]float64]) && rows.extreme(c.Bounds[last], slices.Max[[]float64])
		},
	}
}

// checkDescription holds what describe says of files against their rows, and counts the keys of its records.
func checkDescription(t *testing.T, files []string, rows map[string]*naiveColumn, checked map[string]int) {
	t.Helper()
	checks := checksOfDescribe()
	stdout, stderr, code := runScan(t, t.Context(), append([]string{"describe"}, files...)...)
	if code != 0 || stderr != "" {
		t.Errorf("%s: exit code %d, %s", files, code, stderr)
	}
	for line := range strings.Lines(stdout) {
		var c shownColumn
		var said map[string]json.RawMessage
		if err := errors.Join(json.Unmarshal([]byte(line), &c), json.Unmarshal([]byte(line), &said)); err != nil {
			t.Fatal(err)
		}
		want := rows[strings.Trim(c.Column, `"`)]
		if c.Kind != "column" || want == nil || want.isNested() {
			continue // of a part of a column
		}
		for key, text := range said {
			checked[key]++
			if check := checks[key]; check != nil && !check(&c, want) {
				t.Errorf("%s: %s: %s is %s; the rows have %+v", files, c.Column, key, text, *want)
			}
		}
	}
}

// What describe says of each sample file, alone and as one table with itself, is what a map over the
// rows says. A key of its records that no check holds, no sample file has or no help names is a fault.
func TestDescribeAgreesWithRows(t *testing.T) {
	checked := map[string]int{}
	for name, lines := range shapes(t) {
		rows := strings.Join(lines, "")
		checkDescription(t, []string{name}, naiveColumns(t, rows), checked)
		checkDescription(t, []string{name, name}, naiveColumns(t, rows+rows), checked)
	}
	checks := checksOfDescribe()
	_, records, _ := strings.Cut(answer.Describe().Detail, "\nJSON records")
	helped := regexp.MustCompile(`\w+`).FindAllString(records, -1)
	for key := range checked {
		if checks[key] == nil {
			t.Errorf("%s: checksOfDescribe has no check of it", key)
		}
	}
	for key := range checks {
		if checked[key] < 8 {
			t.Errorf("%s: describe says it of %d columns of testdata/shapes only; 8 are wanted", key, checked[key])
		}
		if !slices.Contains(helped, key) {
			t.Errorf("%s: help describe does not name it", key)
		}
	}
	if checked["nulls"] < 300 || checked["mean"] < 100 || checked["histogram"] < 100 {
		t.Errorf("only %d columns, %d means, %d histograms", checked["nulls"], checked["mean"], checked["histogram"])
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
