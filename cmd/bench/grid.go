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
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/scanner"
)

// gridOptions are the flags of
//
//	bench grid --pairs 30 --groups 1 li_snappy.parquet …
//
// which asks whether a filter ever costs more than it saves. A cell is a share
// of rows that pass `column <= value`, where the file is sorted by the column or
// scattered, and a number of columns that are returned, that one among them.
// Scans with the filter and without take turns, in pairs, on one thread; batches
// are released as they come. With --force, scans with the filter take turns with
// those that are forced to go about it in some way (rivals.go). Where so many pairs do
// not tell on which side of its limit a cell is, there are more, up to ten times as many.
type gridOptions struct {
	files    []string
	pairs    int
	groups   int     // row groups of each file
	cost     float64 // nanoseconds a row that a filter may cost
	shares   []float64
	counts   []int
	orders   []string
	without  knobs.Knobs
	force    []strategy // nil: the rival is the scan without a filter
	profile  profile
	baseline bool // profile scans without a filter
}

// Columns of the files of TPC-H's lineitem, those that are filtered aside.
var gridColumns = []string{
	"l_extendedprice", "l_shipdate", "l_comment", "l_suppkey", "l_linenumber", "l_quantity", "l_discount", "l_tax", "l_returnflag",
	"l_linestatus", "l_commitdate", "l_receiptdate", "l_shipinstruct", "l_shipmode", "l_orderkey", "l_partkey",
}

var gridOrders = map[string]string{"clustered": "l_orderkey", "scattered": "l_partkey"}

