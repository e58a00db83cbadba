package bench

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/scanner"
)

// row is what was measured of a workload and an engine: a line of JSON.
type row struct {
	Engine   string         `json:"engine"`
	Workload string         `json:"workload"`
	Threads  int            `json:"threads"`
	Wall     []float64      `json:"wall_ms"`
	CPU      []float64      `json:"cpu_ms"`
	Peak     int64          `json:"peak_rss_mb"` // of the process; 0 where the system does not tell
	Base     int64          `json:"rss_base_mb"`
	OK       bool           `json:"ok"`
	Error    string         `json:"error"`
	Rows     int64          `json:"rows"`
	Sums     map[string]Sum `json:"sums,omitempty"`
	Read     int64          `json:"bytes_read"`
	Reads    int64          `json:"reads"`
	Inflated int64          `json:"bytes_inflated"`
	Pages    pages          `json:"pages"`

	times float64 // that it takes of the first engine's processor time
}

// pages counts data pages, dictionaries apart, by what became of them.
type pages struct {
	Unread         int64 `json:"unread"`
	Undecompressed int64 `json:"undecompressed"`
	Undecoded      int64 `json:"undecoded"`
	Decoded        int64 `json:"decoded"`
	Dictionaries   int64 `json:"dictionaries"`
}

// measure is a command.
func (o *options) measure(ctx context.Context, stdout io.Writer) (ok bool, err error) {
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return false, err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return false, err
		}
		defer pprof.StopCPUProfile()
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	ok = true
	out := newReport(stdout, o.json)
	for _, w := range o.workloads {
		for _, threads := range o.threads {
			runtime.GOMAXPROCS(threads)
			for _, r := range o.rows(ctx, w, threads) {
				ok = ok && r.OK
				if err := out.add(r); err != nil {
					return false, err
				}
			}
		}
	}
	return ok, out.end()
}

// rows measures a workload with each engine: once for its answer and its traffic, then in turns.
func (o *options) rows(ctx context.Context, w *Workload, threads int) (rows []*row) {
	var all []*contender
	var measured []*row // of all
	add := func(name string, first, scan Scan) *row {
		r := &row{Engine: name, Workload: w.Name, Threads: threads, Wall: []float64{}, CPU: []float64{}}
		rows = append(rows, r)
		if c, err := r.warm(ctx, w, first, scan); err != nil {
			r.Error = err.Error()
		} else {
			all, measured = append(all, c), append(measured, r)
		}
		return r
	}
	if o.own {
		var t traffic
		e := prepare(w, threads, o.force)
		add("scan", e.watched(&t), e.scan).count(&t)
	}
	for _, e := range o.engines {
		scan := e.Prepare(w, threads)
		add(e.Name, scan, scan)
	}
	if len(all) == 0 {
		return rows
	}
	debug.FreeOSMemory()
	resetPeak()
	base := memory("VmRSS:")
	err := takeTurns(ctx, all, func(rounds int) bool {
		return rounds >= o.iters || rounds > 0 && slices.ContainsFunc(all, func(c *contender) bool { return sum(c.wall) >= o.budget.Seconds()*1e3 })
	})
	peak := memory("VmHWM:")
	for i, r := range measured {
		r.Wall, r.CPU, r.Base, r.Peak, r.OK = all[i].wall, all[i].cpu, base, peak, err == nil
		if err != nil {
			r.Error = err.Error()
		} else {
			r.times = median(ratios(all[i], all[0]))
		}
	}
	return rows
}

func sum(list []float64) (total float64) {
	for _, x := range list {
		total += x
	}
	return total
}

// warm runs a scan once, judges its answer, and returns a contender whose answers must be the same.
func (r *row) warm(ctx context.Context, w *Workload, first, scan Scan) (*contender, error) {
	answer, err := first(ctx)
	if err != nil {
		return nil, err
	}
	want, err := answer()
	if err != nil {
		return nil, err
	}
	r.Rows, r.Sums = want.Rows, want.Sums
	if fault := w.Judge(want); fault != "" {
		return nil, errors.New(fault)
	}
	return &contender{name: r.Engine, times: 1, run: func(ctx context.Context) (check func() error, err error) {
		answer, err := scan(ctx)
		return func() error {
			got, err := answer()
			if err != nil {
				return err
			}
			if fault := want.Differs(got); fault != "" {
				return errors.New(fault)
			}
			return nil
		}, err
	}}, nil
}

func (r *row) count(t *traffic) {
	r.Read, r.Reads = t.bytes.Load(), t.reads.Load()
	for _, c := range t.stats.Columns {
		r.Pages.Unread += c.Pages[scanner.Unread]
		r.Pages.Undecompressed += c.Pages[scanner.Undecompressed]
		r.Pages.Undecoded += c.Pages[scanner.Undecoded]
		r.Pages.Decoded += c.Pages[scanner.Decoded]
		r.Pages.Dictionaries += c.DictionaryPages
		r.Inflated += c.Decompressed
	}
}

// memory returns a line of Linux's account of this process in MB, 0 elsewhere.
func memory(key string) int64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			kB, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kB / 1024
		}
	}
	return 0
}

// resetPeak has Linux forget the peak so far. Elsewhere there is none to forget.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }
