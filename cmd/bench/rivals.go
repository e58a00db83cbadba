package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/scanner"
)

// A rival is another way to run a scan that gives the same rows.
type rival struct {
	name    string
	options scanner.Options
}

// strategy forces one of the choices that a scan makes by cost.
type strategy struct {
	name string
	set  func(*scanner.Options)
}

func strategies() []strategy {
	return []strategy{
		{"gather", func(o *scanner.Options) { o.Force.Column.Gather = column.Always }},
		{"decode", func(o *scanner.Options) { o.Force.Column.Gather = column.Never }},
		{"codes", func(o *scanner.Options) { o.Force.Column.Gather, o.Force.Column.Codes = column.Never, column.Always }},
		{"values", func(o *scanner.Options) { o.Force.Column.Gather, o.Force.Column.Codes = column.Never, column.Never }},
		{"masks", func(o *scanner.Options) { o.Force.Column.Mask = column.Always }},
		{"no-masks", func(o *scanner.Options) { o.Force.Column.Mask = column.Never }},
		{"keep", func(o *scanner.Options) { o.Force.Column.Keep = column.Always }},
		{"forget", func(o *scanner.Options) { o.Force.Column.Keep = column.Never }},
		{"stop", func(o *scanner.Options) { o.Force.Column.Stop = column.Always }},
		{"whole", func(o *scanner.Options) { o.Force.Column.Stop = column.Never }},
		{"copy", func(o *scanner.Options) { o.Force.Column.Copy = column.Always }},
		{"borrow", func(o *scanner.Options) { o.Force.Column.Copy = column.Never }},
		{"eager", func(o *scanner.Options) { o.Force.Column.Eager = true }},
		{"window-4k", func(o *scanner.Options) { o.Force.Window = 4 << 10 }},
		{"window-128k", func(o *scanner.Options) { o.Force.Window = 128 << 10 }},
		{"read", func(o *scanner.Options) { o.Without.Mapping = true }},
		{"unproven", func(o *scanner.Options) {
			o.Without = scanner.Without{Statistics: true, PageIndex: true, Bloom: true, Dictionaries: true, Order: o.Without.Order}
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
next:
	for name := range strings.SplitSeq(list, ",") {
		for _, s := range strategies() {
			if s.name == name {
				chosen = append(chosen, s)
				continue next
			}
		}
		return nil, fmt.Errorf("--force: no strategy %q", name)
	}
	return chosen, nil
}

// forced returns rivals of a scan: the scan itself, made to go by each strategy.
func forced(o scanner.Options, by []strategy) (rivals []rival) {
	for _, s := range by {
		r := rival{s.name, o}
		s.set(&r.options)
		rivals = append(rivals, r)
	}
	return rivals
}

// mostOfBest is what a scan may take of the best rival's time.
const mostOfBest = 1.10

// leastTurn is how many milliseconds a turn takes at least, about.
const leastTurn = 10

const rivalHeading = "    A ms  best ms  A/best  best"

// duel is a scan against its best rival: medians, of times in milliseconds.
type duel struct {
	rows      int64
	own, best float64
	ratio     float64
	name      string    // of the best rival
	times     []float64 // of all rivals
}

func (d *duel) over(limit float64) bool { return d.ratio > limit }

func (d *duel) String() string {
	return fmt.Sprintf(" %7.2f %8.2f  %6.3f  %s", d.own, d.best, d.ratio, d.name)
}

// compete has a scan and its rivals take turns, to find the best of them, and
// then the scan and that one so many pairs of turns. The best of many is partly
// luck, which the pairs do not share.
func compete(ctx context.Context, f *scanner.File, own scanner.Options, rivals []rival, pairs int) (d duel, err error) {
	run := func(o scanner.Options, times int) float64 {
		if err != nil {
			return 0
		}
		spent, rows, fault := timed(ctx, f, o, times)
		switch {
		case fault != nil:
			err = fault
		case d.rows != rows:
			err = fmt.Errorf("%s: %d rows, and %d in another way", f.Name(), d.rows, rows)
		}
		return spent
	}
	// The first scan is not counted: memory grows to its size. Short ones are run
	// several times in a turn.
	once, rows, err := timed(ctx, f, own, 1)
	if err != nil {
		return d, err
	}
	d.rows = rows
	times := 1 + int(min(leastTurn/max(once, 0.01), 100))
	found := make([][]float64, len(rivals))
	for range 1 + pairs/4 {
		for i := range rivals {
			found[i] = append(found[i], run(rivals[i].options, times))
		}
	}
	best := 0
	for i := range found {
		if d.times = append(d.times, median(found[i])); d.times[i] < d.times[best] {
			best = i
		}
	}
	d.name = rivals[best].name
	var mine, others, ratios []float64
	for i := range pairs {
		var a, b float64
		if i%2 == 0 {
			a, b = run(own, times), run(rivals[best].options, times)
		} else {
			b, a = run(rivals[best].options, times), run(own, times)
		}
		mine, others, ratios = append(mine, a), append(others, b), append(ratios, a/b)
	}
	d.own, d.best, d.ratio = median(mine), median(others), median(ratios)
	return d, err
}

// timed scans some times and drops the rows. It returns the processor time of
// one scan in milliseconds.
func timed(ctx context.Context, f *scanner.File, o scanner.Options, times int) (spent float64, rows int64, err error) {
	runtime.GC()
	start := processorTime()
	for range times {
		rows = 0
		for b, err := range f.Scan(ctx, o) {
			if err != nil {
				return 0, 0, err
			}
			rows += int64(b.Len)
			b.Release()
		}
	}
	return float64(processorTime()-start) / float64(time.Millisecond) / float64(times), rows, nil
}