func parseGrid(args []string, stderr io.Writer) (o *gridOptions, err error) {
	o = &gridOptions{}
	fs := flag.NewFlagSet("bench grid", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var data, shares, counts, orders, without, force string
	fs.StringVar(&data, "data", defaultData(), "`folder` of the files")
	fs.IntVar(&o.pairs, "pairs", 30, "`number` of pairs: of bench runtime the most, of bench grid up to ten times as many where they do not tell")
	fs.IntVar(&o.groups, "groups", 1, "row `groups` of each file that are read")
	fs.Float64Var(&o.cost, "each", 0.5, "`nanoseconds` a row that a filter may cost")
	fs.StringVar(&shares, "shares", "0.01,0.1,1,10,50,90,99,100", "`percents` of rows that pass")
	fs.StringVar(&counts, "columns", "1,4,16", "`numbers` of columns that are returned")
	fs.StringVar(&orders, "orders", "clustered,scattered", "`orders` of what is filtered")
	fs.StringVar(&without, "without", "", "`ways` to do less that are not gone")
	fs.StringVar(&force, "force", "", "`strategies` to compare with, or all: "+strategyNames())
	fs.StringVar(&o.profile.path, "cpuprofile", "", "`file` for a profile of the scans with a filter, which then run alone")
	fs.BoolVar(&o.baseline, "baseline", false, "profile the scans without a filter instead")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	for _, text := range strings.Split(shares, ",") {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil || !(share > 0 && share <= 100) {
			return nil, fmt.Errorf("--shares: %q is no percentage", text)
		}
		o.shares = append(o.shares, share)
	}
	for _, text := range strings.Split(counts, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > len(gridColumns) {
			return nil, fmt.Errorf("--columns: want 1 to %d, not %q", len(gridColumns), text)
		}
		o.counts = append(o.counts, n)
	}
	for order := range strings.SplitSeq(orders, ",") {
		if gridOrders[order] == "" {
			return nil, fmt.Errorf("--orders: no order %q", order)
		}
		o.orders = append(o.orders, order)
	}
	other := options{}
	if err := other.leaveOut(without); err != nil {
		return nil, err
	}
	o.without = other.without
	if o.force, err = strategiesOf(force); err != nil {
		return nil, err
	}
	if o.files = fs.Args(); len(o.files) == 0 {
		o.files = []string{"li_snappy.parquet", "li_plain.parquet", "li_v2_delta.parquet"}
	}
	for i, name := range o.files {
		if !strings.ContainsRune(name, filepath.Separator) {
			o.files[i] = filepath.Join(data, name)
		}
	}
	if o.pairs < 1 || o.groups < 1 {
		return nil, errors.New("--pairs, --groups: want one at least")
	}
	return o, nil
}

// grid runs `bench grid` and returns its exit code.
func grid(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseGrid(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err == nil {
		err = o.profile.open()
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench grid:", err)
		return exitUsage
	}
	defer o.profile.close()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	heading := "   U ms    F ms    F/U   limit  pairs"
	if o.force != nil {
		heading = rivalHeading
	}
	fmt.Fprintln(stdout, "file            order      columns  share %     rows"+heading)
	slower, err := o.each(ctx, func(w gridWork) (slower int, err error) {
		total := int64(0)
		for _, g := range w.file.Footer().RowGroups[:min(o.groups, len(w.file.Footer().RowGroups))] {
			w.base.Rows = append(w.base.Rows, vector.All(g.NumRows))
			total += g.NumRows
		}
		values, err := gridValues(ctx, w.file, w.column, w.base)
		if err != nil {
			return 0, err
		}
		for _, n := range o.counts {
			w.base.Select = gridSelection(w.column, n)
			for _, share := range o.shares {
				filtered := w.base
				last := values[min(int(share/100*float64(len(values))), len(values)-1)]
				filtered.Filter = filter.Col(w.column).Le(last)
				rows, verdict, over, err := o.verdict(ctx, w.file, w.base, filtered, total)
				if err != nil {
					return slower, err
				}
				if over {
					slower++
				}
				if _, err = fmt.Fprintf(stdout, "%s  %6d  %8g %9d%s\n", w.name, n, share, rows, verdict); err != nil {
					return slower, err
				}
			}
		}
		return slower, nil
	})
	return judged("bench grid", "cells", slower, err, stdout, stderr)
}

// gridWork is a file and a column of it that is filtered.
type gridWork struct {
	name   string // of both
	file   *scanner.File
	column string
	base   scanOptions
}

// each calls f for all files and orders, and adds up what it returns: how many
// cells are slower than they may be.
func (o *gridOptions) each(ctx context.Context, f func(gridWork) (slower int, err error)) (slower int, err error) {
	for _, path := range o.files {
		file, err := scanner.Open(ctx, path)
		if err != nil {
			return slower, err
		}
		defer file.Close()
		base := scanOptions{scanner.Options{Memory: scanner.NewMemory(poolLimit)}, o.without}
		for _, order := range o.orders {
			name := fmt.Sprintf("%-15s %s", strings.TrimSuffix(filepath.Base(path), ".parquet"), order)
			n, err := f(gridWork{name, file, gridOrders[order], base})
			if slower += n; err != nil {
				return slower, err
			}
		}
	}
	return slower, nil
}

// judged is how a command ends that finds things above their limit.
func judged(command, things string, slower int, err error, stdout, stderr io.Writer) int {
	if err != nil {
		fmt.Fprintln(stderr, command+":", err)
		return exitFailed
	}
	if fmt.Fprintln(stdout, slower, things, "are above their limit"); slower > 0 {
		return exitFailed
	}
	return exitOK
}

// gridSelection returns n columns, the one that is filtered first.
func gridSelection(column string, n int) []string {
	return append([]string{column}, slices.DeleteFunc(slices.Clone(gridColumns), func(c string) bool { return c == column })...)[:n]
}

// verdict measures a cell, of so many rows, and says what came of it.
func (o *gridOptions) verdict(ctx context.Context, f *scanner.File, without, with scanOptions, total int64) (rows int64, line string, over bool, err error) {
	if o.force != nil {
		d, err := compete(ctx, f, with, forced(with, o.force), o.pairs)
		if err != nil {
			return 0, "", false, err
		}
		return d.rows, d.String(), d.over(mostOfBest), nil
	}
	c, err := o.cell(ctx, f, without, with)
	line = fmt.Sprintf(" %6.1f %7.1f %6.3f  %6.3f  %5d", c.unfiltered, c.filtered, c.ratio, c.limit, c.pairs)
	if c.over > 0 {
		line += fmt.Sprintf("  slower by %.2f ns a row", c.over*1e6/float64(total))
	}
	return c.rows, line, c.over > 0, err
}

// gridValues returns the values of a column of integers, in order.
func gridValues(ctx context.Context, f *scanner.File, column string, o scanOptions) (values []int64, err error) {
	o.Select = []string{column}
	for b, err := range o.scan(ctx, f) {
		if err != nil {
			return nil, err
		}
		values = append(values, b.Columns[0].Int64s[:b.Len]...)
		b.Release()
	}
	slices.Sort(values)
	if len(values) == 0 {
		err = fmt.Errorf("%s: no rows", f.Name())
	}
	return values, err
}

// cell is what was measured of two scans: medians, of times in milliseconds.
type cell struct {
	rows                 int64
	unfiltered, filtered float64
	ratio, limit         float64
	over                 float64 // time above the limit
	pairs                int
}

func (o *gridOptions) cell(ctx context.Context, f *scanner.File, without, with scanOptions) (c cell, err error) {
	if o.profile.wanted() {
		return o.profiled(ctx, f, without, with)
	}
	unfiltered, err := warm(ctx, f, without)
	if err != nil {
		return c, err
	}
	filtered, err := warm(ctx, f, with)
	if err != nil {
		return c, err
	}
	limit := func(u float64) float64 { return max(1.03*u, u+o.cost*float64(unfiltered.rows)/1e6) }
	over := func() []float64 {
		return eachPair(filtered, unfiltered, func(f, u float64) float64 { return f - limit(u) })
	}
	if err := takeTurns(ctx, filtered, unfiltered, o.pairs, moreIfClose*o.pairs, func() bool { return settled(over(), 0) }); err != nil {
		return c, err
	}
	return cell{
		rows: filtered.rows, unfiltered: median(unfiltered.spent), filtered: median(filtered.spent), ratio: median(ratios(filtered, unfiltered)),
		limit: median(eachPair(filtered, unfiltered, func(_, u float64) float64 { return limit(u) / u })),
		over:  median(over()), pairs: len(filtered.spent),
	}, nil
}

// profiled runs one of the scans alone.
func (o *gridOptions) profiled(ctx context.Context, f *scanner.File, without, with scanOptions) (c cell, err error) {
	if o.baseline {
		with = without
	}
	s, err := warm(ctx, f, with)
	if err == nil {
		err = o.profile.start()
	}
	for range o.pairs {
		if err == nil {
			err = s.turn(ctx)
		}
	}
	if err != nil {
		return c, err
	}
	return cell{rows: s.rows, filtered: median(s.spent)}, nil
}
