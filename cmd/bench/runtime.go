package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// mostOfNone is what a scan with a runtime filter that lets every row pass may
// take of the time of one without.
const mostOfNone = 1.02

// late runs `bench runtime` and returns its exit code: scans of whole files with
// a runtime filter that drops nothing, against scans without. The filter is
//
//	nothing    none that was published
//	range      the least and the greatest value, which statistics settle
//	keys       all values, as Keys that a hash join makes
//	in         all values of another column, which has few
func late(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseGrid(append([]string{"--shares", "100", "--orders", "scattered"}, args...), stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench runtime:", err)
		return exitUsage
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	fmt.Fprintln(stdout, "file            order      columns   filter     rows    A ms  none ms  A/none")
	slower := 0
	for _, path := range o.files {
		n, err := o.late(ctx, path, stdout)
		if err != nil {
			fmt.Fprintln(stderr, "bench runtime:", err)
			return exitFailed
		}
		slower += n
	}
	if fmt.Fprintln(stdout, slower, "cells are above their limit"); slower > 0 {
		return exitFailed
	}
	return exitOK
}

func (o *gridOptions) late(ctx context.Context, path string, stdout io.Writer) (slower int, err error) {
	f, err := scanner.Open(ctx, path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	base := scanner.Options{Without: o.without, Memory: scanner.NewMemory(poolLimit)}
	for _, order := range o.orders {
		column := gridOrders[order]
		filters, err := passAll(ctx, f, column, base)
		if err != nil {
			return slower, err
		}
		for _, n := range o.counts {
			base.Select = gridSelection(column, n)
			for _, r := range filters {
				own := base
				own.Runtime = []*filter.Runtime{new(filter.Runtime)}
				own.Runtime[0].Publish(r.expr)
				d, err := compete(ctx, f, own, []rival{{"", base}}, o.pairs)
				if err != nil {
					return slower, err
				}
				if d.over(mostOfNone) {
					slower++
				}
				if _, err = fmt.Fprintf(stdout, "%-15s %s  %6d  %8s %9d%s\n", strings.TrimSuffix(filepath.Base(path), ".parquet"), order, n, r.name, d.rows, &d); err != nil {
					return slower, err
				}
			}
		}
	}
	return slower, nil
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
		{"nothing", nil},
		{"range", filter.And(filter.Col(column).Ge(values[0]), filter.Col(column).Le(values[len(values)-1]))},
		{"keys", filter.Col(column).InKeys(keys)},
		{"in", filter.Col("l_linenumber").In(few...)},
	}, nil
}
