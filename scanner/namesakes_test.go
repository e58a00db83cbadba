package scanner

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// namesakes returns the files of scannertest.Namesakes.
func namesakes(t *testing.T) (apart, same *File) {
	t.Helper()
	a, s := scannertest.Namesakes(t)
	files := [2]*File{}
	for i, b := range [][]byte{a, s} {
		f, err := OpenSource(t.Context(), "f", fetch.FromBytes(b))
		if err != nil {
			t.Fatal(err)
		}
		files[i] = f
	}
	return files[0], files[1]
}

// textOf returns batches as a text with a line for each row, without the digits of names.
func textOf(t *testing.T, batches iter.Seq2[*vector.Batch, error]) string {
	t.Helper()
	var lines []string
	for b, err := range batches {
		if err != nil {
			return err.Error()
		}
		lines = append(lines, scannertest.Lines(t, b)...)
		b.Release()
	}
	return scannertest.WithoutDigits(strings.Join(lines, "\n"))
}

// wantsOf returns all columns of the file with different names, under the names of f.
func wantsOf(t *testing.T, f *File) []Want {
	t.Helper()
	fields, err := f.Fields(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Wants(fields)
}

// TestNamesakes: what a scan returns of columns that share names is what it returns of those with
// names of their own. A name that is mentioned once is the first column with it, mentioned again the next.
func TestNamesakes(t *testing.T) {
	apart, same := namesakes(t)
	where := func(text string) Options { return Options{Filter: scannertest.Parsed(t, text)} }
	for what, o := range map[string][2]Options{
		"all":                    {},
		"Select":                 {{Select: []string{"k1", "k2", "k3"}}, {Select: []string{"k", "k", "k"}}},
		"Select some":            {{Select: []string{"s1", "k1", "z", "k2"}}, {Select: []string{"s", "k", "z", "k"}}},
		"Select parts":           {{Select: []string{"s1.f1", "s1.f2"}}, {Select: []string{"s.f", "s.f"}}},
		"Select parts of both":   {{Select: []string{"s1.f1", "s1.f2", "s2.f1", "s2.f2"}}, {Select: []string{"s.f", "s.f", "s.f", "s.f"}}},
		"Select more than exist": {{Select: []string{"z", "k1", "k2", "k3", "k3", "z"}}, {Select: []string{"z", "k", "k", "k", "k", "z"}}},
		"Want by name":           {{Want: wantsOf(t, apart)}, {Want: wantsOf(t, same)}},
		"Want by position":       {{Want: wantsOf(t, apart), By: ByPosition}, {Want: wantsOf(t, same), By: ByPosition}},
		"Filter":                 {where("k1 > 30 AND s1.f1 = 4"), where("k > 30 AND s.f = 4")},
		"Threads":                {{Threads: 2}, {Threads: 2}},
	} {
		if got, want := textOf(t, same.Scan(t.Context(), o[1])), textOf(t, apart.Scan(t.Context(), o[0])); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
		}
	}
	for what, answer := range map[string]func(f *File, k, s string) string{
		"Top": func(f *File, k, s string) string {
			return textOf(t, f.Top(t.Context(), Order{By: "z"}, Options{Limit: 9}))
		},
		"Top of one": func(f *File, k, s string) string {
			return textOf(t, f.Top(t.Context(), Order{By: k, Descending: true}, Options{Limit: 9}))
		},
		"Partitions": func(f *File, k, s string) string { return textOf(t, f.Partitions(t.Context(), Options{}, 1)[0]) },
		"Max": func(f *File, k, s string) string {
			v, err := f.Max(t.Context(), k, Options{})
			return scannertest.Shown(t, v, err)
		},
		"Max below": func(f *File, k, s string) string {
			v, err := f.Max(t.Context(), s, Options{})
			return scannertest.Shown(t, v, err)
		},
	} {
		if got, want := answer(same, "k", "s.f"), answer(apart, "k1", "s1.f1"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
		}
	}
}

// TestNamesakesOfHosts: a host that finds columns by position tells those that share a name apart,
// and the fields within them, in conditions as well.
func TestNamesakesOfHosts(t *testing.T) {
	apart, same := namesakes(t)
	for _, c := range []struct {
		host, apart string
		fields      bool // have names of the host, too
	}{
		{"b > 'numb'", "k2 > 'numb'", false}, {"c > 950", "k3 > 950", false}, {"q.x = 3", "s2.f1 = 3", true}, {"q.y = 505", "s2.f2 = 505", true},
		{"p.x = 4 AND q.y < 506", "s1.f1 = 4 AND s2.f2 < 506", true}, {"q.f = 3", "s2.f1 = 3", false},
	} {
		o := Options{Want: wantsOf(t, same), By: ByPosition, Filter: scannertest.Parsed(t, c.host)}
		for i, name := range []string{"a", "z", "b", "c", "p", "q"} {
			o.Want[i].Name = name
			if !c.fields {
				o.Want[i].Children = nil
			}
			for k := range o.Want[i].Children {
				o.Want[i].Children[k].Name = []string{"x", "y"}[k]
			}
		}
		n, err := same.Count(t.Context(), o)
		want, wrong := apart.Count(t.Context(), Options{Filter: scannertest.Parsed(t, c.apart)})
		if n != want || n == 0 || err != nil || wrong != nil {
			t.Errorf("%s: %d rows, %v; %s: %d rows, %v", c.host, n, err, c.apart, want, wrong)
		}
	}
	o := Options{Want: wantsOf(t, same)[:3], By: ByPosition, Filter: scannertest.Parsed(t, "k > 30")} // k is the first k
	n, err := same.Count(t.Context(), o)
	if want, _ := apart.Count(t.Context(), Options{Filter: scannertest.Parsed(t, "k1 > 30")}); n != want || err != nil {
		t.Errorf("k > 30 by position: %d rows, %v, want %d", n, err, want)
	}
}

