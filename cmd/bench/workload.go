package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-scan/winnow/filter"
)

// workload is what to scan, and what must come of it.
type workload struct {
	Name    string         `json:"name"`
	File    string         `json:"file"`
	Project []string       `json:"project"` // nil: all columns; empty: count rows
	Where   *condition     `json:"where"`
	Rows    *int64         `json:"rows"` // nil: not known
	Sums    map[string]sum `json:"sums"`
}

func (w *workload) counts() bool { return w.Project != nil && len(w.Project) == 0 }

// readWorkloads reads a list, whose files lie in the folder data.
func readWorkloads(path, data string) ([]*workload, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list struct{ Workloads []*workload }
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, w := range list.Workloads {
		if w.File == "" || w.Name == "" {
			return nil, fmt.Errorf("%s: a workload without name or file", path)
		}
		if !filepath.IsAbs(w.File) {
			w.File = filepath.Join(data, w.File)
		}
	}
	return list.Workloads, nil
}

// own returns the workload of a command line with a file.
func (o *options) own() (*workload, error) {
	w := &workload{Name: filepath.Base(o.file), File: o.file}
	if o.count {
		w.Project = []string{}
	}
	if o.selection != "" {
		w.Project = columns(o.selection)
	}
	if o.where != "" {
		e, err := filter.Parse(o.where)
		if err != nil {
			return nil, fmt.Errorf("--where: %w", err)
		}
		w.Where = &condition{expr: e}
	}
	return w, nil
}

// columns splits a list at its commas, those between double quotes aside.
func columns(list string) []string {
	quoted := false
	return strings.FieldsFunc(list, func(r rune) bool {
		quoted = quoted != (r == '"')
		return r == ',' && !quoted
	})
}

// judge says how an answer differs from what must come, "" if it does not.
// Sums are compared as far as the order of additions lets floats agree.
func (w *workload) judge(a *answer) string {
	if w.Rows != nil && a.rows != *w.Rows {
		return fmt.Sprintf("rows %d, want %d", a.rows, *w.Rows)
	}
	for name, want := range w.Sums {
		got, ok := a.sums[name]
		if !ok {
			return fmt.Sprintf("%s: no such column", name)
		}
		if !got.near(want) {
			return fmt.Sprintf("%s: %v, want %v", name, got, want)
		}
	}
	return ""
}

// differs says how another run's answer is not this one, "" if it is.
func (a *answer) differs(o *answer) string {
	if s := (&workload{Rows: &a.rows, Sums: a.sums}).judge(o); s != "" {
		return "runs differ: " + s
	}
	return ""
}

// sum is the number of values of a column, and their total.
type sum struct {
	n     int64
	total float64
}

func (s sum) near(o sum) bool {
	return s.n == o.n && (math.Abs(s.total-o.total) <= 1e-9*math.Max(math.Abs(s.total), math.Abs(o.total))+1e-6 ||
		math.IsNaN(s.total) && math.IsNaN(o.total) || s.total == o.total)
}

func (s sum) String() string { return fmt.Sprintf("[%d, %v]", s.n, s.total) }

func (s sum) MarshalJSON() ([]byte, error) {
	if math.IsNaN(s.total) || math.IsInf(s.total, 0) { // no number in JSON
		return json.Marshal([]any{s.n, fmt.Sprint(s.total)})
	}
	return json.Marshal([]any{s.n, s.total})
}

func (s *sum) UnmarshalJSON(text []byte) error {
	var pair []float64
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	if len(pair) != 2 || pair[0] != math.Trunc(pair[0]) {
		return fmt.Errorf("%s: want the number of values and their sum", text)
	}
	s.n, s.total = int64(pair[0]), pair[1]
	return nil
}
