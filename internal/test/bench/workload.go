package bench

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// A Workload is what to scan, and what must come of it.
type Workload struct {
	Name    string         `json:"name"`
	File    string         `json:"file"`
	Project []string       `json:"project"` // nil: all columns; empty: count rows
	Where   *Condition     `json:"where"`
	Rows    *int64         `json:"rows"` // nil: not known
	Sums    map[string]Sum `json:"sums"`
}

// Counts reports whether rows are counted, and none returned.
func (w *Workload) Counts() bool { return w.Project != nil && len(w.Project) == 0 }

// Read reads a list, whose files lie in the folder data.
func Read(path, data string) ([]*Workload, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list struct{ Workloads []*Workload }
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("--workloads: %s is not a list of workloads in JSON: %w", path, err)
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

// Judge says how an answer differs from what must come, "" if it does not.
func (w *Workload) Judge(a *Answer) string {
	if w.Rows != nil && a.Rows != *w.Rows {
		return fmt.Sprintf("rows %d, want %d", a.Rows, *w.Rows)
	}
	for name, want := range w.Sums {
		got, ok := a.Sums[name]
		if !ok {
			return fmt.Sprintf("%s: no such column", name)
		}
		if !got.Near(want) {
			return fmt.Sprintf("%s: %v, want %v", name, got, want)
		}
	}
	return ""
}

// differs returns an error that says how another run's answer is not this one, nil if it is.
func (a *Answer) differs(o *Answer) error {
	if s := (&Workload{Rows: &a.Rows, Sums: a.Sums}).Judge(o); s != "" {
		return fmt.Errorf("runs differ: %s", s)
	}
	return nil
}

// An Answer is what came of a scan, as far as it is compared.
type Answer struct {
	Rows int64
	Sums map[string]Sum
}

// A Sum is the number of values of a column, and their total.
type Sum struct {
	N     int64
	Total float64
}

// Near reports whether two sums are the same, as far as the order of additions lets floats agree.
func (s Sum) Near(o Sum) bool {
	return s.N == o.N && (math.Abs(s.Total-o.Total) <= 1e-9*math.Max(math.Abs(s.Total), math.Abs(o.Total))+1e-6 ||
		math.IsNaN(s.Total) && math.IsNaN(o.Total) || s.Total == o.Total)
}

func (s Sum) String() string { return fmt.Sprintf("[%d, %v]", s.N, s.Total) }

func (s Sum) MarshalJSON() ([]byte, error) {
	if math.IsNaN(s.Total) || math.IsInf(s.Total, 0) { // no number in JSON
		return json.Marshal([]any{s.N, fmt.Sprint(s.Total)})
	}
	return json.Marshal([]any{s.N, s.Total})
}

func (s *Sum) UnmarshalJSON(text []byte) error {
	var pair []float64
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	if len(pair) != 2 || pair[0] != math.Trunc(pair[0]) {
		return fmt.Errorf("%s: want the number of values and their sum", text)
	}
	s.N, s.Total = int64(pair[0]), pair[1]
	return nil
}
