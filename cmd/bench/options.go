package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/workloads"
)

// options are the flags of one command line.
type options struct {
	workloads string   // --workloads
	only      []string // --only; nil for all
	data      string   // --data: the folder of the workloads' files

	file      string // in place of --workloads
	selection string // --select
	where     string // --where
	count     bool   // --count

	threads []int
	iters   int
	budget  time.Duration
	json    bool
	profile profile // --cpuprofile
	without knobs.Knobs
}

func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, "Usage: bench --workloads FILE [--only a,b] [FLAGS]\n       bench FILE [--select a,b] [--where CONDITION] [FLAGS]")
		fs.PrintDefaults()
	}
	var only, threads, without string
	var seconds float64
	fs.StringVar(&o.workloads, "workloads", "", "`file` with a list of workloads")
	fs.StringVar(&only, "only", "", "`names` of the workloads to run")
	fs.StringVar(&o.data, "data", defaultData(), "`folder` of the workloads' files; $PEER_DATA")
	fs.StringVar(&o.selection, "select", "", "`columns` to return; without, all")
	fs.StringVar(&o.where, "where", "", "`condition` that rows must meet")
	fs.BoolVar(&o.count, "count", false, "count rows, return none")
	fs.StringVar(&threads, "threads", "1", "`numbers` of threads: 1,2")
	fs.IntVar(&o.iters, "iters", 5, "runs of each workload at most")
	fs.Float64Var(&seconds, "budget", 1, "`seconds` of runs behind which no other one starts")
	fs.BoolVar(&o.json, "json", false, "print JSON lines")
	fs.StringVar(&o.profile.path, "cpuprofile", "", "`file` for a profile of the timed runs, between which nothing is checked or collected then")
	fs.StringVar(&without, "without", "", "`ways` to do less that are not gone: statistics,page-index,bloom,dictionaries,order,mapping")
	for len(args) > 0 { // flags may stand after FILE
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if args = fs.Args(); len(args) == 0 {
			break
		}
		if o.file != "" {
			return nil, fmt.Errorf("one file at a time, not %q too", args[0])
		}
		o.file, args = args[0], args[1:]
	}
	for _, text := range strings.Split(threads, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1024 {
			return nil, fmt.Errorf("--threads: %q is no number of threads", text)
		}
		o.threads = append(o.threads, n)
	}
	if err := o.leaveOut(without); err != nil {
		return nil, err
	}
	if only != "" {
		o.only = strings.Split(only, ",")
	}
	o.budget = time.Duration(seconds * float64(time.Second))
	switch {
	case (o.file == "") == (o.workloads == ""):
		return nil, errors.New("want a file or --workloads")
	case o.file == "" && (o.selection != "" || o.where != "" || o.count):
		return nil, errors.New("--select, --where and --count go with a file")
	case o.file != "" && o.only != nil:
		return nil, errors.New("--only goes with --workloads")
	case o.count && o.selection != "":
		return nil, errors.New("--count returns no columns to --select")
	case o.iters < 1:
		return nil, errors.New("--iters: want one at least")
	}
	return o, nil
}

// leaveOut turns off what is named in a list.
func (o *options) leaveOut(list string) error {
	ways := map[string]*bool{
		"statistics": &o.without.NoStatistics, "page-index": &o.without.NoPageIndex, "bloom": &o.without.NoBloom,
		"dictionaries": &o.without.NoDictionaries, "order": &o.without.FixedOrder,
		"mapping": &o.without.NoMapping,
	}
	for name := range strings.SplitSeq(list, ",") {
		if list == "" {
			break
		}
		way := ways[name]
		if way == nil {
			return fmt.Errorf("--without: no way %q to do less", name)
		}
		*way = true
	}
	return nil
}

func defaultData() string {
	if dir := os.Getenv("PEER_DATA"); dir != "" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "."
	}
	return filepath.Join(cache, "winnow-peers", "data")
}

// list returns the workloads that are asked for.
func (o *options) list() ([]*workloads.Workload, error) {
	if o.file != "" {
		w, err := o.own()
		return []*workloads.Workload{w}, err
	}
	all, err := workloads.Read(o.workloads, o.data)
	if err != nil || o.only == nil {
		return all, err
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(w *workloads.Workload) bool { return !slices.Contains(o.only, w.Name) })
	for _, name := range o.only {
		if !slices.ContainsFunc(all, func(w *workloads.Workload) bool { return w.Name == name }) {
			return nil, fmt.Errorf("%s: no workload %q", o.workloads, name)
		}
	}
	return chosen, nil
}
