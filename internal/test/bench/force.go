package bench

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/scanner"
)

// scanOptions are those of a scan, with the knobs that no host has.
type scanOptions struct {
	scanner.Options
	knobs knobs.Knobs
}

// scan runs a scan of f.
func (o *scanOptions) scan(ctx context.Context, f *scanner.File) iter.Seq2[*vector.Batch, error] {
	return f.Scan(knobs.With(ctx, o.knobs), o.Options)
}

// count counts the rows of a scan of f.
func (o *scanOptions) count(ctx context.Context, f *scanner.File) (int64, error) {
	return f.Count(knobs.With(ctx, o.knobs), o.Options)
}

// strategy forces one of the choices that a scan makes by cost.
type strategy struct {
	name string
	set  func(*knobs.Knobs)
}

func strategies() []strategy {
	return []strategy{
		{"gather", func(k *knobs.Knobs) { k.Column.Gather = column.Always }},
		{"decode", func(k *knobs.Knobs) { k.Column.Gather = column.Never }},
		{"codes", func(k *knobs.Knobs) { k.Column.Gather, k.Column.Codes = column.Never, column.Always }},
		{"values", func(k *knobs.Knobs) { k.Column.Gather, k.Column.Codes = column.Never, column.Never }},
		{"masks", func(k *knobs.Knobs) { k.Column.Mask = column.Always }},
		{"no-masks", func(k *knobs.Knobs) { k.Column.Mask = column.Never }},
		{"keep", func(k *knobs.Knobs) { k.Column.Keep = column.Always }},
		{"forget", func(k *knobs.Knobs) { k.Column.Keep = column.Never }},
		{"stop", func(k *knobs.Knobs) { k.Column.Stop = column.Always }},
		{"whole", func(k *knobs.Knobs) { k.Column.Stop = column.Never }},
		{"copy", func(k *knobs.Knobs) { k.Column.Copy = column.Always }},
		{"borrow", func(k *knobs.Knobs) { k.Column.Copy = column.Never }},
		{"eager", func(k *knobs.Knobs) { k.Column.Eager = true }},
		{"window-4k", func(k *knobs.Knobs) { k.Window = 4 << 10 }},
		{"window-128k", func(k *knobs.Knobs) { k.Window = 128 << 10 }},
		{"read", func(k *knobs.Knobs) { k.NoMapping = true }},
		{"unproven", func(k *knobs.Knobs) {
			k.NoStatistics, k.NoPageIndex, k.NoBloom, k.NoDictionaries = true, true, true, true
		}},
	}
}

func strategyNames() string {
	var names []string
	for _, s := range strategies() {
		names = append(names, s.name)
	}
	return strings.Join(names, ",")
}

// strategiesOf returns those that a list names: none, some, or all.
func strategiesOf(list string) (chosen []strategy, err error) {
	switch list {
	case "":
		return nil, nil
	case "all":
		return strategies(), nil
	}
	all := strategies()
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(all, func(s strategy) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("--force: no strategy %q", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// forced returns rivals of a scan: the scan itself, made to go by each strategy.
func forced(o scanOptions, by []strategy) (rivals []rival) {
	for _, s := range by {
		r := rival{name: s.name, options: o}
		s.set(&r.options.knobs)
		rivals = append(rivals, r)
	}
	return rivals
}
