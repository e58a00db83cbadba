package main

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/scanner"
)

// A rival is another way to run a scan that gives the same rows.
type rival struct {
	name    string
	options scanOptions
}

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
func forced(o scanOptions, by []strategy) (rivals []rival) {
	for _, s := range by {
		r := rival{s.name, o}
		s.set(&r.options.knobs)
		rivals = append(rivals, r)
	}
	return rivals
}

// mostOfBest is what a scan may take of the best rival's time.
const mostOfBest = 1.10

// leastTurn is how many milliseconds a turn takes at least, about.
const leastTurn = 10

const rivalHeading = "    A ms  best ms  A/best  pairs  best"

// duel is a scan against its best rival: medians, of times in milliseconds.
type duel struct {
	rows      int64
	own, best float64
	ratio     float64
	pairs     int
	name      string    // of the best rival
	times     []float64 // of all rivals
}

func (d *duel) over(limit float64) bool { return d.ratio > limit }

func (d *duel) String() string {
	return fmt.Sprintf(" %7.2f %8.2f  %6.3f  %5d  %s", d.own, d.best, d.ratio, d.pairs, d.name)
}

// compete has a scan and its rivals take turns, to find the best of them, and
// then the scan and that one so many pairs of turns, or more if it is close. The best of many
// is partly luck, which the pairs do not share.
func compete(ctx context.Context, f *scanner.File, o scanOptions, rivals []rival, pairs int) (d duel, err error) {
	once, err := warm(ctx, f, o)
	if err != nil {
		return d, err
	}
	if err := once.turn(ctx); err != nil {
		return d, err
	}
	own := once.by(o)
	own.times = 1 + int(min(leastTurn/max(once.spent[0], 0.01), 100)) // short ones run several times in a turn
	all := make([]*side, len(rivals))
	for i, r := range rivals {
		all[i] = own.by(r.options)
	}
	for range 1 + pairs/4 {
		for _, s := range all {
			if err := s.turn(ctx); err != nil {
				return d, err
			}
		}
	}
	best := 0
	for i, s := range all {
		if d.times = append(d.times, median(s.spent)); d.times[i] < d.times[best] {
			best = i
		}
	}
	other := own.by(rivals[best].options)
	enough := func() bool { return settled(ratios(own, other), mostOfBest) }
	if err := takeTurns(ctx, own, other, pairs, moreIfClose*pairs, enough); err != nil {
		return d, err
	}
	d.rows, d.name = own.rows, rivals[best].name
	d.own, d.best, d.ratio, d.pairs = median(own.spent), median(other.spent), median(ratios(own, other)), len(own.spent)
	return d, nil
}
