package bench

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

	"github.com/winnow-scan/winnow/filter"
)

// options are the flags of a command line that measures workloads.
type options struct {
	workloads []*Workload
	file      bool // the workload is that of a file
	own       []ownScan
	peers     peerFlags
	threads   []int
	turns
	json    bool
	profile string // "" for none
	skip    skipOptions
}

const usage = `Usage: bench [--html FILE] [--peers] [FLAGS]                        what skipping saves, on a file that bench makes
       bench FILE [--select a,b] [--where CONDITION] [FLAGS]        a scan beside a full one, warm and cold
       bench --workloads FILE [--only a,b] [FLAGS]                  a list of scans, with answers that are known
       bench sweep [FLAGS]                                          kinds of files; bench sweep --help lists its flags
`

// parseFlags tells of the flags only if it is asked to, by --help.
func parseFlags(fs *flag.FlagSet, args []string, usage string, stderr io.Writer) error {
	fs.SetOutput(io.Discard)
	err := fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fs.SetOutput(stderr)
		fmt.Fprint(stderr, usage)
		fs.PrintDefaults()
	case err != nil:
		err = fmt.Errorf("%w; %s --help lists the flags", err, fs.Name())
	}
	return err
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	list := fs.String("workloads", "", "`file` with a list of workloads")
	fs.StringVar(&o.skip.html, "html", "", "`file` to write a page with plots to; if its name ends in .svg, the plots of time alone")
	fs.IntVar(&o.skip.rows, "rows", skipRows, "`number` of rows of the file that bench makes")
	o.peers.register(fs)
	only := fs.String("only", "", "whole `names` of the workloads to run: a,b")
	data := fs.String("data", defaultData(), "`folder` of the workloads' files, and of the file that bench makes; $PEER_DATA sets it, too")
	selection := fs.String("select", "", "`columns` to return: a,b (default all)")
	where := fs.String("where", "", "`condition` that rows must meet")
	count := fs.Bool("count", false, "count the rows that pass, and return none")
	engines := fs.String("engines", "", "`scans` to run in turns, some of "+namesOf(ownScans())+": full has no condition, cold finds nothing in the page cache (default all of them for FILE)")
	force := fs.String("force", "", "`scans` to add, each forced to one of the ways that a scan chooses from: all, or some of "+namesOf(forcedScans()))
	threads := fs.String("threads", "1", "`numbers` of threads: 1,2 measures with each")
	fs.Float64Var(&o.budget, "budget", 0.5, "`seconds` that an engine has for its runs of a workload; none starts later")
	fs.IntVar(&o.rounds, "iters", 20, "`number` of runs that an engine has of a workload at most")
	fs.BoolVar(&o.json, "json", false, "print JSON lines")
	fs.StringVar(&o.profile, "cpuprofile", "", "`file` to write a CPU profile to, of scans and of checks of their answers; --engines is then scan")
	var file string
	for len(args) > 0 { // flags may stand after FILE
		if err := parseFlags(fs, args, usage, stderr); err != nil {
			return nil, err
		}
		if args = fs.Args(); len(args) == 0 {
			break
		}
		if file != "" {
			return nil, fmt.Errorf("one file at a time, not %q too", args[0])
		}
		file, args = args[0], args[1:]
	}
	made := file == "" && *list == "" // the data
	switch {
	case file != "" && *list != "":
		return nil, errors.New("want a file or --workloads, not both")
	case file == "" && (*selection != "" || *where != "" || *count):
		return nil, errors.New("--select, --where and --count go with a file")
	case *list == "" && *only != "":
		return nil, errors.New("--only goes with --workloads")
	case *count && *selection != "":
		return nil, errors.New("--count returns no columns to --select")
	case made && (*engines != "" || *force != "" || o.profile != ""):
		return nil, errors.New("--engines, --force and --cpuprofile go with a file or --workloads")
	case !made && o.skip != skipOptions{rows: skipRows}:
		return nil, errors.New("--html and --rows go with the data that bench makes, not with a file or --workloads")
	case o.skip.rows < 1000: // which have no row for some share
		return nil, errors.New("--rows: want 1000 at least")
	case o.rounds < 1:
		return nil, errors.New("--iters: want one at least")
	}
	o.budget *= 1e3
	if *engines == "" {
		*engines = map[bool]string{true: "scan,full", false: "all"}[made]
		if *list != "" || o.profile != "" {
			*engines = "scan"
		}
	}
	var forced []ownScan
	own, err := chosen("--engines", *engines, ownScans())
	if err == nil {
		forced, err = chosen("--force", *force, forcedScans())
		o.own = append(own, forced...)
	}
	if err == nil {
		o.threads, err = numbersOf("--threads", *threads, 1024)
	}
	switch {
	case err != nil:
	case file != "":
		err = o.ofFile(file, *selection, *where, *count)
	case *list != "":
		err = o.read(*list, *only, *data)
	case len(o.threads) > 1:
		err = errors.New("--threads: want one number, without a file and without --workloads")
	default:
		o.skip.data = *data
		_, err = os.Stat(filepath.Dir(o.skip.html)) // before anything is measured
	}
	return o, err
}

// chosen returns the scans that a flag's list names: none, some or all.
func chosen(flag, list string, from []ownScan) (scans []ownScan, err error) {
	switch list {
	case "":
		return nil, nil
	case "all":
		return from, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(from, func(s ownScan) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s: no scan %q; there are %s", flag, name, namesOf(from))
		}
		scans = append(scans, from[i])
	}
	return scans, nil
}

func namesOf(scans []ownScan) string {
	var names []string
	for _, s := range scans {
		names = append(names, s.name)
	}
	return strings.Join(names, ",")
}

// numbersOf reads a list of numbers from 1 to most.
func numbersOf(flag, list string, most int) (numbers []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			return nil, fmt.Errorf("%s: want numbers from 1 to %d, not %q", flag, most, text)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
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

// read reads the list of workloads, and drops all but those that are named, if some are.
func (o *options) read(path, only, data string) (err error) {
	if o.workloads, err = Read(path, data); err != nil || only == "" {
		return err
	}
	names := strings.Split(only, ",")
	for _, name := range names {
		if !slices.ContainsFunc(o.workloads, func(w *Workload) bool { return w.Name == name }) {
			return fmt.Errorf("%s: no workload %q", path, name)
		}
	}
	o.workloads = slices.DeleteFunc(o.workloads, func(w *Workload) bool { return !slices.Contains(names, w.Name) })
	return nil
}

// ofFile makes the workload of a command line with a file.
func (o *options) ofFile(file, selection, where string, count bool) error {
	w := &Workload{Name: filepath.Base(file), File: file}
	if count {
		w.Project = []string{}
	}
	if selection != "" { // it is split at its commas, those between double quotes aside
		quoted := false
		w.Project = strings.FieldsFunc(selection, func(r rune) bool {
			quoted = quoted != (r == '"')
			return r == ',' && !quoted
		})
	}
	if where != "" {
		e, err := filter.Parse(where)
		if err != nil {
			return fmt.Errorf("--where: %w", err)
		}
		w.Where = &Condition{Expr: e}
	}
	o.workloads, o.file = []*Workload{w}, true
	return nil
}
