package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// mostOfNone is what a scan with a runtime filter that lets every row pass may
// take of the time of one without.
const mostOfNone = 1.02

// late runs `bench runtime` and returns its exit code: scans of whole files with
// a runtime filter that drops nothing, against scans without. The filter is
//
//	none       not there: by how much scans seem to differ that are the same
//	nothing    none that was published
//	range      the least and the greatest value, which statistics settle
//	keys       all values, as Keys that a hash join makes
//	in         all values of another column, which has few
//
// Pairs are of single scans, so that what else the machine does meets both. There
// are as many as it takes to know the median well, but no more than --pairs.
func late(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseGrid(append([]string{"--shares", "100", "--orders", "scattered", "--pairs", "1000"}, args...), stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench runtime:", err)
		return exitUsage
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	fmt.Fprintln(stdout, "file            order      columns   filter     rows    A ms  none ms  A/none     off  pairs")
	slower, err := o.each(ctx, func(w gridWork) (slower int, err error) {
		filters, err := passAll(ctx, w.file, w.column, w.base)
		if err != nil {
			return 0, err
		}
		for _, n := range o.counts {
			w.base.Select = gridSelection(w.column, n)
			for _, r := range filters {
				own := w.base
				if r.name != "none" {
					own.Runtime = []*filter.Runtime{new(filter.Runtime)}
					own.Runtime[0].Publish(r.expr)
				}
				m, err := compare(ctx, w.file, own, w.base, o.pairs)
				if err != nil {
					return slower, err
				}
				if r.name != "none" && m.ratio > mostOfNone {
					slower++
				}
				if _, err = fmt.Fprintf(stdout, "%s  %6d  %8s %9d%s\n", w.name, n, r.name, m.rows, &m); err != nil {
					return slower, err
				}
			}
		}
		return slower, nil
	})
	return judged("bench runtime", "cells", slower, err, stdout, stderr)
}

// match is what came of pairs of single scans: medians, of times in milliseconds.
type match struct {
	rows         int64
	own, without float64
	ratio        float64
	off          float64 // how far the ratio may be from the true one
	pairs        int
}

func (m *match) String() string {
	return fmt.Sprintf(" %7.2f %8.2f  %6.3f  %6.3f  %5d", m.own, m.without, m.ratio, m.off, m.pairs)
}

const (
	fewestPairs = 20
	wellKnown   = 0.004 // a ratio that is off by less needs no more pairs
)

// compare has two scans take turns until it is well known how their times compare.
func compare(ctx context.Context, f *scanner.File, own, without scanner.Options, most int) (m match, err error) {
	var owns, withouts, ratios []float64
	run := func(o scanner.Options) float64 {
		if err != nil {
			return 0
		}
		spent, rows, fault := timed(ctx, f, o, 1)
		if err = fault; err == nil && m.pairs > 0 && rows != m.rows {
			err = fmt.Errorf("%s: %d rows, and %d in another way", f.Name(), m.rows, rows)
		}
		m.rows = rows
		return spent
	}
	run(own) // not counted: memory grows to its size
	for err == nil && m.pairs < most && (m.pairs < fewestPairs || m.off >= wellKnown) {
		var a, b float64
		if m.pairs++; m.pairs%2 == 0 {
			a, b = run(own), run(without)
		} else {
			b, a = run(without), run(own)
		}
		owns, withouts, ratios = append(owns, a), append(withouts, b), append(ratios, a/b)
		m.ratio, m.off = known(ratios)
	}
	if err == nil {
		m.own, m.without = median(owns), median(withouts)
	}
	return m, err
}

// known returns the median of a list, and how far the true one may be from it, by
// the ranks between which it is 19 times of 20.
func known(list []float64) (middle, off float64) {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	low := max(int(float64(n)/2-math.Sqrt(float64(n))), 0)
	return median(sorted), (sorted[n-1-low] - sorted[low]) / 2
}

// passing is a condition that every row meets.
type passing struct {
	name string
	expr *filter.Expr
}

func passAll(ctx context.Context, f *scanner.File, column string, o scanner.Options) ([]passing, error) {
	values, err := gridValues(ctx, f, column, o)
	if err != nil {
		return nil, err
	}
	values = slices.Compact(values)
	keys := filter.NewKeys(len(values))
	for _, v := range values {
		keys.AddInt64(v)
	}
	var few []any
	for line := range 7 {
		few = append(few, line+1) // l_linenumber
	}
	return []passing{
		{"none", nil},
		{"nothing", nil},
		{"range", filter.And(filter.Col(column).Ge(values[0]), filter.Col(column).Le(values[len(values)-1]))},
		{"keys", filter.Col(column).InKeys(keys)},
		{"in", filter.Col("l_linenumber").In(few...)},
	}, nil
}
