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
	"github.com/winnow-scan/winnow/internal/workloads"
	"github.com/winnow-scan/winnow/scanner"
)

// orders runs `bench orders` and returns its exit code: workloads whose condition
// is an And of a few, against scans that run those in one order each, as it is
// written, and learn nothing about them.
func orders(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	list, pairs, err := parseOrders(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench orders:", err)
		return exitUsage
	}
	slower, err := compareOrders(ctx, list, pairs, stdout)
	return judged("bench orders", "workloads", slower, err, stdout, stderr)
}

// mostParts is how many conditions are put in all orders, 24 then.
const mostParts = 4

func parseOrders(args []string, stderr io.Writer) (list []*workloads.Workload, pairs int, err error) {
	fs := flag.NewFlagSet("bench orders", flag.ContinueOnError)
	fs.SetOutput(stderr)
	o := &options{}
	var only string
	fs.StringVar(&o.workloads, "workloads", "", "`file` with a list of workloads")
	fs.StringVar(&only, "only", "multi_order", "`names` of the workloads to run")
	fs.StringVar(&o.data, "data", defaultData(), "`folder` of the workloads' files")
	fs.IntVar(&pairs, "pairs", 10, "`number` of pairs, up to ten times as many where they do not tell")
	if err := fs.Parse(args); err != nil {
		return nil, 0, err
	}
	if o.only = strings.Split(only, ","); o.workloads == "" || pairs < 1 {
		return nil, 0, errors.New("want --workloads, and one pair at least")
	}
	list, err = o.list()
	for _, w := range list {
		if w.Where == nil || len(w.Where.Parts) < 2 || len(w.Where.Parts) > mostParts {
			return nil, 0, fmt.Errorf("%s: no And of 2 to %d conditions", w.Name, mostParts)
		}
	}
	return list, pairs, err
}

func compareOrders(ctx context.Context, list []*workloads.Workload, pairs int, stdout io.Writer) (slower int, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, w := range list {
		d, err := compareOrdersOf(ctx, w, pairs, stdout)
		if err != nil {
			return slower, err
		}
		if d.over(mostOfBest) {
			slower++
		}
	}
	return slower, nil
}

func compareOrdersOf(ctx context.Context, w *workloads.Workload, pairs int, stdout io.Writer) (d duel, err error) {
	f, err := scanner.Open(ctx, w.File)
	if err != nil {
		return d, err
	}
	defer f.Close()
	own := scanOptions{Options: scanner.Options{Select: w.Project, Filter: w.Where.Expr, Memory: scanner.NewMemory(poolLimit)}}
	var rivals []rival
	for _, order := range permutations(len(w.Where.Parts)) {
		var parts []*filter.Expr
		for _, i := range order {
			parts = append(parts, w.Where.Parts[i])
		}
		r := rival{fmt.Sprint("order ", order), own}
		r.options.Filter = filter.And(parts...)
		r.options.knobs.FixedOrder = true
		rivals = append(rivals, r)
	}
	if d, err = compete(ctx, f, own, rivals, pairs); err != nil {
		return d, err
	}
	_, err = fmt.Fprintf(stdout, "%-20s%s\n%-20s%s\n", filepath.Base(w.File), rivalHeading, w.Name, &d)
	for i, r := range rivals {
		if err == nil {
			_, err = fmt.Fprintf(stdout, "  %-27s%8.2f\n", r.name, d.times[i])
		}
	}
	return d, err
}

// permutations returns the orders of n things.
func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, shorter := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(shorter), at, n-1))
		}
	}
	return all
}
