package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/workloads"
)

// own returns the workload of a command line with a file.
func (o *options) own() (*workloads.Workload, error) {
	w := &workloads.Workload{Name: filepath.Base(o.file), File: o.file}
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
		w.Where = &workloads.Condition{Expr: e}
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