// TestNamesakesOfGoStructs: several fields of a Go struct that name the same column are the columns with
// this name, one after the other.
func TestNamesakesOfGoStructs(t *testing.T) {
	type first struct {
		A *int64  `parquet:"f1"`
		B *string `parquet:"f2"`
	}
	type second struct {
		A int64  `parquet:"f1"`
		B *int64 `parquet:"f2"`
	}
	type firstSame struct {
		A *int64  `parquet:"f"`
		B *string `parquet:"f"`
	}
	type secondSame struct {
		A int64  `parquet:"f"`
		B *int64 `parquet:"f"`
	}
	apart, same := namesakes(t)
	compareRows[struct {
		K1 *int64  `parquet:"k"`
		K2 *string `parquet:"k"`
		K3 int64   `parquet:"k"`
	}, struct {
		K1 *int64  `parquet:"k1"`
		K2 *string `parquet:"k2"`
		K3 int64   `parquet:"k3"`
	}](t, same, apart)
	compareRows[struct {
		K1 *int64  `parquet:"k"`
		Z  int64   `parquet:"z"`
		K2 *string `parquet:"k"`
	}, struct {
		K1 *int64  `parquet:"k1"`
		Z  int64   `parquet:"z"`
		K2 *string `parquet:"k2"`
	}](t, same, apart)
	compareRows[struct {
		S1 *firstSame `parquet:"s"`
		S2 secondSame `parquet:"s"`
	}, struct {
		S1 *first `parquet:"s1"`
		S2 second `parquet:"s2"`
	}](t, same, apart)
	type ofOneColumn struct {
		Z1 int64 `parquet:"z"`
		Z2 int64 `parquet:"z"`
	}
	compareRows[ofOneColumn, ofOneColumn](t, same, apart)
}

// compareRows compares the rows of two files as JSON of structs whose fields have the same names.
func compareRows[S, A any](t *testing.T, same, apart *File) {
	t.Helper()
	got, want := jsonRows[S](t, same), jsonRows[A](t, apart)
	if err := scannertest.Same(got, want); err != nil || len(want) != 120 {
		t.Errorf("%T: %v", *new(S), err)
	}
}

func jsonRows[T any](t *testing.T, f *File) (lines []string) {
	t.Helper()
	for row, err := range Rows[T](t.Context(), f, Options{}) {
		if err != nil {
			return append(lines, err.Error())
		}
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	return lines
}

// TestStatsOfNamesakes: pages and bytes are counted for each column, also where scans of several
// columns, and of several files, add them up.
func TestStatsOfNamesakes(t *testing.T) {
	counted := func(f *File, selections ...[]string) (lines []string) {
		stats := &Stats{}
		for _, paths := range selections {
			for b, err := range f.Scan(t.Context(), Options{Select: paths, Stats: stats}) {
				if err != nil {
					t.Fatal(err)
				}
				b.Release()
			}
		}
		for _, c := range stats.Columns {
			lines = append(lines, fmt.Sprint(c.Leaf.FirstLeaf, c.Pages, c.Bytes, c.Values))
		}
		slices.Sort(lines)
		return lines
	}
	apart, same := namesakes(t)
	if err := scannertest.Same(counted(same, nil, []string{"k", "k", "s"}), counted(apart, nil, []string{"k1", "k2", "s1"})); err != nil {
		t.Error(err)
	}
	again, twice := namesakes(t)
	all := [2]*Stats{{}, {}}
	for i, files := range [][]*File{{apart, again}, {same, twice}} {
		for _, f := range files {
			if _, err := f.Count(t.Context(), Options{}); err != nil {
				t.Fatal(err)
			}
			for b := range f.Scan(t.Context(), Options{Stats: all[i]}) {
				b.Release()
			}
		}
	}
	if len(all[0].Columns) != 8 || len(all[1].Columns) != 8 {
		t.Errorf("%d columns of two files, of shared names %d, want 8", len(all[0].Columns), len(all[1].Columns))
	}
}
