package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
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

// somePairs is after how many pairs it is asked whether there is need for more.
const somePairs = 20

// wellKnown is how far a ratio may be off that needs no more pairs.
const wellKnown = 0.004

// compare has two scans take turns until it is well known how their times compare.
func compare(ctx context.Context, f *scanner.File, own, without scanOptions, most int) (m match, err error) {
	a, err := warm(ctx, f, own)
	if err != nil {
		return m, err
	}
	b := a.by(without)
	enough := func() bool {
		_, off := known(ratios(a, b))
		return off < wellKnown
	}
	if err := takeTurns(ctx, a, b, somePairs, most, enough); err != nil {
		return m, err
	}
	m = match{rows: a.rows, own: median(a.spent), without: median(b.spent), pairs: len(a.spent)}
	m.ratio, m.off = known(ratios(a, b))
	return m, nil
}

// passing is a condition that every row meets.
type passing struct {
	name string
	expr *filter.Expr
}

func passAll(ctx context.Context, f *scanner.File, column string, o scanOptions) ([]passing, error) {
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
